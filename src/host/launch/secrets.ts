/** Which values of a launch are secrets that the log must hide. */
import { percentDecoded } from '../../base/percentEncoding.ts';
import { isOrdinaryName, looksSecret } from '../../base/secretNames.ts';

/** Words of configuration that would blank out half a log if they were treated as secrets. */
const ordinaryValues =
  /^(?:true|false|yes|no|on|off|null|none|\d{1,6}|development|production|staging|test|debug|info|warn|warning|error|trace|localhost|utf-?8)$/iu;

/** Minimum for a password in an address, and for a line of a secret: shorter ones are words that occur elsewhere. */
const minPartChars = 8;

/** Tokens of a known shape, JSON Web Tokens, keys in PEM, passwords in URLs (their first group). */
export const secretShapes: readonly RegExp[] = [
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|hf_\w{20,}|npm_\w{20,}|ya29\.[\w-]{20,})/dgu,
  // Inside a word only with a short first part: otherwise each `eyJ` of a long text would start a match.
  /(?:(?<![\w-])eyJ[\w-]{8,}|\beyJ[\w-]{8,300})\.[\w-]{8,}\.[\w-]*/dgu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.+/dgsu,
  /:\/\/[^/\s:@]*:([^/\s@${}]+)@/dgu,
];

/** Letters and digits in one piece, too long to be chosen by a person. */
const key = /^(?=.*\d)(?=.*[A-Za-z])[\w.~%=-]{20,}$/u;
/** The first group is what follows the host, up to the closing quote. */
const address = /\b(?:https?|wss?):\/\/[^\s"'`<>/?#]*([^\s"'`<>]*)/giu;

/** Whether a part of a URL looks like a key, which some servers put there. */
export function looksLikeKey(part: string): boolean {
  return key.test(part);
}

/** Collects secrets. The redactor finds them in their encoded forms. */
export class SecretCollector {
  readonly #secrets = new Set<string>();

  get all(): readonly string[] {
    return [...this.#secrets];
  }

  add(value: string): void {
    const trimmed = value.trim();
    if (trimmed === '') {
      return;
    }
    // Each line of a key file is a secret on its own, too.
    const lines = trimmed.split(/\r?\n/u).map((line) => line.trim());
    for (const secret of [trimmed, ...lines.filter(isLongEnough)]) {
      this.#secrets.add(secret);
    }
  }

  /** Adds the value of a variable whose origin makes it private, unless it is clearly no secret. */
  addPrivate(name: string, value: string): void {
    const isOrdinary = isOrdinaryName(name) || ordinaryValues.test(value.trim());
    if (looksSecret(name) || !isOrdinary) {
      this.add(value);
    }
  }

  /** Adds a value of the settings when its name or its shape marks it as a secret; otherwise only such parts of it. */
  addNamed(name: string, value: string): void {
    if (!looksSecret(name)) {
      this.#addShaped(value);
      return;
    }
    this.add(value);
    // `Bearer abc`: the token without its scheme is a secret, too (RFC 9110 section 11.4).
    const [, credentials] = /^\s*[A-Za-z][A-Za-z0-9-]*\s+(\S.*)$/u.exec(value) ?? [];
    if (credentials !== undefined) {
      this.add(credentials);
    }
  }

  /**
   * Adds secrets that arguments name, `--token abc`, `--token=abc`, `TOKEN=abc` and `Authorization: Bearer abc`, and
   * those that look like one.
   */
  addFromArguments(args: readonly string[]): void {
    for (const [index, arg] of args.entries()) {
      this.#addShaped(arg);
      const [, name, value] = /^-{0,2}([A-Za-z_][\w.-]*)(?:=|:\s*)(.*)$/su.exec(arg) ?? [];
      if (name !== undefined) {
        this.addNamed(name, value ?? '');
      }
      for (const [, parameter = '', given = ''] of arg.matchAll(/[?&]([^?=&#\s]+)=([^&#\s]+)/gu)) {
        this.addNamed(parameter, given);
      }
      const next = args[index + 1];
      if (/^--?[A-Za-z][\w.-]*$/u.test(arg) && next !== undefined && !next.startsWith('-')) {
        this.addNamed(arg, next);
      }
    }
  }

  #addShaped(text: string): void {
    for (const [, place = ''] of text.matchAll(address)) {
      this.#addKeysOf(place);
    }
    for (const shape of secretShapes) {
      for (const [all, password] of text.matchAll(shape)) {
        if (password === undefined || isLongEnough(password)) {
          this.add(password ?? all);
        }
        if (password !== undefined) {
          this.add(`:${password}@`);
        }
      }
    }
  }

  addFromUrl(url: URL): void {
    this.#addShaped(url.href);
    for (const [name, value] of url.searchParams) {
      this.addNamed(name, value);
    }
  }

  /** Servers quote their own path in errors, encoded or decoded. */
  #addKeysOf(place: string): void {
    for (const part of place.split(/[/?&#=]/u).filter(looksLikeKey)) {
      this.add(part);
      this.add(percentDecoded(part));
    }
  }
}

function isLongEnough(part: string): boolean {
  return part.length >= minPartChars;
}
