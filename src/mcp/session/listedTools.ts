import { type JsonObject, isObject, isString } from '../../base/json.ts';
import type { Params } from '../types/message.ts';

/** What `tools/list` says of each tool: in the listing under way if that has come to the tool, else in the last complete one. */
export class ListedTools<T> {
  readonly #read: (tool: JsonObject) => T;
  #known: ReadonlyMap<unknown, T> = new Map();
  #coming = new Map<unknown, T>();

  /** @param read what is kept of a tool: little, as no memory account counts it */
  constructor(read: (tool: JsonObject) => T) {
    this.#read = read;
  }

  /** Reads one page of `tools/list`. */
  learn(params: Params, page: unknown): void {
    const { tools, nextCursor }: JsonObject = isObject(page) ? page : {};
    if (params['cursor'] === undefined) {
      this.#coming = new Map();
    }
    for (const tool of (Array.isArray(tools) ? tools : []).filter(isObject)) {
      this.#coming.set(tool['name'], this.#read(tool));
    }
    if (!isString(nextCursor)) {
      this.#known = this.#coming;
    }
  }

  of(name: unknown): T | undefined {
    return (this.#coming.has(name) ? this.#coming : this.#known).get(name);
  }
}
