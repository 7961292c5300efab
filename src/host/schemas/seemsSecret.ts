/**
 * Whether a field, or a property of a schema, is or seems to be for a secret. "Servers MUST NOT use form mode
 * elicitation to request sensitive information" (2025-11-25, client/elicitation), and some do. A guess from words: the
 * user is warned, the input is hidden, and the value is neither stored nor shown; nothing is refused.
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { resolved } from './schemaParts.ts';

/** In a name or title, these words mean the secret itself. */
const words =
  /(?:^| )(?:passwords?|passwd|pwd|passphrase|passcode|secret|credentials?|pin|otp|totp|cvv|cvc|token|apikey|(?:api|access|private|secret|auth|ssh|encryption|signing|account|service) key|client secret|(?:credit |debit )?card number|social security number|ssn|(?:seed|recovery) (?:phrase|code)|(?:security|verification|one time) code)(?= |$)/gu;

/** After such a word, these mean something about a secret: `password_length`, `secret_name`, `token count`. */
const about = new Set(
  'age budget count counts days expiry expiration field format hint id ids kind label length limit limits location manager max maximum min minimum name names path policy prefix price prompt provider rotation rules size store strength symbol ttl type types url usage vault'.split(
    ' ',
  ),
);
/** In front of it, these do, too: `max token`, but not `forgot password`. */
const counting = new Set('max maximum min minimum next per'.split(' '));

/** A description that asks: "Enter your password". A mere mention ("never give us your pin") does not count. */
const asking =
  /\b(?:enter|paste|provide|type|give|supply|input|insert)\s+(?:in\s+)?(?:your|the|a|an|us\s+your)\s+(?:[\w-]+\s+){0,3}?(?:password|passphrase|passcode|api[ -]?key|access[ -]?key|private[ -]?key|secret|token|credentials?|pin|cvv|card number)\b(?!\s+(?:name|id|length|type|limit|count))/iu;
const refusing = /\b(?:not|never|no|don['’]t|without)\b/iu;

export function seemsSecret(field: {
  readonly key: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
}): boolean {
  const { key, title = '', description = '', format } = field;
  return format === 'password' || namesSecret(key) || namesSecret(title) || asksFor(description);
}

/** Characters of a name that are checked: servers choose names of any length. */
const maxName = 200;

function namesSecret(name: string): boolean {
  const spaced = name
    .slice(0, maxName)
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return [...spaced.matchAll(words)].some((match) => {
    const before = spaced.slice(0, match.index).split(' ').at(-1) ?? '';
    const after = spaced.slice(match.index + match[0].length).trimStart();
    const [next = ''] = after.split(' ');
    return !about.has(next) && !counting.has(before);
  });
}

function asksFor(description: string): boolean {
  return description
    .split(/[.;!?\n]/u)
    .some((sentence) => asking.test(sentence) && !refusing.test(sentence));
}

/** Limits of the search, the second in milliseconds; a schema beyond them is not searched to its end. */
const maxParts = 5_000;
const maxMs = 250;

/** The schema itself marks its value as secret. */
export function asSensitive({ format, writeOnly }: JsonObject): boolean {
  return format === 'password' || writeOnly === true;
}

/** The names of all properties, at any depth, that a schema marks as secret or whose names suggest it. */
export function secretNames(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const due: unknown[] = [schema];
  const end = performance.now() + maxMs;
  while (due.length > 0 && seen.size < maxParts) {
    const part = due.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) {
      continue;
    }
    seen.add(part);
    // One by one: half a million would be too many arguments of one call.
    for (const inner of Object.values(part)) {
      due.push(inner);
    }
    const properties: unknown = 'properties' in part ? part.properties : undefined;
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (performance.now() > end) {
        return names;
      }
      if (isObject(property) && isSecretProperty(name, resolved(property, schema))) {
        names.add(name);
      }
    }
  }
  return names;
}

/** @param property its schema */
export function isSecretProperty(key: string, property: JsonObject): boolean {
  const { title, description } = property;
  const choices: unknown = property['anyOf'] ?? property['oneOf'];
  const field = {
    key,
    title: isString(title) ? title : undefined,
    description: isString(description) ? description : undefined,
  };
  return (
    asSensitive(property) ||
    seemsSecret(field) ||
    (Array.isArray(choices) && choices.some((one) => isObject(one) && asSensitive(one)))
  );
}
