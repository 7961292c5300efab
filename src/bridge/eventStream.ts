/**
 * Writes JSON-RPC messages to one HTTP response: the answer to one POST, as an event stream if something is said about its
 * request before, or a lasting stream for unsolicited messages. Knows no methods.
 *
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
import type { ServerResponse } from 'node:http';
import { after } from '../base/async.ts';
import { type Disposable, MutableDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { RpcMessage, RpcNotification } from '../mcp/types/message.ts';

/** An answer that takes longer comes in a stream, whose head says that the request was taken. */
const quickMs = 1_000;
/** A regular comment tells both ends that the connection is still open. */
const keepAliveMs = 30_000;
/** Unread bytes of one client that we hold at most. */
const maxUnreadBytes = 64 * 1024 * 1024;

export class EventStream implements Disposable {
  readonly #response: ServerResponse;
  readonly #alive = new MutableDisposable<Disposable>();
  readonly #closed = new Emitter<void>();
  #isOpen = false;
  #isOver = false;
  /** Fires once: the client disconnected, or this side ended the stream. */
  readonly onDidClose = this.#closed.event;

  /** @param of `push`: opens at once */
  constructor(response: ServerResponse, of: 'reply' | 'push') {
    this.#response = response;
    response.once('close', () => this.#onClosed());
    if (of === 'push') {
      this.#open();
    } else {
      this.#alive.value = after(quickMs, () => this.#open());
    }
  }

  send(message: RpcMessage): void {
    if (!this.#isOpen) {
      this.#open();
    }
    // JSON has no raw line break, so a message is one `data` line.
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** The last message. Without one before it is sent as JSON, which costs both ends less than a stream. */
  answer(message: RpcMessage): void {
    if (this.#isOpen || this.#isOver) {
      this.send(message);
    } else {
      this.#isOpen = true;
      sendJson(this.#response, 200, message);
    }
  }

  /** Ends the response cleanly. */
  dispose(): void {
    if (!this.#isOpen && !this.#isOver) {
      this.#open();
    }
    this.#response.end();
    this.#onClosed();
  }

  #open(): void {
    this.#isOpen = true;
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    this.#response.flushHeaders();
    this.#keepAlive();
  }

  #write(text: string): void {
    if (this.#isOver) {
      return;
    }
    this.#response.write(text);
    if (this.#response.writableLength > maxUnreadBytes) {
      this.#response.destroy();
      this.#onClosed();
    }
  }

  #keepAlive(): void {
    this.#alive.value = after(keepAliveMs, () => {
      this.#write(':\n\n');
      this.#keepAlive();
    });
  }

  #onClosed(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#alive.dispose();
      this.#closed.fire();
      this.#closed.dispose();
    }
  }
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

/** Notifications that wait for a stream, and the characters of one; beyond that, the oldest and the larger ones go. */
const maxWaiting = 64;
const maxWaitingChars = 64 * 1024;

type Stream = Pick<EventStream, 'send' | 'onDidClose' | 'dispose'>;

/** The stream of one client for unsolicited messages. Without one they wait. A new one takes the place of the last. */
export class UnsolicitedStream implements Disposable {
  #stream: Stream | undefined;
  /** By their texts: of equal ones, which say that something changed, the last is enough. Log messages are all kept. */
  readonly #waiting = new Map<string | symbol, RpcNotification>();
  /** A stream is or was open. */
  hadAny = false;

  get isOpen(): boolean {
    return this.#stream !== undefined;
  }

  /** Sends the waiting notifications at once. @param onGone called when the stream has closed */
  open(stream: Stream, onGone: () => void): void {
    this.#stream?.dispose();
    this.#stream = stream;
    this.hadAny = true;
    stream.onDidClose(() => {
      if (this.#stream === stream) {
        this.#stream = undefined;
      }
      onGone();
    });
    for (const notification of this.#waiting.values()) {
      stream.send(notification);
    }
    this.#waiting.clear();
  }

  send(notification: RpcNotification): void {
    if (this.#stream !== undefined) {
      this.#stream.send(notification);
      return;
    }
    const text = JSON.stringify(notification);
    if (text.length > maxWaitingChars) {
      return;
    }
    const key = notification.method === 'notifications/message' ? Symbol('log message') : text;
    this.#waiting.delete(key);
    this.#waiting.set(key, notification);
    const [oldest = ''] = this.#waiting.keys();
    if (this.#waiting.size > maxWaiting) {
      this.#waiting.delete(oldest);
    }
  }

  dispose(): void {
    this.#stream?.dispose();
  }
}
