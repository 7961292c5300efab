/**
 * The Streamable HTTP transport of the revisions 2025-03-26 to 2025-11-25: every message is a POST of
 * its own, replies come as JSON or as an event stream, a standing GET stream carries what the server
 * sends unasked.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 *
 * One bad answer fails one message. Streams that break are resumed by httpStreams.ts.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { raceSignal, toError } from '../../base/async.ts';
import { Emitter } from '../../base/event.ts';
import { HttpError, McpError, RpcError } from '../errors.ts';
import { envelopeProblem, isRequest, type RequestId, type RpcMessage } from '../rpc/message.ts';
import {
  excerptOf,
  HttpEndpoint,
  maxBodyChars,
  mediaTypeOf,
  readExcerpt,
  readText,
} from './httpExchange.ts';
import { HttpSession } from './httpSession.ts';
import { PushStream, ReplyStream } from './httpStreams.ts';
import type { CloseReason, Diagnostic, Inbound, SendOptions, Transport } from './transport.ts';

export interface StreamableHttpOptions {
  readonly url: URL;
  /** From the settings; the transport's own headers win over them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How long the end of a session is waited for; the server may be gone. */
const deleteLimitMs = 2_000;

/** @throws McpError `invalidConfig` for a URL that is no plain http(s) one. */
export function createStreamableHttpTransport(options: StreamableHttpOptions): Transport {
  return new StreamableHttpTransport(options);
}

class StreamableHttpTransport implements Transport {
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
  readonly #endpoint: HttpEndpoint;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lifetime = new AbortController();
  #session: HttpSession;
  #isPushDue = false;
  #closing: Promise<void> | undefined;

  constructor({ url, headers }: StreamableHttpOptions) {
    this.#endpoint = new HttpEndpoint(url);
    this.#headers = headers;
    this.#session = new HttpSession(headers);
  }

