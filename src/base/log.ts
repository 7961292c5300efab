/**
 * Logging for all layers. The sink is an editor's log channel in production and an array in tests.
 * Values registered as secrets are replaced before a line leaves this file.
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
/** Shorter values are no secrets, nor is a shorter part of one: they would blank out ordinary words. */
const minSecretChars = 4;
/** In what is masked already. More secrets do not overlap, but one that repeats itself does so at each of its places. */
const maxOverlaps = 32;

/**
 * Replaces every known secret value in a text, in each form that programs give it. A text is looked through once,
 * however many secrets there are: they are told by how they begin.
 */
export class Redactor {
  readonly #above: Redactor | undefined;
  readonly #secrets = new Set<string>();
  readonly #forms = new Set<string>();
  /** By their first four characters, see {@link headAfter}. */
  readonly #byHead = new Map<number, string[]>();
  /** Which heads there may be: nearly all places of a text are done with at one look. */
  readonly #mayBegin = new Uint8Array(1 << filterBits);

  /** @param above learns what this one learns, and keeps it: that of a log in which others' texts turn up, too */
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

  /** Also the beginning of a secret at the end of what was cut: see {@link truncated}. */
  redact(text: string): string {
    let result = '';
    /** Of what was masked last: secrets may overlap. */
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

/** The last four characters of a text, as a number that the next one pushes on. */
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

/** Of the longest form that stands there, or that begins there before an ellipsis; 0 for none. */
function lengthAt(text: string, at: number, forms: readonly string[], cut: number): number {
  const untilCut = cut - at;
  let length = 0;
  for (const form of forms) {
    // The last character first: of what begins alike most ends otherwise.
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
