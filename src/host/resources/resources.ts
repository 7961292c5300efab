/**
 * Reads the resources of one server and watches those that are open. A file system asks for the same
 * resource several times in a row (is it there, how large, its bytes): such reads are one request.
 */
import { raceSignal, toError } from '../../base/async.ts';
import { Coalescer } from '../../base/coalescer.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { isRpcError, McpError, rpcCodes, RpcError } from '../../mcp/errors.ts';
import type { ServerChange, Session } from '../../mcp/session/session.ts';
import { isAsked, type RequestOrigin } from '../requestOrigin.ts';
import type { Clock } from '../../base/clock.ts';
import { decodeContents, type ResourceContent } from './resourceContents.ts';

/**
 * Gives a session to work with for as long as the function runs, starting the server where that is due.
 * `isAsked`: a person has just started what needs it, and is there to answer questions.
 */
export type UseSession = <T>(
  use: (session: Session, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  isAsked?: boolean,
) => Promise<T>;

/** Milliseconds for which what was read counts as current. */
export const freshMs = 3_000;
/** Changes that are told at once; each may make the editor read again. Of more, one for each URI follows. */
export const updateRate = { max: 20, windowMs: 1_000 } as const;

interface Output {
  readonly log: Log;
  /** For what a watch fails with; `useSession` takes care of what reading does. */
  readonly withoutSecrets: (error: unknown) => unknown;
}

interface Read {
  readonly result: Promise<readonly ResourceContent[]>;
  readonly controller: AbortController;
  waiting: number;
  isSettled: boolean;
  expiry?: Disposable;
}

export class ServerResources implements Disposable {
  readonly #name: string;
  readonly #useSession: UseSession;
  readonly #clock: Clock;
  readonly #output: Output;
  readonly #changed = new Emitter<string>();
  readonly #changes = new Coalescer<string, string>(updateRate, (uri) => this.#changed.fire(uri));
  readonly #reads = new Map<string, Read>();
  /** URI → how many opened it. */
  readonly #watched = new Map<string, number>();
  #session: Session | undefined;
  #syncing: Promise<void> | undefined;
  #lastSync: Promise<void> = Promise.resolve();
  /**
   * Fires with the URI that the server names when a resource changed (it may lie below one that is
   * watched), and with each watched URI when a new session begins: what happened before it is unknown.
   */
  readonly onDidChange = this.#changed.event;

  constructor(options: {
    /** The server's name, for messages. */
    readonly name: string;
    readonly useSession: UseSession;
    readonly clock: Clock;
    readonly output: Output;
  }) {
    this.#name = options.name;
    this.#useSession = options.useSession;
    this.#clock = options.clock;
    this.#output = options.output;
  }

  /**
   * At least one item.
   * @param origin for whoever looks at what runs, and whether the user may be asked to sign in: of several that wait for
   *   one read, the first
   * @throws McpError: `rpc` (see {@link isNotFound}), `protocol` for contents that make no sense, and
   *   what a call throws.
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
      if (read.waiting === 0 && !read.isSettled) {
        this.#forget(uri, read);
        read.controller.abort(new McpError('cancelled', 'Nobody waits for the resource any more'));
      }
    }
  }

  /** Asks the server to tell of changes until the last watch of this URI is disposed (RES-07). */
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

  /** Resolves when the server knows what is watched by now. @throws what it refused a watch with */
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
      // RES-08: the server may name a part of what was read.
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
    const read: Read = { result, controller, waiting: 0, isSettled: false };
    this.#reads.set(uri, read);
    void this.#settle(uri, read);
    return read;
  }

  async #settle(uri: string, read: Read): Promise<void> {
    try {
      await read.result;
      if (this.#reads.get(uri) === read) {
        read.expiry = this.#clock.after(freshMs, () => this.#forget(uri, read));
      }
    } catch {
      this.#forget(uri, read); // a failure is for those who wait, not for those to come
    }
    read.isSettled = true;
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
    const contents = await this.#useSession(
      async (session, both) => {
        try {
          return (await session.call('resources/read', { uri }, { signal: both, origin })).contents;
        } catch (error) {
          throw withMeaning(error, this.#name, uri);
        }
      },
      signal,
      isAsked(origin),
    );
    return decodeContents(uri, contents);
  }

  /** Several changes in one turn lead to one message. */
  #sync(): void {
    if (this.#syncing !== undefined) {
      return;
    }
    this.#syncing = this.#tellServer();
    this.#lastSync = this.#syncing;
    this.#lastSync.catch((error: unknown) => {
      const detail = toError(error).message;
      this.#output.log.warn(`Could not subscribe to changes of resources: ${detail}`);
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
        throw this.#output.withoutSecrets(error);
      }
    }
  }
}

/** True for the error of a resource that the server does not have (RES-13). */
export function isNotFound(error: unknown): boolean {
  return isRpcError(error) && error.rpcCode === rpcCodes.resourceNotFound;
}

/** The server's own words are kept: they are all that is known. */
function withMeaning(error: unknown, server: string, uri: string): unknown {
  if (!isRpcError(error)) {
    return error;
  }
  const what = isNotFound(error)
    ? `The server "${server}" has no resource "${uri}"`
    : `The server "${server}" could not read "${uri}"`;
  return new RpcError(error.rpcCode, `${what}: ${error.message}`, error.data);
}
