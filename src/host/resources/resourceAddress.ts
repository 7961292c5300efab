/** Identifies a resource and its server outside of the connection, and remembers those opened recently. */
import { isObject, isString } from '../../base/json.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';

export interface ResourceAddress {
  readonly serverId: ServerId;
  readonly uri: string;
}

/** The same text for the same address only. */
export function addressKey({ serverId, uri }: ResourceAddress): string {
  return JSON.stringify([serverId, uri]);
}

/** Whether a stored value is an address. */
export function isResourceAddress(value: unknown): value is ResourceAddress {
  return isObject(value) && isString(value['serverId']) && isString(value['uri']);
}

export interface RecentUri extends ResourceAddress {
  /** The template that the URI was expanded from. */
  readonly template?: string;
}

export const recentLimits = { maxUris: 50, maxUriLength: 2_000 } as const;

const memoryKey = 'recentResources';

/** Newest first, for the pickers: a limited number, in the memory of the workspace. */
export class RecentUris {
  readonly #memory: Memory;

  /** @param memory of the workspace */
  constructor(memory: Memory) {
    this.#memory = memory;
  }

  all(): readonly RecentUri[] {
    const stored = this.#memory.get(memoryKey);
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
  }

  /** The URIs that were expanded from one template of a server. */
  ofTemplate(serverId: string, template: string): readonly string[] {
    return this.all()
      .filter((recent) => recent.serverId === serverId && recent.template === template)
      .map(({ uri }) => uri);
  }

  /** A known URI moves to the front and keeps its template. */
  async add({ serverId, uri, template }: RecentUri): Promise<void> {
    if (uri.length > recentLimits.maxUriLength) {
      return;
    }
    const key = addressKey({ serverId, uri });
    const all = this.all();
    const from = template ?? all.find((recent) => addressKey(recent) === key)?.template;
    const recent: RecentUri = { serverId, uri, ...(from === undefined ? {} : { template: from }) };
    const others = all.filter((other) => addressKey(other) !== key);
    await this.#memory.set(memoryKey, [recent, ...others].slice(0, recentLimits.maxUris));
  }
}

function isRecent(value: unknown): value is RecentUri {
  return (
    isResourceAddress(value) &&
    isObject(value) &&
    (value['template'] === undefined || isString(value['template']))
  );
}
