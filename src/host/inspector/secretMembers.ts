/**
 * Which members of a message hold a secret, by their names alone. In a JSON Schema a name stands for a description:
 * that is shown, and the values in it are not.
 */
import { isObject, isString } from '../../base/json.ts';
import { isSecretProperty, seemsSecret } from '../schemas/seemsSecret.ts';

/** Members of the protocol whose name only sounds like a secret. */
const noSecret = /^(?:progressToken$|io\.modelcontextprotocol\/)/u;
/** HTTP headers, which tools take and report under these names. */
const credential = /(?:^|[-_. ]|proxy|set)(?:authorization|cookies?)$/iu;

export function namesSecret(name: string): boolean {
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
export class SecretMembers {
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
