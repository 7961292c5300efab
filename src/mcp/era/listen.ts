/**
 * Change notifications of the modern era: one `subscriptions/listen` at a time asks for all of them. It is
 * reopened when it ends or when the watched resources change.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import { Sequencer, after, toError } from '../../base/async.ts';
import { type Disposable, MutableDisposable, toDisposable } from '../../base/disposable.ts';
import { type JsonObject, isObject, isString, isStringArray } from '../../base/json.ts';
import { McpError, isRpcError, rpcCodes } from '../errors.ts';
import { listCapabilities } from '../listItems.ts';
import type { RequestId } from '../types/message.ts';
import type { Notification, RequestOptions } from '../rpc/peer.ts';
import type { Diagnostic } from '../transport/transport.ts';
import type { ServerCapabilities } from '../types/methods.ts';
import { metaKeys } from './requestMeta.ts';
import { toServerEvent } from './serverEvents.ts';
import type { ServerChange } from '../session/session.ts';

/** Milliseconds between the end of a subscription and the next one; doubled while none lasts (SUB-10). */
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

export interface ListenOwner {
  /** The current capabilities. */
  capabilities(): ServerCapabilities;
  /** Time limit for the acknowledgement, in milliseconds; after it there is no limit (SUB-13). */
  readonly ackMs: number;
  /**
   * How long a replaced subscription is still heard, in milliseconds: over HTTP each has a connection of its own, on
   * which changes may be later than the acknowledgement of the next one.
   */
  readonly overlapMs: number;
  /** Sends `subscriptions/listen`. */
  listen(notifications: JsonObject, options: RequestOptions): Promise<unknown>;
  changed(change: ServerChange): void;
  /** These changes may have been missed (SUB-12). `isFirst`: there was no subscription before. */
  missed(changes: readonly ServerChange[], isFirst: boolean): void;
  diagnose(level: Diagnostic['level'], text: string): void;
}

/** One `subscriptions/listen` request. */
interface Subscription {
  readonly filter: JsonObject;
  readonly end: AbortController;
  readonly acknowledged: PromiseWithResolvers<void>;
  id?: RequestId;
  acknowledgedAt?: number;
  /** It needs no cancellation (CAN-04). */
  isEndedByServer?: boolean;
}

export class ChangeFeed implements Disposable {
  readonly #owner: ListenOwner;
  readonly #changes = new Sequencer();
  readonly #open = new Set<Subscription>();
  #uris: readonly string[] = [];
  /** The subscription that the server acknowledged last. */
  #current: Subscription | undefined;
  /** Ends the subscription that was replaced last. */
  readonly #replaced = new MutableDisposable();
  #retry: Disposable | undefined;
  #pauseMs = firstPauseMs;
  #hasListened = false;
  /** The server does not know the method, or will never grant anything. */
  #isOver = false;

  constructor(owner: ListenOwner) {
    this.#owner = owner;
  }

  /** Starts to listen, if the server can announce anything. */
  start(): void {
    void this.#changes.run(() => this.#replace()).catch((error: unknown) => this.#failed(error));
  }

  /** @throws McpError when the server does not grant it; even then it is tried again later. */
  watch(uris: readonly string[]): Promise<void> {
    this.#uris = uris;
    return this.#ensure();
  }

  /** Call when the server's capabilities have changed: listens to what it can announce now. */
  follow(): void {
    void this.#ensure().catch(() => undefined); // a failure is reported elsewhere, and tried again
  }

