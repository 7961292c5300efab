/**
 * The event streams of one client for unsolicited messages. The newest stream gets them; without a stream they wait.
 * Both the streams and the waiting messages are limited.
 */
import type { Disposable } from '../base/disposable.ts';
import type { RpcNotification } from '../mcp/types/message.ts';
import type { EventStream } from './eventStream.ts';

/** Streams of one client; one more ends the oldest. A client needs one. */
const maxStreams = 4;
/** Notifications that wait for a stream, and their characters; beyond that, the oldest are dropped. */
const maxWaiting = 200;
const maxWaitingChars = 4 * 1024 * 1024;

type Stream = Pick<EventStream, 'send' | 'onDidClose' | 'dispose'>;

interface Waiting {
  readonly notification: RpcNotification;
  readonly text: string;
}

export class ClientStreams implements Disposable {
  /** Oldest first. */
  readonly #streams = new Set<Stream>();
  #waiting: readonly Waiting[] = [];
  #hadAny = false;

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  /** A stream is or was open. */
  get hadAny(): boolean {
    return this.#hadAny;
  }

  /** Sends the waiting notifications at once. @param onGone called when the stream has closed */
  add(stream: Stream, onGone: () => void): void {
    this.#hadAny = true;
    this.#streams.add(stream);
    stream.onDidClose(() => {
      this.#streams.delete(stream);
      onGone();
    });
    const [oldest] = this.#streams;
    if (this.#streams.size > maxStreams) {
      oldest?.dispose();
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { notification } of waiting) {
      stream.send(notification);
    }
  }

  send(notification: RpcNotification): void {
    const newest = [...this.#streams].at(-1);
    if (newest === undefined) {
      this.#wait(notification);
    } else {
      newest.send(notification);
    }
  }

  dispose(): void {
    for (const stream of this.#streams) {
      stream.dispose();
    }
  }

  /**
   * Equal notifications say that something changed, so the last one is enough; log messages are all kept. One that is
   * too large is dropped.
   */
  #wait(notification: RpcNotification): void {
    const text = JSON.stringify(notification);
    if (text.length > maxWaitingChars) {
      return;
    }
    const isLog = notification.method === 'notifications/message';
    const waiting = this.#waiting.filter((one) => isLog || one.text !== text);
    waiting.push({ notification, text });
    let chars = 0;
    const firstKept = waiting.findLastIndex((one, index) => {
      chars += one.text.length;
      return chars > maxWaitingChars || waiting.length - index > maxWaiting;
    });
    this.#waiting = waiting.slice(firstKept + 1);
  }
}
