/** A TCP proxy on loopback that lets everything through until it is told of a fault. */
import type { Socket } from 'node:net';
import { badAnswer } from './badAnswers.ts';
import { FaultyBytes } from './faultyBytes.ts';
import { type Fault, isStreamFault, isTlsFault } from './kinds.ts';
import { TcpFront } from './tcpFront.ts';

export class FaultyLink {
  readonly #front: TcpFront;
  #fault: Fault | undefined;
  #badAnswers = 0;

  private constructor(front: TcpFront) {
    this.#front = front;
    front.onConnection((client) => this.#join(client));
  }

  /** @param target the port on 127.0.0.1 that is spoken to */
  static async open(target: number): Promise<FaultyLink> {
    return new FaultyLink(await TcpFront.open(target, { allowHalfOpen: true }));
  }

  get port(): number {
    return this.#front.port;
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
      this.#front.sockets.forEach((socket) => socket.resetAndDestroy());
    } else if (fault === 'close') {
      this.#front.sockets.forEach((socket) => socket.destroy());
    }
  }

  close(): Promise<void> {
    return this.#front.close();
  }

  #join(client: Socket): void {
    const fault = this.#fault;
    if (fault === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    this.#front.keep(client);
    const server = this.#front.connect();
    const back = new FaultyBytes(
      (bytes) => client.writable && client.write(bytes),
      () => client.destroy(),
      () => client.writable,
    );
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
