/**
 * The states of one server and their transitions, as a pure function. It decides whether and when a server restarts;
 * the connection performs the effects (processes, timers, dialogs).
 */
import type { StoppedBecause } from '../launch/launchGate.ts';
import { isHttpError, type McpError } from '../../mcp/errors.ts';
import type { ServerDescription, Session } from '../../mcp/session/session.ts';
import type { Event } from '../../base/event.ts';

/** What a start needs from the user. A sign-in lasts until the browser is back. */
export type WaitsFor = 'consent' | 'input' | 'signIn';

export type ConnectionState =
  | { readonly kind: 'stopped'; readonly because?: StoppedBecause }
  | ({ readonly kind: 'starting'; readonly waitsFor?: WaitsFor } & Restarts)
  | {
      readonly kind: 'ready';
      readonly server: ServerDescription;
      /** Restarts since the server last ran long enough to count as stable. */
      readonly attempt: number;
    }
  | ({
      readonly kind: 'waiting';
      readonly delayMs: number;
      readonly cause: McpError;
      /** What the server wrote to stderr before its end, oldest first. */
      readonly lastStderr: readonly string[];
    } & Restarts)
  | { readonly kind: 'stopping'; readonly because?: StoppedBecause }
  | {
      readonly kind: 'failed';
      readonly error: McpError;
      /** What the server wrote to stderr before its end, oldest first. */
      readonly lastStderr: readonly string[];
    };

interface Restarts {
  /** 0 for a start by request or after a change of network, 1 for the first restart, and so on. */
  readonly attempt: number;
  /** Whether the server was ready since the start was requested, or is started in another network. */
  readonly wasReady: boolean;
}

export type ConnectionEvent =
  /** With `wasReady`: the server was out of reach and given up, and this start is automatic: restarts as after a loss. */
  | { readonly kind: 'start'; readonly wasReady?: boolean }
  /** The start opened a question to the user; undefined: it is answered. */
  | { readonly kind: 'asks'; readonly waitsFor: WaitsFor | undefined }
  /** The handshake is done, or the session was reopened on the same channel. */
  | { readonly kind: 'opened'; readonly server: ServerDescription }
  | {
      readonly kind: 'startFailed';
      readonly error: McpError;
      readonly lastStderr: readonly string[];
    }
  /** A ready server ended unexpectedly. */
  | {
      readonly kind: 'lost';
      readonly error: McpError;
      readonly lastStderr: readonly string[];
      /** Milliseconds that the server was ready. */
      readonly readyMs: number;
    }
  /** The delay of `waiting` is over. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'stop'; readonly because?: StoppedBecause }
  /** Nothing of the server is left. */
  | { readonly kind: 'stopped' };

/** What it was lost for, or did not start for. */
export function errorOf(state: ConnectionState): McpError | undefined {
  return state.kind === 'failed' ? state.error : state.kind === 'waiting' ? state.cause : undefined;
}

/** Limits of restarting. */
export const restartRules = {
  firstDelayMs: 1_000,
  maxDelayMs: 30_000,
  /** Restarts of a server that was ready: 1, 2, 4, 8, 16 and 30 s apart. */
  maxRestarts: 6,
  /** Restarts of a server that has ended in every handshake so far: most likely its entry is wrong. */
  maxStartRetries: 2,
  /** If a busy server asks for a longer delay than this, only the user restarts it. */
  maxPutOffMs: 600_000,
  /** A server that was ready for this long has its restarts reset. */
  stableMs: 60_000,
} as const;

export function transition(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.kind) {
    case 'start':
      return onStart(state, event);
    case 'asks':
      return onAsks(state, event.waitsFor);
    case 'retry':
      return state.kind === 'waiting'
        ? { kind: 'starting', attempt: state.attempt, wasReady: state.wasReady }
        : state;
    case 'opened':
      return onOpened(state, event.server);
    case 'startFailed':
      return state.kind === 'starting' ? onStartFailed(state, event) : state;
    case 'lost':
      return state.kind === 'ready' ? onLost(state, event) : state;
    case 'stop':
      return isResting(state)
        ? stopped('stopped', event.because)
        : stopped('stopping', event.because);
    case 'stopped':
      return state.kind === 'stopping' ? stopped('stopped', state.because) : state;
  }
}

/** Nothing runs or starts; there may be a timer. */
function isResting(state: ConnectionState): boolean {
  return state.kind === 'stopped' || state.kind === 'failed' || state.kind === 'waiting';
}

function stopped(
  kind: 'stopped' | 'stopping',
  because: StoppedBecause | undefined,
): ConnectionState {
  return because === undefined ? { kind } : { kind, because };
}

