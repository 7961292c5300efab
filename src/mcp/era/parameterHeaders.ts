/**
 * The HTTP headers of the requests of one modern session: which arguments of which tool are repeated
 * in headers, as the lists of tools said last. What a header looks like is httpHeaders.ts's matter.
 */
import { type JsonObject, isObject, isString } from '../../base/json.ts';
import { type LeftOutItem, leftOut } from '../leftOut.ts';
import type { Params } from '../rpc/message.ts';
import { type MirroredArgument, readToolHeaders, requestHeaders } from './httpHeaders.ts';

export class ParameterHeaders {
  readonly #warn: (text: string) => void;
  /** By the name of the tool (HDR-13). */
  readonly #mirrored = new Map<unknown, readonly MirroredArgument[]>();

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  headersFor(method: string, params: Params): Readonly<Record<string, string>> {
    const mirrored = method === 'tools/call' ? this.#mirrored.get(params['name']) : undefined;
    return requestHeaders(method, params, mirrored);
  }

  /**
   * The result of a `tools/list` without the tools that may not be called (HDR-06), which it has under
   * {@link leftOut}; any other as it is.
   */
  admit(method: string, params: Params, result: unknown): unknown {
    const tools = isObject(result) ? result['tools'] : undefined;
    if (method !== 'tools/list' || !isObject(result) || !Array.isArray(tools)) {
      return result;
    }
    if (params['cursor'] === undefined) {
      this.#mirrored.clear();
    }
    const out: LeftOutItem[] = [];
    const kept = tools.filter((tool: unknown) => this.#take(tool, out));
    return out.length === 0 ? result : { ...result, tools: kept, [leftOut]: out };
  }

  #take(tool: unknown, out: LeftOutItem[]): boolean {
    const { name, inputSchema }: JsonObject = isObject(tool) ? tool : {};
    const read = readToolHeaders(inputSchema);
    if (read.kind === 'valid') {
      if (read.mirrored.length > 0) {
        this.#mirrored.set(name, read.mirrored);
      }
      return true;
    }
    const known = isString(name) ? name.slice(0, 200) : undefined;
    out.push({ name: known, reason: read.reason });
    const which = known === undefined ? 'without a name' : JSON.stringify(known);
    this.#warn(`The tool ${which} is left out: ${read.reason}`);
    return false;
  }
}
