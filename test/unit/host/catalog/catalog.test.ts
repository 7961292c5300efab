import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { listAll } from '../../../../src/mcp/client/listing.ts';
import { Catalog, type ListKind, whenListed } from '../../../../src/host/catalog/catalog.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { Resource, Tool } from '../../../../src/mcp/types/lists.ts';
import type { ResultOf } from '../../../../src/mcp/types/methods.ts';
import { type Answers, FakeSession, untilAborted } from '../../../support/fakeSession.ts';
import { deferred } from '../../../support/deferred.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';
import { settlesWithin } from '../../../../src/base/async.ts';

const never = new AbortController().signal;
const everything = { tools: {}, prompts: {}, resources: {} };

function tool(name: string): Tool {
  return { name, inputSchema: { type: 'object' } };
}

function resource(uri: string): Resource {
  return { uri, name: uri };
}

function skill(name: string): object {
  return {
    uri: `skill://${name}/SKILL.md`,
    frontmatter: { name, description: 'Does it' },
    resources: 'dynamic',
  };
}

const answers: Answers = {
  'tools/list': () => ({ tools: [tool('a')] }),
  'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
  'resources/list': () => ({ resources: [resource('r:1')] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'r:{x}', name: 't' }] }),
};

function serving(list: Answers['tools/list']): FakeSession {
  return new FakeSession({ tools: {} }, { 'tools/list': list });
}

