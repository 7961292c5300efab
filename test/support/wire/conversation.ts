/**
 * What a client and one server have said to each other: the revision that they agreed on, and what the
 * server asked. Hands each message of the client to be checked; knows no channel.
 */
import { type JsonObject, isObject, isString } from '../../../src/base/json.ts';
import { type Revision, isRevision } from '../../../src/mcp/revisions.ts';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';

export interface Checker {
  /** @param asked the server's request that `message` replies to */
  check(revision: Revision, message: JsonObject, asked: JsonObject | undefined): void;
  /** Calls with each array that is sent. */
  checkArray(revision: Revision, messages: readonly JsonObject[]): void;
}

export class Conversation {
  readonly #checker: Checker;
  readonly #asked = new Map<unknown, JsonObject>();
  readonly #handshakes = new Set<unknown>();
  #revision: Revision = '2025-11-25';

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  sent(text: string): void {
    const messages = messagesIn(text);
    if (text.trimStart().startsWith('[')) {
      this.#checker.checkArray(this.#revision, messages);
    }
    for (const message of messages) {
      const revision = this.#revisionOf(message);
      if (message['method'] === 'initialize') {
        this.#handshakes.add(message['id']);
      }
      this.#checker.check(revision, message, this.#takeAsked(message));
    }
  }

  received(text: string): void {
    for (const message of messagesIn(text)) {
      if (isString(message['method'])) {
        this.#asked.set(message['id'], message);
      } else if (this.#handshakes.delete(message['id']) && isObject(message['result'])) {
        const agreed = message['result']['protocolVersion'];
        this.#revision = isRevision(agreed) ? agreed : this.#revision;
      }
    }
  }

  /** A question has one reply: whatever comes later under its id belongs to something else. */
  #takeAsked(message: JsonObject): JsonObject | undefined {
    if ('method' in message) {
      return undefined;
    }
    const asked = this.#asked.get(message['id']);
    this.#asked.delete(message['id']);
    return asked;
  }

  #revisionOf({ params }: JsonObject): Revision {
    const meta = isObject(params) ? params['_meta'] : undefined;
    const own = isObject(meta) ? meta[revisionKey] : undefined;
    return isRevision(own) ? own : this.#revision;
  }
}

/** Objects, also those of an array; nothing of what is no JSON. */
export function messagesIn(text: string): readonly JsonObject[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}
