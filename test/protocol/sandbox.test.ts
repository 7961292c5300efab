/**
 * A server in a sandbox, where this machine has the tool for it; where it has none, that nothing runs without.
 * Put bubblewrap on PATH to see the first.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { withSandbox } from '../../src/host/config/sandbox.ts';
import { isMcpError, McpError } from '../../src/mcp/errors.ts';
import { createStdioTransport } from '../../src/mcp/transport/stdio.ts';
import type { Transport } from '../../src/mcp/transport/transport.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { TransportTap } from '../support/transportTap.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** Says with one message what it could do. */
const program = `
const { writeFileSync } = require('node:fs');
const attempt = (path) => { try { writeFileSync(path, 'x'); return 'written'; } catch (error) { return error.code; } };
const [inside, outside, url, ...sockets] = process.argv.slice(1);
const connect = (path) => new Promise((resolve) => {
  const socket = require('node:net').connect(path);
  socket.on('connect', () => { socket.destroy(); resolve('connected'); });
  socket.on('error', (error) => resolve(error.code));
});
const tell = async (net) => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'n', params: {
  inside: attempt(inside), outside: attempt(outside), own: attempt(require('node:os').tmpdir() + '/own-of-server'),
  net, sockets: await Promise.all(sockets.map(connect)), cwd: process.cwd() } }));
fetch(url).then(() => tell('reached'), () => tell('refused'));
process.stdin.resume();
`;

const tool = 'bwrap';

/** Whether bubblewrap is there and may make namespaces: a container may forbid them. */
function canSandbox(): boolean {
  const isThere = (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, tool)));
  if (process.platform !== 'linux' || !isThere) {
    return false;
  }
  try {
    execFileSync(tool, ['--ro-bind', '/', '/', '--unshare-all', '--', 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

describe('a sandbox', function () {
  this.timeout(60_000);
  let folder: string;
  let transport: Transport | undefined;
  /** Where the system's own sockets are, as far as this user may make one there. */
  const places = ['/tmp', '/run', `/run/user/${process.getuid?.() ?? 0}`].filter(isWritable);
  const listeners: { readonly folder: string; readonly socket: Server }[] = [];
  const web = createServer((_request, response) => response.end('here'));

  before(async () => {
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    for (const place of places) {
      const own = await mkdtemp(join(place, 'mcp-socket-'));
      const socket = createSocketServer((connection) => connection.destroy());
      socket.listen(join(own, 's'));
      listeners.push({ folder: own, socket });
      await once(socket, 'listening');
    }
  });

  after(async () => {
    web.close();
    web.closeAllConnections();
    for (const { folder: own, socket } of listeners) {
      socket.close();
      await rm(own, { recursive: true, force: true });
    }
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-sandbox-'));
    await mkdir(join(folder, 'notes'));
    await writeFile(join(folder, 'outside'), 'untouched');
  });

  afterEach(async () => {
    await transport?.close();
    transport = undefined;
    await rm(folder, { recursive: true });
  });

  /** What the program could do, or why it did not start. */
  async function run(network: boolean): Promise<unknown> {
    const address = web.address();
    assert.ok(typeof address === 'object' && address !== null);
    const url = `http://127.0.0.1:${address.port}/`;
    const notes = join(folder, 'notes');
    const sockets = listeners.map(({ folder: own }) => join(own, 's'));
    const args = ['-e', program, join(notes, 'inside'), join(folder, 'outside'), url, ...sockets];
    const { launch } = withSandbox(
      stdioServer('s', {
        launch: { kind: 'stdio', command: process.execPath, args, env: {} },
        sandbox: { write: [notes], network },
      }),
      process.platform,
      folder,
    );
    assert.ok(launch.kind === 'stdio');
    transport = createStdioTransport({ ...launch, env: process.env, cwd: folder });
    const tap = new TransportTap(transport);
    await tap.start();
    await waitUntil(
      'its word, or its end',
      () => tap.inbound.length + tap.closes.length > 0,
      30_000,
    );
    const message = tap.inbound[0]?.message;
    if (message === undefined || !('params' in message)) {
      throw new McpError('closed', `${tap.endings.join()} ${tap.texts}`);
    }
    return message.params;
  }

  it('lets a server write what is named, and reach no socket of the system, and the network only where that is given back', async () => {
    if (!canSandbox()) {
      // Nothing runs without its bounds.
      await assert.rejects(run(false), (error) => isMcpError(error));
      assert.equal(await readFile(join(folder, 'outside'), 'utf8'), 'untouched');
      return;
    }
    const kept = {
      inside: 'written',
      outside: 'EROFS',
      own: 'written',
      sockets: places.map(() => 'ENOENT'),
      cwd: folder,
    };
    assert.deepEqual(await run(false), { ...kept, net: 'refused' });
    await transport?.close();
    assert.deepEqual(await run(true), { ...kept, net: 'reached' });
    assert.ok(!existsSync('/tmp/own-of-server'));
    assert.equal(await readFile(join(folder, 'outside'), 'utf8'), 'untouched');
  });
});
