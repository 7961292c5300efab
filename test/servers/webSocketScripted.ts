/** A WebSocket server of this process on 127.0.0.1 that does what a test says, and keeps a record of what it got. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { listen, portOf } from '../support/listening.ts';

export interface WebSocketScript {
  /** Calls with each connection. By default nothing. */
  readonly onConnection?: (socket: WebSocket) => unknown;
  /** Calls with each text frame. By default: a request is answered with `{"ok": true}`. */
  readonly onText?: (text: string, socket: WebSocket) => unknown;
  /** Instead of the upgrade. */
  readonly onUpgrade?: (socket: Duplex, request: IncomingMessage) => unknown;
  readonly options?: ServerOptions;
}

export class WebSocketScripted {
  readonly #http: Server = createServer((_request, response) => {
    response.writeHead(426).end('Upgrade Required');
  });
  readonly #server: WebSocketServer;
  readonly received: string[] = [];
  readonly handshakes: IncomingMessage[] = [];
  readonly closes: number[] = [];
  readonly sockets: WebSocket[] = [];
  readonly #connections = new Set<Duplex>();

  constructor({ onConnection, onText = answer, onUpgrade, options }: WebSocketScript = {}) {
    this.#server = new WebSocketServer({ noServer: true, ...options });
    this.#http.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.on('close', () => this.#connections.delete(socket));
    });
    this.#http.on('upgrade', (request, socket: Duplex, rest: Buffer) => {
      socket.on('error', () => undefined);
      this.handshakes.push(request);
      if (onUpgrade !== undefined) {
        onUpgrade(socket, request);
        return;
      }
      this.#server.handleUpgrade(request, socket, rest, (client) => {
        this.sockets.push(client);
        client.on('error', () => undefined);
        client.on('close', (code) => this.closes.push(code));
        client.on('message', (data) => {
          const text = Buffer.isBuffer(data) ? data.toString() : '';
          this.received.push(text);
          onText(text, client);
        });
        onConnection?.(client);
      });
    });
  }

  async start(port = 0): Promise<this> {
    await listen(this.#http, '127.0.0.1', port);
    return this;
  }

  get port(): number {
    return portOf(this.#http);
  }

  get url(): URL {
    return new URL(`ws://127.0.0.1:${this.port}/mcp`);
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#connections.size;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#http.close(resolve);
    });
    // Also those that were upgraded, which the server of Node lets go of.
    for (const socket of this.#connections) {
      socket.destroy();
    }
    await closed;
  }
}

function answer(text: string, socket: WebSocket): void {
  const { id }: { id?: number } = JSON.parse(text);
  if (id !== undefined) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { ok: true } }));
  }
}
