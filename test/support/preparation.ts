/** The way from an entry to its launch in a window whose user and machine a test stands for. */
import assert from 'node:assert/strict';
import type { WorkspaceFolder } from '../../src/host/config/workspace.ts';
import type { ConfigScope, ManagedAccess } from '../../src/host/config/serverConfig.ts';
import { type InputPrompt, InputValues } from '../../src/host/launch/inputs.ts';
import type { LaunchDescription } from '../../src/host/launch/launchDescription.ts';
import type { Machine } from '../../src/host/launch/launchContext.ts';
import type { Readiness, Resolution, ResolvedLaunch } from '../../src/host/launch/launchGate.ts';
import { LaunchPreparation } from '../../src/host/launch/launchPreparation.ts';
import { StartConsent } from '../../src/host/launch/startConsent.ts';
import { type RootsSource, WorkspaceRoots } from '../../src/host/roots/workspaceRoots.ts';
import { noEvent } from '../../src/base/event.ts';
import { FakeMemory } from './fakeApprovals.ts';
import { folder, parseEntry } from './launches.ts';
import { memoryStore } from './memoryStore.ts';

const signal = new AbortController().signal;

interface Options {
  readonly machine: Machine;
  readonly scope?: ConfigScope;
  readonly input?: object;
  /** Besides `word`. */
  readonly inputs?: readonly object[];
  readonly folders?: readonly WorkspaceFolder[];
  readonly roots?: RootsSource;
  readonly access?: Partial<ManagedAccess>;
  readonly memory?: FakeMemory;
  /** Whether the user allows the start. */
  readonly allow?: boolean;
  /** What the user types for an input; nothing closes the question. */
  readonly answer?: string;
  readonly onAsk?: () => void;
  readonly onAskInput?: () => void;
}

/** @param entry may use the input `word`, a password unless `input` says otherwise */
export function preparing(
  entry: object,
  { machine, folders = [folder], memory = new FakeMemory(), allow = true, ...options }: Options,
) {
  const word = { id: 'word', type: 'promptString', ...(options.input ?? { password: true }) };
  const { config, server } = parseEntry(entry, {
    ...options,
    inputs: [word, ...(options.inputs ?? [])],
  });
  /** What the user was asked, in order. */
  const events: string[] = [];
  const shown: LaunchDescription[] = [];
  const secrets = new Map<string, string>();
  const workspace = {
    isTrusted: true,
    folders,
    onDidGrantTrust: noEvent,
    onDidChangeFolders: noEvent,
    ...(options.access && {
      access: {
        access: 'all',
        allowedServers: null,
        deniedServers: null,
        allowManagedServersOnly: false,
        ...options.access,
      },
    }),
  };
  const confirmStart = async (description: LaunchDescription): Promise<boolean> => {
    events.push('consent');
    shown.push(description);
    options.onAsk?.();
    return allow;
  };
  const ask: InputPrompt['ask'] = async (_server, { id }, _turn, mayGoBack) => {
    events.push(`input ${id}${mayGoBack ? ', or back' : ''}`);
    options.onAskInput?.();
    return options.answer;
  };
  const preparation = new LaunchPreparation({
    workspace,
    roots: options.roots ?? new WorkspaceRoots(workspace),
    machine: {
      ...machine,
      readFile: (path) => {
        events.push(`read ${path}`);
        return machine.readFile(path);
      },
    },
    inputs: new InputValues(memoryStore(secrets), { ask }, () => 'w1'),
    consent: new StartConsent(workspace, { confirmStart }, memory),
    config: () => config,
    system: 'linux',
  });
  return {
    preparation,
    server,
    workspace,
    events,
    shown,
    secrets,
    readiness: (): Promise<Readiness> => preparation.readiness(server),
    prepare: (): Promise<Resolution> => preparation.prepare(server, signal),
    /** The values of the facts with this label in every question. */
    facts: (wanted: string): readonly string[] =>
      shown.flatMap(({ facts }) =>
        facts.filter(({ label }) => label === wanted).map(({ value }) => value),
      ),
  };
}

/** Of a server that is started. */
export function started({ launch }: Resolution): Extract<ResolvedLaunch, { kind: 'stdio' }> {
  assert.ok(launch.kind === 'stdio');
  return launch;
}
