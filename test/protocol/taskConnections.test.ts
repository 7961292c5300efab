/** Tasks that outlive the window that started them, in both eras: left, asked for again, and only of the same server. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redactor } from '../../src/base/log.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { noAudit } from '../../src/host/audit/audit.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import { HistoryLog } from '../../src/host/history/callHistory.ts';
import { fromUser } from '../../src/host/requestOrigin.ts';
import { ResumedTasks } from '../../src/host/requests/resumedTasks.ts';
import { lookAtRequests } from '../../src/host/requests/runningRequests.ts';
import { featuresFor, callServicesFor } from '../../src/host/servers/features.ts';
import { callTool } from '../../src/host/tools/callTool.ts';
import { definitionOf, RunningCalls } from '../../src/host/tools/runningCalls.ts';
import type { Era } from '../../src/mcp/revisions.ts';
import { closedAfterTest } from '../support/closing.ts';
import { FakeMemory } from '../support/fakeApprovals.ts';
import { FakeWorkspace } from '../support/fakeWorkspace.ts';
import { realHost } from '../support/realHost.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { waitUntil } from '../support/waitUntil.ts';

const program = fileURLToPath(new URL('../servers/longTasks.mjs', import.meta.url));
const roots = new WorkspaceRoots(new FakeWorkspace([]));
const { signal } = new AbortController();

describe('A task that outlives its window', () => {
  let folder: string;
  let memory: FakeMemory;
  let history: HistoryLog;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tasks-'));
    // After the servers, which write to it.
    closedAfterTest({ close: () => rm(folder, { recursive: true }) });
    memory = new FakeMemory();
    history = new HistoryLog({
      folder: path.join(folder, 'history'),
      days: () => 1,
      now: () => Date.now(),
      redactor: new Redactor(),
      onFailure: (error) => assert.fail(String(error)),
    });
  });

  const serverOf = (era: Era): ServerConfig =>
    stdioServer('long', {
      launch: {
        kind: 'stdio',
        command: process.execPath,
        args: [program],
        env: { ERA: era, TASKS: folder, METHODS: path.join(folder, 'methods') },
      },
    });

  /** A window, with what it told the user. */
  function open(config: ServerConfig) {
    const extensions = ['io.modelcontextprotocol/tasks'] as const;
    const host = realHost({
      features: (server) => featuresFor(server, { roots, extensions }),
    });
    closedAfterTest({ close: () => host.close(5_000) });
    host.reconcile({ servers: [config], inputs: new Map(), problems: [] });
    const connection = host.servers.get(config.id) ?? assert.fail('no server');
    const runningCalls = new RunningCalls(memory);
    const callServices = (server: ServerConfig) =>
      callServicesFor(server, { audit: noAudit, history, runningCalls });
    const told: string[] = [];
    const resume = (): void => {
      const resumed = new ResumedTasks({
        host,
        runningCalls,
        callServices,
        ui: {
          waiting: (_server, notes) => told.push(`waiting: ${notes.length}`),
          done: ({ tool }, { content }) => told.push(`${tool}: ${JSON.stringify(content)}`),
          lost: ({ tool }, { message }) => told.push(`${tool} is lost: ${message}`),
        },
      });
      closedAfterTest({ close: async () => resumed.dispose() });
    };
    return { host, connection, runningCalls, callServices, told, resume };
  }

  /** Calls the tool, and closes the window when its task runs. */
  async function leaveTask(era: Era): Promise<void> {
    const { host, connection, runningCalls, callServices } = open(serverOf(era));
    await connection.start();
    await waitUntil('the tool', () => connection.catalog.items('tools').length > 0);
    const [tool] = connection.catalog.items('tools');
    assert.ok(tool);
    const call = callTool(connection, createSchemaChecker(), {
      ...callServices(connection.config),
      tool,
      input: { about: 'whales' },
      signal,
      origin: fromUser,
    });
    const rejected = assert.rejects(call);
    await waitUntil('the task to be kept', () => runningCalls.all.length === 1);
    runningCalls.leaveAll();
    await host.close(5_000);
    await rejected;
    assert.equal(runningCalls.all.length, 1);
  }

  const methods = async (): Promise<readonly string[]> =>
    (await readFile(path.join(folder, 'methods'), 'utf8')).trim().split('\n');

  it('another call that was under way is told as lost, once', async () => {
    const server = serverOf('modern');
    const of = { era: 'modern', tool: 'add', origin: fromUser } as const;
    new RunningCalls(memory).open(server, of, () => undefined);
    await waitUntil('the call to be kept', () => new RunningCalls(memory).all.length === 1);
    const { runningCalls, told, resume } = open(server);
    resume();
    assert.deepEqual(told, ['add is lost: Whether it took effect is unknown']);
    assert.deepEqual(runningCalls.all, []);
  });

  for (const era of ['legacy', 'modern'] as const) {
    describe(`in the ${era} era`, () => {
      it('is not cancelled; its server is not started for it, and asked once it runs, for the result', async () => {
        await leaveTask(era);
        const { host, connection, runningCalls, told, resume } = open(serverOf(era));
        resume();
        assert.deepEqual(told, ['waiting: 1']);
        assert.equal(connection.state.kind, 'stopped');
        await connection.start();
        const running = () =>
          lookAtRequests(host, 0).requests.find(({ request }) => request.isTask);
        await waitUntil('the task', () => running() !== undefined);
        const { request } = running() ?? {};
        assert.deepEqual([request?.params, request?.origin], [{ name: 'report' }, fromUser]);
        await writeFile(path.join(folder, 'finished'), '');
        await waitUntil('the result', () => told.length === 2);
        assert.match(told[1] ?? '', /^report: .*The report is ready/);
        const all = await methods();
        assert.equal(all.filter((method) => method === 'tools/call').length, 1);
        assert.ok(!all.includes('tasks/cancel'));
        assert.deepEqual(runningCalls.all, []);
        const { calls } = await history.read();
        assert.deepEqual(
          calls.map(({ tool, outcome, input, origin }) => [tool, outcome, input.json, origin]),
          [['report', 'done', '{"about":"whales"}', fromUser]],
        );
      });

      it('is said to be lost when the server has forgotten it', async () => {
        await leaveTask(era);
        for (const file of await readdir(folder)) {
          if (file.endsWith('.task')) await rm(path.join(folder, file));
        }
        const { connection, runningCalls, told, resume } = open(serverOf(era));
        await connection.start();
        resume();
        await waitUntil('the loss', () => told.length > 0);
        assert.match(told[0] ?? '', /^report is lost: The server no longer knows the task/);
        assert.deepEqual(runningCalls.all, []);
        assert.equal((await history.read()).calls[0]?.outcome, 'failed');
      });

      it('is not asked for at a server whose entry has changed, nor in another era', async () => {
        await leaveTask(era);
        const [note] = new RunningCalls(memory).all;
        const other = serverOf(era === 'legacy' ? 'modern' : 'legacy');
        const { connection, runningCalls, told, resume } = open(other);
        await connection.start();
        const before = (await methods()).length;
        resume();
        await waitUntil('the refusal', () => told.length > 0);
        assert.match(told[0] ?? '', /is lost: .*since its settings have changed/);
        assert.deepEqual(runningCalls.all, []);
        await memory.set('mcpHost.runningCalls', [{ ...note, definition: definitionOf(other) }]);
        resume();
        await waitUntil('the refusal', () => told.length > 1);
        assert.match(told[1] ?? '', /is lost: .*since it speaks another revision now/);
        assert.ok(!(await methods()).slice(before).some((method) => method.startsWith('tasks/')));
      });

      it('that ends while its window is open is kept no longer', async () => {
        const { connection, runningCalls, callServices } = open(serverOf(era));
        await connection.start();
        await waitUntil('the tool', () => connection.catalog.items('tools').length > 0);
        const [tool] = connection.catalog.items('tools');
        assert.ok(tool);
        const options = { ...callServices(connection.config), tool, input: {}, origin: fromUser };
        const call = callTool(connection, createSchemaChecker(), { ...options, signal });
        await waitUntil('the task to be kept', () => runningCalls.all.length === 1);
        await writeFile(path.join(folder, 'finished'), '');
        await call;
        assert.deepEqual(runningCalls.all, []);
        await rm(path.join(folder, 'finished'));
        const controller = new AbortController();
        const given = callTool(connection, createSchemaChecker(), {
          ...options,
          signal: controller.signal,
        });
        await waitUntil('the task to be kept', () => runningCalls.all.length === 1);
        controller.abort();
        await assert.rejects(given, { code: 'cancelled' });
        assert.deepEqual(runningCalls.all, []);
      });
    });
  }
});
