/** Servers that nobody here wrote, over every transport that they have. */
import type { ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import type { ClientFeatures, Session } from '../../src/mcp/session/session.ts';
import { startAsker } from '../servers/askerOnWebSocket.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { freePort } from '../support/listening.ts';
import { everything, nodeLaunch } from '../support/realHost.ts';
import { textOf } from '../support/textOf.ts';
import { waitUntil } from '../support/waitUntil.ts';

const { signal: never } = new AbortController();
const features: ClientFeatures = {
  listRoots: async () => [{ uri: 'file:///work', name: 'work' }],
  sample: async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'four' } }),
  elicit: async () => ({ action: 'decline' }),
};

async function opened(launch: ResolvedLaunch): Promise<Session> {
  return closedAfterTest(
    await connect(toBindings(launch), hello({ features, openMs: 60_000 }), never),
  );
}

/** server-everything as a process that listens. */
async function startEverything(mode: 'sse' | 'streamableHttp') {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const server = spawn(process.execPath, [everything, mode], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(server, 'exit');
  closedAfterTest({
    close: async () => {
      server.kill('SIGKILL');
      await gone;
    },
  });
  let said = '';
  server.stderr.on('data', (chunk) => (said += String(chunk)));
  await waitUntil('server-everything listens', () => /on port/u.test(said), 60_000);
  return { server, origin: `http://127.0.0.1:${port}` };
}

/** What server-everything can do is the same over every transport. */
async function showsEverything(session: Session): Promise<void> {
  assert.match(session.server.info.name, /everything/u);
  const { items: tools } = await listAll(session, 'tools');
  const names = tools.map(({ name }) => name);
  assert.ok(names.includes('echo'), names.join());
  assert.equal(await textOf(session, 'echo', { message: 'grün' }), 'Echo: grün');
  const steps: number[] = [];
  const slow = names.find((name) => /long-?running/iu.test(name)) ?? '';
  await session.call(
    'tools/call',
    { name: slow, arguments: { duration: 1, steps: 4 } },
    { onProgress: ({ progress }) => steps.push(progress) },
  );
  assert.deepEqual(steps, [1, 2, 3, 4]);
  assert.ok((await listAll(session, 'prompts')).items.length > 0);
  const { items: resources } = await listAll(session, 'resources');
  assert.ok(resources.length > 0);
  const [first] = resources;
  const { contents } = await session.call('resources/read', { uri: first?.uri ?? '' });
  assert.ok(contents.length > 0);
  const controller = new AbortController();
  const given = session.call(
    'tools/call',
    { name: slow, arguments: { duration: 30, steps: 300 } },
    { signal: controller.signal, onProgress: () => controller.abort() },
  );
  await assert.rejects(given, { code: 'cancelled' });
  assert.equal(await textOf(session, 'echo', { message: 'still' }), 'Echo: still');
}

describe('server-everything', function () {
  this.timeout(120_000);

  it('on stdio', async () => {
    const session = await opened(nodeLaunch([everything, 'stdio']));
    assert.equal(session.server.transport, 'stdio');
    await showsEverything(session);
  });

  for (const [rule, mode, path, transport] of [
    ['HTTP-01', 'streamableHttp', '/mcp', 'Streamable HTTP'],
    ['SSE-07', 'sse', '/sse', 'HTTP+SSE'],
  ] as const) {
    it(`${rule}: on ${transport}, found by its URL alone`, async () => {
      const { origin } = await startEverything(mode);
      const session = await opened({ kind: 'http', url: `${origin}${path}`, headers: {} });
      assert.equal(session.server.transport, transport);
      await showsEverything(session);
    });
  }
});

describe('A server of the official SDK v1 on a WebSocket', () => {
  it('WS-01, WS-03: lists, calls and asks', async () => {
    const { url } = closedAfterTest(await startAsker());
    const session = await opened({ kind: 'webSocket', url, headers: {} });
    const { transport, revision } = session.server;
    assert.deepEqual([transport, revision], ['WebSocket', '2025-11-25']);
    const { items } = await listAll(session, 'prompts');
    assert.deepEqual(
      items.map(({ name }) => name),
      ['hello'],
    );
    assert.equal(await textOf(session, 'greet'), '{}', 'declined');
    const model = { type: 'text', text: 'four' };
    assert.deepEqual(JSON.parse(await textOf(session, 'ask-model')), { model });
  });
});
