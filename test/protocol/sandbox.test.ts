/** Servers in bubblewrap, which is for Linux alone. `npm test` installs it where it can; without it these tests fail. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { localMachine } from '../../src/host/launch/localMachine.ts';
import { resolveLaunch } from '../../src/host/launch/resolveLaunch.ts';
import { withSandbox } from '../../src/host/launch/sandbox.ts';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { McpError } from '../../src/mcp/errors.ts';
import type { Transport } from '../../src/mcp/transport/transport.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { TransportTap } from '../support/transportTap.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** Tries to get out first, where it is told how, and says with one message what it could do. */
const program = `
const { writeFileSync } = require('node:fs');
const attempt = (path) => { try { writeFileSync(path, 'x'); return 'written'; } catch (error) { return error.code; } };
const [inside, outside, url, escape, ...sockets] = process.argv.slice(1);
const said = require('node:child_process').spawnSync('/bin/sh', ['-c', escape], { encoding: 'utf8' });
const connect = (path) => new Promise((resolve) => {
  const socket = require('node:net').connect(path);
  socket.on('connect', () => { socket.destroy(); resolve('connected'); });
  socket.on('error', (error) => resolve(error.code));
});
const tell = async (net) => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'n', params: {
  said: said.stdout, inside: attempt(inside), outside: attempt(outside),
  own: attempt(require('node:os').tmpdir() + '/own-of-server'),
  net, sockets: await Promise.all(sockets.map(connect)), cwd: process.cwd() } }));
fetch(url).then(() => tell('reached'), () => tell('refused'));
process.stdin.resume();
`;

/** What a program of root may do to its mounts, or one that makes itself root of a namespace of its own. */
const undoing = 'mount -o remount,bind,rw /; umount -l /run; umount -l /tmp;';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Starts a command line as root, or as somebody who is not. Who is not root here is root of a namespace. */
const users: Readonly<Record<'root' | 'a user', readonly string[]>> = isRoot
  ? { root: [], 'a user': ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] }
  : { root: ['unshare', '--user', '--map-root-user'], 'a user': [] };

/** What other systems do is in the unit tests. */
function elsewhere(): void {}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

(process.platform === 'linux' ? describe : elsewhere)('a sandbox', () => {
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

  interface How {
    readonly network?: boolean;
    readonly who?: readonly string[];
    readonly escape?: string;
    readonly env?: Readonly<Record<string, string>>;
  }

  /** What the program could do, or why it did not start. */
  async function run({ network = false, who = [], escape = '', env = {} }: How): Promise<unknown> {
    const address = web.address();
    assert.ok(typeof address === 'object' && address !== null);
    const url = `http://127.0.0.1:${address.port}/`;
    const notes = join(folder, 'notes');
    const sockets = listeners.map(({ folder: own }) => join(own, 's'));
    const words = ['-e', program, join(notes, 'inside'), join(folder, 'outside'), url, escape];
    const inside = {
      kind: 'stdio',
      command: process.execPath,
      args: [...words, ...sockets],
      cwd: folder,
      env,
    } as const;
    const server = withSandbox(
      stdioServer('s', { launch: inside, sandbox: { write: [notes], network } }),
      process.platform,
      folder,
    );
    const { launch } = await resolveLaunch(server, {
      machine: localMachine(async () => undefined),
      folders: [{ uri: 'file:///w', name: 'w', path: folder }],
      inputOf: () => assert.fail('there is no input'),
      valueOf: () => assert.fail('there is no input'),
    });
    assert.ok(launch.kind === 'stdio');
    const [command = launch.command, ...args] = [...who, launch.command, ...launch.args];
    const [binding] = toBindings({ ...launch, command, args });
    transport = await binding?.connect(new AbortController().signal);
    assert.ok(transport);
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

  const kept = () => ({
    said: '',
    inside: 'written',
    outside: 'EROFS',
    own: 'written',
    net: 'refused',
    sockets: places.map(() => 'ENOENT'),
    cwd: folder,
  });

  it('lets a server write what is named, and reach no socket of the system, and the network only where that is given back', async () => {
    assert.deepEqual(await run({}), kept());
    await transport?.close();
    assert.deepEqual(await run({ network: true }), { ...kept(), net: 'reached' });
    assert.ok(!existsSync('/tmp/own-of-server'));
    assert.equal(await readFile(join(folder, 'outside'), 'utf8'), 'untouched');
  });

  for (const [name, who] of Object.entries(users)) {
    it(`keeps a server of ${name} in, who has no right to undo it, not as root of a namespace of its own either`, async () => {
      if (isRoot && who.length > 0) {
        for (const path of [folder, join(folder, 'notes'), join(folder, 'outside')]) {
          await chown(path, nobody, nobody);
        }
      }
      const outside = join(folder, 'outside');
      const own = `unshare --user --map-root-user --mount /bin/sh -c '${undoing} echo out > ${outside}'`;
      const rights = "sed -n 's/^Cap[EPB].*:\\t0*//p' /proc/self/status";
      assert.deepEqual(await run({ who, escape: `${undoing} ${own}; ${rights}` }), {
        ...kept(),
        // No capability in effect, permitted or within reach.
        said: '\n\n\n',
      });
      assert.equal(await readFile(outside, 'utf8'), 'untouched');
    });
  }

  it('gives a server its variables, and neither its tool nor who lists processes', async () => {
    const secret = randomUUID();
    const notes = join(folder, 'notes');
    // The loader of each program that is given these writes down for which one it was.
    const env = { TOKEN: secret, LD_DEBUG: 'files', LD_DEBUG_OUTPUT: join(notes, 'loaded') };
    const said = `${secret}\n`;
    assert.deepEqual(await run({ escape: 'printenv TOKEN', env }), { ...kept(), said });
    const written = (await readdir(notes)).map((name) => readFile(join(notes, name), 'utf8'));
    const loaded = (await Promise.all(written)).join('');
    assert.match(loaded, /program: printenv/u);
    assert.doesNotMatch(loaded, /bwrap/u);
    const shown = (await readdir('/proc')).map((id) =>
      readFile(join('/proc', id, 'cmdline'), 'utf8').catch(() => ''),
    );
    assert.deepEqual(
      (await Promise.all(shown)).filter((line) => line.includes(secret)),
      [],
    );
  });
});