describe('Catalog', () => {
  let catalog: Catalog;
  let changes: ListKind[];

  beforeEach(() => {
    catalog = new Catalog({ listAll });
    changes = [];
    catalog.onDidChange((kind) => changes.push(kind));
  });

  afterEach(() => catalog.dispose());

  async function attach(session: FakeSession): Promise<FakeSession> {
    catalog.attach(session, never);
    session.onDidChange((change) => catalog.onServerChange(change));
    await catalog.whenLoaded();
    return session;
  }

  it('LIFE-12: lists all that the server declared', async () => {
    await attach(new FakeSession(everything, answers));
    assert.deepEqual(catalog.items('tools'), [tool('a')]);
    assert.deepEqual(catalog.items('prompts'), [{ name: 'p' }]);
    assert.deepEqual(catalog.items('resources'), [resource('r:1')]);
    assert.deepEqual(catalog.items('resourceTemplates'), [{ uriTemplate: 'r:{x}', name: 't' }]);
  });

  it('CAP-01: asks for nothing that the server did not declare', async () => {
    const session = await attach(new FakeSession({ tools: {} }, answers));
    assert.deepEqual(session.calls, ['tools/list']);
    assert.deepEqual(catalog.list('resources'), { kind: 'none' });
    session.change.fire({ kind: 'resources' });
    catalog.refresh();
    await waitUntil('the refresh', () => session.count('tools/list') === 2);
    assert.equal(session.count('resources/list'), 0);
  });

  it('SKL-01, SKL-07, SKL-15: lists skills once a connection, all pages, where they are declared', async () => {
    const list: Answers = {
      'skills/list': ({ cursor }) =>
        cursor === undefined ? { skills: [skill('a')], nextCursor: 'b' } : { skills: [skill('b')] },
    };
    await attach(new FakeSession({ resources: {} }, { ...answers, ...list }));
    assert.deepEqual(catalog.list('skills'), { kind: 'none' });
    const extensions = { 'io.modelcontextprotocol/skills': {} };
    const session = await attach(new FakeSession({ extensions }, list));
    assert.deepEqual(
      catalog.items('skills').map(({ name }) => name),
      ['a', 'b'],
    );
    assert.equal(session.count('skills/list'), 2);
  });

  it('SKL-08: takes no more than 2,000 skills of a server, and says so', async () => {
    const entry = { frontmatter: { name: 'a', description: 'Does it' }, resources: 'dynamic' };
    const skills = Array.from({ length: 2_001 }, (_, n) => ({
      uri: `s:${n}/a/SKILL.md`,
      ...entry,
    }));
    const extensions = { 'io.modelcontextprotocol/skills': {} };
    await attach(new FakeSession({ extensions }, { 'skills/list': () => ({ skills }) }));
    const state = catalog.list('skills');
    assert.ok(state.kind === 'ready' && state.items.length === 2_000);
    assert.match(state.truncated ?? '', /limit of 2000 items/u);
  });

  it('CACHE-04, SUB-04: whoever uses a list whose time is over has it fetched again', async () => {
    const fresh: unknown[] = [];
    const session = await attach(
      // Whether its subscription is granted, the capability does not say.
      new FakeSession(
        { ...everything, tools: { listChanged: true } },
        {
          ...answers,
          'tools/list': (_params, { isFresh }) => {
            fresh.push(isFresh);
            return { tools: [tool('a')], ttlMs: 0 };
          },
          'prompts/list': () => ({ prompts: [], ttlMs: 60_000 }),
        },
      ),
    );
    catalog.renew();
    await waitUntil('the second fetch', () => session.count('tools/list') === 2);
    assert.deepEqual(fresh, [false, true]);
    // Still good, or never said to be anything else.
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'] as const) {
      assert.equal(session.count(method), 1);
    }
  });

  it('CACHE-05: time alone fetches nothing', async () => {
    const session = await attach(
      new FakeSession({ tools: {} }, { 'tools/list': () => ({ tools: [], ttlMs: 0 }) }),
    );
    await delay(20);
    assert.equal(session.count('tools/list'), 1);
  });

  it('fetches its lists at the same time', async () => {
    const session = new FakeSession(everything, {
      'tools/list': (_params, { signal }) => untilAborted(signal),
      'prompts/list': (_params, { signal }) => untilAborted(signal),
      'resources/list': (_params, { signal }) => untilAborted(signal),
      'resources/templates/list': (_params, { signal }) => untilAborted(signal),
    });
    catalog.attach(session, never);
    await turns();
    assert.equal(session.calls.length, 4);
    assert.deepEqual(catalog.list('tools'), { kind: 'loading', items: [] });
  });

  describe('with a second page that comes later', () => {
    let second = deferred<ResultOf<'resources/list'>>();
    const session = () =>
      new FakeSession(
        { resources: {} },
        {
          ...answers,
          'resources/list': ({ cursor }) =>
            cursor === undefined
              ? { resources: [resource('r:1')], nextCursor: '2' }
              : second.promise,
        },
      );

    it('PAGE-01: shows the first page while the others are fetched, and is whole only with the last', async () => {
      second = deferred();
      catalog.attach(session(), never);
      await waitUntil('the first page', () => catalog.known('resources').length === 1);
      assert.deepEqual(catalog.list('resources'), { kind: 'loading', items: [resource('r:1')] });
      assert.deepEqual(catalog.items('resources'), []);
      second.resolve({ resources: [resource('r:2')] });
      await catalog.whenLoaded();
      assert.deepEqual(catalog.items('resources'), [resource('r:1'), resource('r:2')]);
      assert.deepEqual(catalog.known('resources'), catalog.items('resources'));
    });

    it('PAGE-01: a list that is fetched again is shown as it was until the last page is there', async () => {
      second = deferred();
      second.resolve({ resources: [resource('r:2')] });
      const attached = await attach(session());
      second = deferred();
      catalog.refresh();
      await waitUntil('the second fetch', () => attached.count('resources/list') === 4);
      assert.equal(catalog.items('resources').length, 2);
      second.resolve({ resources: [resource('r:3')] });
      await catalog.whenSettled('resources');
      assert.deepEqual(catalog.items('resources'), [resource('r:1'), resource('r:3')]);
    });
  });

  it('a long list that comes again as it was changes nothing, and one item of it does', async () => {
    const count = 5_000;
    let last = 'r:last';
    const session = new FakeSession(
      { resources: {} },
      {
        ...answers,
        'resources/list': () => ({
          resources: [
            ...Array.from({ length: count }, (_, index) => resource(`r:${index}`)),
            resource(last),
          ],
        }),
      },
    );
    await attach(session);
    const before = catalog.list('resources');
    catalog.refresh();
    await catalog.whenSettled('resources');
    assert.equal(catalog.list('resources'), before);
    last = 'r:other';
    catalog.refresh();
    await catalog.whenSettled('resources');
    assert.equal(catalog.items('resources').at(-1)?.uri, 'r:other');
  });

  it('keeps the other lists when one fails, and says why', async () => {
    const error = new RpcError(-32603, 'database is down');
    await attach(
      new FakeSession(everything, { ...answers, 'resources/list': () => Promise.reject(error) }),
    );
    assert.deepEqual(catalog.list('resources'), { kind: 'failed', error });
    assert.equal(catalog.items('tools').length, 1);
    assert.equal(catalog.items('resourceTemplates').length, 1);
  });

  it('TOOL-01: fetches again after list_changed, once for a burst, and tells what changed', async () => {
    let tools = [tool('a')];
    const session = await attach(
      new FakeSession(everything, { ...answers, 'tools/list': () => ({ tools }) }),
    );
    changes.length = 0;
    tools = [tool('a'), tool('b')];
    for (let count = 0; count < 20; count += 1) {
      session.change.fire({ kind: 'tools' });
    }
    await waitUntil('the new tool', () => catalog.items('tools').length === 2);
    assert.equal(session.count('tools/list'), 2);
    assert.equal(session.count('prompts/list'), 1);
    assert.deepEqual(changes, ['tools']);
  });

  it('PROM-01: reads all pages of prompts, and again after list_changed', async () => {
    let last = 'b';
    const session = await attach(
      new FakeSession(everything, {
        ...answers,
        'prompts/list': ({ cursor }) =>
          cursor === undefined
            ? { prompts: [{ name: 'a' }], nextCursor: '2' }
            : { prompts: [{ name: last }] },
      }),
    );
    assert.deepEqual(catalog.items('prompts'), [{ name: 'a' }, { name: 'b' }]);
    last = 'c';
    session.change.fire({ kind: 'prompts' });
    await waitUntil('the new prompt', () => catalog.items('prompts')[1]?.name === 'c');
    assert.equal(session.count('prompts/list'), 4);
    assert.equal(session.count('tools/list'), 1);
  });

  it('RES-01: a change of resources is one of templates too', async () => {
    const session = await attach(new FakeSession(everything, answers));
    session.change.fire({ kind: 'resources' });
    await waitUntil('both lists', () => session.count('resources/templates/list') === 2);
    assert.equal(session.count('resources/list'), 2);
  });

  it('follows a fetch in flight by exactly one more', async () => {
    const first = deferred<void>();
    let count = 0;
    const session = new FakeSession(
      { tools: {} },
      {
        'tools/list': async () => {
          count += 1;
          const name = `n${count}`;
          await (count === 1 && first.promise);
          return { tools: [tool(name)] };
        },
      },
    );
    catalog.attach(session, never);
    for (let fired = 0; fired < 5; fired += 1) {
      catalog.onServerChange({ kind: 'tools' });
    }
    await turns();
    assert.equal(count, 1);
    first.resolve();
    await waitUntil('the second fetch', () => catalog.items('tools')[0]?.name === 'n2');
    assert.equal(count, 2);
  });

  it('drops what an older session answers late', async () => {
    const late = deferred<ResultOf<'tools/list'>>();
    catalog.attach(
      serving(() => late.promise),
      never,
    );
    await turns();
    await attach(serving(() => ({ tools: [tool('new')] })));
    late.resolve({ tools: [tool('old')] });
    await turns();
    assert.deepEqual(catalog.items('tools'), [tool('new')]);
  });

  it('keeps the items of a list whose next fetch fails, and says so', async () => {
    const failure = new McpError('timeout', 'no answer');
    let isBroken = false;
    const session = await attach(
      new FakeSession(
        { tools: {} },
        {
          'tools/list': () =>
            isBroken ? Promise.reject(failure) : Promise.resolve({ tools: [tool('a')] }),
        },
      ),
    );
    isBroken = true;
    session.change.fire({ kind: 'tools' });
    await waitUntil('the failure', () => changes.length > 2);
    const list = catalog.list('tools');
    assert.ok(list.kind === 'ready');
    assert.equal(list.staleBecause, failure);
    assert.deepEqual(list.items, [tool('a')]);
    isBroken = false;
    catalog.refresh();
    await waitUntil('the recovery', () => {
      const now = catalog.list('tools');
      return now.kind === 'ready' && now.staleBecause === undefined;
    });
  });

  it('keeps items in view over a restart and forgets them after a stop', async () => {
    await attach(new FakeSession({ tools: {} }, answers));
    changes.length = 0;
    catalog.detach(true);
    assert.equal(catalog.items('tools').length, 1);
    await attach(new FakeSession({ tools: {} }, answers));
    assert.deepEqual(changes, [], 'the same items are no change');
    catalog.detach(false);
    assert.deepEqual(catalog.list('tools'), { kind: 'none' });
    assert.deepEqual(changes, ['tools']);
  });
});

const serverThat = (whenLoaded: () => Promise<void>) => ({ catalog: { whenLoaded } });
const ready = serverThat(() => Promise.resolve());

describe('whenListed', () => {
  it('waits for the lists of all servers', async () => {
    const coming = deferred<void>();
    const listed = whenListed([ready, serverThat(() => coming.promise)], 60_000);
    assert.equal(await settlesWithin(listed, 20), false);
    coming.resolve();
    await listed;
  });

  it('leaves out what takes too long, or fails', async () => {
    await whenListed([ready, serverThat(() => deferred<void>().promise)], 10);
    await whenListed([serverThat(() => Promise.reject(new Error('lost'))), ready]);
    await whenListed([]);
  });
});
