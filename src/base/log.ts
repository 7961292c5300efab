/**
 * Logging for all layers. The sink is an editor's log channel in production and an array in tests.
 * Values registered as secrets are replaced before a line leaves this file.
 */
export type LogSeverity = 'trace' | 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Replaces every known secret value in a text. */
export class Redactor {
  readonly #above: Redactor | undefined;
  /** Longest first: a secret may begin with another one, and nothing of it may stay. */
  #secrets: readonly string[] = [];

  /** @param above learns what this one learns, and keeps it: that of a log in which others' texts turn up, too */
  constructor(above?: Redactor) {
    this.#above = above;
  }

  /** Values under four characters are not registered: they would blank out ordinary words. */
  add(secret: string): void {
    this.#above?.add(secret);
    if (secret.length >= 4 && !this.#secrets.includes(secret)) {
      this.#secrets = [...this.#secrets, secret].toSorted((a, b) => b.length - a.length);
    }
  }

  redact(text: string): string {
    let result = text;
    for (const secret of this.#secrets) {
      result = result.replaceAll(secret, '***');
    }
    return result;
  }
}

/**
 * A Log that writes redacted lines to `sink`. A sink that throws (an editor's channel that has been
 * closed) costs the line, not whoever logs: there is nowhere left to say so.
 */
export function createLog(
  sink: (severity: LogSeverity, line: string) => void,
  redactor: Redactor,
): Log {
  const at = (severity: LogSeverity) => (message: string) => {
    try {
      sink(severity, redactor.redact(message));
    } catch {
      // see above
    }
  };
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}
