/**
 * The reply to one request as an event stream of Streamable HTTP, over as many connections as it takes.
 * Gives up when the stream cannot be resumed.
 */
import { t } from '../../../base/l10n.ts';
import type { IncomingMessage } from 'node:http';
import { delay, linkedController, onAbort } from '../../../base/async.ts';
import { McpError } from '../../errors.ts';
import { endWithin, unknownOutcome } from './httpBody.ts';
import { maxWaitMs } from './httpRetryAfter.ts';
import {
  delayBefore,
  maxFailures,
  openStream,
  readEvents,
  type StreamContext,
  StreamPosition,
} from './sseStream.ts';

/** Limit of times the delay is doubled while somebody waits for the reply. */
const maxReplyDoublings = 2;

export class ReplyStream {
  readonly #context: StreamContext;
  readonly #onData: (data: string) => boolean;
  readonly #position = new StreamPosition();
  #isAnswered = false;
  /** In parentheses; empty if the connection simply ended. */
  #whyBroken = '';
  /** Ends what waits for the reply. */
  #proceed: (() => void) | undefined;

  /** @param onData returns whether the data held the reply */
  constructor(context: StreamContext, onData: (data: string) => boolean) {
    this.#context = context;
    this.#onData = onData;
  }

  /** The reply has come, over this stream or, matched by its id alone, over another one. */
  answered(): void {
    this.#isAnswered = true;
    this.#proceed?.();
  }

  /**
   * Reads `response` and its continuations until the reply has come.
   * @throws McpError `closed` when the reply cannot come any more, `cancelled`
   */
  async run(response: IncomingMessage, abandoned: AbortSignal | undefined): Promise<void> {
    const { session, limits } = this.#context;
    await new Promise<void>((resolve) => {
      this.#proceed = resolve;
      this.#read(response, resolve);
    });
    if (this.#isAnswered) {
      endWithin(response, limits.lingerMs);
      return;
    }
    const link = linkedController(session.signal);
    const { controller } = link;
    const abandonment = abandoned && onAbort(abandoned, () => controller.abort());
    this.#proceed = () => controller.abort();
    try {
      await this.#resume(controller.signal, abandoned);
    } finally {
      abandonment?.dispose();
      link.dispose();
    }
  }

  async #resume(signal: AbortSignal, abandoned: AbortSignal | undefined): Promise<void> {
    for (let failures = 0, fruitless = 0; !this.#isAnswered;) {
      this.#throwIfOver(abandoned);
      if (failures === maxFailures || (this.#position.putOffMs ?? 0) > maxWaitMs) {
        throw closed(t('The reply broke off and could not be resumed'));
      }
      if (this.#position.lastEventId === undefined) {
        throw closed(t('The reply broke off before it was complete{0}', this.#whyBroken));
      }
      const row = Math.min(fruitless, maxReplyDoublings);
      const delayMs = delayBefore(this.#position, row, this.#context.limits);
      await delay(delayMs, signal).catch(() => undefined);
      const seen = this.#position.events;
      const opened = await openStream(this.#context, this.#position, signal);
      if (opened.kind === 'open') {
        failures = 0;
        await new Promise<void>((resolve) => this.#read(opened.response, resolve));
      } else if (opened.kind === 'failed') {
        failures += 1;
      } else {
        if (opened.kind === 'lost') {
          await this.#context.endIfLost(true); // it may be about the event, or about GET
          this.#throwIfOver(abandoned);
        }
        throw closed(
          t('The reply broke off and the server does not resume it ({0})', opened.detail),
        );
      }
      // No new events is not a failure: a server may let a long call be polled (HTTP-19). It only slows
      // down reconnects.
      fruitless = this.#position.events > seen ? 0 : fruitless + 1;
    }
  }

  #read(response: IncomingMessage, onOver: () => void): void {
    const { session, limits, diagnose } = this.#context;
    const cut = onAbort(session.signal, () => response.destroy());
    const onData = (data: string): void => {
      // What an earlier session still sends is not for the next one.
      if (!session.signal.aborted && this.#onData(data)) {
        this.answered();
      }
    };
    const onEnd = (error: Error | undefined): void => {
      cut.dispose();
      this.#whyBroken = error === undefined ? '' : ` (${error.message})`;
      if (error !== undefined && !this.#isAnswered && !session.signal.aborted) {
        diagnose('debug', `A reply stream ended early: ${error.message}`);
      }
      onOver();
    };
    readEvents(response, this.#position, limits, { onData, onEnd });
  }

  #throwIfOver(abandoned: AbortSignal | undefined): void {
    const { session } = this.#context;
    if (abandoned?.aborted === true) {
      throw new McpError('cancelled', 'The request was cancelled');
    }
    if (session.signal.aborted) {
      // The server accepted it under a session that is gone: whether it processed it is unknown.
      throw closed(
        session.isLost
          ? t('The server lost the session before the reply')
          : t('The connection was closed before the reply'),
      );
    }
  }
}

function closed(text: string): McpError {
  return new McpError('closed', `${text}; ${unknownOutcome()}`);
}
