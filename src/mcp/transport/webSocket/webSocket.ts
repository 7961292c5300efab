/**
 * The WebSocket transport: one JSON-RPC message per text frame. No revision defines it. It follows existing
 * servers (subprotocol `mcp`) and the rules for custom transports:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#custom-transports
 *
 * The socket is the session: when it closes, the connection above opens a new one with a new handshake. The
 * package ws handles frames; it is loaded with the first such server.
 */
import { t } from '../../../base/l10n.ts';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { onAbort, settlesWithin, toError } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { McpError, abortedError } from '../../errors.ts';
import type { AuthorizationHeaders } from '../../httpAuthorizer.ts';
import type { RpcMessage, RpcReplyBatch } from '../../types/message.ts';
import { readStart } from '../http/httpBody.ts';
import { networkError, refusalError, toRefusal } from '../http/httpErrors.ts';
import type { HttpTransportOptions } from '../http/httpExchange.ts';
import { checkUrl, readSettings } from '../http/httpSettings.ts';
import { SignedInAttempts } from '../http/httpSignedIn.ts';
import { ChannelBase } from '../channel.ts';
import { type MessageSink, readMessages } from '../messageText.ts';
import { defaultWebSocketLimits, maxFragments, sizeText, type WebSocketLimits } from '../limits.ts';
import type { CloseReason, Transport } from '../transport.ts';
import { startHeartbeat, toCloseReason } from './webSocketEnd.ts';
import { openingOptions, showOpening } from './webSocketOpening.ts';

/** Those of HTTP are for the opening request. */
export interface WebSocketOptions extends Omit<HttpTransportOptions, 'socketPath' | 'limits'> {
  /** Override the default limits. */
  readonly limits?: Partial<WebSocketLimits>;
}

/** A response to an opening handshake that is not the connection. */
interface RefusedOpening {
  readonly error: McpError;
  readonly response: IncomingMessage;
}

const subprotocol = 'mcp';
const ownHeader = /^(?:connection|upgrade|sec-websocket-.*)$/u;
/** Milliseconds for the body of a response that refuses the upgrade. */
const refusalMs = 1_000;

export class WebSocketTransport extends ChannelBase implements Transport {
  readonly #options: WebSocketOptions;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #limits: WebSocketLimits;
  readonly #sink: MessageSink;
  #state: 'idle' | 'open' | 'closed' = 'idle';
  #socket: WebSocket | undefined;
  #heartbeat: Disposable | undefined;
  #gone: Promise<void> = Promise.resolve();
  #hasSpoken = false;

