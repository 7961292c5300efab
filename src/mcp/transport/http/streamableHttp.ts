/**
 * The Streamable HTTP transport of the revisions 2025-03-26 to 2025-11-25: every message is a POST of its
 * own, replies come as JSON or as an event stream, and a standing GET stream carries unsolicited server
 * messages.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 *
 * One bad response fails one message. httpReplyStream.ts and httpPushStream.ts resume broken streams.
 */
import { t } from '../../../base/l10n.ts';
import type { IncomingMessage } from 'node:http';
import * as errors from './httpErrors.ts';
import { toError } from '../../../base/async.ts';
import { Emitter } from '../../../base/event.ts';
import { abortedError, McpError } from '../../errors.ts';
import {
  isRequest,
  type RequestId,
  type RpcMessage,
  type RpcReplyBatch,
  type RpcRequest,
} from '../../types/message.ts';
import { isSuccess, mediaTypeOf, readStart, readText } from './httpBody.ts';
import {
  type ExchangeRequest,
  givenUp,
  HttpEndpoint,
  type HttpTransportOptions,
  takenInTime,
} from './httpExchange.ts';
import { putOffText } from './httpRetryAfter.ts';
import { doubtMs, isLostByPing } from './sessionLoss.ts';
import { PushStream } from './httpPushStream.ts';
import { ReplyStream } from './httpReplyStream.ts';
import { HttpSession } from './httpSession.ts';
import { readSettings } from './httpSettings.ts';
import type { StreamContext } from './sseStream.ts';
import { ChannelBase } from '../channel.ts';
import { defaultHttpLimits, type HttpLimits } from '../limits.ts';
import { readMessages } from '../messageText.ts';
import type { Batch, SendOptions, Transport } from '../transport.ts';

/** Its subclass speaks revision 2026-07-28. */
export class StreamableHttpTransport extends ChannelBase implements Transport {
  protected readonly limits: HttpLimits;
  readonly #endpoint: HttpEndpoint;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #sessionLost = new Emitter<void>();
  readonly #pushOpened = new Emitter<void>();
  override readonly onDidLoseSession = this.#sessionLost.event;
  override readonly onDidOpenPushStream = this.#pushOpened.event;
  readonly #replyStreams = new Map<RequestId, ReplyStream>();
  #session: HttpSession;
  #context: StreamContext;
  #lastLossAt = -Infinity;
  #closing: Promise<void> | undefined;

