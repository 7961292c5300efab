/** What the HTTP transports share about POSTing a message. */
import type { IncomingMessage } from 'node:http';
import { after } from '../../../base/async.ts';
import { truncated } from '../../../base/text.ts';
import { HttpError, McpError, abortedError } from '../../errors.ts';
import {
  isRequest,
  type RpcMessage,
  type RpcReplyBatch,
  type RpcRequest,
} from '../../types/message.ts';
import { ChannelBase } from '../channel.ts';
import { defaultHttpLimits, type HttpLimits } from '../limits.ts';
import type { SendOptions } from '../transport.ts';
import { mediaTypeOf } from './httpBody.ts';
import { HttpEndpoint, type HttpTransportOptions } from './httpExchange.ts';
import { putOffText } from './httpRetryAfter.ts';
import { readSettings } from './httpSettings.ts';

/** A channel on which each message is a POST, with its reply in the response. There is nothing to open. */
export abstract class PostingChannel extends ChannelBase {
  protected readonly limits: HttpLimits;
  protected readonly endpoint: HttpEndpoint;
  protected readonly settings: Readonly<Record<string, string>>;
  #closing: Promise<void> | undefined;

  /** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
  constructor({ url, headers, limits, ...options }: HttpTransportOptions) {
    super();
    this.limits = { ...defaultHttpLimits, ...limits };
    this.endpoint = new HttpEndpoint(url, this.limits.lingerMs, options);
    this.settings = readSettings(headers);
  }

  protected abstract request(
    message: RpcRequest,
    body: string,
    options: SendOptions,
  ): Promise<void>;
  /** Sends a message without a reply. */
  protected abstract tell(
    message: RpcMessage | RpcReplyBatch,
    body: string,
    options: SendOptions,
  ): Promise<void>;
  /** Runs before the endpoint closes. */
  protected async end(): Promise<void> {}

  protected get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      throw abortedError(signal, 'Connecting');
    }
  }

  send(message: RpcMessage | RpcReplyBatch, options: SendOptions = {}): Promise<void> {
    if (this.isClosing) {
      return Promise.reject(new McpError('closed', 'The connection is closed'));
    }
    const body = JSON.stringify(message);
    return isRequest(message)
      ? this.request(message, body, options)
      : this.tell(message, body, options);
  }

  close(): Promise<void> {
    // Asynchronous, because a listener of the close may call this again.
    this.#closing ??= Promise.resolve().then(() => this.#close());
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.end();
    this.endpoint.close();
    this.tellClose({ kind: 'requested' });
  }

  protected readonly onWait = (ms: number): void => this.note('info', putOffText(ms));
}

/**
 * Limits the time of a message without a reply, because no caller waits for it with a limit of its own.
 * @throws McpError `timeout` after `limitMs`; otherwise the error of `post`
 */
export async function takenInTime(
  message: RpcMessage | RpcReplyBatch,
  limitMs: number,
  post: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const tooLate = new AbortController();
  const limit = after(limitMs, () => tooLate.abort());
  try {
    await post(tooLate.signal);
  } catch (error) {
    if (tooLate.signal.aborted) {
      const what = 'method' in message ? `"${message.method}"` : 'a reply';
      throw new McpError('timeout', `The server did not accept ${what} within ${limitMs / 1000} s`);
    }
    throw error;
  } finally {
    limit.dispose();
  }
}

/** Characters of the response that the error quotes. */
const excerptChars = 2_000;
/** Characters searched for what must not be quoted. */
const redactedChars = 4_000;

/**
 * The error for a successful response without the reply to its request.
 * @param redact removes from the beginning of the body what must not be quoted
 */
export function noReplyError(
  response: IncomingMessage,
  method: string,
  body: string,
  origin: string,
  redact: (start: string) => string = (start) => start,
): McpError {
  const type = mediaTypeOf(response);
  const what = body === '' ? 'nothing' : type === '' ? 'something else' : type;
  const { statusCode: status = 0 } = response;
  const start = truncated(redact(truncated(body, redactedChars)), excerptChars);
  return new McpError(
    'protocol',
    `The server answered "${method}" with ${what} (HTTP ${status}) that contains no reply: is there an MCP server at ${origin}?`,
    { cause: new HttpError('http', status, `HTTP ${status}`, start) },
  );
}
