/**
 * The HTTP+SSE transport of revision 2024-11-05, deprecated since 2025-03-26: one event stream carries
 * every server message, and names the URL that messages are POSTed to.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 *
 * The stream is the session (SSE-05): when it ends, the session ends, and nothing is resumed.
 * httpExchange.ts makes the requests, sseStream.ts reads the events. The rest of this transport is in this
 * file.
 */
import { t } from '../../../base/l10n.ts';
import type { IncomingMessage } from 'node:http';
import { after, linkedController, onAbort, toError } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { McpError, abortedError } from '../../errors.ts';
import {
  isRequest,
  type RequestId,
  type RpcMessage,
  type RpcReplyBatch,
} from '../../types/message.ts';
import { ChannelBase } from '../channel.ts';
import { isSuccess, mediaTypeOf, readStart } from './httpBody.ts';
import { refusalError, toRefusal } from './httpErrors.ts';
import { putOffText } from './httpRetryAfter.ts';
import { HttpEndpoint, type HttpTransportOptions, takenInTime } from './httpExchange.ts';
import { defaultHttpLimits, type HttpLimits } from '../limits.ts';
import { readSettings } from './httpSettings.ts';
import { readMessages } from '../messageText.ts';
import { readEvents, StreamPosition } from './sseStream.ts';
import type { CloseReason, SendOptions, Transport } from '../transport.ts';

export class SseTransport extends ChannelBase implements Transport {
  readonly #options: HttpTransportOptions;
  readonly #limits: HttpLimits;
  readonly #stream: HttpEndpoint;
  #headers: Readonly<Record<string, string>>;
  /** Where messages are POSTed, once the server has said so. */
  #inbox: HttpEndpoint | undefined;
  /** Requests without an HTTP response so far: what to do once their reply has come. */
  readonly #untaken = new Map<RequestId, () => void>();
  #isClosed = false;

  /** @throws McpError `invalidConfig` for a URL that is not plain http(s), or a header that HTTP does not allow. */
  constructor(options: HttpTransportOptions) {
    super();
    this.#options = options;
    this.#limits = { ...defaultHttpLimits, ...options.limits };
    this.#stream = this.#endpointAt(options.url);
    this.#headers = readSettings(options.headers);
  }

  /** Resolves when the server has named its endpoint: nothing may be sent earlier (SSE-01). */
  async start(signal: AbortSignal): Promise<void> {
    const opening = linkedController(signal);
    try {
      const headers = { ...this.#headers, accept: 'text/event-stream' };
      const request = { method: 'GET', headers, signal: opening.controller.signal } as const;
      const response = await this.#stream.exchange(request);
      await this.#checkType(response);
      await this.#listen(response);
    } catch (cause) {
      const error = signal.aborted ? abortedError(signal, 'Connecting') : toError(cause);
      this.#close({ kind: 'failed', error });
      throw error;
    } finally {
      // From now on the caller's signal has no effect.
      opening.dispose();
    }
  }

  override sessionReady(agreed: Parameters<Transport['sessionReady']>[0]): void {
    // Some servers speak revisions that have this header over this transport (HTTP-24).
    if (agreed.sendsVersionHeader) {
      this.#headers = { ...this.#headers, 'mcp-protocol-version': agreed.revision };
    }
  }

  send(message: RpcMessage | RpcReplyBatch, options: SendOptions = {}): Promise<void> {
    const body = JSON.stringify(message);
    const inbox = this.#inbox;
    if (inbox === undefined || this.#isClosed) {
      return Promise.reject(new McpError('closed', t('The connection is closed')));
    }
    // A message without a reply must be accepted in time; a request has its caller's limits.
    return isRequest(message)
      ? this.#request(inbox, message.id, body, options)
      : takenInTime(message, this.#limits.messageMs, async (signal) => {
          const rest = await this.#post(inbox, body, options, signal);
          if (!('method' in message)) {
            await rest.read(); // the peer counts replies that still hold a connection
          }
        });
  }

  async close(): Promise<void> {
    this.#close({ kind: 'requested' });
  }

