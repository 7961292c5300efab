/** Entries of the settings, and what becomes of them on a machine that is only described. */
import assert from 'node:assert/strict';
import type { WorkspaceFolder } from '../../src/host/config/workspace.ts';
import { type EntryPolicy, parseConfig } from '../../src/host/config/parseConfig.ts';
import type {
  ConfigScope,
  HostConfig,
  InputDefinition,
  ServerConfig,
} from '../../src/host/config/serverConfig.ts';
import { inputOf } from '../../src/host/launch/inputs.ts';
import type { Machine } from '../../src/host/launch/launchContext.ts';
import type { Resolution } from '../../src/host/launch/launchGate.ts';
import { resolveLaunch } from '../../src/host/launch/resolveLaunch.ts';
import type { ResolveContext } from '../../src/host/launch/resolver.ts';
import { noFile } from './noFile.ts';
import { programsAt } from './programs.ts';

export const folder: WorkspaceFolder = { uri: 'file:///w/a', name: 'a', path: '/w/a' };

interface EntryOptions {
  readonly scope?: ConfigScope;
  readonly inputs?: readonly object[];
  readonly policy?: EntryPolicy;
}

/** The server `srv`, whose entry has no problem. */
export function parseEntry(
  entry: object,
  { scope = { kind: 'workspace' }, inputs = [], policy }: EntryOptions = {},
): {
  readonly config: HostConfig;
  readonly server: ServerConfig;
  readonly inputOf: (id: string) => InputDefinition;
} {
  const config = parseConfig([{ scope, servers: { srv: entry }, inputs }], policy);
  assert.deepEqual(config.problems, []);
  const [server] = config.servers;
  assert.ok(server);
  return { config, server, inputOf: (id) => inputOf(config, scope, id) };
}

/** What is wrong with an entry: each field with a message. */
export function problemsOf(entry: object): readonly string[] {
  const config = parseConfig([{ scope: { kind: 'user' }, servers: { srv: entry }, inputs: [] }]);
  return config.problems.map(({ field = '', message }) => `${field} ${message}`);
}

export interface MachineOptions extends Partial<Machine> {
  readonly files?: Readonly<Record<string, string>>;
}

export function machineWith({ files = {}, ...more }: MachineOptions = {}): Machine {
  const readFile = more.readFile ?? (async (path) => files[path] ?? Promise.reject(noFile(path)));
  return {
    platform: 'posix',
    userHome: '/home/u',
    env: {},
    programs: programsAt([]),
    readFile,
    digest: async (path) => `digest of ${await readFile(path)}`,
    ...more,
  };
}

export interface ResolveOptions extends EntryOptions {
  readonly folders?: readonly WorkspaceFolder[];
  readonly machine?: MachineOptions;
  /** By input; for another one its name with `answer-` in front. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly answerOf?: ResolveContext['valueOf'];
}

export function resolveEntry(
  entry: object,
  { folders = [folder], machine, answers = {}, ...options }: ResolveOptions = {},
): Promise<Resolution> {
  const parsed = parseEntry(entry, options);
  return resolveLaunch(parsed.server, {
    machine: machineWith(machine),
    folders,
    inputOf: parsed.inputOf,
    valueOf: options.answerOf ?? (async ({ id }) => answers[id] ?? `answer-${id}`),
  });
}
