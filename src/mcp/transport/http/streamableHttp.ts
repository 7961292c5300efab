/**
 * The Streamable HTTP transport of the revisions 2025-03-26 to 2025-11-25: every message is a POST of its
 * own, replies come as JSON or as an event stream, and a standing GET stream carries unsolicited server
 * messages.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 *
 * One bad response fails one message. httpReplyStream.ts and httpPushStream.ts resume broken streams.
 */
import type { IncomingMessage } from 'node:http';
import * as errors from './httpErrors.ts';
import { toError } from '../../../base/async.ts';
import { Emitter } from '../../../base/event.ts';
import type { RequestId, RpcMessage, RpcReplyBatch, RpcRequest } from '../../types/message.ts';
import { isSuccess, mediaTypeOf, readStart, readText } from './httpBody.ts';
import { type ExchangeRequest, givenUp, type HttpTransportOptions } from './httpExchange.ts';
import { SessionLosses } from './sessionLoss.ts';
import { noReplyError, PostingChannel, takenInTime } from './httpPost.ts';
import { PushStream } from './httpPushStream.ts';
import { ReplyStream } from './httpReplyStream.ts';
import { HttpSession } from './httpSession.ts';
import { readSettings } from './httpSettings.ts';
import type { StreamContext } from './sseStream.ts';
import { readMessages } from '../messageText.ts';
import type { AbandonSignal, Batch, SendOptions, Transport } from '../transport.ts';

/** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
export function createStreamableHttpTransport(options: HttpTransportOptions): Transport {
  return new StreamableHttpTransport(options);
}

class StreamableHttpTransport extends PostingChannel implements Transport {
  readonly #sessionLost = new Emitter<void>();
  readonly #pushOpened = new Emitter<void>();
  override readonly onDidLoseSession = this.#sessionLost.event;
  override readonly onDidOpenPushStream = this.#pushOpened.event;
  readonly #replyStreams = new Map<RequestId, ReplyStream>();
  readonly #losses = new SessionLosses(this.endpoint, this.limits.lingerMs);
  #session = new HttpSession(this.settings);
  #context = this.#contextOf(this.#session);
  #isPushDue = false;

  override beginSession(): void {
    this.#endSession();
    this.#session = new HttpSession(this.settings);
    this.#context = this.#contextOf(this.#session);
    this.#isPushDue = false;
  }

  override sessionReady(agreed: Parameters<Transport['sessionReady']>[0]): void {
    this.#session.agree(agreed.sendsVersionHeader ? agreed.revision : undefined);
    // Some servers accept a GET only when they know that the handshake is over: see #listen.
    this.#isPushDue = true;
  }

  protected async request(message: RpcRequest, body: string, options: SendOptions): Promise<void> {
    const context = this.#context;
    const { session } = context;
    const isHandshake = message.method === 'initialize';
    if (isHandshake) {
      session.forget();
    }
    const { signal } = options;
    const response = await this.endpoint.exchange(this.#toPost(session, body, options, signal));
    if (!isSuccess(response)) {
      throw await this.#refusal(response, session);
    }
    if (isHandshake) {
      this.#takeSessionId(response, session);
    }
    const { id, method } = message;
    if (mediaTypeOf(response) === 'text/event-stream') {
      await this.#readStream(context, response, id, signal);
      return;
    }
    let text: string;
    try {
      text = await readText(response, this.limits);
    } catch (error) {
      throw signal?.aborted === true ? givenUp(error) : error;
    }
    if (!this.#receive(text, id, session)) {
      const redact = (start: string): string => session.redact(start);
      const { origin } = this.endpoint.place;
      throw noReplyError(response, method, text, origin, redact);
    }
  }

  async #readStream(
    context: StreamContext,
    response: IncomingMessage,
    id: RequestId,
    signal: AbandonSignal | undefined,
  ): Promise<void> {
    const stream = new ReplyStream(context, (data) => this.#receive(data, id, context.session));
    this.#replyStreams.set(id, stream);
    try {
      await stream.run(response, signal);
    } finally {
      this.#replyStreams.delete(id);
    }
  }

  /** The response is 202 without a body; any body is ignored (HTTP-03). */
  protected async tell(
    message: RpcMessage | RpcReplyBatch,
    body: string,
    options: SendOptions,
  ): Promise<void> {
    const context = this.#context;
    const { messageMs, lingerMs } = this.limits;
    try {
      await takenInTime(message, messageMs, async (signal) => {
        const { session } = context;
        const request = this.#toPost(session, body, options, signal);
        const response = await this.endpoint.exchange(request);
        if (!isSuccess(response)) {
          throw await this.#refusal(response, session);
        }
        const rest = readStart(response, lingerMs);
        if (!('method' in message)) {
          await rest; // the peer counts replies that still hold a connection
        }
      });
    } finally {
      // Also when it was refused: the handshake is over, whatever the server thinks of the message.
      this.#listen(context);
    }
  }

  #toPost(
    session: HttpSession,
    body: string,
    { headers: extra }: SendOptions,
    signal: AbandonSignal | undefined,
  ): ExchangeRequest {
    const { postHeaders } = session;
    const headers = extra === undefined ? postHeaders : { ...postHeaders, ...readSettings(extra) };
    return { method: 'POST', headers, body, signal, onWait: this.onWait };
  }

  /** Opens the push stream after `notifications/initialized`, the first message after the handshake. */
  #listen(context: StreamContext): void {
    if (!this.#isPushDue || context !== this.#context || this.isClosing) {
      return;
    }
    this.#isPushDue = false;
    const stream = new PushStream(context, {
      onData: (data) => this.#receive(data, undefined, context.session),
      onOpen: () => this.#pushOpened.fire(),
    });
    stream.run().catch((error: unknown) => {
      this.note('debug', `The server's push stream ended: ${toError(error).message}`);
    });
  }

  /** @returns whether the reply to `during` was among the messages. */
  #receive(text: string, during: RequestId | undefined, session: HttpSession): boolean {
    let isAnswered = false;
    readMessages(text, {
      message: (message, batch) => {
        isAnswered = this.#deliver(message, during, batch) || isAnswered;
      },
      problem: (problem) => this.note('warn', problem),
      redact: (quote) => session.redact(quote),
      memory: this.limits.memory,
    });
    return isAnswered;
  }

  #deliver(message: RpcMessage, during: RequestId | undefined, batch: Batch | undefined): boolean {
    const plain = during === undefined ? { message } : { message, during };
    this.received.fire(batch === undefined ? plain : { ...plain, batch });
    if ('method' in message) {
      return false;
    }
    // An error without an id belongs to the exchange that carried it (BASE-07).
    const id = message.id ?? during;
    if (id !== undefined && id !== during) {
      // The reply came over another stream than the one that waits for it (HTTP-14, TRAP-18).
      this.#replyStreams.get(id)?.answered();
      return false;
    }
    return id !== undefined;
  }

  #takeSessionId(response: IncomingMessage, session: HttpSession): void {
    const id = response.headers['mcp-session-id'];
    if (typeof id === 'string' && !session.take(id)) {
      this.note('warn', 'The server gave a session id that is not visible ASCII: ignored');
    }
  }

  async #refusal(response: IncomingMessage, session: HttpSession) {
    const body = session.redact(await readStart(response, this.limits.lingerMs));
    const refusal = errors.toRefusal(response, body);
    const mayBeLoss = session.id !== undefined && errors.isSessionLoss(refusal);
    return mayBeLoss && (await this.#endIfLost(session))
      ? errors.sessionLossError(refusal)
      : errors.refusalError(this.endpoint.place, refusal);
  }

  /** A response looks like a session loss. @returns whether the session is lost */
  async #endIfLost(session: HttpSession): Promise<boolean> {
    const isDoubtful = this.#isInUse(session) && !this.#losses.isBelieved;
    if (isDoubtful && !(await this.#losses.ask(session)) && !session.isLost) {
      return false;
    }
    // Once per session: all its messages under way learn of the loss.
    if (this.#isInUse(session)) {
      this.#losses.note();
      session.isLost = true;
      this.#endSession();
      this.#sessionLost.fire();
    }
    return true;
  }

  #isInUse(session: HttpSession): boolean {
    return session === this.#session && !session.isLost && !this.isClosing;
  }

  #endSession(): void {
    this.#session.end();
    for (const stream of this.#replyStreams.values()) {
      stream.cut();
    }
  }

  /** Tells the server. Any response is fine, even 405 (HTTP-23). */
  protected override async end(): Promise<void> {
    const { id, isLost, headers } = this.#session;
    this.#session.end();
    this.endpoint.cut();
    if (id === undefined || isLost) {
      return;
    }
    try {
      const signal = AbortSignal.timeout(this.limits.deleteMs);
      await this.endpoint.exchange({ method: 'DELETE', headers, signal });
    } catch (error) {
      this.note('debug', `The session could not be deleted: ${toError(error).message}`);
    }
  }

  #contextOf(session: HttpSession): StreamContext {
    return {
      endpoint: this.endpoint,
      session,
      limits: this.limits,
      endIfLost: () => this.#endIfLost(session),
      diagnose: (level, text) => this.note(level, text),
    };
  }
}
