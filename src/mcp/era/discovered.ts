/**
 * The server's answer to `server/discover`, for as long as it is valid. When it has expired, the next use
 * of the server asks again; no timer does (DISC-07, CACHE-05).
 * https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
import { toError } from '../../base/async.ts';
import { type JsonObject, isObject, stableStringify } from '../../base/json.ts';
import { type McpError, isHttpError } from '../errors.ts';
import type { Revision } from '../revisions.ts';
import { isNoEndpoint, judgeProbe } from './classify.ts';
import { metaKeys } from './requestMeta.ts';
import { freshMs } from './resultCache.ts';
import { describeServer } from './serverDescription.ts';
import type { Channel, ServerDescription } from '../session/session.ts';

/** The result of `server/discover`. */
export interface Discovered {
  readonly revision: Revision;
  readonly result: JsonObject;
}

/** If a new request gets no answer, the last answer stays valid for this long. */
const retryMs = 60_000;

export interface DiscoveredOwner {
  /** Sends `server/discover`. */
  ask(): Promise<unknown>;
  /** The server's description has changed. */
  changed(): void;
  /** The server no longer speaks the revision of this conversation, or no longer exists. */
  lost(reason: McpError): void;
  diagnose(text: string): void;
}

export class DiscoveredServer {
  readonly #channel: Channel;
  readonly #owner: DiscoveredOwner;
  #description: ServerDescription;
  #freshUntil: number;
  #renewal: Promise<void> | undefined;
  /** True after a request found no endpoint: only then does the same answer to `server/discover` count. */
  #isDoubted = false;

  constructor(channel: Channel, { revision, result }: Discovered, owner: DiscoveredOwner) {
    this.#channel = channel;
    this.#owner = owner;
    this.#description = describe(channel, { revision, result });
    this.#freshUntil = endOf(result);
  }

  get description(): ServerDescription {
    return this.#description;
  }

  /** Asks again if the last answer has expired. The returned promise never rejects. */
  renew(): Promise<void> | undefined {
    if (this.#renewal === undefined && performance.now() >= this.#freshUntil) {
      this.#renewal = this.#ask().finally(() => {
        this.#renewal = undefined;
      });
    }
    return this.#renewal;
  }

  /** Call when a request found no endpoint: asks whether the server is gone, or refused only that request. */
  confirm(): void {
    this.#isDoubted = true; // also while a request is under way: its answer is as good
    this.#freshUntil = 0;
    void this.renew();
  }

  async #ask(): Promise<void> {
    // Until there is an answer, the last one is better than none (CACHE-07).
    this.#freshUntil = performance.now() + retryMs;
    try {
      this.#take(await this.#owner.ask());
    } catch (error) {
      const isGone = isHttpError(error) && error.code === 'http' && isNoEndpoint(error.status);
      if (isGone && this.#isDoubted) {
        this.#owner.lost(error);
        return;
      }
      this.#owner.diagnose(`The server did not describe itself again: ${toError(error).message}`);
    } finally {
      this.#isDoubted = false;
    }
  }

  #take(value: unknown): void {
    const { revision } = this.#description;
    const verdict = judgeProbe({ kind: 'result', value }, this.#channel, [revision]);
    if (verdict.go !== 'modern') {
      const reason = verdict.go === 'fail' ? verdict.error : verdict.because;
      if (reason.code !== 'unsupported') {
        throw reason; // no answer at all says nothing about the revision
      }
      this.#owner.lost(reason);
      return;
    }
    this.#freshUntil = endOf(verdict.result);
    const next = describe(this.#channel, verdict);
    if (stableStringify(next) !== stableStringify(this.#description)) {
      this.#description = next;
      this.#owner.changed();
    }
  }
}

/** An answer without a valid TTL is valid for the whole conversation. */
function endOf(result: JsonObject): number {
  const ttlMs = freshMs(result);
  return ttlMs === undefined ? Infinity : performance.now() + ttlMs;
}

function describe(channel: Channel, { revision, result }: Discovered): ServerDescription {
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  // Servers that follow a draft put it in the body (META-11).
  const info = meta[metaKeys.serverInfo] ?? result['serverInfo'];
  return describeServer(result, info, revision, channel.label);
}
