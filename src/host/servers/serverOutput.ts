/**
 * Writes a server's output to its log: stderr lines, log notifications and observations of the transport, marked and
 * rate-limited. Keeps the last stderr lines for the error of a server that ended. Removes secrets from everything that
 * is kept or passed on.
 */
import type { Clock } from '../../base/clock.ts';
import type { Log, LogSeverity, Redactor } from '../../base/log.ts';
import { truncated } from '../../base/text.ts';
import { Throttle } from '../../base/throttle.ts';
import {
  isMcpError,
  McpError,
  HttpError,
  isCancelled,
  isHttpError,
  isRpcError,
  RpcError,
} from '../../mcp/errors.ts';
import type { Diagnostic, ServerChange } from '../../mcp/session/session.ts';
import type { LoggingLevel, LoggingMessage } from '../../mcp/types/methods.ts';
import { raisedBy, type ServerConfig, type ServerId } from '../config/serverConfig.ts';
import type { Resolution } from '../launch/launchGate.ts';
import { toError } from '../../base/async.ts';

/** Lines of stderr in an error; also those written of a flood when its second is over: they tell why a process ended. */
const keptLines = 20;
const maxLineChars = 1_000;
const maxNotificationChars = 10_000;
const maxLoggerChars = 100;
/**
 * What is written in one second, unless the entry says otherwise: log notifications (LOG-05), observations of the
 * transport, lines of stderr. The rest is counted.
 */
export const maxPerSecond = { notifications: 200, observations: 200, stderr: 500 } as const;

export class ServerOutput {
  readonly log: Log;
  readonly #redactor: Redactor;
  readonly #lines: string[] = [];
  readonly #notifications: Throttle<LoggingMessage>;
  readonly #observations: Throttle<Pick<Diagnostic, 'level' | 'text'>>;
  readonly #stderr: Throttle<string>;
  #strayOutput: string | undefined;

  constructor(
    channel: { readonly log: Log; readonly redactor: Redactor },
    clock: Clock,
    perSecond?: number,
  ) {
    this.log = channel.log;
    this.#redactor = channel.redactor;
    const limited = <T>(
      kind: keyof typeof maxPerSecond,
      what: string,
      write: (value: T) => void,
      maxHeld = 0,
    ): Throttle<T> => {
      const max = perSecond ?? maxPerSecond[kind];
      const onDropped = (count: number): void =>
        this.log.warn(
          `${count} ${what} are not shown: there were more than ${max} in a second, ${raisedBy('limits.logMessagesPerSecond')}`,
        );
      return new Throttle({ perSecond: max, maxHeld, onDropped, clock }, write);
    };
    this.#notifications = limited('notifications', 'log messages of the server', (message) =>
      this.#writeNotification(message),
    );
    this.#observations = limited('observations', 'reports about its connection', (observed) =>
      this.log[observed.level](this.#excerpt(observed.text, maxNotificationChars)),
    );
    // Standard error may hold logging of any kind: a line in it is no warning (STDIO-06).
    const writeLine = (line: string): void => this.log.info(`[stderr] ${line}`);
    this.#stderr = limited('stderr', 'lines on standard error', writeLine, keptLines);
  }

  /** Oldest first, without secrets. */
  get lastStderr(): readonly string[] {
    return this.#lines.map((line) => this.#excerpt(line, maxLineChars));
  }

  /** The first line on standard output that was no message, without secrets. */
  get strayOutput(): string | undefined {
    return this.#strayOutput;
  }

  /** A new process has said nothing yet. */
  forget(): void {
    this.#lines.length = 0;
    this.#strayOutput = undefined;
  }

  /** Takes the secrets and notes of a start's preparation. */
  prepared({ secrets, notes = [] }: Omit<Resolution, 'launch'>): void {
    this.addSecrets(secrets);
    for (const note of notes) {
      this.log.info(note);
    }
  }

  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) {
      this.#redactor.add(secret);
    }
  }

  diagnostic({ level, source, text, line = text, isNewStart }: Diagnostic): void {
    if (isNewStart === true) {
      this.forget();
    }
    switch (source) {
      case 'stderr':
        this.#lines.splice(0, this.#lines.length + 1 - keptLines);
        this.#lines.push(text);
        this.#stderr.push(text);
        break;
      case 'stdout':
        this.#strayOutput ??= this.#excerpt(line, maxLineChars);
        this.#observations.push({ level, text });
        break;
      case 'transport':
        this.#observations.push({ level, text });
        break;
    }
  }

  notification(message: LoggingMessage): void {
    this.#notifications.push(message);
  }

  #writeNotification({ level, logger, data }: LoggingMessage): void {
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
    const from =
      logger === undefined ? 'server' : `server ${this.#excerpt(logger, maxLoggerChars)}`;
    this.log[severities[level]](`[${from}] ${this.#excerpt(text, maxNotificationChars)}`);
  }

  /** Any failure as an McpError whose texts hold no secret. */
  toError(error: unknown): McpError {
    return redactedError(error, this.#redactor);
  }

  /** The error of a call without secrets; our own bugs stay what they are. */
  readonly withoutSecrets = (error: unknown): unknown =>
    isMcpError(error) ? this.toError(error) : error;

  /** The outcome of `work`, its errors without secrets. */
  async toldWithoutSecrets<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.withoutSecrets(error);
    }
  }

  /** Cut after redaction: half of a secret would not be recognised. */
  #excerpt(text: string, maxChars: number): string {
    return truncated(this.#redactor.redact(text), maxChars);
  }
}

