/**
 * Reads the resources of one server and watches open ones. A file system requests the same resource several times in a
 * row (existence, size, bytes): such reads share one request.
 */
import { t } from '../../base/l10n.ts';
import { raceSignal, toError } from '../../base/async.ts';
import { Throttle } from '../../base/throttle.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { isRpcError, McpError, rpcCodes, RpcError } from '../../mcp/errors.ts';
import type { ServerChange, Session } from '../../mcp/session/session.ts';
import { isAsked, type RequestOrigin } from '../requestOrigin.ts';
import type { Clock } from '../../base/clock.ts';
import { decodeContents, type ResourceContent } from './resourceContents.ts';

/**
 * Runs a function with a session, and starts the server if that is due. `isAsked`: a person has just caused the use,
 * and can answer questions.
 */
export type UseSession = <T>(
  use: (session: Session, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  isAsked?: boolean,
) => Promise<T>;

/** Milliseconds for which a read counts as current. */
export const freshMs = 3_000;
/** Changes that fire at once; each may make the editor read again. Beyond them, one per URI fires later. */
export const updateRate = { perSecond: 20, maxHeld: 1_000 } as const;

interface Output {
  readonly log: Log;
  /** For errors of watches; `useSession` does it for errors of reads. */
  readonly withoutSecrets: (error: unknown) => unknown;
}

interface Read {
  readonly result: Promise<readonly ResourceContent[]>;
  readonly controller: AbortController;
  waiting: number;
  /** Set when it has succeeded. */
  expiry?: Disposable;
}

interface Parts {
  /** The server's name, for messages. */
  readonly name: string;
  readonly useSession: UseSession;
  readonly clock: Clock;
  readonly output: Output;
}

export class ServerResources implements Disposable {
  readonly #parts: Parts;
  readonly #changed = new Emitter<string>();
  readonly #changes: Throttle<string>;
  readonly #reads = new Map<string, Read>();
  /** URI → number of watches. */
  readonly #watched = new Map<string, number>();
  #session: Session | undefined;
  #syncing: Promise<void> | undefined;
  #lastSync: Promise<void> = Promise.resolve();
  /**
   * Fires with the URI in the server's notification (it may be below a watched one), and with each watched URI when a
   * new session begins: changes before it are unknown.
   */
  readonly onDidChange = this.#changed.event;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#changes = new Throttle({ ...updateRate, clock: parts.clock }, (uri) =>
      this.#changed.fire(uri),
    );
  }

  /**
   * At least one item.
   * @param origin for the list of running requests, and for whether the user may be asked to sign in; of several
   * callers of one read, the first one's counts
   * @throws McpError: `rpc` (see {@link isNotFound}), `protocol` for unusable contents, and what a call throws
   */
  async read(
    uri: string,
    signal: AbortSignal,
    origin?: RequestOrigin,
  ): Promise<readonly ResourceContent[]> {
    const read = this.#reads.get(uri) ?? this.#begin(uri, origin);
    read.waiting += 1;
    try {
      return await raceSignal(read.result, signal);
    } finally {
      read.waiting -= 1;
      if (read.waiting === 0 && read.expiry === undefined) {
        this.#forget(uri, read);
        read.controller.abort(new McpError('cancelled', 'The resource is no longer needed'));
      }
    }
  }

  /** Subscribes to changes until the last watch of this URI is disposed (RES-07). */
  watch(uri: string): Disposable {
    this.#watched.set(uri, (this.#watched.get(uri) ?? 0) + 1);
    this.#sync();
    return toDisposable(() => {
      const count = (this.#watched.get(uri) ?? 1) - 1;
      if (count === 0) {
        this.#watched.delete(uri);
      } else {
        this.#watched.set(uri, count);
      }
      this.#sync();
    });
  }

  /** Resolves when the server knows all current watches. @throws the server's error for a watch */
  whenWatched(): Promise<void> {
    return this.#lastSync;
  }

  attach(session: Session): void {
    this.detach();
    this.#session = session;
    this.#sync();
    for (const uri of this.#watched.keys()) {
      this.#changed.fire(uri);
    }
  }

  detach(): void {
    this.#session = undefined;
    for (const [uri, read] of this.#reads) {
      this.#forget(uri, read);
    }
  }

  onServerChange(change: ServerChange): void {
    if (change.kind !== 'resource') {
      return;
    }
    for (const [uri, read] of this.#reads) {
      // RES-08: the server may name a part of the resource that was read.
      if (change.uri.startsWith(uri)) {
        this.#forget(uri, read);
      }
    }
    this.#changes.push(change.uri, change.uri);
  }

  dispose(): void {
    this.detach();
    this.#changes.dispose();
    this.#changed.dispose();
  }

  #begin(uri: string, origin: RequestOrigin | undefined): Read {
    const controller = new AbortController();
    const result = this.#fetch(uri, controller.signal, origin);
    const read: Read = { result, controller, waiting: 0 };
    this.#reads.set(uri, read);
    void this.#settle(uri, read);
    return read;
  }

  async #settle(uri: string, read: Read): Promise<void> {
    try {
      await read.result;
      if (this.#reads.get(uri) === read) {
        read.expiry = this.#parts.clock.after(freshMs, () => this.#forget(uri, read));
      }
    } catch {
      this.#forget(uri, read); // a failure is for those who wait, not for those to come
    }
  }

  #forget(uri: string, read: Read): void {
    read.expiry?.dispose();
    if (this.#reads.get(uri) === read) {
      this.#reads.delete(uri);
    }
  }

  async #fetch(
    uri: string,
    signal: AbortSignal,
    origin: RequestOrigin | undefined,
  ): Promise<readonly ResourceContent[]> {
    const contents = await this.#parts.useSession(
      async (session, both) => {
        try {
          return (await session.call('resources/read', { uri }, { signal: both, origin })).contents;
        } catch (error) {
          throw withMeaning(error, this.#parts.name, uri);
        }
      },
      signal,
      isAsked(origin),
    );
    return decodeContents(uri, contents);
  }

  /** Several changes in one turn are sent as one. */
  #sync(): void {
    if (this.#syncing !== undefined) {
      return;
    }
    this.#syncing = this.#tellServer();
    this.#lastSync = this.#syncing;
    this.#lastSync.catch((error: unknown) => {
      const detail = toError(error).message;
      this.#parts.output.log.warn(`Could not subscribe to changes of resources: ${detail}`);
    });
  }

  async #tellServer(): Promise<void> {
    await Promise.resolve();
    this.#syncing = undefined;
    const session = this.#session;
    if (session?.server.capabilities.resources?.subscribe === true) {
      try {
        await session.watch([...this.#watched.keys()]);
      } catch (error) {
        throw this.#parts.output.withoutSecrets(error);
      }
    }
  }
}

/** Whether the error means that the server does not have the resource (RES-13). */
export function isNotFound(error: unknown): boolean {
  return isRpcError(error) && error.rpcCode === rpcCodes.resourceNotFound;
}

/** Keeps the server's own message: nothing else is known. */
function withMeaning(error: unknown, server: string, uri: string): unknown {
  if (!isRpcError(error)) {
    return error;
  }
  const text = isNotFound(error)
    ? t('The server "{0}" has no resource "{1}": {2}', server, uri, error.message)
    : t('The server "{0}" could not read "{1}": {2}', server, uri, error.message);
  return new RpcError(error.rpcCode, text, error.data);
}
