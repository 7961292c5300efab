/**
 * The Streamable HTTP transport of revision 2026-07-28: every message is a POST of its own with a reply of
 * its own, as JSON or as an event stream, and closing that stream cancels the request. There are no
 * sessions, no other streams and nothing to resume; a request whose stream breaks is lost.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 *
 * It sends the headers given with a message; httpHeaders.ts makes those that mirror the body.
 */
import type { IncomingMessage } from 'node:http';
import { refusalError, toRefusal } from './httpErrors.ts';
import { Emitter, noEvent } from '../../../base/event.ts';
import { McpError, abortedError } from '../../errors.ts';
import {
  isRequest,
  isResponse,
  type RequestId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
} from '../../types/message.ts';
import { isSuccess, mediaTypeOf, readStart, readText, unknownOutcome } from './httpBody.ts';
import { putOffText } from './httpRetryAfter.ts';
import { HttpEndpoint } from './httpExchange.ts';
import { defaultHttpLimits, type HttpLimits } from '../limits.ts';
import type { HttpTransportOptions } from './httpOptions.ts';
import { LingeringStreams } from './httpLinger.ts';
import { givenUp, noReplyError, takenInTime } from './httpPost.ts';
import { ofEveryPost, readSettings } from './httpSession.ts';
import { readMessages } from '../messageText.ts';
import { StreamPosition, readEvents } from './sseStream.ts';
import type {
  AbandonSignal,
  CloseReason,
  Diagnostic,
  Inbound,
  SendOptions,
  Transport,
} from '../transport.ts';

/** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
export function createModernHttpTransport(options: HttpTransportOptions): Transport {
  return new ModernHttpTransport(options);
}

class ModernHttpTransport implements Transport {
  readonly cancelsByClosing = true;
  readonly #onDidReceive = new Emitter<Inbound>();
  readonly #onDidClose = new Emitter<CloseReason>();
  readonly #onDidDiagnose = new Emitter<Diagnostic>();
  readonly onDidReceive = this.#onDidReceive.event;
  readonly onDidClose = this.#onDidClose.event;
  readonly onDidDiagnose = this.#onDidDiagnose.event;
  /** There is no session to lose, and no push stream other than the reply to a request. */
  readonly onDidLoseSession = noEvent;
  readonly onDidOpenPushStream = noEvent;
  readonly #limits: HttpLimits;
  readonly #endpoint: HttpEndpoint;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #lingering: LingeringStreams;
  #closing: Promise<void> | undefined;

  constructor({ url, headers, limits, ...options }: HttpTransportOptions) {
    this.#limits = { ...defaultHttpLimits, ...limits };
    this.#endpoint = new HttpEndpoint(url, this.#limits.lingerMs, options);
    this.#lingering = new LingeringStreams(this.#limits.lingerMs);
    this.#settings = withoutMirrors(readSettings(headers));
  }

  /** There is nothing to open. */
  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      throw abortedError(signal, 'Connecting');
    }
  }

  /** Each request is self-contained: there is nothing to forget and nothing to agree on. */
  beginSession(): void {}
  sessionReady(): void {}

  send(message: RpcMessage, options: SendOptions = {}): Promise<void> {
    if (this.#closing !== undefined) {
      return Promise.reject(new McpError('closed', 'The connection is closed'));
    }
    if (isResponse(message)) {
      return Promise.reject(
        new McpError('protocol', 'This revision has no replies to the server (BASE-04)'),
      );
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

  async #request(request: RpcRequest, body: string, options: SendOptions): Promise<void> {
    const { id, method } = request;
    const { signal } = options;
    const response = await this.#post(body, options, signal);
    try {
      if (mediaTypeOf(response) === 'text/event-stream') {
        await this.#readStream(response, request);
        return;
      }
      const text = await readText(response, this.#limits);
      if (!this.#receive(text, id)) {
        throw noReplyError(response, method, text, this.#endpoint.place.origin, this.#limits);
      }
    } catch (error) {
      throw signal?.aborted === true ? givenUp(error) : error;
    }
  }

  /** The core protocol sends no notifications here; extensions may (HTTP-16). */
  async #tell(message: RpcNotification, body: string, options: SendOptions): Promise<void> {
    const { messageMs, lingerMs } = this.#limits;
    await takenInTime(message, messageMs, async (signal) => {
      void readStart(await this.#post(body, options, signal), lingerMs);
    });
  }

  /** @throws the server's refusal: RpcError for a JSON-RPC error in the body (HTTP-09), otherwise HttpError. */
  #post(
    body: string,
    { headers: ofMessage }: SendOptions,
    signal: AbandonSignal | undefined,
  ): Promise<IncomingMessage> {
    // The probe for the era has a time limit of its own (era/modern.ts).
    const onWait = ofMessage?.['mcp-method'] === 'server/discover' ? undefined : this.#onWait;
    const headers = { ...this.#settings, ...ofMessage, ...ofEveryPost };
    const request = { method: 'POST', headers, body, signal, onWait } as const;
    return this.#endpoint
      .exchange(request)
      .then((response) => (isSuccess(response) ? response : this.#refuse(response)));
  }

  async #refuse(response: IncomingMessage): Promise<never> {
    const start = await readStart(response, this.#limits.lingerMs);
    throw refusalError(this.#endpoint.place, toRefusal(response, start));
  }

  /** Resolves when the reply has come; anything after it is ignored (HTTP-11). */
  #readStream(response: IncomingMessage, { id, method }: RpcRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      let lingerSlot: number | undefined;
      const onData = (data: string): void => {
        if (lingerSlot === undefined && this.#receive(data, id)) {
          lingerSlot = this.#lingering.add(response);
          resolve();
        }
      };
      const onEnd = (error: Error | undefined): void => {
        if (lingerSlot !== undefined) {
          this.#lingering.release(lingerSlot);
          return;
        }
        const how = error === undefined ? 'ended' : `broke off (${error.message})`;
        const text = `The server's answer to "${method}" ${how} before the reply; ${unknownOutcome}`;
        reject(new McpError('closed', text, { cause: error }));
      };
      const onSkipped = (text: string): void => this.#diagnose('warn', text);
      readEvents(response, new StreamPosition(), this.#limits, { onData, onEnd, onSkipped });
    });
  }

  /** @returns whether `text` is the reply to the request `during`. */
  #receive(text: string, during: RequestId): boolean {
    let isAnswered = false;
    readMessages(text, {
      message: (message, batch) => {
        if (batch === undefined) {
          isAnswered = this.#deliver(message, during);
        } else {
          this.#diagnose(
            'warn',
            'A message in an array, which this revision has not, was discarded',
          );
        }
      },
      problem: (problem) => this.#diagnose('warn', problem),
      memory: this.#limits.memory,
    });
    return isAnswered;
  }

  #deliver(message: RpcMessage, during: RequestId): boolean {
    // An error without an id belongs to the exchange that carried it (BASE-10).
    const answers = isResponse(message) ? (message.id ?? during) : undefined;
    if (answers !== undefined && answers !== during) {
      const whose = `${JSON.stringify(answers)} on the stream of ${JSON.stringify(during)}`;
      this.#diagnose('warn', `A reply to ${whose} was discarded`);
      return false;
    }
    this.#onDidReceive.fire({ message, during });
    return answers !== undefined;
  }

  #end(): void {
    this.#endpoint.close();
    this.#lingering.dispose();
    this.#onDidClose.fire({ kind: 'requested' });
    this.#onDidReceive.dispose();
  }

  readonly #onWait = (ms: number): void => this.#diagnose('info', putOffText(ms));

  #diagnose(level: Diagnostic['level'], text: string): void {
    this.#onDidDiagnose.fire({ level, source: 'transport', text });
  }
}

/** A setting must not supply a mirror header that the message does not have. */
function withoutMirrors(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !/^mcp-(?:method|name|param-.*)$/u.test(name)),
  );
}
