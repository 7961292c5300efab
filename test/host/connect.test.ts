/** Real servers from npm, over both channels, connected by nothing but an entry in the settings. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '../support/listening.ts';
import {
  clear,
  configure,
  everything,
  everythingProgram,
  node,
  untilState,
  until,
  server,
} from './support/host.ts';

/** What the server that package-lock.json names lists, once it knows what the client can do. */
const listed = { tools: 19, prompts: 4, resources: 7, resourceTemplates: 2 };

async function untilListed(): Promise<void> {
  await until(`all of ${JSON.stringify(listed)}`, () => {
    const { tools, prompts, resources, resourceTemplates } = server('everything') ?? {};
    return isDeepStrictEqual({ tools, prompts, resources, resourceTemplates }, listed);
  });
}

describe('connecting', () => {
  let listening: ChildProcess | undefined;

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
    await untilListed();
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
    await untilListed();
  });
});