function onStart(
  state: ConnectionState,
  { wasReady = false }: Extract<ConnectionEvent, { kind: 'start' }>,
): ConnectionState {
  return isResting(state) ? { kind: 'starting', attempt: 0, wasReady } : state;
}

function onAsks(state: ConnectionState, waitsFor: WaitsFor | undefined): ConnectionState {
  if (state.kind !== 'starting') {
    return state;
  }
  const { kind, attempt, wasReady } = state;
  const starting = { kind, attempt, wasReady };
  return waitsFor === undefined ? starting : { ...starting, waitsFor };
}

function onOpened(state: ConnectionState, server: ServerDescription): ConnectionState {
  return state.kind === 'starting' || state.kind === 'ready'
    ? { kind: 'ready', server, attempt: state.attempt }
    : state;
}

function onStartFailed(
  state: Extract<ConnectionState, { kind: 'starting' }>,
  event: Extract<ConnectionEvent, { kind: 'startFailed' }>,
): ConnectionState {
  const { error, lastStderr } = event;
  if (error.code === 'cancelled') {
    return { kind: 'stopped' };
  }
  if (error.code === 'denied') {
    return { kind: 'stopped', because: 'consentNeeded' };
  }
  if (error.code === 'signInNeeded') {
    return { kind: 'stopped', because: 'signInNeeded' };
  }
  const { attempt, wasReady } = state;
  const limit = wasReady ? restartRules.maxRestarts : restartRules.maxStartRetries;
  const putOffMs = isHttpError(error) ? (error.retryAfterMs ?? 0) : 0;
  const isWorthIt = putOffMs > 0 || isWorthRetrying(error, wasReady);
  return isWorthIt && putOffMs <= restartRules.maxPutOffMs && attempt < limit
    ? waiting(attempt + 1, wasReady, error, lastStderr, putOffMs)
    : { kind: 'failed', error, lastStderr };
}

/**
 * A process that ended in the handshake may succeed next time. A server that was ready may come back, too (the machine
 * reboots, its program is replaced). Before that, the same errors mean a wrong entry, and a retry would only delay the
 * message.
 */
function isWorthRetrying(error: McpError, wasReady: boolean): boolean {
  return error.code === 'closed' || (wasReady && mayPass.has(error.code));
}

const mayPass: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'http', 'sessionExpired']);

function onLost(
  state: Extract<ConnectionState, { kind: 'ready' }>,
  event: Extract<ConnectionEvent, { kind: 'lost' }>,
): ConnectionState {
  const { error, lastStderr, readyMs } = event;
  const restarts = readyMs >= restartRules.stableMs ? 0 : state.attempt;
  // A server that was stopped for a protocol error would repeat it.
  const isWorthIt = error.code !== 'protocol' && restarts < restartRules.maxRestarts;
  return isWorthIt
    ? waiting(restarts + 1, true, error, lastStderr)
    : { kind: 'failed', error, lastStderr };
}

function waiting(
  attempt: number,
  wasReady: boolean,
  cause: McpError,
  lastStderr: readonly string[],
  leastMs = 0,
): ConnectionState {
  const { firstDelayMs, maxDelayMs } = restartRules;
  const ownMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  const delayMs = Math.max(ownMs, leastMs);
  return { kind: 'waiting', attempt, wasReady, delayMs, cause, lastStderr };
}

/**
 * Waits for the outcome of a running start, restarts included, as long as the caller allows.
 * @param maxDelayMs rejects with the cause of a restart that comes later than that
 * @param session returns that of a ready server
 * @param stopError returns the error for a server that was stopped meanwhile
 * @throws McpError what the start failed with
 */
export function outcomeOfStart(
  connection: {
    readonly state: ConnectionState;
    readonly onDidChangeState: Event<ConnectionState>;
  },
  maxDelayMs: number,
  session: () => Session | undefined,
  stopError: () => McpError,
): Promise<Session> {
  return new Promise((resolve, reject) => {
    const look = (state: ConnectionState): void => {
      const opened = state.kind === 'ready' ? session() : undefined;
      if (opened !== undefined) {
        resolve(opened);
      } else if (state.kind === 'failed') {
        reject(state.error);
      } else if (state.kind === 'stopped') {
        reject(stopError());
      } else if (state.kind === 'waiting' && state.delayMs > maxDelayMs) {
        reject(state.cause);
      } else {
        return;
      }
      subscription.dispose();
    };
    const subscription = connection.onDidChangeState(look);
    look(connection.state);
  });
}