  /** There is nothing to open: the first message is the first request. */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
  }

  beginSession(): void {
    this.#session.end();
    this.#session = new HttpSession(this.#headers);
    this.#isPushDue = false;
  }

  sessionReady(agreed: { readonly revision: string; readonly sendsVersionHeader: boolean }): void {
    this.#session.agree(agreed.sendsVersionHeader ? agreed.revision : undefined);
    // Some servers take a GET only once they know that the handshake is over: see #onDelivered.
    this.#isPushDue = true;
  }

  send(message: RpcMessage, options: SendOptions = {}): Promise<void> {
    if (this.#lifetime.signal.aborted) {
      return Promise.reject(new McpError('closed', 'The connection is closed'));
    }
    return this.#post(message, this.#session, options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #post(message: RpcMessage, session: HttpSession, options: SendOptions): Promise<void> {
    const body = JSON.stringify(message);
    const headers: OutgoingHttpHeaders = {
      ...session.headers,
      ...options.headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const { signal } = options;
    const response = await this.#endpoint.exchange({ method: 'POST', headers, body, signal });
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      throw await this.#statusError(response, status, session, message);
    }
    if (!isRequest(message)) {
      response.resume(); // 202 without a body, or whatever a server puts there (HTTP-03)
      this.#onDelivered(session);
      return;
    }
    if (message.method === 'initialize') {
      this.#takeSessionId(response, session);
    }
    await (mediaTypeOf(response) === 'text/event-stream'
      ? this.#readStream(response, message.id, session, signal)
      : this.#readBody(response, message.id));
  }

  /** `notifications/initialized` is the first message after the handshake: now the server may be listened to. */
  #onDelivered(session: HttpSession): void {
    if (!this.#isPushDue || session !== this.#session) {
      return;
    }
    this.#isPushDue = false;
    const stream = new PushStream(this.#endpoint, session, {
      onData: (data) => this.#dispatchText(data, undefined),
      onOpen: () => this.#onDidOpenPushStream.fire(),
      onSessionLost: () => this.#loseSession(session),
      diagnose: (level, text) => this.#diagnose(level, text),
    });
    stream.run().catch((error: unknown) => {
      this.#diagnose('debug', `The server's push stream ended: ${toError(error).message}`);
    });
  }

  async #readStream(
    response: IncomingMessage,
    id: RequestId,
    session: HttpSession,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let isAnswered = false;
    const stream = new ReplyStream(this.#endpoint, session, {
      onData: (data) => {
        isAnswered = this.#dispatchText(data, id) || isAnswered;
        return isAnswered;
      },
      onSessionLost: () => this.#loseSession(session),
      diagnose: (level, text) => this.#diagnose(level, text),
    });
    await stream.run(response, signal);
  }

  async #readBody(response: IncomingMessage, id: RequestId): Promise<void> {
    const text = await readText(response, maxBodyChars);
    if (!this.#dispatchText(text, id)) {
      const type = mediaTypeOf(response);
      const kind =
        text === '' ? 'nothing' : `${type === '' ? 'something' : type} without the reply`;
      throw new McpError('protocol', `The server answered a request with ${kind}`);
    }
  }

  /** @returns whether the reply to `id` was among the messages. */
  #dispatchText(text: string, id: RequestId | undefined): boolean {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#diagnose('warn', `The server sent what is no JSON: ${text.slice(0, 200)}`);
      return false;
    }
    // Revision 2025-03-26 may answer with a batch (BASE-08).
    const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
    let isAnswered = false;
    for (const message of messages) {
      isAnswered = this.#dispatch(message, id) || isAnswered;
    }
    return isAnswered;
  }

  #dispatch(message: unknown, during: RequestId | undefined): boolean {
    if (!isRpcMessage(message)) {
      const problem = envelopeProblem(message) ?? '';
      this.#diagnose('warn', `The server sent what is no JSON-RPC message: ${problem}`);
      return false;
    }
    this.#onDidReceive.fire(during === undefined ? { message } : { message, during });
    // An error without an id belongs to the exchange that carried it (BASE-07).
    return !('method' in message) && (message.id ?? during) === during;
  }

  #takeSessionId(response: IncomingMessage, session: HttpSession): void {
    const id = response.headers['mcp-session-id'];
    if (typeof id === 'string' && !session.take(id)) {
      this.#diagnose('warn', 'The server gave a session id that is not visible ASCII: ignored');
    }
  }

  async #statusError(
    response: IncomingMessage,
    status: number,
    session: HttpSession,
    message: RpcMessage,
  ): Promise<McpError> {
    const body = await readExcerpt(response);
    const failure = rpcFailureOf(body);
    if (session.id !== undefined && isSessionLoss(status, failure)) {
      this.#loseSession(session);
      return new HttpError('sessionExpired', status, 'The server no longer knows the session');
    }
    if (status === 401) {
      const text = `${this.#endpoint.url.origin} asks for authorization (HTTP 401)`;
      return new HttpError('unauthorized', status, text, excerptOf(body));
    }
    if (failure !== undefined && (failure.id ?? idOf(message)) === idOf(message)) {
      const { code, message: text, data } = failure.error;
      return new RpcError(code, text, data);
    }
    const name = response.statusMessage ?? '';
    const text = `${this.#endpoint.url.origin} answered with HTTP ${status}${name === '' ? '' : ` ${name}`}`;
    return new HttpError('http', status, text, excerptOf(body));
  }

  /** Once a session: messages that were under way with it all learn of the loss. */
  #loseSession(session: HttpSession): void {
    if (session === this.#session && !session.isLost) {
      session.lose();
      this.#onDidLoseSession.fire();
    }
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#lifetime.abort();
    session.end();
    if (session.id !== undefined && !session.isLost) {
      await this.#deleteSession(session);
    }
    this.#endpoint.close();
    this.#onDidClose.fire({ kind: 'requested' });
    this.#onDidReceive.dispose();
  }

  /** Whatever the server says to it, also 405, is fine: it was told (HTTP-23). */
  async #deleteSession(session: HttpSession): Promise<void> {
    const signal = AbortSignal.timeout(deleteLimitMs);
    try {
      const { headers } = session;
      const response = await raceSignal(
        this.#endpoint.exchange({ method: 'DELETE', headers, signal }),
        signal,
      );
      response.resume();
    } catch (error) {
      this.#diagnose('debug', `The session could not be deleted: ${toError(error).message}`);
    }
  }

  #diagnose(level: Diagnostic['level'], text: string): void {
    this.#onDidDiagnose.fire({ level, source: 'transport', text });
  }
}

function isRpcMessage(value: unknown): value is RpcMessage {
  return envelopeProblem(value) === undefined;
}

function idOf(message: RpcMessage): RequestId | null | undefined {
  return 'id' in message ? message.id : undefined;
}

function rpcFailureOf(body: string): Extract<RpcMessage, { readonly error: unknown }> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isRpcMessage(value) && 'error' in value ? value : undefined;
  } catch {
    return undefined; // a page in HTML, most often
  }
}

/**
 * 404 says so (HTTP-22). Servers built after the official examples say it with 400 and an error of
 * the transport itself: -32000 and no request id, since they have not looked at the message.
 */
function isSessionLoss(status: number, failure: ReturnType<typeof rpcFailureOf>): boolean {
  const isTransportError =
    failure !== undefined && (failure.id ?? null) === null && failure.error.code === -32000;
  return status === 404 || (status === 400 && isTransportError);
}
