import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event.ts';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import type { ResourceContent } from '../../../../src/host/resources/resourceContents.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { WatchedResources, watchLimits } from '../../../../src/host/resources/watchedResources.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import type { ServerChange } from '../../../../src/mcp/session/session.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;
const address = { serverId: 'user/files', uri: 'x://log' };

/** A server whose resources hold what the test says. */
class FakeServer {
  readonly changed = new Emitter<string>();
  readonly texts = new Map<string, string>();
  readonly watched: string[] = [];
  isBroken = false;
  /** Called when the server gets the watch, before it reports changes. */
  subscribing: () => void = () => undefined;
  readonly resources = {
    onDidChange: this.changed.event,
    whenWatched: async () => this.subscribing(),
    onServerChange: (change: ServerChange) => {
      assert.ok(change.kind === 'resource');
      this.changed.fire(change.uri);
    },
    read: async (uri: string): Promise<readonly ResourceContent[]> => {
      if (this.isBroken) {
        throw new McpError('closed', 'gone');
      }
      return [{ kind: 'text', uri, text: this.texts.get(uri) ?? '' }];
    },
    watch: (uri: string) => {
      this.watched.push(uri);
      return {
        dispose: () => {
          this.watched.splice(this.watched.indexOf(uri), 1);
        },
      };
    },
  };

  write(uri: string, text: string, announced = uri): void {
    this.texts.set(uri, text);
    this.changed.fire(announced);
  }
}

/** Bytes of all versions. */
const budget = 1024 * 1024;

function create(values = new Map<string, unknown>()) {
  const server = new FakeServer();
  const servers = new Map([[address.serverId, server]]);
  const serversChanged = new Emitter<undefined>();
  const warnings: string[] = [];
  const watched = new WatchedResources({
    host: { servers, onDidChangeServers: serversChanged.event },
    memory: {
      get: (key) => values.get(key),
      set: async (key, value) => void values.set(key, value),
    },
    account: new ServerMemory().open(budget),
    log: createLog((_severity, line) => warnings.push(line), new Redactor()),
  });
  return { server, servers, serversChanged, watched, warnings, values };
}

async function watching(text: string) {
  const parts = create();
  parts.server.texts.set(address.uri, text);
  await parts.watched.start(address, never);
  return parts;
}

function textOf(watched: WatchedResources): string | undefined {
  const [content] = watched.previous(address)?.contents ?? [];
  return content?.kind === 'text' ? content.text : undefined;
}

const becomes = (watched: WatchedResources, state: string) =>
  waitUntil(`the state ${state}`, () => watched.stateOf(address) === state);

