/**
 * Messages and HTTP headers for display: without secrets, and with limited length. Known secrets are masked everywhere;
 * values whose name suggests a secret, always. In a JSON Schema a name stands for a description: that is shown, and the
 * values in it are not.
 */
import type { Redactor } from '../../base/log.ts';
import { ellipsis, truncated } from '../../base/text.ts';
import type { SeenHeaders } from '../../mcp/messageTap.ts';
import { type Headers, inspectorLimits, type SeenMessage } from './seenMessage.ts';
import { isObject, isString } from '../../base/json.ts';
import { isSecretProperty, seemsSecret } from '../schemas/seemsSecret.ts';

type Redact = Pick<Redactor, 'redact'>;

export const mask = '***';

interface MaskedText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Never throws: for a value that is not JSON, the text says so. @param maxChars more is left out */
export function maskedJson(
  message: unknown,
  redactor: Redact,
  maxChars: number = inspectorLimits.messageChars,
): MaskedText {
  let text: string;
  try {
    const members = new SecretMembers();
    // Each text separately: inside of JSON a secret with a quote is spelled differently, and the result must stay JSON.
    text =
      JSON.stringify(message, function (this: unknown, key, value: unknown) {
        if (members.isSecret(this, key, value)) {
          return mask;
        }
        const shown = maskedValue(value, redactor);
        if (isObjectOrArray(value) && isObjectOrArray(shown)) {
          members.enter(this, key, value, shown);
        }
        return shown;
      }) ?? '';
  } catch {
    return { text: '"This cannot be shown as JSON"', isCut: true };
  }
  return text.length > maxChars
    ? { text: beginning(text, maxChars), isCut: true }
    : { text, isCut: false };
}

function isObjectOrArray(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function maskedValue(value: unknown, redactor: Redact): unknown {
  if (typeof value === 'string') {
    return maskedString(value, redactor);
  }
  if (typeof value === 'number') {
    return redactor.redact(String(value)) === String(value) ? value : mask;
  }
  if (!isObjectOrArray(value) || Array.isArray(value)) {
    return value; // names of members only: a list may have millions
  }
  const names = Object.keys(value);
  return names.every((name) => redactor.redact(name) === name)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [redactor.redact(name), one]));
}

function maskedString(value: string, redactor: Redact): string {
  const { textChars } = inspectorLimits;
  const text = redactor.redact(value);
  const left = text.length - textChars;
  return left > 0 ? `${text.slice(0, textChars)}… (${left} more characters)` : text;
}

/** The text of a message without secrets that became known after it was recorded. */
export function remasked(
  { text, isCut }: Pick<SeenMessage, 'text' | 'isCut'>,
  redactor: Redact,
): string {
  if (isCut) {
    return redactor.redact(`${text}${ellipsis}`).slice(0, -ellipsis.length); // the cut may go through a secret
  }
  const again = redactor.redact(text);
  return again === text ? text : maskedJson(JSON.parse(text), redactor, Infinity).text;
}

/** The settings of an entry may hold a secret under any name: of our headers, only these are shown. */
const shownOfOurs =
  /^(?:accept|accept-encoding|accept-language|connection|content-length|content-type|host|last-event-id|mcp-method|mcp-name|mcp-param-.*|mcp-protocol-version|sec-websocket-(?:protocol|version)|traceparent|tracestate|upgrade|user-agent)$/u;
const hiddenOfTheirs =
  /auth|cookie|credential|dpop|jwt|key|nonce|passw|secret|session|signature|token/u;

/** @param whose headers they are: `sent` ours, `received` the server's */
export function maskedHeaders(
  headers: SeenHeaders,
  whose: 'sent' | 'received',
  redactor: Redact,
): Headers {
  return Object.entries(headers)
    .slice(0, inspectorLimits.headers)
    .flatMap(([name, value]): Headers => {
      if (value === undefined) {
        return [];
      }
      const lower = name.toLowerCase();
      const isShown =
        whose === 'sent'
          ? shownOfOurs.test(lower) && !hidesSecret(lower, String(value), redactor)
          : lower === 'www-authenticate' || !hiddenOfTheirs.test(lower);
      const text = typeof value === 'object' ? value.join(', ') : String(value);
      const shown = lower === 'location' ? maskedUrl(text, redactor) : redactor.redact(text);
      const { headerChars } = inspectorLimits;
      return [[redactor.redact(name), isShown ? truncated(shown, headerChars) : mask]];
    });
}

/** Headers may hold arguments, too, and non-ASCII ones in base64, where secrets are not recognised. */
function hidesSecret(name: string, value: string, redactor: Redact): boolean {
  const [, base64] = /^=\?base64\?(.*)\?=$/su.exec(value) ?? [];
  const [, parameter] = /^mcp-param-(.*)$/su.exec(name) ?? [];
  if (parameter !== undefined) {
    return base64 !== undefined || namesSecret(parameter);
  }
  const plain = base64 === undefined ? '' : Buffer.from(base64, 'base64').toString('utf8');
  return redactor.redact(plain) !== plain;
}

