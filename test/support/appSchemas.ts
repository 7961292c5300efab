/** Holds the messages between a host of apps and a view against the official JSON schema of the extension. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, isString, type JsonObject } from '../../src/base/json.ts';

/**
 * Each definition is a schema of its own: references in it begin at its own root. `containerDimensions` is "all of" two
 * objects that both forbid the members of the other, so nothing with two axes would fit: that is left out.
 */
const official: { readonly $defs: JsonObject } = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/ext-apps/schema.json'),
    'utf8',
  ),
  (name, value: unknown) =>
    name === 'containerDimensions'
      ? JSON.parse(JSON.stringify(value).replaceAll('"additionalProperties":false', '"x":0'))
      : value,
);

type Direction = 'fromApp' | 'toApp';

/** Requests and notifications → the name of their definition; for requests, that of the result, too. */
const definitions: Readonly<Record<string, readonly [message: string, result?: string]>> = {
  'ui/initialize': ['McpUiInitializeRequest', 'McpUiInitializeResult'],
  'ui/open-link': ['McpUiOpenLinkRequest', 'McpUiOpenLinkResult'],
  'ui/message': ['McpUiMessageRequest', 'McpUiMessageResult'],
  'ui/update-model-context': ['McpUiUpdateModelContextRequest'],
  'ui/download-file': ['McpUiDownloadFileRequest', 'McpUiDownloadFileResult'],
  'ui/request-display-mode': ['McpUiRequestDisplayModeRequest', 'McpUiRequestDisplayModeResult'],
  'ui/resource-teardown': ['McpUiResourceTeardownRequest', 'McpUiResourceTeardownResult'],
  'ui/notifications/initialized': ['McpUiInitializedNotification'],
  'ui/notifications/size-changed': ['McpUiSizeChangedNotification'],
  'ui/notifications/request-teardown': ['McpUiRequestTeardownNotification'],
  'ui/notifications/host-context-changed': ['McpUiHostContextChangedNotification'],
  'ui/notifications/tool-input': ['McpUiToolInputNotification'],
  'ui/notifications/tool-result': ['McpUiToolResultNotification'],
  'ui/notifications/tool-cancelled': ['McpUiToolCancelledNotification'],
};

export class AppSchemas {
  readonly problems: string[] = [];
  /** Methods whose messages, and `result of …`, were held against a definition. */
  readonly checked = new Set<string>();
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #asked: Record<Direction, Map<unknown, string>> = {
    fromApp: new Map(),
    toApp: new Map(),
  };

  constructor() {
    addFormats.default(this.#ajv);
  }

  observe(direction: Direction, message: object): void {
    const { jsonrpc: _version, id, ...rest } = withoutReason(message);
    const { method, result } = rest;
    if (isString(method)) {
      this.#asked[direction].set(id, method);
      this.#check(method, definitions[method]?.[0], rest);
    } else if (result !== undefined) {
      const asked = this.#asked[direction === 'toApp' ? 'fromApp' : 'toApp'].get(id) ?? '';
      this.#check(`result of ${asked}`, definitions[asked]?.[1], result);
    }
  }

  #check(what: string, definition: string | undefined, value: unknown): void {
    if (definition === undefined) {
      return; // of the base protocol
    }
    this.checked.add(what);
    const schema: unknown = official.$defs[definition];
    assert.ok(isObject(schema), definition);
    if (!this.#ajv.validate(schema, value)) {
      this.problems.push(`${what}: ${this.#ajv.errorsText()}`);
    }
  }
}

/** The specification has a reason for a teardown, its package has no parameters and ignores them. */
function withoutReason(message: object): JsonObject {
  const { method, params, ...rest }: JsonObject = {
    method: undefined,
    params: undefined,
    ...message,
  };
  const kept = method === 'ui/resource-teardown' && isObject(params) ? {} : params;
  return {
    ...rest,
    ...(method !== undefined && { method }),
    ...(kept !== undefined && { params: kept }),
  };
}
