/**
 * What a server tells, into its log: stderr lines, log notifications and observations of the
 * transport, told apart and bounded. Keeps the last stderr lines for the error of a server that
 * ended. Secrets are taken out of everything that is kept here or handed on.
 */
import { toError } from '../../base/async.ts';
import type { Log, LogSeverity, Redactor } from '../../base/log.ts';
import { HttpError, isCancelled, isHttpError, isMcpError, McpError } from '../../mcp/errors.ts';
import type { Diagnostic } from '../../mcp/era/session.ts';
import type { LoggingLevel, LoggingMessage } from '../../mcp/types/methods.ts';
import { raisedBy } from '../config/serverConfig.ts';
import type { Resolution } from '../config/resolveLaunch.ts';
import type { Clock } from './clock.ts';
import { PerSecond } from './perSecond.ts';

/** Lines of stderr that an error carries. */
const keptLines = 20;
const maxLineChars = 1_000;
const maxNotificationChars = 10_000;
/**
 * Log notifications (LOG-05), and observations of the transport, written in one second where the entry
 * says nothing else; the rest is counted.
 */
const maxPerSecond = 200;

export class ServerOutput {
  readonly log: Log;
  readonly #redactor: Redactor;
  #lines: readonly string[] = [];
  readonly #notifications: PerSecond;
  readonly #observations: PerSecond;
  #strayOutput: string | undefined;

  constructor(
    channel: { readonly log: Log; readonly redactor: Redactor },
    clock: Clock,
    perSecond = maxPerSecond,
  ) {
    this.log = channel.log;
    this.#redactor = channel.redactor;
    const bounded = (what: string): PerSecond =>
      new PerSecond(clock, perSecond, (count) =>
        this.log.warn(
          `${count} ${what} were left out: more than ${perSecond} a second, ${raisedBy('limits.logMessagesPerSecond')}`,
        ),
      );
    this.#notifications = bounded('log messages of the server');
    this.#observations = bounded('observations of its connection');
  }

  /** Oldest first, without secrets. */
  get lastStderr(): readonly string[] {
    return this.#lines;
  }

  /** The first line on standard output that was no message, without secrets. */
  get strayOutput(): string | undefined {
    return this.#strayOutput;
  }

  /** A new process has said nothing yet. */
  forget(): void {
    this.#lines = [];
    this.#strayOutput = undefined;
  }

  /** What the preparation of a start has to say. */
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

  diagnostic({ level, source, text, isNewStart }: Diagnostic): void {
    if (isNewStart === true) {
      this.forget();
    }
    switch (source) {
      case 'stderr': {
        const line = this.#excerpt(text, maxLineChars);
        this.#lines = [...this.#lines.slice(1 - keptLines), line];
        // Standard error may hold logging of any kind: that a line is there is no warning (STDIO-06).
        this.log.info(`[stderr] ${text}`);
        break;
      }
      case 'stdout':
        this.#strayOutput ??= this.#excerpt(text, maxLineChars);
        this.#observe(level, text);
        break;
      case 'transport':
        this.#observe(level, text);
        break;
    }
  }

  notification({ level, logger, data }: LoggingMessage): void {
    if (!this.#notifications.admits()) {
      return;
    }
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
    const from = logger === undefined ? 'server' : `server ${this.#excerpt(logger, 100)}`;
    this.log[severities[level]](`[${from}] ${this.#excerpt(text, maxNotificationChars)}`);
  }

  /** Any failure as an McpError whose texts hold no secret. */
  toError(error: unknown): McpError {
    if (!isMcpError(error)) {
      const message = toError(error).message;
      const code = isCancelled(error) ? 'cancelled' : 'unreachable';
      return new McpError(code, this.#redactor.redact(message));
    }
    return textsOf(error).every((text) => this.#redactor.redact(text) === text)
      ? error
      : this.#redacted(error);
  }

  /** Of the same kind, with the same below it: what it is about is told by codes and statuses. */
  #redacted(error: McpError): McpError {
    const text = this.#redactor.redact(error.message);
    if (isHttpError(error)) {
      const { code, status, bodyExcerpt, retryAfterMs } = error;
      const excerpt = this.#redactor.redact(bodyExcerpt);
      return new HttpError(code, status, text, excerpt, retryAfterMs);
    }
    return new McpError(error.code, text, { cause: this.#redactedCause(error.cause) });
  }

  #redactedCause(cause: unknown): unknown {
    if (isMcpError(cause)) {
      return this.#redacted(cause);
    }
    if (!(cause instanceof Error)) {
      return undefined;
    }
    const options = { cause: this.#redactedCause(cause.cause) };
    const error = new Error(this.#redactor.redact(cause.message), options);
    return 'code' in cause ? Object.assign(error, { code: cause.code }) : error;
  }

  #observe(level: Diagnostic['level'], text: string): void {
    if (this.#observations.admits()) {
      this.log[level](this.#excerpt(text, maxNotificationChars));
    }
  }

  /** Cut last: half of a secret would not be known for one. */
  #excerpt(text: string, maxChars: number): string {
    return cut(this.#redactor.redact(text), maxChars);
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

/** Every text of an error that may end up before somebody's eyes. */
function textsOf(error: Error): readonly string[] {
  const body =
    'bodyExcerpt' in error && typeof error.bodyExcerpt === 'string' ? [error.bodyExcerpt] : [];
  const causes = error.cause instanceof Error ? textsOf(error.cause) : [];
  return [error.message, ...body, ...causes];
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;
}