/** Without a user, and without the values of its query, which often are keys and session ids. */
export function maskedUrl(text: string, redactor: Redact): string {
  const [address = '', query] = text.split('#')[0]?.split(/\?(.*)/su) ?? [];
  const names = query
    ?.split('&')
    .map((pair) => (pair.includes('=') ? `${pair.split('=')[0] ?? ''}=${mask}` : mask));
  const plain = address.replace(/\/\/[^/@]*@/u, `//${mask}@`);
  return redactor.redact(names === undefined ? plain : `${plain}?${names.join('&')}`);
}

export type Id = string | number;

/** Undefined for an invalid id. A very long one is cut, in the same way in every message. */
export function toId(value: unknown): Id | undefined {
  if (typeof value === 'string') {
    return shortened(value);
  }
  return typeof value === 'number' ? value : undefined;
}

/** Methods, ids and errors for storage: a server decides their length. */
export function shortened(text: string, maxChars: number = inspectorLimits.factChars): string {
  return text.length > maxChars ? `${beginning(text, maxChars)}…` : text;
}

/** Copied through bytes: a substring keeps the whole string in memory. */
export function beginning(text: string, chars: number): string {
  return Buffer.from(text.slice(0, chars), 'utf16le').toString('utf16le');
}

/** Bytes as JSON in UTF-8; 0 for a value that is not JSON (a cycle, a BigInt), which is not sent either. */
export function sizeOf(message: object): number {
  try {
    return Buffer.byteLength(JSON.stringify(message));
  } catch {
    return 0;
  }
}

/** Members of the protocol whose name only sounds like a secret. */
const noSecret = /^(?:progressToken$|io\.modelcontextprotocol\/)/u;
/** HTTP headers, which tools take and report under these names. */
const credential = /(?:^|[-_. ]|proxy|set)(?:authorization|cookies?)$/iu;

function namesSecret(name: string): boolean {
  return !noSecret.test(name) && (credential.test(name) || seemsSecret({ key: name }));
}

/** Members of the protocol that are schemas. */
const schemas: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);
/** Keywords whose members are named after what they describe. */
const naming: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentRequired',
  'dependentSchemas',
]);
/** Keywords that hold values. */
const holding: ReadonlySet<string> = new Set(['default', 'examples', 'const', 'enum']);

/** In a schema; in one of a secret; among members with free names. */
type Place = 'schema' | 'secretSchema' | 'names';

/** For one message: called in the order of JSON.stringify, parents before children. */
class SecretMembers {
  readonly #places = new Map<unknown, Place>();
  /** A cache: objects of a list repeat their names. */
  readonly #judged = new Map<string, boolean>();

  isSecret(holder: unknown, key: string, value: unknown): boolean {
    // An empty value hides nothing, and a boolean is no secret.
    if (value === '' || value === null || value === undefined || typeof value === 'boolean') {
      return false;
    }
    if (Array.isArray(holder)) {
      return false; // numbers are no names
    }
    const place = this.#places.get(holder);
    if (place === 'secretSchema' && holding.has(key)) {
      return true;
    }
    if (typeof value === 'object' && (place === 'names' || schemas.has(key))) {
      return false;
    }
    return this.#namesSecret(key) || this.#isNamedBeside(holder, key);
  }

  /** @param shown the value that is visited in place of `value` */
  enter(holder: unknown, key: string, value: object, shown: object): void {
    const place = this.#placeOf(this.#places.get(holder), key, value);
    if (place !== undefined) {
      this.#places.set(shown, place);
    }
  }

  #placeOf(around: Place | undefined, key: string, value: object): Place | undefined {
    if (around === undefined) {
      return schemas.has(key) ? 'schema' : undefined;
    }
    if (around === 'names') {
      return isObject(value) && isSecretProperty(key, value) ? 'secretSchema' : 'schema';
    }
    if (holding.has(key)) {
      return undefined;
    }
    return naming.has(key) ? 'names' : around;
  }

  /** `{name: "password", value: "…"}`: the argument of a completion, a variable, a header. */
  #isNamedBeside(holder: unknown, key: string): boolean {
    return (
      key === 'value' &&
      isObject(holder) &&
      isString(holder['name']) &&
      this.#namesSecret(holder['name'])
    );
  }

  #namesSecret(name: string): boolean {
    let judged = this.#judged.get(name);
    if (judged === undefined) {
      judged = namesSecret(name);
      this.#judged.set(name, judged);
    }
    return judged;
  }
}
