/**
 * An HTTP proxy of the tests on a loopback address: CONNECT, and requests in absolute form. Counts what goes through it,
 * and may ask who is there, or refuse. Names below .test and `keycloak` are 127.0.0.2 to it.
 */
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Issued } from './authority.ts';
import { withTls } from './tlsFront.ts';
import { listen, shut } from '../support/listening.ts';

export interface ProxyOptions {
  /** `name:password`, without which nothing goes through. */
  readonly credentials?: string;
  /** The scheme that it asks for where credentials are missing. */
  readonly scheme?: string;
  /** Answers every request with this status. */
  readonly refuses?: number;
  /** Takes connections and never answers. */
  readonly isSilent?: boolean;
}

export class ConnectProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  #port = 0;
  /** `CONNECT host:port`, or method and URL of a request in absolute form. */
  readonly seen: string[] = [];

  constructor(options: ProxyOptions = {}) {
    this.#options = options;
    this.#server = createServer((incoming, response) => {
      this.seen.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
      const status = this.#refusal(incoming);
      if (this.#options.isSilent === true) {
        return;
      }
      if (status !== undefined) {
        response.writeHead(status, this.#challenge(status)).end('no');
        return;
      }
      const { 'proxy-authorization': _ours, ...headers } = incoming.headers;
      const { method } = incoming;
      const outgoing = request(incoming.url ?? '', { method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    });
    this.#server.on('connection', (socket: Socket) => this.#hold(socket));
    this.#server.on('connect', (incoming: IncomingMessage, client: Duplex) => {
      this.seen.push(`CONNECT ${incoming.url ?? ''}`);
      this.#tunnel(incoming, client);
    });
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    this.#port = await listen(this.#server);
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await shut(this.#server);
  }

  /** Runs `use` with the URL at which it speaks TLS. */
  overTls(issued: Issued, use: (url: string) => Promise<void>): Promise<void> {
    return withTls(this.#port, (port) => use(`https://127.0.0.1:${port}`), issued);
  }

  #tunnel(incoming: IncomingMessage, client: Duplex): void {
    if (this.#options.isSilent === true) {
      return;
    }
    const status = this.#refusal(incoming);
    if (status !== undefined) {
      const challenge = Object.entries(this.#challenge(status))
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      client.end(`HTTP/1.1 ${status} No\r\n${challenge}content-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url ?? ''}`);
    const isNamed = hostname.endsWith('.test') || hostname === 'keycloak';
    const host = isNamed ? '127.0.0.2' : hostname.replaceAll(/^\[|\]$/gu, '');
    const server = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.pipe(client).pipe(server);
    });
    this.#hold(server);
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('error', () => server.destroy());
    client.on('close', () => server.destroy());
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #refusal({ headers }: IncomingMessage): number | undefined {
    const { credentials, refuses } = this.#options;
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    return expected !== undefined && headers['proxy-authorization'] !== expected ? 407 : refuses;
  }

  #challenge(status: number): Readonly<Record<string, string>> {
    const { scheme = 'Basic realm="test"' } = this.#options;
    return status === 407 ? { 'Proxy-Authenticate': scheme } : {};
  }
}

/** Runs `use` beside such a proxy. */
export async function withProxy(
  use: (proxy: ConnectProxy) => Promise<void>,
  options: ProxyOptions = {},
): Promise<void> {
  const proxy = await new ConnectProxy(options).start();
  try {
    await use(proxy);
  } finally {
    await proxy.close();
  }
}