describe('WatchedResources', () => {
  it('VSC-10, RES-08: a resource, or something below it, has changed when it holds something else', async () => {
    const { server, watched } = await watching('one');
    assert.equal(watched.stateOf(address), 'watched');
    assert.deepEqual(server.watched, [address.uri]);
    server.write(address.uri, 'two', `${address.uri}/part`);
    await becomes(watched, 'changed');
    assert.equal(textOf(watched), 'one');
  });

  it('an announcement without a change is no change, nor is one that was taken back', async () => {
    const { server, watched } = await watching('one');
    server.changed.fire(address.uri);
    await watched.whenRead(address);
    assert.equal(watched.stateOf(address), 'watched');
    assert.equal(watched.previous(address), undefined);
    server.write(address.uri, 'two');
    await becomes(watched, 'changed');
    server.write(address.uri, 'one');
    await becomes(watched, 'watched');
  });

  it('what was seen is the previous version of the next change; what was not seen is none', async () => {
    const { server, watched } = await watching('one');
    server.write(address.uri, 'two');
    await becomes(watched, 'changed');
    server.write(address.uri, 'three');
    await watched.whenRead(address);
    assert.equal(textOf(watched), 'one');
    watched.seen(address);
    assert.equal(watched.stateOf(address), 'watched');
    assert.equal(textOf(watched), 'one', 'can still be compared with');
    server.write(address.uri, 'four');
    await becomes(watched, 'changed');
    assert.equal(textOf(watched), 'three');
  });

  it('LIFE-14: follows its server through a change of its entry', async () => {
    const { server, servers, serversChanged, watched } = await watching('one');
    const replaced = new FakeServer();
    servers.set(address.serverId, replaced);
    serversChanged.fire(undefined);
    assert.deepEqual(server.watched, []);
    assert.deepEqual(replaced.watched, [address.uri]);
    replaced.write(address.uri, 'two');
    await becomes(watched, 'changed');
  });

  it('is remembered for the workspace, and read when its server runs', async () => {
    const first = await watching('one');
    first.watched.dispose();
    assert.deepEqual(first.server.watched, []);
    const { server, watched } = create(first.values);
    assert.deepEqual(watched.addresses, [address]);
    // As a new session begins.
    server.write(address.uri, 'one');
    await watched.whenRead(address);
    assert.equal(watched.stateOf(address), 'watched');
    server.write(address.uri, 'two');
    await becomes(watched, 'changed');
    await watched.stop(address);
    assert.equal(watched.stateOf(address), 'none');
    assert.deepEqual(create(first.values).watched.addresses, []);
  });

  it('goes on watching what cannot be read at the moment, but begins with nothing of the kind', async () => {
    const { server, watched, warnings } = await watching('one');
    server.isBroken = true;
    server.changed.fire(address.uri);
    await watched.whenRead(address);
    assert.equal(watched.stateOf(address), 'watched');
    assert.match(warnings.join('\n'), /x:\/\/log: gone/);
    const other = { ...address, uri: 'x://other' };
    await assert.rejects(watched.start(other, never), { code: 'closed' });
    assert.equal(watched.stateOf(other), 'none');
    server.isBroken = false;
    server.write(address.uri, 'two');
    await becomes(watched, 'changed');
  });

  it('VSC-10: what changes while the server gets the watch has changed', async () => {
    const { watched, server } = create();
    server.subscribing = () => void server.texts.set(address.uri, 'two');
    server.texts.set(address.uri, 'one');
    await watched.start(address, never);
    await becomes(watched, 'changed');
    assert.equal(textOf(watched), 'one');
  });

  it('is not begun where the server refuses it', async () => {
    const { watched, server } = create();
    server.subscribing = () => {
      throw new McpError('unsupported', 'no');
    };
    await assert.rejects(watched.start(address, never), { code: 'unsupported' });
    assert.deepEqual([watched.stateOf(address), server.watched], ['none', []]);
  });

  it('is begun once, however often it is asked for, and not after the end', async () => {
    const { watched, server } = create();
    await Promise.all([watched.start(address, never), watched.start(address, never)]);
    assert.deepEqual(server.watched, [address.uri]);
    const late = watched.start({ ...address, uri: 'x://other' }, never);
    watched.dispose();
    await late;
    assert.deepEqual(server.watched, []);
  });

  it('keeps no version that there is no memory for, and still says that it changed', async () => {
    const { server, watched } = await watching('x'.repeat(budget + 1));
    server.write(address.uri, 'small');
    await becomes(watched, 'changed');
    assert.deepEqual(watched.previous(address), { contents: undefined });
  });

  it('keeps no more than it may in all: the versions that changed last', async () => {
    const { server, watched } = create();
    const size = budget / 8;
    const count = budget / size + 1;
    const all = Array.from({ length: count }, (_, n) => ({ ...address, uri: `x://${n}` }));
    for (const { uri } of all) {
      server.texts.set(uri, 'x'.repeat(size));
      await watched.start({ ...address, uri }, never);
    }
    for (const { uri } of [all[0], all.at(-1)].filter((one) => one !== undefined)) {
      server.write(uri, 'small');
      await waitUntil(uri, () => watched.stateOf({ ...address, uri }) === 'changed');
    }
    assert.equal(watched.previous({ ...address, uri: 'x://0' })?.contents, undefined);
    assert.notEqual(watched.previous({ ...address, uri: `x://${count - 1}` })?.contents, undefined);
  });

  it('watches no more than it may, and names the way out', async () => {
    const { watched } = create();
    for (let n = 0; n < watchLimits.maxWatched; n += 1) {
      await watched.start({ ...address, uri: `x://${n}` }, never);
    }
    await assert.rejects(watched.start(address, never), {
      code: 'invalidInput',
      message: /Stop watching one/u,
    });
  });
});
