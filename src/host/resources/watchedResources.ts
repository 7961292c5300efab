/**
 * The resources that the user watches: which have changed since the user last looked at them, and their contents
 * before. The list is remembered for the workspace; contents are only in memory, as far as there is some. Draws
 * nothing.
 */
import { t } from '../../base/l10n.ts';
import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';
import { createHash } from 'node:crypto';
import { CoalescedRun, toError } from '../../base/async.ts';
import {
  type Disposable,
  DisposableStore,
  MutableDisposable,
  toDisposable,
} from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { McpError } from '../../mcp/errors.ts';
import type { Memory } from '../storage.ts';
import { addressKey, isResourceAddress, type ResourceAddress } from './resourceAddress.ts';
import { bytesOf, type ResourceContent } from './resourceContents.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { ServerResources } from './resources.ts';

/** `changed`: the contents differ from those that the user saw last. */
export type WatchState = 'none' | 'watched' | 'changed';

export interface Version {
  /** Undefined where there was no memory to keep them. */
  readonly contents: readonly ResourceContent[] | undefined;
}

export const watchLimits = {
  /** Number of resources. */
  maxWatched: 100,
  /** A server may announce many changes in a row: milliseconds of quiet, and at most. */
  quietMs: 150,
  maxWaitMs: 2_000,
} as const;

const memoryKey = 'watchedResources';

interface Snapshot {
  readonly hash: string;
  readonly bytes: number;
  contents?: readonly ResourceContent[];
}

interface Watch {
  readonly address: ResourceAddress;
  readonly store: DisposableStore;
  readonly reading: CoalescedRun;
  /** What its versions take. */
  readonly held: HeldMemory;
  latest?: Snapshot;
  /** What the user saw last, before {@link latest}. */
  before?: Snapshot;
  isChanged: boolean;
}

interface Parts {
  readonly host: ResourceServers;
  /** Of the workspace. */
  readonly memory: Memory;
  /** Of all kept versions: they make room for other data, those that changed last at last. */
  readonly account: MemoryAccount;
  readonly log: Log;
}

export class WatchedResources implements Disposable {
  readonly #parts: Parts;
  readonly #changed = new Emitter<ResourceAddress>();
  readonly #ended = new AbortController();
  readonly #watches = new Map<string, Watch>();
  /** Fires when a resource is watched, unwatched, changed, or seen. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: Parts) {
    this.#parts = parts;
    const stored = parts.memory.get(memoryKey);
    for (const address of Array.isArray(stored) ? stored.slice(0, watchLimits.maxWatched) : []) {
      if (isResourceAddress(address)) {
        this.#follow(address);
      }
    }
  }

  get addresses(): readonly ResourceAddress[] {
    return [...this.#watches.values()].map(({ address }) => address);
  }

  stateOf(address: ResourceAddress): WatchState {
    const watch = this.#watches.get(addressKey(address));
    if (watch === undefined) {
      return 'none';
    }
    return watch.isChanged ? 'changed' : 'watched';
  }

  /**
   * Watches a resource; its current contents are the baseline for later ones.
   * @throws McpError `invalidInput` when too many are watched; what reading and subscribing throw
   */
  async start(address: ResourceAddress, signal: AbortSignal): Promise<void> {
    if (this.#watches.has(addressKey(address))) {
      return;
    }
    if (this.#watches.size >= watchLimits.maxWatched) {
      throw new McpError(
        'invalidInput',
        t(
          'You watch {0} resources already, and more are not possible. Stop watching one of them first.',
          watchLimits.maxWatched,
        ),
      );
    }
    const resources = this.#parts.host.servers.get(address.serverId)?.resources;
    const contents = await resources?.read(address.uri, signal);
    if (this.#watches.has(addressKey(address)) || this.#ended.signal.aborted) {
      return; // begun a second time, or over, while it was read
    }
    const watch = this.#follow(address);
    if (contents !== undefined) {
      this.#take(watch, contents);
    }
    this.#changed.fire(address);
    await this.#remember();
    try {
      await resources?.whenWatched();
    } catch (error) {
      await this.stop(address);
      throw error;
    }
    // What changed after it was read, and before the server knew of the watch, is not reported.
    resources?.onServerChange({ kind: 'resource', uri: address.uri });
  }

  async stop(address: ResourceAddress): Promise<void> {
    const watch = this.#watches.get(addressKey(address));
    if (watch !== undefined) {
      this.#watches.delete(addressKey(address));
      watch.store.dispose();
      this.#changed.fire(address);
      await this.#remember();
    }
  }

  /** The user has seen the resource: its current contents are the new baseline. */
  seen(address: ResourceAddress): void {
    const watch = this.#watches.get(addressKey(address));
    if (watch?.isChanged === true) {
      watch.isChanged = false;
      this.#changed.fire(address);
    }
  }

