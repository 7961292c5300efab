/** The standing event stream of Streamable HTTP for what the server sends unasked, opened anew whenever it ends. */
import type { IncomingMessage } from 'node:http';
import { delay } from '../../../base/async.ts';
import { delayBefore, maxFailures, openStream, type StreamContext } from './streamReconnect.ts';
import { readEvents, StreamPosition } from './sseStream.ts';

/** What the push stream is for. */
export interface PushListener {
  onData(data: string): void;
  /** The stream is open, and what the server announced before that may have been missed. */
  onOpen(): void;
}

export class PushStream {
  readonly #context: StreamContext;
  readonly #listener: PushListener;
  readonly #position = new StreamPosition();
  #wasOpen = false;

  constructor(context: StreamContext, listener: PushListener) {
    this.#context = context;
    this.#listener = listener;
  }

  /** Resolves when the session ends, or when the server has no such stream. Reconnects meanwhile. */
  async run(): Promise<void> {
    const { limits, session } = this.#context;
    const { signal } = session;
    for (let failures = 0; !signal.aborted;) {
      const seen = this.#position.events;
      const outcome = await this.#connect(signal);
      if (outcome === 'over') {
        return;
      }
      // A server may end the stream whenever it likes (HTTP-13); only a fruitless row is slowed down.
      failures = outcome === 'ended' && this.#position.events > seen ? 0 : failures + 1;
      if (!this.#wasOpen && failures === maxFailures) {
        this.#context.diagnose('debug', 'The push stream could not be opened and is done without');
        return;
      }
      const delayMs = delayBefore(this.#position, failures - 1, limits);
      await delay(delayMs, signal).catch(() => undefined);
    }
  }

  async #connect(signal: AbortSignal): Promise<'ended' | 'failed' | 'over'> {
    const opened = await openStream(this.#context, this.#position, signal);
    switch (opened.kind) {
      case 'open':
        await this.#read(opened.response);
        return 'ended';
      case 'failed':
        return 'failed';
      case 'lost':
        // The stream was there before: what is gone is most likely the session (TRAP-13).
        if (this.#wasOpen && (await this.#context.endIfLost())) {
          return 'over';
        }
        break;
      case 'refused':
        if (this.#wasOpen && opened.status === 409) {
          return 'failed'; // the server has not noticed yet that the stream before broke
        }
    }
    // 405, but also 404 with a page in HTML: the server pushes nothing (HTTP-11).
    this.#context.diagnose('debug', `The server offers no push stream (${opened.detail})`);
    return 'over';
  }

  async #read(response: IncomingMessage): Promise<void> {
    // What was announced while no stream was open is lost, unless the server replays it.
    const mayHaveMissed = !this.#wasOpen || this.#position.lastEventId === undefined;
    this.#wasOpen = true;
    if (mayHaveMissed) {
      this.#listener.onOpen();
    }
    const { limits, session, diagnose } = this.#context;
    await new Promise<void>((resolve) => {
      readEvents(response, this.#position, limits, {
        onData: (data) => this.#listener.onData(data),
        onEnd: (error) => {
          if (error !== undefined && !session.signal.aborted) {
            diagnose('debug', `The push stream ended early: ${error.message}`);
          }
          resolve();
        },
        onSkipped: (text) => diagnose('warn', text),
      });
    });
  }
}
