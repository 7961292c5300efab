/**
 * What is recorded of decisions and calls, and how those who decide tell it. An entry has names and
 * sizes: never a value of an input, a result or an answer, nor the words of an error.
 */
import { onUnexpectedError } from '../../base/event.ts';
import { isCancelled, isMcpError, isRpcError } from '../../mcp/errors.ts';
import type { ServerConfig } from '../config/serverConfig.ts';

export type AuditOutcome =
  /** A question was answered with yes, or needed none. */
  | 'allowed'
  | 'denied'
  /** A form or a link: the user said no, or left it. */
  | 'declined'
  | 'dismissed'
  /** Nobody was asked: over a limit, or nothing that can be asked. */
  | 'refused'
  /** A call came back with a result; `toolError` when the result says that the tool failed. */
  | 'done'
  | 'toolError'
  | 'failed'
  | 'cancelled';

export interface AuditEntry {
  readonly event:
    | 'start'
    | 'approval'
    /** An approval for longer than one call. */
    | 'remembered'
    | 'revoked'
    | 'toolCall'
    /** Both for extensions alone: what the user reads or uses is no matter of record. */
    | 'resourceRead'
    | 'promptUse'
    | 'sampling'
    | 'elicitation';
  /** Its name in the settings. */
  readonly server: string;
  /** Of its entry, where that is known. */
  readonly scope?: ServerConfig['scope']['kind'];
  /** Who wanted it; absent for a start, which has many reasons. */
  readonly caller?: 'user' | 'model' | 'server' | 'extension' | 'app';
  /** The id of an extension, as it gave it. */
  readonly extension?: string;
  readonly tool?: string;
  readonly prompt?: string;
  /** The id of the language model. */
  readonly model?: string;
  readonly mode?: 'form' | 'url';
  /** Where a link leads. */
  readonly host?: string;
  readonly outcome: AuditOutcome;
  readonly by?: 'hand' | 'rule';
  /** Which rule, or for how long. */
  readonly because?: string;
  /** Of an error. */
  readonly code?: string | number;
  /** Waiting for the user included. */
  readonly durationMs: number;
  readonly inputNames?: readonly string[];
  /** In characters of JSON, about. */
  readonly inputSize?: number;
  readonly resultSize?: number;
}

export interface Audit {
  /** Returns at once and never throws. */
  record(entry: AuditEntry): void;
}

export const noAudit: Audit = { record: () => undefined };

/** What is known before. */
export type AuditSubject = Omit<AuditEntry, 'server' | 'scope' | 'outcome' | 'durationMs'>;
type Note = Partial<Omit<AuditEntry, 'event' | 'durationMs'>>;

/**
 * Records how `run` ends, without a part in it: what it returns or throws stays as it is.
 * @param run `note` adds what becomes known; an outcome that nobody notes is `done`, or what the error says
 */
export async function audited<T>(
  audit: Audit,
  { name, scope }: Pick<ServerConfig, 'name' | 'scope'>,
  subject: AuditSubject,
  run: (note: (more: Note) => void) => Promise<T>,
): Promise<T> {
  const startedAt = Date.now();
  let noted: Note = {};
  const end = (ending: Note): void => {
    try {
      const durationMs = Date.now() - startedAt;
      const known = { ...subject, server: name, scope: scope.kind };
      audit.record({ outcome: 'done', ...known, ...noted, ...ending, durationMs });
    } catch (error) {
      onUnexpectedError(error);
    }
  };
  try {
    const value = await run((more) => {
      noted = { ...noted, ...more };
    });
    end({});
    return value;
  } catch (error) {
    end(endingOf(error, subject, noted));
    throw error;
  }
}

/** What the example of the specification answers a server with when the user says no. */
const userRejected = -1;

function endingOf(error: unknown, { caller }: AuditSubject, { by }: Note): Note {
  if (isCancelled(error)) {
    return { outcome: 'cancelled' };
  }
  const code = codeOf(error);
  if (caller === 'server' && code === userRejected) {
    return { outcome: 'denied', by: 'hand' };
  }
  if (code === 'denied') {
    return { outcome: 'denied', by: by ?? 'hand' };
  }
  const isRefused = caller === 'server' && by === undefined;
  return {
    ...(isRefused ? { outcome: 'refused', by: 'rule' } : { outcome: 'failed' }),
    ...(code === undefined ? {} : { code }),
  };
}

function codeOf(error: unknown): string | number | undefined {
  if (isRpcError(error)) {
    return error.rpcCode;
  }
  return isMcpError(error) ? error.code : undefined;
}
