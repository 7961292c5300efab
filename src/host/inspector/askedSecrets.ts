/**
 * Which fields of servers' forms are secret by their schema: the answer is another message, and has only the names of
 * its members. Stores no answers.
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import { secretNames } from '../schemas/seemsSecret.ts';
import { shortened, toId } from './maskedText.ts';

/** The newest forms, and names in each: more are not asked at a time. Only beginnings of names are kept. */
const maxForms = 200;
const maxNames = 100;

export class AskedSecrets {
  /** By the id of the request or the key of the question. Empty for a form without secrets. */
  readonly #forms = new Map<string, ReadonlySet<string>>();

  /** A message of the server. A question is a request, or is in a result or in a task's status. */
  received({ id, method, params, result }: JsonObject): void {
    if (method === 'elicitation/create') {
      this.#keep(placeOf(id), params);
    }
    for (const part of [params, result]) {
      const questions = isObject(part) ? part['inputRequests'] : undefined;
      for (const [key, question] of Object.entries(isObject(questions) ? questions : {})) {
        if (isObject(question) && question['method'] === 'elicitation/create') {
          this.#keep(placeOfQuestion(key), question['params']);
        }
      }
    }
  }

  /** A message of ours, without its secret answers. */
  masked(message: JsonObject, mask: string): JsonObject {
    const { id, params, result } = message;
    if (isObject(result)) {
      return { ...message, result: this.#answer(placeOf(id), result, mask) };
    }
    const answers = isObject(params) ? params['inputResponses'] : undefined;
    if (!isObject(params) || !isObject(answers)) {
      return message;
    }
    const inputResponses = Object.fromEntries(
      Object.entries(answers).map(([key, answer]) => [
        key,
        this.#answer(placeOfQuestion(key), answer, mask),
      ]),
    );
    return { ...message, params: { ...params, inputResponses } };
  }

  #answer(place: string, answer: unknown, mask: string): unknown {
    if (this.#forms.size === 0 || !isObject(answer) || !isObject(answer['content'])) {
      return answer;
    }
    // The result of a task is fetched by another request: it may answer any form.
    const names = this.#forms.get(place) ?? this.#all();
    const content = Object.fromEntries(
      Object.entries(answer['content']).map(([name, value]) => [
        name,
        names.has(shortened(name)) ? mask : value,
      ]),
    );
    return { ...answer, content };
  }

  #all(): ReadonlySet<string> {
    return new Set([...this.#forms.values()].flatMap((names) => [...names]));
  }

  #keep(place: string, params: unknown): void {
    const schema = isObject(params) ? params['requestedSchema'] : undefined;
    this.#forms.delete(place);
    this.#forms.set(
      place,
      new Set(
        isObject(schema)
          ? [...secretNames(schema)].slice(0, maxNames).map((name) => shortened(name))
          : [],
      ),
    );
    for (const oldest of this.#forms.keys()) {
      if (this.#forms.size <= maxForms) {
        break;
      }
      this.#forms.delete(oldest);
    }
  }
}

function placeOf(id: unknown): string {
  return `request ${JSON.stringify(toId(id))}`;
}

function placeOfQuestion(key: string): string {
  return `question ${shortened(key)}`;
}
