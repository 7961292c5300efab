/**
 * The reply to one request as an event stream of Streamable HTTP, over as many connections as it takes.
 * Gives up when the stream cannot be resumed.
 */
import type { IncomingMessage } from 'node:http';
import { after, delay, linkedController, onAbort } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { McpError } from '../../errors.ts';
import { unknownOutcome } from './httpBody.ts';
import type { RequestId } from '../../types/message.ts';
import { maxWaitMs } from './httpRetryAfter.ts';
import { delayBefore, maxFailures, openStream, type StreamContext } from './streamReconnect.ts';
import { readEvents, StreamPosition } from './sseStream.ts';
import type { AbandonSignal } from '../transport.ts';

/** Limit of times the delay is doubled while somebody waits for the reply. */
const maxReplyDoublings = 2;

export class ReplyStream {
  readonly #context: StreamContext;
  readonly #onData: (data: string) => boolean;
  readonly id: RequestId;
  readonly #position = new StreamPosition();
  #isAnswered = false;
  /** In parentheses; empty if the connection simply ended. */
  #whyBroken = '';
  /** The response being read, until the reply has come. */
  #response: IncomingMessage | undefined;
  /** Runs once the reply has come: the server should end the stream now. */
  #linger: Disposable | undefined;
  /** Ends the wait for the next step. */
  #proceed: (() => void) | undefined;

  /** @param onData returns whether the data held the reply to the request with this id */
  constructor(context: StreamContext, id: RequestId, onData: (data: string) => boolean) {
    this.#context = context;
    this.id = id;
    this.#onData = onData;
  }

  /** The reply has come, over this stream or, matched by its id alone, over another one. */
  answered(): void {
    this.#isAnswered = true;
    if (this.#response !== undefined) {
      this.#linger ??= after(this.#context.limits.lingerMs, () => this.#response?.destroy());
    }
    this.#proceed?.();
  }

  /**
   * Reads `response` and its continuations until the reply has come.
   * @throws McpError `closed` when the reply cannot come any more, `cancelled`
   */
  run(response: IncomingMessage, abandoned: AbandonSignal | undefined): Promise<void> {
    // Not an async function: most replies are in the first chunk, and this saves each a promise.
    return new Promise((resolve, reject) => {
      this.#read(response, () => {
        if (this.#isAnswered) {
          resolve();
        } else {
          this.#resumeUntilAnswered(abandoned).then(resolve, reject);
        }
      });
    });
  }

  async #resumeUntilAnswered(abandoned: AbandonSignal | undefined): Promise<void> {
    const link = linkedController(this.#context.session.signal);
    const abandonment = abandoned && onAbort(abandoned, () => link.controller.abort());
    try {
      await this.#goOn(link.controller, abandoned);
    } finally {
      abandonment?.dispose();
      link.dispose();
    }
  }

  async #goOn(controller: AbortController, abandoned: AbandonSignal | undefined): Promise<void> {
    const { signal } = controller;
    let failures = 0;
    for (let fruitless = 0; !this.#isAnswered;) {
      this.#throwIfOver(abandoned);
      if (failures === maxFailures || (this.#position.putOffMs ?? 0) > maxWaitMs) {
        throw new McpError(
          'closed',
          `The reply broke off and could not be resumed; ${unknownOutcome}`,
        );
      }
      if (this.#position.lastEventId === undefined) {
        throw new McpError(
          'closed',
          `The reply broke off before it was complete${this.#whyBroken}; ${unknownOutcome}`,
        );
      }
      const row = Math.min(fruitless, maxReplyDoublings);
      const delayMs = delayBefore(this.#position, row, this.#context.limits);
      // When the reply has come over another stream, stop waiting.
      this.#proceed = () => controller.abort();
      await delay(delayMs, signal).catch(() => undefined);
      const seen = this.#position.events;
      const response = await this.#resume(signal, abandoned);
      if (response === undefined) {
        failures += 1;
      } else {
        failures = 0;
        await new Promise<void>((resolve) => this.#read(response, resolve));
      }
      // No new events is not a failure: a server may let a long call be polled (HTTP-19). It only slows
      // down reconnects.
      fruitless = this.#position.events > seen ? 0 : fruitless + 1;
    }
  }

  /** Calls `proceed` when this connection ends, or when the reply has come. */
  #read(response: IncomingMessage, proceed: () => void): void {
    const { session, limits } = this.#context;
    this.#response = response;
    this.#proceed = proceed;
    const onData = (data: string): void => {
      if (this.#onData(data)) {
        this.answered();
      }
    };
    const onEnd = (error: Error | undefined): void => {
      ending.dispose();
      this.#linger?.dispose();
      this.#response = undefined;
      this.#whyBroken = error === undefined ? '' : ` (${error.message})`;
      if (error !== undefined && !this.#isAnswered && !session.signal.aborted) {
        this.#context.diagnose('debug', `A reply stream ended early: ${error.message}`);
      }
      proceed();
    };
    const onSkipped = (text: string): void => this.#context.diagnose('warn', text);
    readEvents(response, this.#position, limits, { onData, onEnd, onSkipped });
    // Also after the reply: what this session still sends is not for the next one.
    const ending = onAbort(session.signal, () => response.destroy());
    // The reply came over another stream meanwhile.
    if (this.#isAnswered) {
      response.destroy();
    }
  }

  #throwIfOver(abandoned: AbandonSignal | undefined): void {
    const { session } = this.#context;
    if (abandoned?.aborted === true) {
      throw new McpError('cancelled', 'The request was cancelled');
    }
    if (session.signal.aborted) {
      // The server accepted it under a session that is gone: whether it processed it is unknown.
      const what = session.isLost ? 'The server lost the session' : 'The connection was closed';
      throw new McpError('closed', `${what} before the reply; ${unknownOutcome}`);
    }
  }

  /** Undefined for a temporary failure, and when the reply has come. */
  async #resume(
    signal: AbortSignal,
    abandoned: AbandonSignal | undefined,
  ): Promise<IncomingMessage | undefined> {
    if (this.#isAnswered) {
      return undefined;
    }
    this.#throwIfOver(abandoned);
    const opened = await openStream(this.#context, this.#position, signal);
    switch (opened.kind) {
      case 'open':
        return opened.response;
      case 'failed':
        this.#throwIfOver(abandoned);
        return undefined;
      case 'lost':
        await this.#context.endIfLost();
        this.#throwIfOver(abandoned);
        break;
      case 'refused':
    }
    const text = `The reply broke off and the server does not resume it (${opened.detail})`;
    throw new McpError('closed', `${text}; ${unknownOutcome}`);
  }
}
