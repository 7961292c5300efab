/** The host on real servers, through the real connector: what VS Code adds is not here. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterInBackground, delay } from '../../src/base/async.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import type { ServerConnection } from '../../src/host/servers/connection.ts';
import type { McpHost } from '../../src/host/servers/host.ts';
import { nodeServer } from '../support/bridged.ts';
import { FakeLogs } from '../support/fakeLogs.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { alive, pidsIn } from '../support/ownProcesses.ts';
import { everything, realHost } from '../support/realHost.ts';
import { waitUntil } from '../support/waitUntil.ts';

const never = new AbortController().signal;
const limitMs = 60_000;

const probing = fileURLToPath(new URL('../servers/probe.mjs', import.meta.url));
const crashing = fileURLToPath(new URL('../servers/crashing.mjs', import.meta.url));

function programServer(
  name: string,
  program: string,
  env: Readonly<Record<string, string>>,
): ServerConfig {
  const launch = { kind: 'stdio', command: process.execPath, args: [program], env } as const;
  return nodeServer(name, [], { launch });
}

/** Roots are looked at more often than every few seconds. */
const soon = (_ms: number, run: () => void): Disposable => afterInBackground(50, run);

describe('the host on real servers', function () {
  this.timeout(2 * limitMs);
  let host: McpHost;
  let logs: FakeLogs;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-host-'));
    const workspace = new FakeWorkspace([
      { uri: pathToFileURL(folder).href, name: 'work', path: folder },
    ]);
    logs = new FakeLogs();
    host = realHost({
      workspace,
      roots: new WorkspaceRoots(workspace, { clock: { after: soon } }),
      logs,
      log: logs.hostLog,
    });
  });

  afterEach(async () => {
    await host.close(limitMs);
    await rm(folder, { recursive: true, force: true });
  });

  function configure(...servers: readonly ServerConfig[]): void {
    host.reconcile({ servers, inputs: new Map(), problems: [] });
  }

  function server(name: string): ServerConnection {
    const connection = host.servers.get(`user/${name}`);
    assert.ok(connection !== undefined);
    return connection;
  }

  async function untilKind(name: string, kind: string): Promise<void> {
    await waitUntil(`"${name}" to be ${kind}`, () => server(name).state.kind === kind, limitMs);
  }

  function callTool(of: string, name: string, args: JsonObject = {}): Promise<unknown> {
    return server(of).withSession(
      (session, signal) => session.call('tools/call', { name, arguments: args }, { signal }),
      never,
    );
  }

  it('limits of an entry hold: what is beyond one costs itself alone, and names the setting', async () => {
    const limits = { messageBytes: 1024 * 1024, listItems: 3 };
    configure({ ...nodeServer('everything', [everything, 'stdio']), limits });
    await untilKind('everything', 'ready');
    const { catalog } = server('everything');
    await catalog.whenLoaded();
    const tools = catalog.list('tools');
    assert.ok(tools.kind === 'ready');
    assert.equal(tools.items.length, 3);
    assert.match(
      tools.truncated ?? '',
      /3 items, which `limits\.listItems` of its entry can raise/u,
    );
    await assert.rejects(
      callTool('everything', 'echo', { message: 'x'.repeat(2 * 1024 * 1024) }),
      /answer is larger than 1 MiB, which `limits\.messageMegabytes` of its entry can raise/u,
    );
    assert.match(
      JSON.stringify(await callTool('everything', 'echo', { message: 'small' })),
      /small/u,
    );
  });

  /** What the server probe.mjs tells under this name. */
  async function probed(name: string): Promise<string> {
    const uri = `probe://host/${name}`;
    const { contents } = await server('probe').withSession(
      (session, signal) => session.call('resources/read', { uri }, { signal }),
      never,
    );
    const [content] = contents;
    assert.ok(content !== undefined && 'text' in content);
    return content.text;
  }

  it('ROOT-04, ROOT-05: a server hears that a root has gone, and is told of it no more', async () => {
    configure(nodeServer('probe', [probing]));
    await untilKind('probe', 'ready');
    const { roots } = JSON.parse(await probed('roots')).result;
    assert.deepEqual(roots, [{ uri: pathToFileURL(folder).href, name: 'work' }]);
    await rm(folder, { recursive: true });
    while ((await probed('rootsChanged')) === '0') {
      await delay(100);
    }
    assert.deepEqual(JSON.parse(await probed('roots')).result, { roots: [] });
  });

  it('a limit of time that is over names its setting', async () => {
    const timeouts = { startMs: 60_000, requestMs: 1_000, totalMs: 60_000 };
    configure(
      { ...nodeServer('slow', [everything, 'stdio']), timeouts },
      {
        ...nodeServer('mute', ['-e', 'process.stdin.resume()']),
        timeouts: { ...timeouts, startMs: 1_000 },
      },
    );
    await untilKind('slow', 'ready');
    const late = callTool('slow', 'trigger-long-running-operation', { duration: 30, steps: 1 });
    await assert.rejects(late, {
      code: 'timeout',
      message: /for 1 s, which `timeouts\.requestSeconds` of its entry can raise$/u,
    });
    await untilKind('mute', 'failed');
    const { state } = server('mute');
    assert.ok(state.kind === 'failed');
    assert.match(state.error.message, /within 1 s, which `timeouts\.startSeconds` of its entry/u);
  });

  it('STDIO-08: restarts a server that crashed, and tells its last words', async () => {
    const pids = join(folder, 'pids');
    configure(programServer('c', crashing, { PIDS: pids }));
    await untilKind('c', 'ready');
    const states: string[] = [];
    server('c').onDidChangeState((state) => {
      states.push(state.kind);
      if (state.kind === 'waiting') {
        assert.match(state.cause.message, /exited with code 3/u);
        assert.deepEqual(state.lastStderr, ['tools/call: cannot go on']);
      }
    });
    await assert.rejects(callTool('c', 'crash'));
    await untilKind('c', 'waiting');
    await untilKind('c', 'ready');
    assert.deepEqual(states, ['waiting', 'starting', 'ready']);
    const [, second] = pidsIn(pids);
    assert.deepEqual(alive(pidsIn(pids)), [second]);
    assert.ok(logs.lines.includes('info [stderr] tools/call: cannot go on'));
  });
});