  /** What the user saw before the last change; undefined without a change. */
  previous(address: ResourceAddress): Version | undefined {
    const before = this.#watches.get(addressKey(address))?.before;
    return before && { contents: before.contents };
  }

  /** Resolves when every announced change of a resource has been read. Never rejects. */
  async whenRead(address: ResourceAddress): Promise<void> {
    await this.#watches.get(addressKey(address))?.reading.whenIdle();
  }

  dispose(): void {
    this.#ended.abort(new McpError('cancelled', 'The window closes'));
    for (const { store } of this.#watches.values()) {
      store.dispose();
    }
    this.#watches.clear();
    this.#changed.dispose();
  }

  #follow(address: ResourceAddress): Watch {
    const store = new DisposableStore();
    const reading = store.add(
      new CoalescedRun(() => this.#read(watch), {
        quietMs: watchLimits.quietMs,
        maxMs: watchLimits.maxWaitMs,
      }),
    );
    const held = this.#parts.account.hold(() => dropContents(watch));
    store.add(toDisposable(() => held.set(0)));
    const watch: Watch = { address, store, reading, held, isChanged: false };
    store.add(followResource(this.#parts.host, address, () => reading.request()));
    this.#watches.set(addressKey(address), watch);
    return watch;
  }

  async #read(watch: Watch): Promise<void> {
    const { serverId, uri } = watch.address;
    try {
      const contents = await this.#parts.host.servers
        .get(serverId)
        ?.resources.read(uri, this.#ended.signal);
      if (contents !== undefined && this.#watches.get(addressKey(watch.address)) === watch) {
        this.#take(watch, contents);
      }
    } catch (error) {
      // The resource may return with the next change; its known contents stay.
      const detail = toError(error).message;
      this.#parts.log.warn(`Could not read the watched resource ${uri}: ${detail}`);
    }
  }

  #take(watch: Watch, contents: readonly ResourceContent[]): void {
    const { latest } = watch;
    const now = snapshotOf(contents);
    if (now.hash === latest?.hash) {
      return;
    }
    if (latest !== undefined && !watch.isChanged) {
      watch.before = latest;
    }
    watch.latest = now;
    // Not changed if the contents are back to what the user saw.
    watch.isChanged = watch.before !== undefined && watch.before.hash !== now.hash;
    // Held anew, the most recently changed is dropped last.
    watch.held.set(0);
    if (!watch.held.set(keptBytes(watch.before) + keptBytes(watch.latest))) {
      dropContents(watch);
    }
    if (latest !== undefined) {
      this.#changed.fire(watch.address);
    }
  }

  async #remember(): Promise<void> {
    await this.#parts.memory.set(memoryKey, this.addresses);
  }
}

function keptBytes(snapshot: Snapshot | undefined): number {
  return (snapshot?.contents && snapshot.bytes) ?? 0;
}

function dropContents({ before, latest }: Watch): void {
  for (const snapshot of [before, latest]) {
    delete snapshot?.contents;
  }
}

function snapshotOf(contents: readonly ResourceContent[]): Snapshot {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const content of contents) {
    const data = bytesOf(content);
    bytes += data.byteLength;
    hash.update(JSON.stringify([content.uri, content.mimeType, content.kind, data.byteLength]));
    hash.update(data);
  }
  return { hash: hash.digest('hex'), bytes, contents };
}

/** The part of a connection that is needed here. */
export interface ResourceServer {
  readonly resources: Pick<
    ServerResources,
    'onDidChange' | 'onServerChange' | 'read' | 'watch' | 'whenWatched'
  >;
}

/** The part of the host that is needed here. */
export interface ResourceServers {
  readonly servers: ReadonlyMap<ServerId, ResourceServer>;
  readonly onDidChangeServers: Event<unknown>;
}

/**
 * Reports changes of one resource to a listener, across restarts of its server and changes of its entry: a new entry is
 * a new connection, and the subscription moves to it.
 * @param onChange called when the resource, or something below it (RES-08), may have changed, and when a new session
 * begins: changes before it are unknown
 */
export function followResource(
  host: ResourceServers,
  address: ResourceAddress,
  onChange: () => void,
): Disposable {
  const store = new DisposableStore();
  const watching = store.add(new MutableDisposable<DisposableStore>());
  let followed: ResourceServer | undefined;
  const follow = (): void => {
    const server = host.servers.get(address.serverId);
    if (server === followed) {
      return;
    }
    followed = server;
    watching.value = new DisposableStore();
    if (server !== undefined) {
      const { uri } = address;
      const changed = server.resources.onDidChange((one) => one.startsWith(uri) && onChange());
      watching.value.add(changed);
      watching.value.add(server.resources.watch(uri));
    }
  };
  store.add(host.onDidChangeServers(follow));
  follow();
  return store;
}
