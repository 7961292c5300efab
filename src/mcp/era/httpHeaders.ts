/**
 * The headers in which a 2026-07-28 request over Streamable HTTP mirrors members of its body, so that
 * proxies need not read the body: the revision, the method, the name, and the tool arguments that the input
 * schema marks with `x-mcp-header`. Pure; sends nothing and knows no transport.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
 */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import type { Params } from '../types/message.ts';
import { argumentHeaders, omitted, type OmittedItem } from '../types/lists.ts';
import { ListedTools } from '../session/listedTools.ts';

export type HttpHeaders = Readonly<Record<string, string>>;

/** One argument that is also sent as a header. */
export interface MirroredArgument {
  /** Lower case: `mcp-param-region`. */
  readonly header: string;
  /** The members that lead from the arguments to this one. */
  readonly path: readonly string[];
}

/** What the input schema of one tool says about headers. */
export type ToolHeaders =
  | { readonly kind: 'valid'; readonly mirrored: readonly MirroredArgument[] }
  /** The tool must not be offered (HDR-06). `reason` completes "it is left out: …". */
  | { readonly kind: 'invalid'; readonly reason: string };

const revisionKey = 'io.modelcontextprotocol/protocolVersion';
const annotation = 'x-mcp-header';

/** Method → the parameter that `Mcp-Name` mirrors (HTTP-06, TASK-22). */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * The headers of an outgoing request, names in lower case.
 * @param params including their `_meta`, whose revision is mirrored (HTTP-04)
 * @param mirrored the mirrored arguments of the called tool, from the newest known schema; none without a
 * schema (HDR-14)
 */
export function requestHeaders(
  method: string,
  params: Params,
  mirrored: readonly MirroredArgument[] = [],
): HttpHeaders {
  const headers: Record<string, string> = { 'mcp-method': method };
  const meta = params['_meta'];
  const revision = isObject(meta) ? meta[revisionKey] : undefined;
  if (isString(revision)) {
    headers['mcp-protocol-version'] = revision;
  }
  const name = params[namedBy.get(method) ?? ''];
  if (isString(name)) {
    headers['mcp-name'] = encodeHeaderValue(name);
  }
  for (const { header, path } of mirrored) {
    const text = toText(valueAt(params['arguments'], path));
    if (text !== undefined) {
      headers[header] = encodeHeaderValue(text);
    }
  }
  return headers;
}

/**
 * Returns visible ASCII text, with spaces only inside, as it is; other text as `=?base64?…?=` of its UTF-8
 * (HDR-10). Also encodes text that looks encoded already (HDR-11), and the empty text, which HTTP
 * implementations drop (HDR-16).
 */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(text);
  const looksEncoded = text.startsWith('=?base64?') && text.endsWith('?=');
  return isPlain && !looksEncoded
    ? text
    : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/** Integers become decimal digits. Undefined for what has no header form: nothing, null, fractions, objects. */
function toText(value: unknown): string | undefined {
  const isSent = isString(value) || typeof value === 'boolean' || Number.isSafeInteger(value); // HDR-12
  return isSent ? String(value) : undefined;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = value[name];
  }
  return value;
}

/** Keywords whose value is data, whatever it holds. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords whose value holds named schemas. */
const namedSchemaKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** A part of a schema that may be annotated. */
interface Place {
  readonly schema: JsonObject;
  /** The property that this schema describes; undefined for the root. */
  readonly name?: string;
  /** The object that has this property. */
  readonly parent?: Place;
  /** Reached only through `properties` (HDR-05). */
  readonly isReachable: boolean;
}

/** Reads the annotations of an input schema (HDR-02 to HDR-05). Unknown keywords may hold schemas. */
export function readToolHeaders(inputSchema: unknown): ToolHeaders {
  const mirrored: MirroredArgument[] = [];
  const taken = new Set<string>();
  // No recursion: the server decides how deep a schema is nested.
  const places: Place[] = isObject(inputSchema) ? [{ schema: inputSchema, isReachable: true }] : [];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (Object.hasOwn(place.schema, annotation)) {
      const text = place.schema[annotation];
      const reason = problemOf(text, place, taken);
      if (reason !== undefined) {
        return { kind: 'invalid', reason };
      }
      const header = `mcp-param-${String(text).toLowerCase()}`;
      taken.add(header);
      mirrored.push({ header, path: pathOf(place) });
    }
    pushParts(place, places);
  }
  // The loop above visits the last places first.
  return { kind: 'valid', mirrored: mirrored.toReversed() };
}

function problemOf(text: unknown, place: Place, taken: ReadonlySet<string>): string | undefined {
  if (!isString(text)) {
    return `"${annotation}" is not a string`;
  }
  // RFC 9110, section 5.6.2
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u.test(text)) {
    return `"${annotation}" ${JSON.stringify(truncated(text, 100))} is not a header name`;
  }
  const shown = `"${annotation}" "${truncated(text, 100)}"`;
  if (!place.isReachable || place.name === undefined) {
    return `${shown} is not on a property of the arguments`;
  }
  const { type } = place.schema;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    return `${shown} is on a property whose type is not string, integer or boolean`;
  }
  return taken.has(`mcp-param-${text.toLowerCase()}`) ? `${shown} is used twice` : undefined;
}

function pathOf(place: Place): readonly string[] {
  const path: string[] = [];
  for (let at: Place | undefined = place; at?.name !== undefined; at = at.parent) {
    path.push(at.name);
  }
  return path.toReversed();
}

function pushParts(place: Place, places: Place[]): void {
  for (const [keyword, value] of Object.entries(place.schema)) {
    const isNamed = namedSchemaKeywords.has(keyword);
    if (dataKeywords.has(keyword) || (isNamed && !isObject(value))) {
      continue;
    }
    const isReachable = place.isReachable && keyword === 'properties';
    const isMany = Array.isArray(value) || (isNamed && isObject(value));
    const parts = isMany ? Object.entries(value) : [['', value] as const];
    for (const [name, schema] of parts) {
      if (isObject(schema)) {
        places.push({ schema, name, parent: place, isReachable });
      }
    }
  }
}

const maxPages = 100;

/** Which tool arguments the requests of one session mirror in headers, as the last `tools/list` said. */
export class ParameterHeaders {
  readonly #warn: (text: string) => void;
  /** HDR-13. */
  readonly #listed = new ListedTools(({ inputSchema }) => {
    const read = readToolHeaders(inputSchema);
    return read.kind === 'valid' ? read.mirrored : [];
  });

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  headersFor(method: string, params: Params): Readonly<Record<string, string>> {
    const mirrored = method === 'tools/call' ? this.#listed.of(params['name']) : undefined;
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
    const out: OmittedItem[] = [];
    const kept = tools.flatMap((tool: unknown): unknown => {
      const known: JsonObject = isObject(tool) ? tool : {};
      const read = readToolHeaders(known['inputSchema']);
      if (read.kind === 'invalid') {
        out.push(this.#refuse(known['name'], read.reason));
        return [];
      }
      const { mirrored } = read;
      const paths = mirrored.map(({ path }) => path.join('.'));
      return mirrored.length === 0 ? tool : { ...known, [argumentHeaders]: paths };
    });
    this.#listed.learn(params, result);
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

  #refuse(name: unknown, reason: string): OmittedItem {
    const known = isString(name) ? truncated(name, 200) : undefined;
    const which = known === undefined ? 'without a name' : JSON.stringify(known);
    this.#warn(`The tool ${which} is left out: ${reason}`);
    return { name: known, reason };
  }
}
