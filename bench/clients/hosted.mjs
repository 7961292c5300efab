// The same client as the extension uses it: a server of the host, whose start, lists and calls go through its limits; each
// call with its input checked against the schema, its record in the audit, and its text without secrets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { AuditLog } from '../../src/host/audit/auditLog.ts';
import { LayeredChecker } from '../../src/host/schemas/schemaChecker.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { createConnector } from '../../src/host/servers/connector.ts';
import { featuresFor } from '../../src/host/servers/features.ts';
import { McpHost } from '../../src/host/servers/host.ts';
import { callTool } from '../../src/host/tools/callTool.ts';
import { FakeWorkspace } from '../../test/support/fakeWorkspace.ts';
import { stdioServer } from '../../test/support/serverConfigs.ts';
import { silentLog, silentLogs } from '../../test/support/silentLogs.ts';

const env = { ...process.env };
const connector = createConnector({ name: 'bench', version: '1.0.0' });
/** All schemas of the benchmark are small enough to be checked at once. */
const checker = new LayeredChecker({
  check: () => Promise.reject(new Error('No schema is checked in another process here.')),
  dispose: () => undefined,
});

const folder = mkdtempSync(join(tmpdir(), 'mcp-host-bench-audit-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const audit = new AuditLog({
  folder,
  workspace: '',
  now: () => new Date(),
  onFailure: (error) => {
    throw error;
  },
});

/** What all calls of the benchmark fit. */
const inputSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    number: { type: 'integer' },
    bytes: { type: 'integer', minimum: 1 },
  },
};

async function open(launch, era) {
  const workspace = new FakeWorkspace([]);
  const roots = new WorkspaceRoots(workspace);
  const timeouts = { startMs: 30_000, requestMs: 60_000, totalMs: 600_000 };
  const config = stdioServer('bench', { timeouts, protocol: era });
  const host = new McpHost({
    workspace,
    roots,
    features: (server) => featuresFor(server, { roots }),
    gate: { readiness: async () => 'ready', prepare: async () => ({ launch, secrets: [] }) },
    connector: () => connector,
    logs: silentLogs,
    log: silentLog,
    clock: systemClock,
  });
  host.reconcile({ servers: [config], problems: [] });
  const connection = host.servers.get(config.id);
  await connection.start();
  const { signal } = new AbortController();
  const recorded = { audit, server: config };
  return {
    async callTool(name, input) {
      const tool = { name, inputSchema };
      const outcome = await callTool(connection, checker, { tool, input, signal, recorded });
      if (outcome.kind !== 'result') {
        throw new Error(outcome.problems.join('; '));
      }
      return outcome.result;
    },
    async listTools() {
      await connection.catalog.whenLoaded();
      return connection.catalog.items('tools');
    },
    close: () => host.close(10_000),
  };
}

export function connectStdio(command, args, era) {
  return open({ kind: 'stdio', command, args, env, cwd: tmpdir() }, era);
}

export function connectHttp(url, era) {
  return open({ kind: 'http', url, headers: {} }, era);
}
