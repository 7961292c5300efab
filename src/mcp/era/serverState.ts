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
  #watched: ReadonlySet<string> = new Set();
  #subscribed = new Set<string>();
  #logLevel: LoggingLevel | undefined;

  constructor(owner: ServerStateOwner) {
    this.#owner = owner;
  }

  /** @throws the error of the first failed subscription, after all were tried. */
  watch(uris: readonly string[]): Promise<void> {
    this.#watched = new Set(uris);
    return this.#changes.run(async () => {
      const failed = await this.#subscribe();
      if (failed !== undefined) {
        throw failed.error;
      }
    });
  }

  setLogLevel(level: LoggingLevel): Promise<void> {
    this.#logLevel = level;
    return this.#sendLogLevel(level);
  }

  /** For a new session, which has none of the old state. Reports failures and does not throw. */
  async restore(): Promise<void> {
    this.#subscribed = new Set();
    if (this.#logLevel !== undefined) {
      await this.#sendLogLevel(this.#logLevel).catch((error: unknown) =>
        this.#owner.diagnose(`The log level could not be restored: ${toError(error).message}`),
      );
    }
    const failed = await this.#subscribe();
    if (failed !== undefined) {
      this.#owner.diagnose(
        `The subscription to ${failed.uri} could not be restored: ${failed.error.message}`,
      );
    }
  }

  async #sendLogLevel(level: LoggingLevel): Promise<void> {
    if (this.#owner.capabilities().logging !== undefined) {
      await this.#owner.request('logging/setLevel', { level });
    }
  }

  /** Subscribes only if `resources.subscribe` is declared (RES-07). Returns the first failure. */
  async #subscribe(): Promise<{ readonly uri: string; readonly error: Error } | undefined> {
    if (this.#owner.capabilities().resources?.subscribe !== true) {
      return undefined;
    }
    const subscribed = this.#subscribed;
    const gone = [...subscribed].filter((uri) => !this.#watched.has(uri));
    const added = [...this.#watched].filter((uri) => !subscribed.has(uri));
    let failed: { readonly uri: string; readonly error: Error } | undefined;
    const unsubscribe = async (uri: string): Promise<void> => {
      subscribed.delete(uri);
      await this.#owner
        .request('resources/unsubscribe', { uri })
        .catch((error: unknown) =>
          this.#owner.diagnose(`Unsubscribing from ${uri} failed: ${toError(error).message}`),
        );
    };
    const subscribe = async (uri: string): Promise<void> => {
      try {
        await this.#owner.request('resources/subscribe', { uri });
        subscribed.add(uri);
      } catch (error) {
        failed ??= { uri, error: toError(error) };
      }
    };
    await Promise.all([...gone.map(unsubscribe), ...added.map(subscribe)]);
    return failed;
  }
}