  /** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
  constructor({ url, headers, limits, ...options }: HttpTransportOptions) {
    super();
    this.limits = { ...defaultHttpLimits, ...limits };
    this.#endpoint = new HttpEndpoint(url, this.limits.lingerMs, options);
    this.#settings = readSettings(headers);
    this.#session = new HttpSession(this.#settings);
    this.#context = this.#contextOf(this.#session);
  }

  /** There is nothing to open. */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      throw abortedError(signal, 'Connecting');
    }
  }

  send(message: RpcMessage | RpcReplyBatch, options: SendOptions = {}): Promise<void> {
    if (this.#closing !== undefined) {
      return Promise.reject(new McpError('closed', t('The connection is closed')));
    }
    const body = JSON.stringify(message);
    return isRequest(message)
      ? this.#request(message, body, options)
      : this.#tell(message, body, options);
  }

  close(): Promise<void> {
    // Asynchronous, because a listener of the close may call this again.
    this.#closing ??= Promise.resolve().then(() => this.#close());
    return this.#closing;
  }

  override beginSession(): void {
    this.#session.end();
    this.#session = new HttpSession(this.#settings);
    this.#context = this.#contextOf(this.#session);
  }

  override sessionReady(agreed: Parameters<Transport['sessionReady']>[0]): void {
    this.#session.agree(agreed.sendsVersionHeader ? agreed.revision : undefined);
  }

  async #request(message: RpcRequest, body: string, options: SendOptions): Promise<void> {
    const context = this.#context;
    const { session } = context;
    const isHandshake = message.method === 'initialize';
    if (isHandshake) {
      session.forget();
    }
    const { signal } = options;
    const response = await this.#endpoint.exchange(this.toPost(session, body, options, signal));
    if (!isSuccess(response)) {
      throw await this.#refusal(response, session);
    }
    if (isHandshake) {
      this.#takeSessionId(response, session);
    }
    const { id, method } = message;
    if (mediaTypeOf(response) === 'text/event-stream') {
      await this.readStream(context, response, message, signal);
      return;
    }
    let text: string;
    try {
      text = await readText(response, this.limits);
    } catch (error) {
      throw signal?.aborted === true ? givenUp(error) : error;
    }
    if (!this.receive(text, id, session)) {
      const redact = (start: string): string => session.redact(start);
      const { origin } = this.#endpoint.place;
      throw errors.noReplyError(response, method, text, origin, redact);
    }
  }

  /** Reads a reply to its end, over as many connections as it takes. */
  protected async readStream(
    context: StreamContext,
    response: IncomingMessage,
    { id }: RpcRequest,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const stream = new ReplyStream(context, (data) => this.receive(data, id, context.session));
    this.#replyStreams.set(id, stream);
    try {
      await stream.run(response, signal);
    } finally {
      this.#replyStreams.delete(id);
    }
  }

  /** The response is 202 without a body; any body is ignored (HTTP-03). */
  async #tell(
    message: RpcMessage | RpcReplyBatch,
    body: string,
    options: SendOptions,
  ): Promise<void> {
    const context = this.#context;
    const { messageMs, lingerMs } = this.limits;
    try {
      await takenInTime(message, messageMs, async (signal) => {
        const { session } = context;
        const request = this.toPost(session, body, options, signal);
        const response = await this.#endpoint.exchange(request);
        if (!isSuccess(response)) {
          throw await this.#refusal(response, session);
        }
        const rest = readStart(response, lingerMs);
        if (!('method' in message)) {
          await rest; // the peer counts replies that still hold a connection
        }
      });
    } finally {
      // Some servers accept a GET only when they know that the handshake is over. It is over also if they refuse this.
      if ('method' in message && message.method === 'notifications/initialized') {
        this.#listen(context);
      }
    }
  }

  protected toPost(
    { postHeaders }: HttpSession,
    body: string,
    { headers: extra }: SendOptions,
    signal: AbortSignal | undefined,
  ): ExchangeRequest {
    const headers = extra === undefined ? postHeaders : { ...postHeaders, ...readSettings(extra) };
    return { method: 'POST', headers, body, signal, onWait: this.onWait };
  }

  /** Opens the push stream, unless the session is over. */
  #listen(context: StreamContext): void {
    const stream = new PushStream(context, {
      onData: (data) => this.receive(data, undefined, context.session),
      onOpen: () => this.#pushOpened.fire(),
    });
    stream.run().catch((error: unknown) => {
      this.note('debug', `The server's push stream ended: ${toError(error).message}`);
    });
  }

  /** @returns whether the reply to `during` was among the messages. */
  protected receive(text: string, during: RequestId | undefined, session: HttpSession): boolean {
    let isAnswered = false;
    readMessages(text, {
      message: (message, batch) => {
        isAnswered = this.dispatch(message, during, batch) || isAnswered;
      },
      problem: (problem) => this.note('warn', problem),
      redact: (quote) => session.redact(quote),
      memory: this.limits.memory,
    });
    return isAnswered;
  }

  /** @returns whether the message is the reply to `during`. */
  protected dispatch(
    message: RpcMessage,
    during: RequestId | undefined,
    batch: Batch | undefined,
  ): boolean {
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
      : errors.refusalError(this.#endpoint.place, refusal, this.#settings);
  }

  /** A response looks like a session loss. @returns whether the session is lost */
  async #endIfLost(
    session: HttpSession,
    isDoubtful = performance.now() - this.#lastLossAt < doubtMs,
  ): Promise<boolean> {
    if (isDoubtful && this.#isInUse(session)) {
      session.ping ??= isLostByPing(this.#endpoint, session, this.limits.lingerMs).finally(() => {
        session.ping = undefined;
      });
      if (!(await session.ping) && !session.isLost) {
        return false;
      }
    }
    // Once per session: all its messages under way learn of the loss.
    if (this.#isInUse(session)) {
      this.#lastLossAt = performance.now();
      session.isLost = true;
      this.#session.end();
      this.#sessionLost.fire();
    }
    return true;
  }

  #isInUse(session: HttpSession): boolean {
    return session === this.#session && !session.isLost && this.#closing === undefined;
  }

  async #close(): Promise<void> {
    const { id, isLost, headers } = this.#session;
    this.#session.end();
    this.#endpoint.cut();
    if (id !== undefined && !isLost) {
      try {
        // Any response is fine, even 405 (HTTP-23).
        const signal = AbortSignal.timeout(this.limits.deleteMs);
        await this.#endpoint.exchange({ method: 'DELETE', headers, signal });
      } catch (error) {
        this.note('debug', `The session could not be deleted: ${toError(error).message}`);
      }
    }
    this.#endpoint.close();
    this.tellClose({ kind: 'requested' });
  }

  protected readonly onWait = (ms: number): void => this.note('info', putOffText(ms));

  #contextOf(session: HttpSession): StreamContext {
    return {
      endpoint: this.#endpoint,
      session,
      limits: this.limits,
      endIfLost: (isDoubtful) => this.#endIfLost(session, isDoubtful),
      diagnose: (level, text) => this.note(level, text),
    };
  }
}
