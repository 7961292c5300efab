/** A host that reaches real servers: every one of them may run, nobody is asked, and what is logged is not kept. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { ServerConfig } from '../../src/host/config/serverConfig.ts';
import type { LaunchGate, ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import { WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { createConnector } from '../../src/host/servers/connector.ts';
import { featuresFor } from '../../src/host/servers/features.ts';
import { type HostServices, McpHost } from '../../src/host/servers/host.ts';
import { FakeWorkspace } from './fakeWorkspace.ts';
import { silentLog, silentLogs } from './silentLogs.ts';

const { resolve } = createRequire(import.meta.url);
/** The program of the reference server. */
export const everything = join(
  dirname(resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

/** A program of Node, with the environment of this process underneath. */
export function nodeLaunch(
  args: readonly string[],
  env: Readonly<Record<string, string | number | null>> = {},
): ResolvedLaunch & { readonly kind: 'stdio' } {
  const own = Object.entries({ ...process.env, ...env }).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const command = process.execPath;
  return { kind: 'stdio', command, args, env: Object.fromEntries(own), cwd: tmpdir() };
}

/** What the entry says. */
function launchOf({ launch }: ServerConfig): ResolvedLaunch {
  return launch.kind === 'stdio'
    ? { ...nodeLaunch(launch.args, launch.env), command: launch.command }
    : launch;
}

export function openGate(launch: (server: ServerConfig) => ResolvedLaunch = launchOf): LaunchGate {
  return {
    readiness: async () => 'ready',
    prepare: async (server) => ({ launch: launch(server), secrets: [] }),
  };
}

export function realHost(services: Partial<HostServices> = {}): McpHost {
  const { workspace = new FakeWorkspace([]) } = services;
  const roots = new WorkspaceRoots(workspace);
  const connector = createConnector({ name: 'mcp-host-test', version: '1.0.0' });
  return new McpHost({
    workspace,
    roots,
    features: (server) => featuresFor(server, { roots }),
    gate: openGate(),
    connector: () => connector,
    logs: silentLogs,
    log: silentLog,
    clock: systemClock,
    ...services,
  });
}
