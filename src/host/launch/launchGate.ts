/** A launch as connections see it: the steps before a start, what they lack, and what is run in the end. */
import type { DebugTarget } from './debugLaunch.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { AuthSettings } from '../../mcp/auth/authSettings.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';

/** What is missing for a start that must not ask. */
export type Readiness = 'ready' | 'restricted' | 'needsConsent' | 'needsInput';

export interface LaunchGate {
  /**
   * Asks for a missing consent and missing inputs, and returns what to run.
   * @throws McpError `denied` when the user says no, `forbidden`, `cancelled`, `invalidConfig`
   */
  prepare(server: ServerConfig, signal: AbortSignal): Promise<Resolution>;
  /** Whether {@link prepare} would pass without a question. @throws McpError `invalidConfig` */
  readiness(server: ServerConfig): Promise<Readiness>;
}

/** The same gate after a look at the settings files, which ends the start of an entry that was read half-written. */
export function gateAfter(look: () => Promise<void>, gate: () => LaunchGate): LaunchGate {
  return {
    prepare: async (server, signal) => {
      await look();
      signal.throwIfAborted();
      return gate().prepare(server, signal);
    },
    readiness: async (server) => {
      await look();
      return gate().readiness(server);
    },
  };
}

const missing: Readonly<Record<Readiness, StoppedBecause | undefined>> = {
  ready: undefined,
  restricted: 'restricted',
  needsConsent: 'consentNeeded',
  needsInput: 'inputNeeded',
};

/** What prevents a start without a dialog; undefined for nothing. */
export async function missingFor(
  gate: Pick<LaunchGate, 'readiness'>,
  server: ServerConfig,
): Promise<StoppedBecause | undefined> {
  try {
    return missing[await gate.readiness(server)];
  } catch {
    return undefined; // the start fails of the same, and its state says so
  }
}

/** Why a server that could run does not, other than "nobody started it". */
export type StoppedBecause =
  | 'disabled'
  | 'hidden'
  /** A setting of the editor forbids the server: `forbiddenBy` of the entry. */
  | 'forbidden'
  | 'restricted'
  /** The user has to allow the start first. */
  | 'consentNeeded'
  /** The user has to give the value of an input first. */
  | 'inputNeeded'
  /** The user has to sign in to the server first. */
  | 'signInNeeded';

/** A launch with every variable replaced; never log it unredacted. */
export type ResolvedLaunch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The complete environment of the server's process. */
      readonly env: Readonly<Record<string, string>>;
      /** What `command`, started without environment, reads from descriptor 3 instead. Absent: it starts with `env`. */
      readonly handedOver?: string;
      readonly cwd: string;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      /** A Unix socket, or a named pipe of Windows, to connect to instead of the URL's host. */
      readonly socketPath?: string;
      /** `sse`: only HTTP+SSE. Absent: Streamable HTTP first, else what the server speaks. */
      readonly transport?: 'sse';
      readonly headers: Readonly<Record<string, string>>;
      /** How to sign in when the server asks for it; absent where nobody does. */
      readonly auth?: AuthSettings;
      /** Absent where only the editor's settings count. */
      readonly connection?: ConnectionSettings;
    }
  | {
      readonly kind: 'webSocket';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly auth?: AuthSettings;
      readonly connection?: ConnectionSettings;
    };

export interface Resolution {
  readonly launch: ResolvedLaunch;
  /** For the server's Redactor. */
  readonly secrets: readonly string[];
  /** Where the debugger finds the server; absent where none attaches. */
  readonly debug?: DebugTarget;
  /** For the server's log. */
  readonly notes?: readonly string[];
}

export interface LaunchInspection {
  /** Inputs without a value stay as variables. Holds the secrets of {@link secrets}. */
  readonly launch: ResolvedLaunch;
  readonly secrets: readonly string[];
  /** Set for a program. */
  readonly program?: ProgramInspection;
}

export interface LaunchInspector {
  /**
   * What would be started, with the inputs that have a value. Asks nobody, starts nothing.
   * @throws McpError `invalidConfig`
   */
  inspect(server: ServerConfig): Promise<LaunchInspection>;
}

export interface ProgramInspection {
  /** The file of the command; undefined where there is none. */
  readonly file: string | undefined;
  /** The searched folders, when the command is a name and not a path. */
  readonly searched: readonly string[];
  readonly isFolderThere: boolean;
  /** Names of variables that the entry, or its envFile, sets or changes. */
  readonly set: readonly string[];
  /** Names of the editor's variables that the server does not get, without those of the editor itself. */
  readonly removed: readonly string[];
}
