import { type JsonObject, isObject, isString } from '../../base/json.ts';
import type { Params } from '../types/message.ts';

/** The tools as listed: in the listing under way if that has come to the tool, else in the last complete one. */
export class ListedTools {
  #known: ReadonlyMap<unknown, JsonObject> = new Map();
  #coming = new Map<unknown, JsonObject>();

  /** Reads one page of `tools/list`. */
  learn(params: Params, page: unknown): void {
    const { tools, nextCursor }: JsonObject = isObject(page) ? page : {};
    if (params['cursor'] === undefined) {
      this.#coming = new Map();
    }
    for (const tool of (Array.isArray(tools) ? tools : []).filter(isObject)) {
      this.#coming.set(tool['name'], tool);
    }
    if (!isString(nextCursor)) {
      this.#known = this.#coming;
    }
  }

  of(name: unknown): JsonObject | undefined {
    return (this.#coming.has(name) ? this.#coming : this.#known).get(name);
  }
}
