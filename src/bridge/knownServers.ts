/**
 * What servers offered when they last ran, kept over restarts of the editor: a server that starts only on demand can be
 * listed without a start. Knows no connection.
 */
import { createHash } from 'node:crypto';
import { type JsonObject, isObject, isString, stableStringify } from '../base/json.ts';
import type { ServerConfig, ServerId } from '../host/config/serverConfig.ts';
import type { Memory } from '../host/storage.ts';
import type { BaseListName, ListItems } from '../mcp/listItems.ts';
import type { Implementation, ServerCapabilities } from '../mcp/types/methods.ts';

const memoryKey = 'mcpHost.bridge.known';
/** Characters of JSON for one server. A larger one is not kept: the memory is read at each start. */
const maxChars = 256 * 1024;

export type Lists = { readonly [L in BaseListName]: readonly ListItems[L][] };

export interface Description {
  readonly info: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
}

export interface Known {
  readonly description: Description;
  readonly lists: Lists;
}

export class KnownServers {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Undefined if unknown, or if the server's entry has changed since. */
  get(server: ServerConfig): Known | undefined {
    const stored = this.#read()[server.id];
    const { entry, known }: JsonObject = isObject(stored) ? stored : {};
    return entry === entryHash(server) && isKnown(known) ? known : undefined;
  }

  /** Replaces everything. */
  async keep(known: ReadonlyMap<ServerConfig, Known>): Promise<void> {
    const entries = [...known].map(
      ([server, value]) => [server.id, { entry: entryHash(server), known: value }] as const,
    );
    const kept = entries.filter(([, value]) => JSON.stringify(value).length <= maxChars);
    const next: Readonly<Record<ServerId, unknown>> = Object.fromEntries(kept);
    if (stableStringify(next) !== stableStringify(this.#read())) {
      await this.#memory.set(memoryKey, next);
    }
  }

  #read(): JsonObject {
    const stored = this.#memory.get(memoryKey);
    return isObject(stored) ? stored : {};
  }
}

/** A digest, since an entry may hold a secret. */
export function entryHash(server: ServerConfig): string {
  return createHash('sha256').update(stableStringify(server)).digest('hex');
}

/** Only checks that the value is complete: {@link KnownServers.keep} wrote it. */
function isKnown(value: unknown): value is Known {
  if (!isObject(value) || !isObject(value['description']) || !isObject(value['lists'])) {
    return false;
  }
  const { description, lists } = value;
  const info = description['info'];
  const { tools, prompts, resources, resourceTemplates } = lists;
  return (
    isObject(info) &&
    isString(info['name']) &&
    isObject(description['capabilities']) &&
    [tools, prompts, resources, resourceTemplates].every((list) => Array.isArray(list))
  );
}
