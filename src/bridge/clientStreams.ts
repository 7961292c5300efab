/**
 * The event streams of one client, for what nobody asked for: the newest gets it, and what comes before there is
 * one waits. Bounded in streams and in what waits.
 */
import type { Disposable } from '../base/disposable.ts';
import type { RpcNotification } from '../mcp/types/message.ts';
import type { EventStream } from './eventStream.ts';

/** Streams of one client; the oldest ends when there is one more. A client needs one. */
const maxStreams = 4;
/** Notifications that wait for a stream, and characters of them; of more, the oldest are dropped. */
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

  /** There is a stream, or has been one. */
  get hadAny(): boolean {
    return this.#hadAny;
  }

  /** What has waited is sent at once. @param onGone is called when the stream is here no longer */
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

  /** Of equal ones, which say that something is another now, the last is enough. One too large is left out itself. */
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