  #ensure(): Promise<void> {
    return this.#changes.run(async () => {
      if (JSON.stringify(this.#current?.filter) === JSON.stringify(this.#filter())) {
        return;
      }
      await this.#replace().catch((error: unknown) => {
        this.#failed(error);
        throw error;
      });
    });
  }

  /** @returns whether the notification belongs to a subscription */
  receive({ method, params, during }: Notification): boolean {
    const meta = params['_meta'];
    const tag = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined;
    const id = tag ?? during;
    const isEnd = method === 'notifications/cancelled';
    const named = isEnd ? params['requestId'] : id;
    const subscription = [...this.#open].find((one) => one.id === named);
    if (subscription === undefined) {
      // A notification of a replaced subscription may still be on its way.
      return tag !== undefined || isEnd;
    }
    if (isEnd) {
      subscription.isEndedByServer = true;
      this.#ended(subscription, 'the server cancelled it');
    } else if (method === 'notifications/subscriptions/acknowledged') {
      this.#acknowledged(subscription, params['notifications']);
    } else {
      this.#deliver(subscription, { method, params });
    }
    return true;
  }

  dispose(): void {
    this.#isOver = true;
    this.#retry?.dispose();
    this.#replaced.dispose();
    for (const subscription of this.#open) {
      this.#end(subscription, 'the connection was closed');
    }
  }

  /**
   * Opens a subscription for what is wanted now, waits for the acknowledgement, then ends the previous one (SUB-08).
   */
  async #replace(): Promise<void> {
    const before = this.#current;
    const filter = this.#filter();
    this.#retry?.dispose();
    if (this.#isOver) {
      return;
    }
    if (Object.keys(filter).length > 0) {
      const next = this.#begin(filter);
      const limit = after(this.#owner.ackMs, () =>
        this.#end(next, 'the server did not acknowledge it'),
      );
      try {
        await next.acknowledged.promise;
      } finally {
        limit.dispose();
      }
    }
    if (before !== undefined) {
      this.#retire(before);
    }
  }

  #retire(subscription: Subscription): void {
    const { overlapMs } = this.#owner;
    const end = (): void => void this.#end(subscription, 'another one took its place');
    // Nothing took its place if it is still the current one.
    if (overlapMs === 0 || this.#current === subscription) {
      end();
      return;
    }
    const overlap = after(overlapMs, end);
    this.#replaced.value = toDisposable(() => {
      overlap.dispose();
      end();
    });
  }

  #begin(filter: JsonObject): Subscription {
    const subscription: Subscription = {
      filter,
      end: new AbortController(),
      acknowledged: Promise.withResolvers<void>(),
    };
    const { acknowledged, end } = subscription;
    acknowledged.promise.catch(() => undefined); // nobody waits for the end of an open subscription
    const options: RequestOptions = {
      signal: end.signal,
      get isCancellable() {
        return subscription.isEndedByServer !== true;
      },
      idleMs: Infinity,
      totalMs: Infinity,
      onId: (id) => {
        subscription.id = id;
      },
    };
    this.#open.add(subscription);
    this.#owner.listen(filter, options).then(
      () => this.#ended(subscription, 'the server ended it'),
      (error: unknown) => {
        acknowledged.reject(toError(error));
        this.#ended(subscription, toError(error).message);
      },
    );
    return subscription;
  }

  #acknowledged(subscription: Subscription, granted: unknown): void {
    if (subscription.acknowledgedAt !== undefined) {
      return;
    }
    subscription.acknowledgedAt = performance.now();
    const given = isObject(granted) ? granted : {};
    const refused = Object.entries(subscription.filter)
      .filter(([name, wanted]) => !isGranted(wanted, given[name]))
      .map(([name]) => name);
    if (refused.length > 0) {
      this.#owner.diagnose('info', `The server does not report changes of ${refused.join(', ')}`);
    }
    // Nothing is replayed: changes between two subscriptions are unknown.
    if (this.#current === undefined) {
      this.#owner.missed(changesOf(subscription.filter), !this.#hasListened);
    }
    this.#hasListened = true;
    this.#current = subscription;
    subscription.acknowledged.resolve();
  }

  #deliver(subscription: Subscription, { method, params }: Notification): void {
    const event = toServerEvent({ method, params });
    if (event?.kind === 'change' && isWanted(event.change, subscription.filter)) {
      this.#owner.changed(event.change);
    } else {
      this.#owner.diagnose('debug', `"${method}" was not subscribed to, and was ignored`);
    }
  }

  /** However a subscription ends, another follows after a pause. */
  #ended(subscription: Subscription, why: string): void {
    const wasCurrent = this.#current === subscription;
    const isOpening = [...this.#open].some(({ acknowledgedAt }) => acknowledgedAt === undefined);
    if (!this.#end(subscription, why) || !wasCurrent || isOpening) {
      return;
    }
    const lastedMs = performance.now() - (subscription.acknowledgedAt ?? 0);
    this.#pauseMs = lastedMs > maxPauseMs ? firstPauseMs : this.#pauseMs;
    this.#owner.diagnose('debug', `The subscription to changes ended: ${why}`);
    this.#listenLater();
  }

  /** @returns false if it had ended before */
  #end(subscription: Subscription, why: string): boolean {
    if (!this.#open.delete(subscription)) {
      return false;
    }
    if (this.#current === subscription) {
      this.#current = undefined;
    }
    subscription.acknowledged.reject(
      new McpError('closed', `"subscriptions/listen" ended: ${why}`),
    );
    subscription.end.abort();
    return true;
  }

  #failed(error: unknown): void {
    if (this.#isOver) {
      return;
    }
    const { message } = toError(error);
    if (isRpcError(error) && error.rpcCode === rpcCodes.methodNotFound) {
      this.#isOver = true;
      this.#owner.diagnose('info', `The server does not report changes: ${message}`);
      return;
    }
    this.#owner.diagnose('warn', `Listening for changes failed: ${message}`);
    this.#listenLater();
  }

  #listenLater(): void {
    this.#retry?.dispose();
    if (this.#isOver) {
      return;
    }
    // Random, so that the clients of a restarted server do not all come back at once.
    const pauseMs = this.#pauseMs * (0.75 + Math.random() / 2);
    this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs * 2);
    this.#retry = after(pauseMs, () => this.start());
  }

  /** What is both declared and wanted (SUB-01). */
  #filter(): JsonObject {
    const capabilities = this.#owner.capabilities();
    const announced = lists.filter(([, kind]) => capabilities[kind]?.listChanged === true);
    return {
      ...Object.fromEntries(announced.map(([name]) => [name, true])),
      ...(capabilities.resources?.subscribe === true &&
        this.#uris.length > 0 && { resourceSubscriptions: this.#uris }),
    };
  }
}

function isGranted(wanted: unknown, given: unknown): boolean {
  return isStringArray(wanted)
    ? isStringArray(given) && wanted.every((uri) => given.includes(uri))
    : given === true;
}

const lists = listCapabilities.map((kind) => [`${kind}ListChanged`, kind] as const);

function isWanted(change: ServerChange, filter: JsonObject): boolean {
  return change.kind === 'resource'
    ? filter['resourceSubscriptions'] !== undefined // may name only a part of the watched resources (SUB-15)
    : lists.some(([name, kind]) => kind === change.kind && filter[name] === true);
}

function changesOf(filter: JsonObject): readonly ServerChange[] {
  const watched = filter['resourceSubscriptions'];
  const uris = Array.isArray(watched) ? watched.filter(isString) : [];
  return [
    ...lists.filter(([name]) => filter[name] === true).map(([, kind]) => ({ kind }) as const),
    ...uris.map((uri) => ({ kind: 'resource', uri }) as const),
  ];
}
