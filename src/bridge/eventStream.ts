/**
 * Writes to one HTTP response: a lasting event stream, or the reply to one POST, which is plain JSON unless more than
 * the answer has to be sent. Knows JSON-RPC messages, but no methods.
 *
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
import type { ServerResponse } from 'node:http';
import { after } from '../base/async.ts';
import { type Disposable, MutableDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { RpcMessage, RpcNotification, RpcResponse } from '../mcp/types/message.ts';

/** Clients and their HTTP stacks give up on a response that has not begun after some time. */
const openAfterMs = 10_000;
/** A regular comment tells both ends that the connection is still open. */
const keepAliveMs = 30_000;
/** Unread bytes of one client that we hold at most. */
const maxUnreadBytes = 64 * 1024 * 1024;

export class EventStream implements Disposable {
  readonly #response: ServerResponse;
  readonly #alive = new MutableDisposable<Disposable>();
  readonly #closed = new Emitter<void>();
  #isOver = false;
  /** Fires once: the client disconnected, or this side ended the stream. */
  readonly onDidClose = this.#closed.event;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    response.flushHeaders();
    response.once('close', () => this.#onClosed());
    this.#keepAlive();
  }

  send(message: RpcMessage): void {
    // JSON has no raw line break, so a message is one `data` line.
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** Ends the response cleanly. */
  dispose(): void {
    this.#response.end();
    this.#onClosed();
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

/** The reply to one POST. */
export class Reply implements Disposable {
  readonly #response: ServerResponse;
  readonly #opening: Disposable;
  readonly #gone = new Emitter<void>();
  readonly #isBatch: boolean;
  #stream: EventStream | undefined;
  #missing: number;
  #isOver = false;
  /** Fires when the client disconnects before it has every answer. */
  readonly onDidLoseClient = this.#gone.event;

  /** `expected`: how many requests the POST holds. `isBatch`: they came as an array. */
  constructor(response: ServerResponse, expected: number, isBatch = false) {
    this.#response = response;
    this.#missing = expected;
    this.#isBatch = isBatch;
    this.#opening = after(openAfterMs, () => this.#open());
    response.once('close', () => {
      if (!this.#isOver) {
        this.#end();
        this.#gone.fire();
      }
    });
  }

  /** Sends a notification about a running request. */
  notify(message: RpcNotification): void {
    if (!this.#isOver) {
      this.#open().send(message);
    }
  }

  /** Answers one of the requests; undefined for a cancelled one, which gets no answer. */
  answer(message: RpcResponse | undefined): void {
    if (this.#isOver) {
      return;
    }
    this.#missing -= 1;
    const isAll = this.#missing === 0 && this.#stream === undefined;
    if (message !== undefined && isAll && !this.#isBatch) {
      this.#sendJson(message);
      return;
    }
    const stream = this.#open();
    if (message !== undefined) {
      stream.send(message);
    }
    if (this.#missing === 0) {
      this.dispose();
    }
  }

  dispose(): void {
    if (!this.#isOver) {
      this.#end();
      this.#response.end();
    }
  }

  #open(): EventStream {
    this.#opening.dispose();
    this.#stream ??= new EventStream(this.#response);
    return this.#stream;
  }

  #sendJson(message: RpcResponse): void {
    this.#end();
    sendJson(this.#response, 200, message);
  }

  #end(): void {
    this.#isOver = true;
    this.#opening.dispose();
    this.#stream?.dispose();
  }
}

export function sendJson(response: ServerResponse, status: number, message: RpcMessage): void {
  const body = Buffer.from(JSON.stringify(message));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
  });
  response.end(body);
}
