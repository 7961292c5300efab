/** Real servers from npm, over both channels, connected by nothing but an entry in the settings. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ServerSummary } from '../../src/vscode/extensions/exports.ts';
import {
  clear,
  configure,
  everything,
  everythingProgram,
  fromRoot,
  node,
  untilState,
  until,
  server,
  temporaryFolder,
} from './support/host.ts';
import { type Counts, countsOf } from './support/listing.ts';

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

function countsIn({ tools, prompts, resources, resourceTemplates }: ServerSummary): Counts {
  return { tools, prompts, resources, resourceTemplates };
}

async function untilCounts(name: string, counts: Counts): Promise<void> {
  await until(`${name} lists ${JSON.stringify(counts)}`, () => {
    const summary = server(name);
    return summary !== undefined && JSON.stringify(countsIn(summary)) === JSON.stringify(counts);
  });
}

function program(name: string): string {
  return fromRoot('node_modules/@modelcontextprotocol', name, 'dist/index.js');
}

describe('connecting', () => {
  let counts: Counts;
  let listening: ChildProcess | undefined;

  before(async () => {
    counts = await countsOf(node, [everythingProgram(), 'stdio']);
    assert.ok(counts.tools > 10 && counts.prompts > 0 && counts.resources > 0);
  });

  afterEach(async () => {
    await clear();
    listening?.kill();
  });

  it('LIFE-02, VSC-01, STDIO-01: connects to server-everything on stdio and has what it lists (@smoke)', async () => {
    await configure({ everything: everything('stdio') });
    const summary = await untilState('everything', 'ready');
    assert.equal(summary.revision, '2025-11-25');
    assert.equal(summary.transport, 'stdio');
    assert.equal(summary.scope, 'user');
    await untilCounts('everything', counts);
  });

  it('LIFE-02, VSC-01, HTTP-04: connects to server-everything on Streamable HTTP and has what it lists (@smoke)', async () => {
    const port = await freePort();
    listening = spawn(node, [everythingProgram(), 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const { stderr } = listening;
    assert.ok(stderr);
    await once(stderr, 'data');
    stderr.resume();
    await configure({ everything: { url: `http://127.0.0.1:${port}/mcp` } });
    const summary = await untilState('everything', 'ready');
    assert.equal(summary.revision, '2025-11-25');
    assert.equal(summary.transport, 'Streamable HTTP');
    await untilCounts('everything', counts);
  });

  it('HOST-01: connects to several servers at the same time', async () => {
    await configure({
      everything: everything('stdio'),
      memory: { command: node, args: [program('server-memory')] },
      files: { command: node, args: [program('server-filesystem'), temporaryFolder()] },
    });
    const [, memory, files] = await Promise.all([
      untilState('everything', 'ready'),
      untilState('memory', 'ready'),
      untilState('files', 'ready'),
    ]);
    assert.notEqual(memory.id, files.id);
    await until('lists', () =>
      ['everything', 'memory', 'files'].every((name) => (server(name)?.tools ?? 0) > 0),
    );
  });
});
