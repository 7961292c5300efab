/**
 * Messages and HTTP headers for display: without secrets, and with limited length. Known secrets are masked everywhere;
 * values whose name suggests a secret, always. In a JSON Schema a name stands for a description: that is shown, and the
 * values in it are not.
 */
import type { Redactor } from '../../base/log.ts';
import { ellipsis, truncated } from '../../base/text.ts';
import type { SeenHeaders } from '../../mcp/messageTap.ts';
import { type Headers, inspectorLimits, type Seen } from './seenMessage.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { isSecretProperty, secretNames, seemsSecret } from '../schemas/seemsSecret.ts';

type Redact = Pick<Redactor, 'redact'>;

export const mask = '***';

interface MaskedText {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Never throws: for a value that is not JSON, the text says so.
 * @param maxChars more is left out
 * @param asked names that are secret in answers to the server's forms
 * @param place of the value itself; absent for a message
 */
export function maskedJson(
  message: unknown,
  redactor: Redact,
  maxChars: number = inspectorLimits.messageChars,
  asked: ReadonlySet<string> = new Set(),
  place?: 'answer',
): MaskedText {
  let text: string;
  try {
    text = JSON.stringify(masking(redactor, asked)(message, place)) ?? '';
  } catch {
    return { text: '"This cannot be shown as JSON"', isCut: true };
  }
  return text.length > maxChars
    ? { text: beginning(text, maxChars), isCut: true }
    : { text, isCut: false };
}

/** Each text separately: inside of JSON a secret with a quote is spelled differently, and the result must stay JSON. */
function masking(
  redactor: Redact,
  asked: ReadonlySet<string>,
): (value: unknown, place: Place | undefined) => unknown {
  /** A cache: objects of a list repeat their names. */
  const judged = new Map<string, boolean>();
  const names = (name: string): boolean => {
    const known = judged.get(name) ?? namesSecret(name);
    judged.set(name, known);
    return known;
  };
  const isSecret = (
    name: string,
    value: unknown,
    holder: JsonObject,
    place: Place | undefined,
  ): boolean => {
    // An empty value hides nothing, and a boolean is no secret.
    if (value === '' || value === null || value === undefined || typeof value === 'boolean') {
      return false;
    }
    if (
      (place === 'secretSchema' && holding.has(name)) ||
      (place === 'answer' && asked.has(shortened(name)))
    ) {
      return true;
    }
    if (typeof value === 'object' && (place === 'names' || schemas.has(name))) {
      return false;
    }
    // `{name: "password", value: "…"}`: the argument of a completion, a variable, a header.
    const beside = name === 'value' ? holder['name'] : undefined;
    return names(name) || (isString(beside) && names(beside));
  };
  const masked = (value: unknown, place: Place | undefined): unknown => {
    if (isString(value)) {
      return maskedString(value, redactor);
    }
    if (typeof value === 'number') {
      return redactor.redact(String(value)) === String(value) ? value : mask;
    }
    if (Array.isArray(value)) {
      return value.map((one) => masked(one, place));
    }
    return isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, one]) => [
            redactor.redact(name),
            isSecret(name, one, value, place) ? mask : masked(one, placeOf(name, one, place)),
          ]),
        )
      : value;
  };
  return masked;
}

function maskedString(value: string, redactor: Redact): string {
  const { textChars } = inspectorLimits;
  const text = redactor.redact(value);
  const left = text.length - textChars;
  return left > 0 ? `${text.slice(0, textChars)}… (${left} more characters)` : text;
}

/** The text of a message without secrets that became known after it was recorded. */
export function remasked({ text, isCut }: Pick<Seen, 'text' | 'isCut'>, redactor: Redact): string {
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

/** Members of messages that answer a form. */
const answers: ReadonlySet<string> = new Set(['result', 'inputResponses']);

/** In a schema; in one of a secret; among members with free names; in an answer to a form. */
type Place = 'schema' | 'secretSchema' | 'names' | 'answer';

function placeOf(name: string, value: unknown, around: Place | undefined): Place | undefined {
  if (around === 'names') {
    return isObject(value) && isSecretProperty(name, value) ? 'secretSchema' : 'schema';
  }
  if (around === 'schema' || around === 'secretSchema') {
    return holding.has(name) ? undefined : naming.has(name) ? 'names' : around;
  }
  return schemas.has(name) ? 'schema' : answers.has(name) ? 'answer' : around;
}

/** The newest names that forms asked for: more are not asked at a time. Only their beginnings are kept. */
const maxNames = 1_000;

/**
 * Which fields of servers' forms are secret by their schema: the answer is another message, and has only the names of
 * its members. So such a name is secret in every answer. Stores no answers.
 */
export class AskedSecrets {
  readonly #names = new Set<string>();

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** A message of the server. A form is a request, or is in a result or in a task's status. */
  received(message: JsonObject): void {
    const { params, result } = message;
    for (const { method, params: form } of [message, ...formsIn(params), ...formsIn(result)]) {
      const schema =
        method === 'elicitation/create' && isObject(form) ? form['requestedSchema'] : undefined;
      for (const name of isObject(schema) ? secretNames(schema) : []) {
        const known = shortened(name);
        this.#names.delete(known); // adding alone would leave it among the oldest
        this.#names.add(known);
      }
    }
    for (const oldest of [...this.#names].slice(0, -maxNames)) {
      this.#names.delete(oldest);
    }
  }
}

function formsIn(part: unknown): readonly JsonObject[] {
  const asked = isObject(part) ? part['inputRequests'] : undefined;
  return Object.values(isObject(asked) ? asked : {}).filter(isObject);
}
