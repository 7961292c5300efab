/**
 * Logging for all layers. The sink is an editor's log channel in production and an array in tests.
 * Registered secrets are redacted before a line leaves this file.
 */
import { formsOf } from './secretForms.ts';
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
/** Shorter values, and shorter parts of a secret, are not redacted: they would remove ordinary words. */
const minSecretChars = 4;
/** Limit of overlaps with what is redacted already. A secret that repeats itself overlaps at each of its places. */
const maxOverlaps = 32;

/**
 * Replaces every known secret in a text, in each form that programs write it in. Scans a text once, however
 * many secrets there are, by looking up their first characters.
 */
export class Redactor {
  readonly #above: Redactor | undefined;
  readonly #secrets = new Set<string>();
  readonly #forms = new Set<string>();
  /** Secrets by their first four characters, see {@link headAfter}. */
  readonly #byHead = new Map<number, string[]>();
  /** Which heads exist: rules out nearly all positions of a text with one lookup. */
  readonly #mayBegin = new Uint8Array(1 << filterBits);

  /** @param above also learns these secrets and keeps them: the redactor of a log that shows other logs' texts, too */
  constructor(above?: Redactor) {
    this.#above = above;
  }

  add(secret: string): void {
    if (secret.length >= minSecretChars && !this.#secrets.has(secret)) {
      this.#learn(secret, formsOf(secret));
    }
  }

  #learn(secret: string, forms: ReadonlySet<string>): void {
    if (this.#above !== undefined) {
      this.#above.#learn(secret, forms);
    }
    this.#secrets.add(secret);
    for (const form of forms) {
      if (!this.#forms.has(form)) {
        this.#forms.add(form);
        const head = headOf(form);
        this.#mayBegin[filterOf(head)] = 1;
        const alike = this.#byHead.get(head);
        if (alike === undefined) {
          this.#byHead.set(head, [form]);
        } else {
          alike.push(form);
        }
      }
    }
  }

  /** Also redacts the beginning of a secret at the end of a cut text: see {@link truncated}. */
  redact(text: string): string {
    let result = '';
    /** End of the last redacted part: secrets may overlap. */
    let end = 0;
    let overlaps = 0;
    let cut = text.indexOf(ellipsis);
    let head = 0;
    const mayBegin = this.#mayBegin;
    const length = this.#secrets.size === 0 ? 0 : text.length;
    for (let index = 0; index < length; index += 1) {
      head = headAfter(head, text.charCodeAt(index));
      if (mayBegin[filterOf(head)] !== 1 || index + 1 < minSecretChars) {
        continue;
      }
      const forms = this.#byHead.get(head) ?? [];
      const at = index + 1 - minSecretChars;
      overlaps = at < end ? overlaps + 1 : 0;
      if (overlaps > maxOverlaps) {
        continue;
      }
      cut = cut !== -1 && cut < at ? text.indexOf(ellipsis, at) : cut;
      const found = lengthAt(text, at, forms, cut);
      if (found > 0) {
        result += at < end ? '' : text.slice(end, at) + mask;
        end = Math.max(end, at + found);
      }
    }
    return end === 0 ? text : result + text.slice(end);
  }
}

const filterBits = 14;

/** The last four characters of a text as a number, after adding `next`. */
function headAfter(head: number, next: number): number {
  return (head << 8) ^ next;
}

function headOf(form: string): number {
  let head = 0;
  for (let index = 0; index < minSecretChars; index += 1) {
    head = headAfter(head, form.charCodeAt(index));
  }
  return head;
}

function filterOf(head: number): number {
  return Math.imul(head, 0x9e_37_79_b1) >>> (32 - filterBits);
}

/** Length of the longest form at `at`, or of its beginning before an ellipsis; 0 for none. */
function lengthAt(text: string, at: number, forms: readonly string[], cut: number): number {
  const untilCut = cut - at;
  let length = 0;
  for (const form of forms) {
    // Compares the last character first: texts with the same beginning mostly differ there.
    if (
      form.length > length &&
      text.at(at + form.length - 1) === form.at(-1) &&
      text.startsWith(form, at)
    ) {
      length = form.length;
    } else if (
      untilCut > length &&
      untilCut >= minSecretChars &&
      untilCut < form.length &&
      form.startsWith(text.slice(at, cut))
    ) {
      length = untilCut;
    }
  }
  return length;
}

/**
 * A Log that writes redacted lines to `sink`. If the sink throws (a closed editor channel), the line is
 * lost and the caller goes on: there is nowhere left to report it.
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