  /** A server may reply over the stream only: then no connection is kept open for it. */
  async #request(
    inbox: HttpEndpoint,
    id: RequestId,
    body: string,
    options: SendOptions,
  ): Promise<void> {
    const posting = new AbortController();
    const abandonment = options.signal && onAbort(options.signal, () => posting.abort());
    let limit: Disposable | undefined;
    this.#untaken.set(id, () => {
      limit ??= after(this.#limits.lingerMs, () => posting.abort());
    });
    try {
      await this.#post(inbox, body, options, posting.signal);
    } catch (error) {
      // If the reply has come, the request was delivered, whatever happened to its POST.
      if (limit === undefined) {
        throw error;
      }
    } finally {
      this.#untaken.delete(id);
      limit?.dispose();
      abandonment?.dispose();
    }
  }

  /** @returns the beginning of the response body */
  async #post(
    inbox: HttpEndpoint,
    body: string,
    { headers: extra }: SendOptions,
    signal: AbortSignal | undefined,
  ): Promise<{ read(): Promise<string> }> {
    const headers = {
      ...this.#headers,
      ...(extra === undefined ? undefined : readSettings(extra)),
      'content-type': 'application/json',
    };
    const onWait = (ms: number): void => this.note('info', putOffText(ms));
    const response = await inbox.exchange({ method: 'POST', headers, body, signal, onWait });
    // Whatever the body holds, it is not the reply (SSE-04).
    const text = readStart(response, this.#limits.lingerMs);
    if (!isSuccess(response)) {
      throw refusalError(inbox.place, toRefusal(response, await text), this.#headers);
    }
    return { read: () => text };
  }

  /** @throws McpError unless the response is an event stream. */
  async #checkType(response: IncomingMessage): Promise<void> {
    const type = mediaTypeOf(response);
    if (response.statusCode === 200 && type === 'text/event-stream') {
      return;
    }
    const refusal = toRefusal(response, await readStart(response, this.#limits.lingerMs));
    if (!isSuccess(response)) {
      throw refusalError(this.#stream.place, refusal, this.#headers);
    }
    throw new McpError(
      'protocol',
      t(
        '{0} answered with {1} (HTTP {2}) instead of an event stream: is there an MCP server that speaks HTTP+SSE?',
        this.#stream.place.origin,
        type || t('nothing'),
        refusal.status,
      ),
    );
  }

  /** Resolves at the `endpoint` event. Keeps reading until the stream ends. */
  #listen(response: IncomingMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      readEvents(response, new StreamPosition(), this.#limits, {
        onData: (data) => this.#receive(data),
        onEnd: (error) => {
          const text = t('The server ended its event stream before it named an endpoint');
          reject(new McpError('closed', text, { cause: error }));
          this.#close(
            error === undefined
              ? { kind: 'ended', detail: t('closed its event stream') }
              : { kind: 'failed', error: brokenOff(error) },
          );
        },
        onOther: (event, data) => {
          if (event === 'endpoint') {
            try {
              this.#takeEndpoint(data);
              resolve();
            } catch (error) {
              reject(toError(error));
            }
          }
        },
      });
    });
  }

  /** @throws McpError `protocol` for an invalid URL, or one with another origin (SSE-03). */
  #takeEndpoint(data: string): void {
    const { url } = this.#options;
    const target = URL.parse(data.trim(), url.href);
    if (target === null) {
      throw new McpError('protocol', t('The server named an endpoint that is not a URL'));
    }
    if (target.origin !== url.origin) {
      throw new McpError(
        'protocol',
        t(
          '{0} wants messages to be sent to another origin, {1}: refused, since they may hold secrets',
          this.#stream.place.origin,
          target.origin,
        ),
      );
    }
    if (this.#inbox === undefined) {
      this.#inbox = this.#endpointAt(target);
    } else if (this.#inbox.url.href !== target.href) {
      // Its messages belong to the session of the first endpoint.
      this.note('warn', 'The server named a second endpoint: ignored');
    }
  }

  #receive(data: string): void {
    readMessages(data, {
      message: (message, batch) => {
        if (!('method' in message)) {
          this.#untaken.get(message.id ?? '')?.();
        }
        this.deliver(message, batch);
      },
      problem: (text) => this.note('warn', text),
      memory: this.#limits.memory,
    });
  }

  #close(reason: CloseReason): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    this.#stream.close();
    this.#inbox?.close();
    this.tellClose(reason);
  }

  #endpointAt(url: URL): HttpEndpoint {
    return new HttpEndpoint(url, this.#limits.lingerMs, this.#options);
  }
}

function brokenOff(cause: Error): McpError {
  return new McpError('closed', t('the event stream broke off ({0})', cause.message), { cause });
}
