/** A TCP proxy on loopback that lets everything through until it is told of a fault. */
import { once } from 'node:events';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { badAnswer } from './badAnswers.ts';
import { FaultyBytes } from './faultyBytes.ts';
import { type Fault, isStreamFault, isTlsFault } from './kinds.ts';

export class FaultyLink {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #fault: Fault | undefined;
  #badAnswers = 0;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (client) => this.#join(client));
  }

  /** @param target the port on 127.0.0.1 that is spoken to */
  static async open(target: number): Promise<FaultyLink> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyLink(server, target);
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Requests that were answered with the fault. */
  get badAnswers(): number {
    return this.#badAnswers;
  }

  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Takes effect at once, on connections that are there as well. */
  set fault(fault: Fault | undefined) {
    this.#fault = fault;
    if (fault === 'reset' || fault === 'refuse') {
      this.#sockets.forEach((socket) => socket.resetAndDestroy());
    } else if (fault === 'close') {
      this.#sockets.forEach((socket) => socket.destroy());
    }
  }

  async close(): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const fault = this.#fault;
    if (fault === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.#target, '127.0.0.1');
    const back = new FaultyBytes(
      (bytes) => client.writable && client.write(bytes),
      () => client.destroy(),
      () => client.writable,
    );
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined); // what breaks is the point
      socket.on('close', () => this.#sockets.delete(socket));
    }
    client.on('data', (bytes) => this.#forth(client, server, bytes));
    server.on('data', (bytes) => {
      const now = this.#fault;
      back.take(now !== undefined && isStreamFault(now) ? now : undefined, bytes);
    });
    const isApart = (): boolean => this.#fault === 'halfOpen' || this.#fault === 'drop';
    client.on('end', () => isApart() || server.end());
    server.on('end', () => isApart() || client.end());
    client.on('close', () => server.destroy());
    server.on('close', () => isApart() || client.end());
  }

  #forth(client: Socket, server: Socket, bytes: Buffer): void {
    const fault = this.#fault;
    if (fault === 'reset') {
      client.resetAndDestroy();
    } else if (fault === 'close') {
      client.destroy();
    } else if (fault === undefined || isStreamFault(fault)) {
      if (fault !== 'halfOpen' && server.writable) {
        server.write(bytes);
      }
    } else if (!isTlsFault(fault)) {
      this.#badAnswers += 1;
      badAnswer(fault, client);
    }
  }
}