  /** @throws McpError `invalidConfig` for a URL that is not plain ws(s), or a header that HTTP does not allow. */
  constructor(options: WebSocketOptions) {
    super();
    this.#options = options;
    checkUrl(options.url, 'ws');
    this.#url = new URL(options.url);
    this.#url.hash = ''; // RFC 6455 section 3: a WebSocket URL has no fragment
    const settings = Object.entries(readSettings(options.headers));
    this.#headers = Object.fromEntries(settings.filter(([name]) => !ownHeader.test(name)));
    this.#limits = { ...defaultWebSocketLimits, ...options.limits };
    this.#sink = {
      message: (message, batch) => this.deliver(message, batch),
      problem: (text) => this.note('warn', text),
      memory: this.#limits.memory,
    };
  }

  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      throw abortedError(signal, 'Connecting');
    }
    // A client must accept that the server selects no subprotocol (RFC 6455 section 4.1), and servers whose
    // library has none select none. The package ws treats that as an error.
    const url = new URL(this.#url.href.replace(/^ws/u, 'http'));
    const attempts = new SignedInAttempts(
      this.#options.authorizer,
      { method: 'GET' },
      () => signal,
    );
    for (;;) {
      const headers = (await attempts.headersFor(url)) ?? {};
      let opened = await this.#open([subprotocol], headers, signal);
      if (opened === 'noSubprotocol') {
        this.note('debug', `The server does not choose the subprotocol "${subprotocol}"`);
        opened = await this.#open([], headers, signal);
      }
      if (typeof opened !== 'object') {
        return;
      }
      if (!(await attempts.mends(opened.response))) {
        throw opened.error;
      }
    }
  }

  send(message: RpcMessage | RpcReplyBatch): Promise<void> | undefined {
    const socket = this.#socket;
    if (this.#state !== 'open' || socket === undefined) {
      return Promise.reject(new McpError('closed', t('The connection is closed')));
    }
    const text = JSON.stringify(message);
    const unsent = socket.bufferedAmount;
    if (unsent > 0 && unsent + text.length > this.#limits.maxUnsentBytes) {
      const error = new McpError(
        'closed',
        t('The server does not read its messages: {0} bytes are waiting for it', unsent),
      );
      this.#end({ kind: 'failed', error }, () => socket.terminate());
      return Promise.reject(error);
    }
    socket.send(text);
    return undefined;
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#end({ kind: 'requested' }, () => socket?.close(1000));
    await this.#gone;
  }

  async #open(
    subprotocols: readonly string[],
    headers: AuthorizationHeaders,
    signal: AbortSignal,
  ): Promise<'open' | 'noSubprotocol' | RefusedOpening> {
    const ws = await import('ws');
    const way = await openingOptions(this.#options.route, this.#url, signal).catch(
      (error: unknown) => {
        throw signal.aborted
          ? abortedError(signal, 'Connecting')
          : this.#toStartError(toError(error));
      },
    );
    if (this.#state === 'closed' || signal.aborted) {
      way.abandon();
      throw signal.aborted
        ? abortedError(signal, 'Connecting')
        : new McpError('closed', t('The connection is closed'));
    }
    const sent = { ...this.#headers, ...headers, ...way.headers };
    let socket: WebSocket;
    try {
      socket = new ws.WebSocket(way.url, [...subprotocols], {
        ...way.options,
        headers: sent,
        maxPayload: this.#limits.maxMessageBytes,
        maxFragments,
        // Most servers are near and most messages small: compression would waste memory and time.
        perMessageDeflate: false,
      });
    } catch (error) {
      way.abandon(); // a header that HTTP does not allow
      throw this.#toStartError(toError(error));
    }
    this.#socket = socket;
    showOpening(socket, this.#options.tap, this.#url, sent);
    this.#gone = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
    const abortion = onAbort(signal, () => socket.terminate());
    const opened = new Promise<'open' | 'noSubprotocol' | RefusedOpening>((resolve, reject) => {
      let isUpgraded = false;
      let hasChosen = true;
      let connection: Socket | undefined;
      socket.on('upgrade', (response) => {
        isUpgraded = true;
        connection = response.socket;
        hasChosen = response.headers['sec-websocket-protocol'] !== undefined;
      });
      socket.once('open', () => {
        if (this.#state === 'idle') {
          this.#state = 'open';
          const bytesRead = (): number => connection?.bytesRead ?? 0;
          const onSilence = (): void => this.#onSilence(socket);
          this.#heartbeat = startHeartbeat(socket, bytesRead, this.#limits, onSilence);
          this.#countUnread(socket, connection);
          resolve('open');
        }
      });
      socket.on('message', (data, isBinary) => {
        // ws passes only Buffers by default.
        if (Buffer.isBuffer(data)) {
          this.#receive(data, isBinary);
        }
      });
      socket.once('unexpected-response', (request, response) => {
        this.#refusal(request, response).then((error) => resolve({ error, response }), reject);
      });
      socket.on('error', (error) => {
        if (this.#state === 'open') {
          this.#onBroken(error);
        } else if (isUpgraded && !hasChosen && subprotocols.length > 0) {
          resolve('noSubprotocol');
        } else {
          reject(signal.aborted ? abortedError(signal, 'Connecting') : this.#toStartError(error));
        }
      });
      socket.once('close', (code, words) => {
        reject(new McpError('closed', t('The connection was closed before it was open')));
        if (this.#socket === socket && this.#state === 'open') {
          this.#end(toCloseReason(code, words.toString('utf8')), () => undefined);
        }
      });
    });
    return opened.finally(() => abortion.dispose());
  }

  /** Counts the received bytes of an incomplete message, which the package ws keeps without reporting them. */
  #countUnread(socket: WebSocket, connection: Socket | undefined): void {
    const { memory } = this.#limits;
    const held = memory?.hold();
    let unread = 0;
    connection?.on('data', (chunk: Buffer) => {
      unread += chunk.length;
      if (held?.set(unread) === false) {
        const error = new McpError('closed', `a message ${memory?.refusal}`); // it cannot be skipped
        this.#end({ kind: 'failed', error }, () => socket.terminate());
      }
    });
    const onRead = (): void => {
      unread = 0;
      held?.set(0);
    };
    // Runs before the other `message` listeners: the message is counted again where it goes.
    socket.prependListener('message', onRead);
    socket.on('close', onRead);
  }

  async #refusal(request: ClientRequest, response: IncomingMessage): Promise<McpError> {
    const body = await readStart(response, refusalMs);
    request.destroy();
    return refusalError(this.#url, toRefusal(response, body), this.#headers);
  }

  #toStartError(error: Error): McpError {
    const failure = networkError(this.#url, error, false);
    // Cut during the opening handshake: no message was under way, so no outcome is in doubt.
    return failure.code === 'closed'
      ? new McpError(
          'unreachable',
          t(
            '{0} cannot be reached: {1}',
            this.#url.origin,
            t('it cut the connection instead of opening a WebSocket'),
          ),
          { cause: error },
        )
      : failure;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#state === 'closed') {
      return;
    }
    if (isBinary) {
      this.#onBinary(data.length);
      return;
    }
    this.#hasSpoken = true;
    readMessages(data.toString('utf8'), this.#sink);
  }

  /** A single binary frame is only skipped; a server whose first frame is binary speaks something else. */
  #onBinary(bytes: number): void {
    if (this.#hasSpoken) {
      this.note('warn', `Skipped a binary frame of ${bytes} bytes: MCP messages are text frames`);
      return;
    }
    const text = t('the server sends binary frames: MCP messages are text frames');
    this.#end({ kind: 'failed', error: new McpError('protocol', text) }, () =>
      this.#socket?.close(1003, 'MCP messages are text frames'),
    );
  }

  /** ws has begun to close the socket, with the matching code. */
  #onBroken(error: Error): void {
    const { maxMessageBytes, limitHint } = this.#limits;
    const isTooLarge = 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    const text = isTooLarge
      ? `the server sent a message larger than ${sizeText(maxMessageBytes, limitHint)}`
      : error.message;
    const failure = new McpError('closed', text, { cause: error });
    this.#end({ kind: 'failed', error: failure }, () => undefined);
  }

  #onSilence(socket: WebSocket): void {
    const seconds = this.#limits.pongMs / 1000;
    const error = new McpError(
      'closed',
      t('the server did not answer a ping within {0} s: it hangs, or the network is gone', seconds),
    );
    this.#end({ kind: 'failed', error }, () => socket.terminate());
  }

  /** The first reason counts. `leave` starts to close the socket, which gets a little time for it. */
  #end(reason: CloseReason, leave: () => void): void {
    if (this.#state === 'closed') {
      return;
    }
    this.#state = 'closed';
    this.#heartbeat?.dispose();
    leave();
    const gone = this.#gone;
    this.#gone = settlesWithin(gone, this.#limits.closeMs).then((isInTime) => {
      if (!isInTime) {
        this.#socket?.terminate();
      }
      return gone;
    });
    this.tellClose(reason);
  }
}
