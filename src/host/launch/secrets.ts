/** Which values of a launch are secrets, for the log to leave out. */

/** Words in the name of a variable, header or URL parameter whose value nobody else should read. */
const secretName =
  /token(?!s)|secret|passw|passphrase|pwd|credential|authorization|cookie|(?:^|[^a-z])(?:auth|key|pat|sig|signature)(?:$|[^a-z])|api-?key|private-?key|access-?key/iu;

/** Variables that every log is full of the values of; none of them is a secret. */
const ordinaryNames =
  /^(?:HOME|USER|USERNAME|USERPROFILE|LOGNAME|PATH|PWD|SHELL|LANG|LC_.*|TMP|TEMP|TMPDIR|APPDATA|LOCALAPPDATA|PROGRAMFILES.*|SYSTEMROOT|COMPUTERNAME|HOSTNAME|XDG_.*)$/iu;

/** Words of configuration that would blank out half a log if they were taken for secrets. */
const ordinaryValues =
  /^(?:true|false|yes|no|on|off|null|none|\d{1,6}|development|production|staging|test|debug|info|warn|warning|error|trace|localhost|utf-?8)$/iu;

/** Of a password in an address, and of a line of a secret: a shorter one is a word as any other elsewhere. */
const minPartChars = 8;

/** Tokens that their makers gave a shape, JSON Web Tokens, keys in PEM, passwords in URLs (their first group). */
export const secretShapes: readonly RegExp[] = [
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|hf_\w{20,}|npm_\w{20,}|ya29\.[\w-]{20,})/dgu,
  // Within a word only where its first part is short: each `eyJ` of a long one would be a beginning.
  /(?:(?<![\w-])eyJ[\w-]{8,}|\beyJ[\w-]{8,300})\.[\w-]{8,}\.[\w-]*/dgu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.+/dgsu,
  /:\/\/[^/\s:@]*:([^/\s@${}]+)@/dgu,
];

/** Letters and digits in one piece, so long that nobody chose them. */
const key = /^(?=.*\d)(?=.*[A-Za-z])[\w.~%=-]{20,}$/u;
/** Its first group is what follows the host. Up to what quotes it. */
const address = /\b(?:https?|wss?):\/\/[^\s"'`<>/?#]*([^\s"'`<>]*)/giu;

/** Whether a part of an address looks like a key, which some servers have in their URL. */
export function looksLikeKey(part: string): boolean {
  return key.test(part);
}

export function looksSecret(name: string): boolean {
  return !ordinaryNames.test(name) && secretName.test(name);
}

/** Collects secrets. In which forms they may turn up in a text is the redactor's to know. */
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
    // Each line of a key file on its own, too.
    const lines = trimmed.split(/\r?\n/u).map((line) => line.trim());
    for (const secret of [value, trimmed, ...lines.filter(isLongEnough)]) {
      this.#secrets.add(secret);
    }
  }

  /** Adds the value of a variable whose origin makes it private, unless it is plainly no secret. */
  addPrivate(name: string, value: string): void {
    const isOrdinary = ordinaryNames.test(name) || ordinaryValues.test(value.trim());
    if (looksSecret(name) || !isOrdinary) {
      this.add(value);
    }
  }

  /** Adds a value from the settings when its name, or its shape, says that it is a secret; else what of it does. */
  addNamed(name: string, value: string): void {
    if (!looksSecret(name)) {
      this.#addShaped(value);
      return;
    }
    this.add(value);
    // `Bearer abc`: the token is also the secret without its scheme (RFC 9110 section 11.4).
    const [, credentials] = /^\s*[A-Za-z][A-Za-z0-9-]*\s+(\S.*)$/u.exec(value) ?? [];
    if (credentials !== undefined) {
      this.add(credentials);
    }
  }

  /**
   * Adds what arguments name as secrets, `--token abc`, `--token=abc`, `TOKEN=abc` and `Authorization: Bearer abc`,
   * and what looks like one.
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

  /** Servers quote their own path in errors, as it came or as it is meant. */
  #addKeysOf(place: string): void {
    for (const part of place.split(/[/?&#=]/u).filter(looksLikeKey)) {
      this.add(part);
      this.add(decoded(part));
    }
  }
}

function isLongEnough(part: string): boolean {
  return part.length >= minPartChars;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no UTF-8: then it is only found as it came
  }
}
