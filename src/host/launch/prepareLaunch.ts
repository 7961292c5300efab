/** The steps between a request to start a server and the start, as connections see them. */
import type { Resolution } from './resolveLaunch.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';

/** What is missing for a start that must not ask. */
export type Readiness = 'ready' | 'restricted' | 'needsConsent' | 'needsInput';

export interface LaunchGate {
  /**
   * Asks for a missing consent and missing inputs, and returns what to run.
   * @throws McpError `denied` when the user says no, `cancelled`, `invalidConfig`
   */
  prepare(server: ServerConfig, signal: AbortSignal): Promise<Resolution>;
  /** Whether {@link prepare} would pass without a question. @throws McpError `invalidConfig` */
  readiness(server: ServerConfig): Promise<Readiness>;
  /** Whether {@link prepare} waits for the user's answer about this server. Absent: never. */
  isHeldUp?(id: ServerId): boolean;
}

/** The same gate after a look at the settings files, which ends the start of an entry that was read half-written. */
export function gateAfter(look: () => Promise<void>, gate: LaunchGate): LaunchGate {
  return {
    isHeldUp: (id) => gate.isHeldUp?.(id) === true,
    prepare: async (server, signal) => {
      await look();
      signal.throwIfAborted();
      return gate.prepare(server, signal);
    },
    readiness: async (server) => {
      await look();
      return gate.readiness(server);
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
