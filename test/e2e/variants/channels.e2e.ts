// Servers reached over a WebSocket, over HTTP+SSE and on a local socket, as the view and the consent show them.
import assert from 'node:assert/strict';
import { type MatrixHost, startHost } from '../../servers/matrix/matrixHosts.ts';
import { inWindow } from '../support/workbench.ts';

describe('Servers reached by URL', () => {
  let hosts: readonly MatrixHost[];
  const { tree, dialog, notifications, extension } = inWindow(async () => {
    hosts = [
      await startHost('WebSocket', '2025-11-25'),
      await startHost('WebSocket', '2026-07-28'),
      await startHost('HTTP+SSE', '2024-11-05'),
    ];
    const [socket, modern, sse] = hosts.map(({ launch }) => ('url' in launch ? launch.url : ''));
    return {
      servers: {
        socket: { url: socket },
        modern: { url: modern, type: 'websocket' },
        sse: { url: sse },
      },
      workspaceServers: {
        local: {
          url: 'unix:///tmp/no-such-server/notes.sock#/mcp',
          headers: { Authorization: 'Bearer ${env:HOME}' },
        },
      },
      ready: ['socket', 'modern', 'sse'],
    };
  });

  after(() => Promise.all(hosts.map((host) => host.close())));

  it('SEC-14, HOST-06: the consent to a local server shows its socket, and no risk of the network', async () => {
    await notifications.answer('waits for your consent', 'Review…');
    const { message, detail } = await dialog.expect();
    assert.match(message, /Connect to the MCP server "local"/u);
    assert.match(detail, /URL: unix:\/\/\/.*\/notes\.sock#\/mcp/u);
    assert.match(detail, /Socket: \/.*\/notes\.sock\n/u);
    assert.match(detail, /The program receives: \$\{env:HOME\} → headers\.Authorization/u);
    assert.doesNotMatch(detail, /Not encrypted|Leaves this machine/u);
    await dialog.answer('Allow');
  });

  it('a socket that is not there is said so', async () => {
    const { state } = await extension.waitForServer('local', 'failed');
    assert.equal(state, 'failed');
    const tooltip = await tree.tooltip('local', 'cannot be reached');
    assert.match(
      tooltip,
      /notes\.sock cannot be reached: there is no such socket, is the server running\?/u,
    );
  });

  for (const [name, transport, revision] of [
    ['socket', 'WebSocket', '2025-11-25'],
    ['modern', 'WebSocket', '2026-07-28'],
    ['sse', 'HTTP+SSE', '2024-11-05'],
  ] as const) {
    it(`LIFE-02: "${name}" is ready, and its tooltip names ${transport} and ${revision}`, async () => {
      const tooltip = await tree.tooltip(name, 'Revision');
      assert.match(tooltip, new RegExp(revision, 'u'));
      assert.ok(tooltip.includes(transport), tooltip);
    });
  }
});
