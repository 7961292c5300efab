/** A listener on loopback in front of a port there, with every socket of its connections. What goes through is another's. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen, portOf } from '../support/listening.ts';

export class TcpFront {
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #target: number;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
  }

  /** @param target the port on 127.0.0.1 that is spoken to */
  static async open(
    target: number,
    options: { readonly allowHalfOpen?: boolean } = {},
  ): Promise<TcpFront> {
    const server = createServer(options);
    await listen(server);
    return new TcpFront(server, target);
  }

  get port(): number {
    return portOf(this.#server);
  }

  onConnection(join: (client: Socket) => void): void {
    this.#server.on('connection', join);
  }

  /** Another connection to what is behind. */
  connect(): Socket {
    return this.keep(connect(this.#target, '127.0.0.1'));
  }

  keep<S extends Socket>(socket: S): S {
    this.sockets.add(socket);
    socket.on('error', () => undefined); // what breaks is the point
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }

  async close(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    this.#server.close();
    await once(this.#server, 'close');
  }
}
