/**
 * Which fields of servers' forms are secret by their schema: the answer is another message, and has only the names of
 * its members. So such a name is secret in every answer. Stores no answers.
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import { secretNames } from '../schemas/seemsSecret.ts';
import { shortened } from './maskedText.ts';

/** The newest names: more are not asked at a time. Only their beginnings are kept. */
const maxNames = 1_000;

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
        this.#names.add(shortened(name));
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
