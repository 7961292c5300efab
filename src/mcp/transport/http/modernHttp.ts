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
import { McpError } from '../../errors.ts';
import {
  isResponse,
  type RequestId,
  type RpcMessage,
  type RpcReplyBatch,
  type RpcRequest,
} from '../../types/message.ts';
import {
  endWithin,
  isSuccess,
  mediaTypeOf,
  readStart,
  readText,
  unknownOutcome,
} from './httpBody.ts';
import { givenUp, type HttpTransportOptions } from './httpExchange.ts';
import { noReplyError, PostingChannel, takenInTime } from './httpPost.ts';
import { ofEveryPost } from './httpSession.ts';
import { readMessages } from '../messageText.ts';
import { StreamPosition, readEvents } from './sseStream.ts';
import type { AbandonSignal, SendOptions, Transport } from '../transport.ts';

/** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
export function createModernHttpTransport(options: HttpTransportOptions): Transport {
  return new ModernHttpTransport(options);
}

class ModernHttpTransport extends PostingChannel implements Transport {
  override readonly cancelsByClosing = true;
  readonly #sentSettings = withoutMirrors(this.settings);

  protected async request(request: RpcRequest, body: string, options: SendOptions): Promise<void> {
    const { id, method } = request;
    const { signal } = options;
    const response = await this.#post(body, options, signal);
    try {
      if (mediaTypeOf(response) === 'text/event-stream') {
        await this.#readStream(response, request);
        endWithin(response, this.limits.lingerMs);
        return;
      }
      const text = await readText(response, this.limits);
      if (!this.#receive(text, id)) {
        throw noReplyError(response, method, text, this.endpoint.place.origin);
      }
    } catch (error) {
      throw signal?.aborted === true ? givenUp(error) : error;
    }
  }

  /** The core protocol sends no notifications here; extensions may (HTTP-16). */
  protected async tell(
    message: RpcMessage | RpcReplyBatch,
    body: string,
    options: SendOptions,
  ): Promise<void> {
    if (!('method' in message)) {
      throw new McpError('protocol', 'This revision has no replies to the server (BASE-04)');
    }
    const { messageMs, lingerMs } = this.limits;
    await takenInTime(message, messageMs, async (signal) => {
      void readStart(await this.#post(body, options, signal), lingerMs);
    });
  }

  /** @throws the server's refusal: RpcError for a JSON-RPC error in the body (HTTP-09), otherwise HttpError. */
  async #post(
    body: string,
    { headers: ofMessage }: SendOptions,
    signal: AbandonSignal | undefined,
  ): Promise<IncomingMessage> {
    // The probe for the era has a time limit of its own (era/modern.ts).
    const onWait = ofMessage?.['mcp-method'] === 'server/discover' ? undefined : this.onWait;
    const headers = { ...this.#sentSettings, ...ofMessage, ...ofEveryPost };
    const request = { method: 'POST', headers, body, signal, onWait } as const;
    const response = await this.endpoint.exchange(request);
    if (!isSuccess(response)) {
      const start = await readStart(response, this.limits.lingerMs);
      throw refusalError(this.endpoint.place, toRefusal(response, start));
    }
    return response;
  }

  /** Resolves when the reply has come; anything after it is ignored (HTTP-11). */
  #readStream(response: IncomingMessage, { id, method }: RpcRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const onData = (data: string): void => {
        if (!isAnswered && this.#receive(data, id)) {
          isAnswered = true;
          resolve();
        }
      };
      const onEnd = (error: Error | undefined): void => {
        const how = error === undefined ? 'ended' : `broke off (${error.message})`;
        const text = `The server's answer to "${method}" ${how} before the reply; ${unknownOutcome}`;
        reject(new McpError('closed', text, { cause: error }));
      };
      readEvents(response, new StreamPosition(), this.limits, { onData, onEnd });
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
          this.note('warn', 'A message in an array, which this revision has not, was discarded');
        }
      },
      problem: (problem) => this.note('warn', problem),
      memory: this.limits.memory,
    });
    return isAnswered;
  }

  #deliver(message: RpcMessage, during: RequestId): boolean {
    // An error without an id belongs to the exchange that carried it (BASE-10).
    const answers = isResponse(message) ? (message.id ?? during) : undefined;
    if (answers !== undefined && answers !== during) {
      const whose = `${JSON.stringify(answers)} on the stream of ${JSON.stringify(during)}`;
      this.note('warn', `A reply to ${whose} was discarded`);
      return false;
    }
    this.received.fire({ message, during });
    return answers !== undefined;
  }
}

/** A setting must not supply a mirror header that the message does not have. */
function withoutMirrors(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !/^mcp-(?:method|name|param-.*)$/u.test(name)),
  );
}
