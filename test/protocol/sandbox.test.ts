/**
 * A server in a sandbox, where this machine has the tool for it; where it has none, that nothing runs without.
 * Put bubblewrap on PATH to see the first.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
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
const [inside, outside, url] = process.argv.slice(1);
const tell = (net) => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { inside: attempt(inside), outside: attempt(outside), net } }));
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

describe('a sandbox', function () {
  this.timeout(60_000);
  let folder: string;
  let transport: Transport | undefined;
  const web = createServer((_request, response) => response.end('here'));

  before(async () => {
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
  });

  after(() => {
    web.close();
    web.closeAllConnections();
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
    const args = ['-e', program, join(notes, 'inside'), join(folder, 'outside'), url];
    const { launch } = withSandbox(
      stdioServer('s', {
        launch: { kind: 'stdio', command: process.execPath, args, env: {} },
        sandbox: { write: [notes], network },
      }),
      process.platform,
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

  it('lets a server write what is named, and reach the network only where that is given back', async () => {
    if (!canSandbox()) {
      // Nothing runs without its bounds.
      await assert.rejects(run(false), (error) => isMcpError(error));
      assert.equal(await readFile(join(folder, 'outside'), 'utf8'), 'untouched');
      return;
    }
    const kept = { inside: 'written', outside: 'EROFS' };
    assert.deepEqual(await run(false), { ...kept, net: 'refused' });
    await transport?.close();
    assert.deepEqual(await run(true), { ...kept, net: 'reached' });
    assert.equal(await readFile(join(folder, 'outside'), 'utf8'), 'untouched');
  });
});
