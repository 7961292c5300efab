/**
 * State that the server keeps for us and forgets with the session: resource subscriptions and the log
 * level. Knows the wanted state, and restores it on a server.
 */
import { Sequencer, toError } from '../../base/async.ts';
import type { LoggingLevel, ServerCapabilities } from '../types/methods.ts';

export interface ServerStateOwner {
  /** The capabilities of the current session. */
  capabilities(): ServerCapabilities;
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  diagnose(text: string): void;
}

export class ServerState {
  readonly #owner: ServerStateOwner;
  /** Keeps subscribe and unsubscribe requests for one resource in the order of their callers. */
  readonly #changes = new Sequencer();
  /** Wanted. */
  watched: ReadonlySet<string> = new Set();
  /** Wanted. */
  logLevel: LoggingLevel | undefined;
  #subscribed = new Set<string>();

  constructor(owner: ServerStateOwner) {
    this.#owner = owner;
  }

  /** Subscribes to what is watched. @throws the error of the first failed subscription, after all were tried. */
  subscribe(): Promise<void> {
    return this.#changes.run(() => this.#subscribe());
  }

  /** For a new session, which has none of the old state. Reports failures and does not throw. */
  async restore(): Promise<void> {
    this.#subscribed = new Set();
    await this.sendLogLevel().catch((error: unknown) =>
      this.#owner.diagnose(`The log level could not be restored: ${toError(error).message}`),
    );
    await this.#subscribe().catch((error: unknown) =>
      this.#owner.diagnose(`A subscription could not be restored: ${toError(error).message}`),
    );
  }

  async sendLogLevel(): Promise<void> {
    const level = this.logLevel;
    if (level !== undefined && this.#owner.capabilities().logging !== undefined) {
      await this.#owner.request('logging/setLevel', { level });
    }
  }

  /** Only if `resources.subscribe` is declared (RES-07). */
  async #subscribe(): Promise<void> {
    if (this.#owner.capabilities().resources?.subscribe !== true) {
      return;
    }
    const subscribed = this.#subscribed;
    const gone = [...subscribed].filter((uri) => !this.watched.has(uri));
    const added = [...this.watched].filter((uri) => !subscribed.has(uri));
    const unsubscribe = async (uri: string): Promise<void> => {
      subscribed.delete(uri);
      await this.#owner
        .request('resources/unsubscribe', { uri })
        .catch((error: unknown) =>
          this.#owner.diagnose(`Unsubscribing from ${uri} failed: ${toError(error).message}`),
        );
    };
    const subscribe = async (uri: string): Promise<void> => {
      await this.#owner.request('resources/subscribe', { uri });
      subscribed.add(uri);
    };
    const settled = await Promise.allSettled([...gone.map(unsubscribe), ...added.map(subscribe)]);
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') {
      throw toError(failed.reason);
    }
  }
}
