import { isObject, isString } from '../../base/json.ts';
import type { Params } from '../types/message.ts';

/** What `tools/list` says of each tool: in the listing under way if that has come to the tool, else in the last complete one. */
export class ListedTools<T> {
  #known: ReadonlyMap<unknown, T> = new Map();
  #coming = new Map<unknown, T>();

  /**
   * Reads one page.
   * @param said by the names of its tools
   */
  learn(params: Params, page: unknown, said: Iterable<readonly [unknown, T]>): void {
    if (params['cursor'] === undefined) {
      this.#coming = new Map();
    }
    for (const [name, one] of said) {
      this.#coming.set(name, one);
    }
    if (!isObject(page) || !isString(page['nextCursor'])) {
      this.#known = this.#coming;
    }
  }

  of(name: unknown): T | undefined {
    return (this.#coming.has(name) ? this.#coming : this.#known).get(name);
  }
}
