/** A server that goes and comes back is reached again by the connection, over transports that have a session. */
import type { ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import type { ConnectionState } from '../../src/host/servers/connectionState.ts';
import { McpHost } from '../../src/host/servers/host.ts';
import { createConnector } from '../../src/host/servers/connector.ts';
import { startHost, type TransportName } from '../servers/matrix/matrixHosts.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { FakeGate } from '../support/fakeGate.ts';
import { FakeLogs } from '../support/fakeLogs.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { waitUntil } from '../support/waitUntil.ts';

const { signal: never } = new AbortController();

function hostFor(server: ServerConfig, launch: ResolvedLaunch, clock: FakeClock): McpHost {
  const workspace = new FakeWorkspace([]);
  const gate = new FakeGate();
  gate.prepareWith = async () => ({ launch, secrets: [] });
  const connector = createConnector({ name: 'test', version: '1' });
  const logs = new FakeLogs();
  const host = new McpHost({
    workspace,
    roots: new WorkspaceRoots(workspace),
    features: () => ({}),
    gate,
    connector: () => connector,
    logs,
    log: logs.hostLog,
    clock,
  });
  host.reconcile({ servers: [server], inputs: new Map(), problems: [] });
  return host;
}

describe('Reconnecting', function () {
  this.timeout(60_000);

  for (const [transport, cause] of [
    ['WebSocket', /^The connection to "web" failed: it broke off without a close/u],
    ['HTTP+SSE', /^The connection to "web" failed: the event stream broke off/u],
  ] as const satisfies readonly (readonly [TransportName, RegExp])[]) {
    it(`WS-04, SSE-05: ${transport} is opened anew, with a new handshake, after a delay`, async () => {
      const server = await startHost(transport, '2025-06-18');
      const config = stdioServer('web', { startup: 'manual' });
      const clock = new FakeClock();
      const host = hostFor(config, server.launch, clock);
      try {
        const connection = host.servers.get(config.id);
        assert.ok(connection);
        const states: ConnectionState[] = [];
        connection.onDidChangeState((state) => states.push(state));
        const session = await connection.start();
        await assert.rejects(session.call('tools/call', { name: 'die' }), { code: 'closed' });
        await waitUntil('the loss', () => states.some(({ kind }) => kind === 'waiting'));
        const waiting = states.find((state) => state.kind === 'waiting');
        assert.match(waiting?.cause.message ?? '', cause);
        assert.equal(waiting?.attempt, 1);
        clock.advance(1_000);
        const again = await connection.withSession(async (one) => one, never);
        assert.notEqual(again, session);
        const { content } = await again.call('tools/call', {
          name: 'echo',
          arguments: { value: 1 },
        });
        assert.deepEqual(content, [{ type: 'text', text: '1' }]);
        const handshakes = server.wire.filter((line) => line.includes('"method":"initialize"'));
        assert.equal(handshakes.length, 2);
      } finally {
        await host.close(10_000);
        await server.close();
      }
    });
  }
});
