/**
 * An HTTP server of this process on 127.0.0.1 that does what a test says, and keeps a record of what
 * it was asked. {@link legacyServer} is an MCP server whose every answer can be replaced.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { listen, portOf, shut } from '../support/listening.ts';

export interface Received {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of the JSON body; undefined members for anything else. */
  readonly message: {
    readonly id?: string | number;
    readonly method?: string;
    readonly params?: Readonly<Record<string, unknown>>;
    readonly result?: unknown;
    readonly error?: { readonly code: number };
  };
}

/** One request, and the ways to answer it. */
export class Exchange {
  readonly received: Received;
  readonly response: ServerResponse;

  constructor(received: Received, response: ServerResponse) {
    this.received = received;
    this.response = response;
  }

  answer(status: number, body = '', headers: OutgoingHttpHeaders = {}): void {
    this.response.writeHead(status, headers).end(body);
  }

  json(value: unknown, headers: OutgoingHttpHeaders = {}, status = 200): void {
    this.answer(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
  }

  /** Opens an event stream; nothing is written yet. */
  stream(headers: OutgoingHttpHeaders = {}): this {
    this.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    this.response.flushHeaders();
    return this;
  }

  write(text: string | Buffer): this {
    this.response.write(text);
    return this;
  }

  event(value: unknown, id?: string): this {
    return this.write(eventOf(value, id));
  }

  end(): void {
    this.response.end();
  }

  /** Cuts the connection without an end. */
  cut(): void {
    this.response.socket?.resetAndDestroy();
  }

  resultOf(result: unknown): unknown {
    return { jsonrpc: '2.0', id: this.received.message.id, result };
  }

  errorOf(code: number, message: string, id: unknown = this.received.message.id): unknown {
    return { jsonrpc: '2.0', id, error: { code, message } };
  }
}

export type Handler = (exchange: Exchange) => unknown;

export function eventOf(value: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(value)}\n\n`;
}

export function notice(method: string, params: Readonly<Record<string, unknown>> = {}): unknown {
  return { jsonrpc: '2.0', method, params };
}

export class HttpScripted {
  readonly #server: Server;
  readonly received: Received[] = [];
  handler: Handler;
  /** Connections since the start. */
  accepted = 0;
  /** Connections that are open now. */
  open = 0;

  constructor(handler: Handler) {
    this.handler = handler;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const { method: verb = '', url: path = '', headers } = request;
        const body = Buffer.concat(chunks).toString();
        const received = { verb, path, headers, body, message: parse(body) };
        this.received.push(received);
        this.handler(new Exchange(received, response));
      });
    });
    this.#server.on('connection', (socket) => {
      this.accepted += 1;
      this.open += 1;
      socket.on('close', () => (this.open -= 1));
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  /** @param place a port, or the path of a Unix socket */
  async start(place: number | string = 0): Promise<this> {
    await listen(this.#server, '127.0.0.1', place);
    return this;
  }

  get port(): number {
    return portOf(this.#server);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  url(path = '/mcp'): URL {
    return new URL(path, this.origin);
  }

  /** What was asked with this verb, or for this method. */
  of(verbOrMethod: string): readonly Received[] {
    return this.received.filter(
      ({ verb, message }) => verb === verbOrMethod || message.method === verbOrMethod,
    );
  }

  closeIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  closeAllConnections(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    await shut(this.#server);
  }
}

function parse(text: string): Received['message'] {
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {};
}

/** Answers by method for POST, by verb for GET and DELETE. What is missing is answered as a plain server would. */
export type Script = Readonly<Record<string, Handler>>;

export interface ServerTraits {
  readonly revision?: string;
  readonly sessionId?: string;
  readonly capabilities?: object;
}

export function legacyServer(script: Script = {}, traits: ServerTraits = {}): HttpScripted {
  return new HttpScripted((exchange) => {
    const { verb, message } = exchange.received;
    const handler = script[verb === 'POST' ? (message.method ?? 'response') : verb];
    (handler ?? plainAnswer(traits))(exchange);
  });
}

export function plainAnswer(traits: ServerTraits = {}): Handler {
  return (exchange) => {
    const { verb, message } = exchange.received;
    if (verb !== 'POST') {
      exchange.answer(verb === 'DELETE' ? 200 : 405);
    } else if (message.method === undefined || message.id === undefined) {
      exchange.answer(202);
    } else if (message.method === 'initialize') {
      initialize(exchange, traits);
    } else {
      exchange.json(exchange.resultOf({ content: [{ type: 'text', text: 'ok' }] }));
    }
  };
}

export function initialize(exchange: Exchange, traits: ServerTraits = {}): void {
  const { revision = '2025-11-25', sessionId, capabilities = { tools: {} } } = traits;
  const result = {
    protocolVersion: revision,
    capabilities,
    serverInfo: { name: 'scripted', version: '1.0' },
  };
  const headers = sessionId === undefined ? {} : { 'mcp-session-id': sessionId };
  exchange.json(exchange.resultOf(result), headers);
}
