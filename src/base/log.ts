/**
 * Logging for all layers. The sink is an editor's log channel in production and an array in tests.
 * Values registered as secrets are replaced before a line leaves this file.
 */
import { ellipsis } from './text.ts';

export type LogSeverity = 'trace' | 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const mask = '***';
/** Shorter values are no secrets, nor is a shorter part of one: they would blank out ordinary words. */
const minSecretChars = 4;

/** Replaces every known secret value in a text. */
export class Redactor {
  readonly #above: Redactor | undefined;
  /** Longest first: a secret may begin with another one, and nothing of it may stay. */
  #secrets: readonly string[] = [];

  /** @param above learns what this one learns, and keeps it: that of a log in which others' texts turn up, too */
  constructor(above?: Redactor) {
    this.#above = above;
  }

  add(secret: string): void {
    this.#above?.add(secret);
    if (secret.length >= minSecretChars && !this.#secrets.includes(secret)) {
      this.#secrets = [...this.#secrets, secret].toSorted((a, b) => b.length - a.length);
    }
  }

  /** Also the beginning of a secret at the end of what was cut: see {@link truncated}. */
  redact(text: string): string {
    const isCut = text.includes(ellipsis);
    let result = text;
    for (const secret of this.#secrets) {
      result = result.replaceAll(secret, mask);
      result = isCut ? withoutBeginning(result, secret) : result;
    }
    return result;
  }
}

/** Takes out what stands before an ellipsis if a secret begins so. */
function withoutBeginning(text: string, secret: string): string {
  const head = secret.slice(0, minSecretChars);
  let result = '';
  let takenTo = 0;
  let cut = -1;
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + 1)) {
    cut = cut < at ? text.indexOf(ellipsis, at) : cut;
    if (cut === -1) {
      break;
    }
    if (cut - at < secret.length && secret.startsWith(text.slice(at, cut))) {
      result += `${text.slice(takenTo, at)}${mask}`;
      takenTo = cut;
      at = cut;
    }
  }
  return `${result}${text.slice(takenTo)}`;
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