const severities: Readonly<Record<LoggingLevel, LogSeverity>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

type Redact = Pick<Redactor, 'redact'>;

/** The error itself if it is an McpError without secrets. */
export function redactedError(error: unknown, redactor: Redact): McpError {
  if (!isMcpError(error)) {
    const message = toError(error).message;
    const code = isCancelled(error) ? 'cancelled' : 'unreachable';
    return new McpError(code, redactor.redact(message));
  }
  return textsOf(error).every((text) => redactor.redact(text) === text)
    ? error
    : redactedMcpError(error, redactor);
}

/** Of the same kind and with the same causes: codes and statuses identify the problem. */
function redactedMcpError(error: McpError, redactor: Redact): McpError {
  const text = redactor.redact(error.message);
  if (isHttpError(error)) {
    const { code, status, bodyExcerpt, retryAfterMs } = error;
    return new HttpError(code, status, text, redactor.redact(bodyExcerpt), retryAfterMs);
  }
  if (isRpcError(error)) {
    return new RpcError(error.rpcCode, text, error.data);
  }
  return new McpError(error.code, text, { cause: redactedCause(error.cause, redactor) });
}

function redactedCause(cause: unknown, redactor: Redact): unknown {
  if (isMcpError(cause)) {
    return redactedMcpError(cause, redactor);
  }
  if (!(cause instanceof Error)) {
    return undefined;
  }
  const options = { cause: redactedCause(cause.cause, redactor) };
  const error = new Error(redactor.redact(cause.message), options);
  return 'code' in cause ? Object.assign(error, { code: cause.code }) : error;
}

/** Every text of an error that may be shown. */
function textsOf(error: Error): readonly string[] {
  const body =
    'bodyExcerpt' in error && typeof error.bodyExcerpt === 'string' ? [error.bodyExcerpt] : [];
  const causes = error.cause instanceof Error ? textsOf(error.cause) : [];
  return [error.message, ...body, ...causes];
}

/** One log per server, with a redactor that knows the secrets of that server. */
export interface ServerLogs {
  open(server: ServerConfig): { readonly log: Log; readonly redactor: Redactor };
  close(id: ServerId): void;
}

/** Notifications of a running server, for their receivers. */
export type ServerNotice =
  | ServerChange
  | { readonly kind: 'log'; readonly message: LoggingMessage };
