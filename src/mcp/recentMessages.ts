/** The newest messages of a connection, for an observer that comes later. */
import { isObject } from '../base/json.ts';
import { type HeldMemory, jsonChars, type MemoryAccount } from '../base/memory.ts';

export const recentLimits = { messages: 200, messageChars: 16_000 } as const;

/** Sees what goes over a channel. */
export interface ChannelObserver {
  /** An array: the replies to a received batch (BASE-09). */
  sent(message: object): void;
  /** @param during as the channel gives it */
  received(message: object, during: string | number | undefined): void;
}

/** Memory of a character, and of what holds a message. */
const charBytes = 2;
const entryBytes = 200;

interface RecentMessage {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  readonly show: (observer: ChannelObserver) => void;
}

export class RecentMessages {
  #messages: RecentMessage[] = [];
  #bytes = 0;
  readonly #held: HeldMemory | undefined;

  /** @param memory of the server: all are dropped when other data needs room */
  constructor(memory?: MemoryAccount) {
    this.#held = memory?.hold(() => this.clear());
  }

  sent(message: object): void {
    this.#add(message, (observer, kept) => observer.sent(kept));
  }

  received(message: object, during: string | number | undefined): void {
    this.#add(message, (observer, kept) => observer.received(kept, during));
  }

  clear(): void {
    this.#messages = [];
    this.#bytes = 0;
    this.#held?.set(0);
  }

  /** Shows all, oldest first. @param at called with the time of each before it is shown, in ms since 1970 */
  replay(observer: ChannelObserver, at: (time: number) => void): void {
    for (const message of this.#messages) {
      at(message.at);
      message.show(observer);
    }
  }

  #add(message: object, show: (observer: ChannelObserver, kept: object) => void): void {
    const chars = jsonChars(message, recentLimits.messageChars);
    const isLarge = chars > recentLimits.messageChars;
    const kept = isLarge ? outline(message) : message;
    const bytes = entryBytes + (isLarge ? 0 : chars * charBytes);
    this.#messages.push({ at: Date.now(), bytes, show: (observer) => show(observer, kept) });
    this.#bytes += bytes;
    if (this.#messages.length > recentLimits.messages) {
      this.#bytes -= this.#messages.shift()?.bytes ?? 0;
    }
    if (this.#held?.set(this.#bytes) === false) {
      this.clear();
    }
  }
}

/** A large message without what makes it large. */
function outline(message: object): object {
  const note = `longer than ${recentLimits.messageChars} characters: shown whole only if it comes while messages are inspected`;
  if (!isObject(message)) {
    return [];
  }
  const { jsonrpc, id, method, params, result, error } = message;
  return {
    jsonrpc,
    ...(id !== undefined && { id }),
    ...(method !== undefined && { method }),
    ...(params !== undefined && { params: { omitted: note } }),
    ...(result !== undefined && { result: { omitted: note } }),
    ...(error !== undefined && { error: { omitted: note } }),
  };
}
