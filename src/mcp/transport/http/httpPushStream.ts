/** The standing event stream of Streamable HTTP for unsolicited server messages. It is reopened whenever it ends. */
import type { IncomingMessage } from 'node:http';
import { delay } from '../../../base/async.ts';
import { isMcpError } from '../../errors.ts';
import {
  delayBefore,
  maxFailures,
  openStream,
  readEvents,
  type StreamContext,
  StreamPosition,
} from './sseStream.ts';

/** What the push stream is for. */
export interface PushListener {
  onData(data: string): void;
  /** The stream is open; earlier announcements of the server may have been missed. */
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

  /** Reconnects until the session ends, or the server turns out to have no such stream; then resolves. */
  async run(): Promise<void> {
    const { limits, session } = this.#context;
    const { signal } = session;
    for (let failures = 0; !signal.aborted;) {
      const seen = this.#position.events;
      const outcome = await this.#connect(signal);
      if (outcome === 'over') {
        return;
      }
      // A server may end the stream at any time (HTTP-13); only streams without events slow down reconnects.
      failures = outcome === 'ended' && this.#position.events > seen ? 0 : failures + 1;
      if (!this.#wasOpen && failures === maxFailures) {
        this.#context.diagnose(
          'debug',
          'The push stream could not be opened: the connection works without it',
        );
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
      case 'refused':
        if (opened.status !== 0 && this.#position.lastEventId !== undefined) {
          this.#position.lastEventId = undefined; // maybe the server has forgotten that event only
          return 'failed';
        }
        // The stream worked before, so most likely the session is gone (TRAP-13).
        if (opened.kind === 'lost' && this.#wasOpen && (await this.#context.endIfLost())) {
          return 'over';
        }
    }
    // 405, but also 404 with an HTML page: the server has no push stream (HTTP-11).
    this.#context.diagnose('debug', `The server offers no push stream (${opened.detail})`);
    return 'over';
  }

  async #read(response: IncomingMessage): Promise<void> {
    // Announcements made while no stream was open are lost, unless the server replays them.
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
            const level = isMcpError(error) ? 'warn' : 'debug'; // connections break off all the time
            diagnose(level, `The push stream ended early: ${error.message}`);
          }
          resolve();
        },
      });
    });
  }
}
