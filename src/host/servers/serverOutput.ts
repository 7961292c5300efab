/**
 * Writes a server's output to its log: stderr lines, log notifications and observations of the transport, marked and
 * rate-limited. Keeps the last stderr lines for the error of a server that ended. Removes secrets from everything that
 * is kept or passed on.
 */
import type { Log, LogSeverity, Redactor } from '../../base/log.ts';
import { truncated } from '../../base/text.ts';
import { isMcpError, type McpError } from '../../mcp/errors.ts';
import type { Diagnostic } from '../../mcp/session/session.ts';
import type { LoggingLevel, LoggingMessage } from '../../mcp/types/methods.ts';
import { raisedBy } from '../config/serverConfig.ts';
import type { Resolution } from '../launch/resolveLaunch.ts';
import type { Clock } from '../../base/clock.ts';
import { PerSecond } from './perSecond.ts';
import { redactedError } from './redactedError.ts';

/** Lines of stderr in an error. */
const keptLines = 20;
const maxLineChars = 1_000;
const maxNotificationChars = 10_000;
const maxLoggerChars = 100;
/**
 * Log notifications (LOG-05), and observations of the transport, written in one second; the default of the entry. The
 * rest is counted.
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
          `${count} ${what} are not shown: there were more than ${perSecond} in a second, ${raisedBy('limits.logMessagesPerSecond')}`,
        ),
      );
    this.#notifications = bounded('log messages of the server');
    this.#observations = bounded('reports about its connection');
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
      case 'stderr': {
        this.#lines = [...this.#lines.slice(1 - keptLines), this.#excerpt(text, maxLineChars)];
        // Standard error may hold logging of any kind: a line in it is no warning (STDIO-06).
        this.log.info(`[stderr] ${text}`);
        break;
      }
      case 'stdout':
        this.#strayOutput ??= this.#excerpt(line, maxLineChars);
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

  #observe(level: Diagnostic['level'], text: string): void {
    if (this.#observations.admits()) {
      this.log[level](this.#excerpt(text, maxNotificationChars));
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
