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
import { after, toError } from '../../../base/async.ts';
import { Emitter } from '../../../base/event.ts';
import { McpError, abortedError } from '../../errors.ts';
import {
  isRequest,
  type RequestId,
  type RpcMessage,
  type RpcReplyBatch,
  type RpcRequest,
} from '../../types/message.ts';
import { isSuccess, mediaTypeOf, readStart, readText } from './httpBody.ts';
import { putOffText } from './httpRetryAfter.ts';
import { type ExchangeRequest, HttpEndpoint } from './httpExchange.ts';
import { defaultHttpLimits, type HttpLimits } from '../limits.ts';
import type { HttpTransportOptions } from './httpOptions.ts';
import { SessionLosses } from './sessionLoss.ts';
import { LingeringStreams } from './httpLinger.ts';
import { givenUp, noReplyError, takenInTime } from './httpPost.ts';
import { PushStream } from './httpPushStream.ts';
import { ReplyStream } from './httpReplyStream.ts';
import { HttpSession, readSettings } from './httpSession.ts';
import { Slab } from './slab.ts';
import type { StreamContext } from './streamReconnect.ts';
import { readMessages } from '../messageText.ts';
import type {
  AbandonSignal,
  Batch,
  CloseReason,
  Diagnostic,
  Inbound,
  SendOptions,
  Transport,
} from '../transport.ts';

/** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
export function createStreamableHttpTransport(options: HttpTransportOptions): Transport {
  return new StreamableHttpTransport(options);
}

class StreamableHttpTransport implements Transport {
  readonly cancelsByClosing = false;
  readonly #onDidReceive = new Emitter<Inbound>();
  readonly #onDidClose = new Emitter<CloseReason>();
  readonly #onDidLoseSession = new Emitter<void>();
  readonly #onDidOpenPushStream = new Emitter<void>();
  readonly #onDidDiagnose = new Emitter<Diagnostic>();
  readonly onDidReceive = this.#onDidReceive.event;
  readonly onDidClose = this.#onDidClose.event;
  readonly onDidLoseSession = this.#onDidLoseSession.event;
  readonly onDidOpenPushStream = this.#onDidOpenPushStream.event;
  readonly onDidDiagnose = this.#onDidDiagnose.event;
  readonly #limits: HttpLimits;
  readonly #endpoint: HttpEndpoint;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #lingering: LingeringStreams;
  readonly #replyStreams = new Slab<ReplyStream>();
  readonly #losses: SessionLosses;
  #session: HttpSession;
  #context: StreamContext;
  #isPushDue = false;
  #closing: Promise<void> | undefined;

  constructor({ url, headers, limits, ...options }: HttpTransportOptions) {
    this.#limits = { ...defaultHttpLimits, ...limits };
    this.#endpoint = new HttpEndpoint(url, this.#limits.lingerMs, options);
    this.#losses = new SessionLosses(this.#endpoint, this.#limits.lingerMs);
    this.#lingering = new LingeringStreams(this.#limits.lingerMs);
    this.#settings = readSettings(headers);
    this.#session = new HttpSession(this.#settings);
    this.#context = this.#contextOf(this.#session);
  }

  /** Nothing to open: the first message is the first request. */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      throw abortedError(signal, 'Connecting');
    }
  }

  beginSession(): void {
    this.#session.end();
    this.#session = new HttpSession(this.#settings);
    this.#context = this.#contextOf(this.#session);
    this.#isPushDue = false;
  }

  sessionReady(agreed: { readonly revision: string; readonly sendsVersionHeader: boolean }): void {
    this.#session.agree(agreed.sendsVersionHeader ? agreed.revision : undefined);
    // Some servers accept a GET only when they know that the handshake is over: see #listen.
    this.#isPushDue = true;
  }

  send(message: RpcMessage | RpcReplyBatch, options: SendOptions = {}): Promise<void> {
    if (this.#closing !== undefined) {
      return Promise.reject(new McpError('closed', 'The connection is closed'));
    }
    const body = JSON.stringify(message);
    return isRequest(message)
      ? this.#request(message, body, options)
      : this.#tell(message, body, options);
  }

  close(): Promise<void> {
    // Asynchronous, because a listener of the close may call this again.
    this.#closing ??= Promise.resolve().then(() => this.#end());
    return this.#closing;
  }

  async #request(message: RpcRequest, body: string, options: SendOptions): Promise<void> {
    const context = this.#context;
    const { session } = context;
    const isHandshake = message.method === 'initialize';
    if (isHandshake) {
      session.forget();
    }
    const { signal } = options;
    // Few awaits: they and the listeners are most of the transport's cost of a call.
    const response = await this.#endpoint.exchange(this.#toPost(session, body, options, signal));
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
      text = await readText(response, this.#limits);
    } catch (error) {
      throw signal?.aborted === true ? givenUp(error) : error;
    }
    if (!this.#receive(text, id, session)) {
      const redact = (start: string): string => session.redact(start);
      const { origin } = this.#endpoint.place;
      throw noReplyError(response, method, text, origin, this.#limits, redact);
    }
  }

  async #readStream(
    context: StreamContext,
    response: IncomingMessage,
    id: RequestId,
    signal: AbandonSignal | undefined,
  ): Promise<void> {
    const stream = new ReplyStream(context, id, (data) => this.#receive(data, id, context.session));
    const slot = this.#replyStreams.add(stream);
    try {
      await stream.run(response, signal);
    } finally {
      this.#replyStreams.release(slot);
    }
  }

  /** Sends a message without a reply. The response is 202 without a body; any body is ignored (HTTP-03). */
  async #tell(
    message: RpcMessage | RpcReplyBatch,
    body: string,
    options: SendOptions,
  ): Promise<void> {
    const context = this.#context;
    const { messageMs, lingerMs } = this.#limits;
    try {
      await takenInTime(message, messageMs, async (signal) => {
        const { session } = context;
        const request = this.#toPost(session, body, options, signal);
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
    return { method: 'POST', headers, body, signal, onWait: this.#onWait };
  }

  /** Opens the push stream after `notifications/initialized`, the first message after the handshake. */
  #listen(context: StreamContext): void {
    if (!this.#isPushDue || context !== this.#context || this.#closing !== undefined) {
      return;
    }
    this.#isPushDue = false;
    const stream = new PushStream(context, {
      onData: (data) => this.#receive(data, undefined, context.session),
      onOpen: () => this.#onDidOpenPushStream.fire(),
    });
    stream.run().catch((error: unknown) => {
      this.#diagnose('debug', `The server's push stream ended: ${toError(error).message}`);
    });
  }

  /** @returns whether the reply to `during` was among the messages. */
  #receive(text: string, during: RequestId | undefined, session: HttpSession): boolean {
    let isAnswered = false;
    readMessages(text, {
      message: (message, batch) => {
        isAnswered = this.#deliver(message, during, batch) || isAnswered;
      },
      problem: (problem) => this.#diagnose('warn', problem),
      redact: (quote) => session.redact(quote),
      memory: this.#limits.memory,
    });
    return isAnswered;
  }

  #deliver(message: RpcMessage, during: RequestId | undefined, batch: Batch | undefined): boolean {
    const plain = during === undefined ? { message } : { message, during };
    this.#onDidReceive.fire(batch === undefined ? plain : { ...plain, batch });
    if ('method' in message) {
      return false;
    }
    // An error without an id belongs to the exchange that carried it (BASE-07).
    const id = message.id ?? during;
    if (id === during) {
      return id !== undefined;
    }
    // The reply came over another stream than the one that waits for it (HTTP-14, TRAP-18).
    const stream = this.#replyStreams.all().find((other) => other.id === id);
    stream?.answered();
    return false;
  }

  #takeSessionId(response: IncomingMessage, session: HttpSession): void {
    const id = response.headers['mcp-session-id'];
    if (typeof id === 'string' && !session.take(id)) {
      this.#diagnose('warn', 'The server gave a session id that is not visible ASCII: ignored');
    }
  }

  async #refusal(response: IncomingMessage, session: HttpSession) {
    const body = session.redact(await readStart(response, this.#limits.lingerMs));
    const refusal = errors.toRefusal(response, body);
    const mayBeLoss = session.id !== undefined && errors.isSessionLoss(refusal);
    return mayBeLoss && (await this.#endIfLost(session))
      ? errors.sessionLossError(refusal)
      : errors.refusalError(this.#endpoint.place, refusal);
  }

  /** A response looks like a session loss. @returns whether the session is lost */
  async #endIfLost(session: HttpSession): Promise<boolean> {
    const isCurrent = session === this.#session && !session.isLost && this.#closing === undefined;
    const isDoubtful = isCurrent && !this.#losses.isBelieved;
    if (isDoubtful && !(await this.#losses.ask(session)) && !session.isLost) {
      return false;
    }
    this.#loseSession(session);
    return true;
  }

  /** Runs once per session: all its messages under way learn of the loss. */
  #loseSession(session: HttpSession): void {
    if (session === this.#session && !session.isLost && this.#closing === undefined) {
      this.#losses.note();
      session.lose();
      this.#onDidLoseSession.fire();
    }
  }

  async #end(): Promise<void> {
    const session = this.#session;
    session.end();
    this.#endpoint.cut();
    if (session.id !== undefined && !session.isLost) {
      await this.#deleteSession(session);
    }
    this.#endpoint.close();
    this.#lingering.dispose();
    this.#onDidClose.fire({ kind: 'requested' });
    this.#onDidReceive.dispose();
  }

  /** Any response is fine, even 405: the server was told (HTTP-23). */
  async #deleteSession({ headers }: HttpSession): Promise<void> {
    const tooLate = new AbortController();
    const limit = after(this.#limits.deleteMs, () => tooLate.abort());
    try {
      const { signal } = tooLate;
      await this.#endpoint.exchange({ method: 'DELETE', headers, signal });
    } catch (error) {
      this.#diagnose('debug', `The session could not be deleted: ${toError(error).message}`);
    } finally {
      limit.dispose();
    }
  }

  #contextOf(session: HttpSession): StreamContext {
    return {
      endpoint: this.#endpoint,
      session,
      limits: this.#limits,
      lingering: this.#lingering,
      endIfLost: () => this.#endIfLost(session),
      diagnose: (level, text) => this.#diagnose(level, text),
    };
  }

  readonly #onWait = (ms: number): void => this.#diagnose('info', putOffText(ms));

  #diagnose(level: Diagnostic['level'], text: string): void {
    this.#onDidDiagnose.fire({ level, source: 'transport', text });
  }
}
