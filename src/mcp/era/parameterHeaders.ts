/**
 * Which tool arguments the requests of one modern session mirror in HTTP headers, as the last `tools/list`
 * said. httpHeaders.ts makes the headers.
 */
import { type JsonObject, isObject, isString } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import { argumentHeaders } from '../types/argumentHeaders.ts';
import { type OmittedItem, omitted } from '../types/omittedItems.ts';
import type { Params } from '../types/message.ts';
import { type MirroredArgument, readToolHeaders, requestHeaders } from './httpHeaders.ts';

const maxPages = 100;

export class ParameterHeaders {
  readonly #warn: (text: string) => void;
  /** By tool name (HDR-13). */
  readonly #mirrored = new Map<unknown, readonly MirroredArgument[]>();

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  headersFor(method: string, params: Params): Readonly<Record<string, string>> {
    const mirrored = method === 'tools/call' ? this.#mirrored.get(params['name']) : undefined;
    return requestHeaders(method, params, mirrored);
  }

  /**
   * The result of a `tools/list` without the tools that may not be called (HDR-06), which are listed under
   * {@link omitted}, and with {@link argumentHeaders}. Returns any other result as it is.
   */
  admit(method: string, params: Params, result: unknown): unknown {
    const tools = isObject(result) ? result['tools'] : undefined;
    if (method !== 'tools/list' || !isObject(result) || !Array.isArray(tools)) {
      return result;
    }
    if (params['cursor'] === undefined) {
      this.#mirrored.clear();
    }
    const out: OmittedItem[] = [];
    const kept = tools.flatMap((tool: unknown) => this.#take(tool, out));
    return { ...result, tools: kept, ...(out.length > 0 && { [omitted]: out }) };
  }

  /**
   * Reads the newest schemas (HDR-13): all pages, up to a plausible number.
   * @param list sends `tools/list`
   */
  async learn(list: (params: Params) => Promise<unknown>): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await list(params);
      this.admit('tools/list', params, result);
      const next = isObject(result) ? result['nextCursor'] : undefined;
      if (!isString(next) || next === cursor) {
        return;
      }
      cursor = next;
    }
  }

  #take(tool: unknown, out: OmittedItem[]): readonly unknown[] {
    const known: JsonObject = isObject(tool) ? tool : {};
    const read = readToolHeaders(known['inputSchema']);
    if (read.kind === 'invalid') {
      out.push(this.#refuse(known['name'], read.reason));
      return [];
    }
    if (read.mirrored.length === 0) {
      return [tool];
    }
    this.#mirrored.set(known['name'], read.mirrored);
    const paths = read.mirrored.map(({ path }) => path.join('.'));
    return [{ ...known, [argumentHeaders]: paths }];
  }

  #refuse(name: unknown, reason: string): OmittedItem {
    const known = isString(name) ? truncated(name, 200) : undefined;
    const which = known === undefined ? 'without a name' : JSON.stringify(known);
    this.#warn(`The tool ${which} is left out: ${reason}`);
    return { name: known, reason };
  }
}
