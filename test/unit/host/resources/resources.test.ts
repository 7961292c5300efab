import assert from 'node:assert/strict';
import {
  freshMs,
  isNotFound,
  ServerResources,
  updateRate,
} from '../../../../src/host/resources/resources.ts';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import { isRpcError, McpError, RpcError } from '../../../../src/mcp/errors.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { type Answers, FakeSession, untilAborted } from '../../../support/fakeSession.ts';
import { turns } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;

function create(answers: Answers, subscribe = true) {
  const session = new FakeSession({ resources: { subscribe } }, answers);
  const clock = new FakeClock();
  const warnings: string[] = [];
  const asked: unknown[] = [];
  const resources = new ServerResources({
    name: 'files',
    useSession: (use, signal, isAsked) => {
      asked.push(isAsked);
      return use(session, signal);
    },
    clock,
    output: {
      log: createLog((_severity, line) => warnings.push(line), new Redactor()),
      withoutSecrets: (error) => error,
    },
  });
  resources.attach(session);
  return { session, clock, resources, warnings, asked };
}

function texts() {
  let count = 0;
  return create({
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: `${(count += 1)}` }] }),
  });
}

async function textOf(resources: ServerResources, uri: string): Promise<string> {
  const [first] = await resources.read(uri, never);
  assert.ok(first?.kind === 'text');
  return first.text;
}

describe('ServerResources', () => {
  it('says for whom it reads, of several who wait for the same the first', async () => {
    const origins: unknown[] = [];
    const { resources, asked } = create({
      'resources/read': ({ uri }, { origin }) => {
        origins.push(origin);
        return { contents: [{ uri, text: '' }] };
      },
    });
    await Promise.all([
      resources.read('a', never, { kind: 'model' }),
      resources.read('a', never, { kind: 'user' }),
    ]);
    await resources.read('b', never);
    await resources.read('c', never, { kind: 'client' });
    assert.deepEqual(origins, [{ kind: 'model' }, undefined, { kind: 'client' }]);
    assert.deepEqual(asked, [true, false, false], 'whether a person has caused it');
  });

  it('reads at the same time, or shortly after, are one request', async () => {
    const { resources, session, clock } = texts();
    const both = await Promise.all([textOf(resources, 'a'), textOf(resources, 'a')]);
    assert.deepEqual(both, ['1', '1']);
    clock.advance(freshMs - 1);
    assert.equal(await textOf(resources, 'a'), '1');
    clock.advance(1);
    assert.equal(await textOf(resources, 'a'), '2');
    assert.equal(session.count('resources/read'), 2);
    resources.dispose();
    assert.equal(clock.pending, 0);
  });

  it('RES-08: a flood of changes is told in a few, the last one of each resource among them', () => {
    const { resources, clock } = texts();
    const changed: string[] = [];
    resources.onDidChange((uri) => changed.push(uri));
    for (let n = 0; n < 10_000; n++) {
      resources.onServerChange({ kind: 'resource', uri: `a:/${n % 2}` });
    }
    resources.onServerChange({ kind: 'resource', uri: 'a:/last' });
    assert.equal(changed.length, updateRate.perSecond);
    clock.advance(1_000);
    assert.deepEqual(changed.slice(updateRate.perSecond), ['a:/0', 'a:/1', 'a:/last']);
    resources.dispose();
  });

  it('RES-08: reads again after the server named the resource or a part of it', async () => {
    const { resources, session } = texts();
    const changed: string[] = [];
    resources.onDidChange((uri) => changed.push(uri));
    assert.equal(await textOf(resources, 'a:/dir'), '1');
    resources.onServerChange({ kind: 'resource', uri: 'a:/dir/file' });
    assert.equal(await textOf(resources, 'a:/dir'), '2');
    resources.onServerChange({ kind: 'resource', uri: 'b:/' });
    assert.equal(await textOf(resources, 'a:/dir'), '2');
    assert.deepEqual(changed, ['a:/dir/file', 'b:/']);
    assert.equal(session.count('resources/read'), 2);
  });

  for (const [code, words, isMissing] of [
    [-32002, 'The server "files" has no resource "a": words', true],
    [-32603, 'The server "files" could not read "a": words', false],
  ] as const) {
    it(`RES-13: tells of ${code}: ${words}, and does not remember it`, async () => {
      let isDown = true;
      const { resources } = create({
        'resources/read': ({ uri }) =>
          isDown
            ? Promise.reject(new RpcError(code, 'words', { uri }))
            : Promise.resolve({ contents: [{ uri, text: 'ok' }] }),
      });
      await assert.rejects(resources.read('a', never), (error: unknown) => {
        assert.ok(isRpcError(error));
        assert.deepEqual([error.message, error.data], [words, { uri: 'a' }]);
        return isNotFound(error) === isMissing;
      });
      isDown = false;
      assert.equal(await textOf(resources, 'a'), 'ok');
    });
  }

  it('cancels the request when the last reader gives up, and not before', async () => {
    let sent: AbortSignal | undefined;
    const { resources } = create({
      'resources/read': (_params, { signal }) => {
        sent = signal;
        return untilAborted(signal);
      },
    });
    const [one, two] = [new AbortController(), new AbortController()];
    const reads = [resources.read('a', one.signal), resources.read('a', two.signal)];
    await turns();
    one.abort(new McpError('cancelled', 'one'));
    await assert.rejects(reads[0] ?? Promise.resolve(), /one/u);
    assert.equal(sent?.aborted, false);
    two.abort(new McpError('cancelled', 'two'));
    await assert.rejects(reads[1] ?? Promise.resolve(), /two/u);
    assert.equal(sent?.aborted, true);
  });

  it('RES-07: watches what is open, until the last one closes it', async () => {
    const { resources, session } = texts();
    await turns();
    session.watches.length = 0;
    const first = resources.watch('a');
    const second = resources.watch('a');
    resources.watch('b');
    await turns();
    assert.deepEqual(session.watches, [['a', 'b']]);
    first.dispose();
    first.dispose();
    await turns();
    assert.deepEqual(session.watches.at(-1), ['a', 'b']);
    second.dispose();
    await turns();
    assert.deepEqual(session.watches.at(-1), ['b']);
  });

  it('RES-07: subscribes to nothing where the server does not offer it', async () => {
    const { resources, session } = create({}, false);
    resources.watch('a');
    await turns();
    assert.deepEqual(session.watches, []);
  });

  it('RES-07: says when the server knows what is watched, and what it refused', async () => {
    const { resources, session, warnings } = create({});
    await resources.whenWatched();
    resources.watch('a');
    await resources.whenWatched();
    assert.deepEqual(session.watches.at(-1), ['a']);
    session.watch = () => Promise.reject(new RpcError(-32002, 'No such thing'));
    resources.watch('b').dispose();
    await assert.rejects(resources.whenWatched(), isRpcError);
    await turns();
    assert.equal(warnings.length, 1);
  });

  it('LIFE-14: watches again in a new session, and has what is open read again', async () => {
    const { resources } = texts();
    resources.watch('a');
    assert.equal(await textOf(resources, 'a'), '1');
    resources.detach();
    const changed: string[] = [];
    resources.onDidChange((uri) => changed.push(uri));
    const next = new FakeSession({ resources: { subscribe: true } });
    resources.attach(next);
    await turns();
    assert.deepEqual(next.watches, [['a']]);
    assert.deepEqual(changed, ['a']);
    assert.equal(await textOf(resources, 'a'), '2');
  });
});
