/**
 * TLS on 127.0.0.1 in front of a plain server, with a certificate that is trusted here until it is told of a fault.
 * The faults are those of the handshake: what comes later is the same as on a plain connection.
 */
import type { Socket } from 'node:net';
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  setDefaultCACertificates,
  TLSSocket,
} from 'node:tls';
import { Authority } from '../servers/authority.ts';
import { selfSigned } from '../servers/tlsFront.ts';
import type { TlsFault } from './kinds.ts';
import { TcpFront } from './tcpFront.ts';

type Secured = 'good' | Exclude<TlsFault, 'tls cut' | 'tls plain'>;

let contexts: Readonly<Record<Secured, SecureContext>> | undefined;

/** From then on this process trusts the authority that it makes. */
function makeContexts(): Readonly<Record<Secured, SecureContext>> {
  const authority = new Authority();
  const hosts = ['127.0.0.1'];
  setDefaultCACertificates([...getCACertificates('default'), authority.pem]);
  return {
    good: createSecureContext(authority.issue('server', { hosts })),
    'tls expired': createSecureContext(authority.issue('server', { hosts, isExpired: true })),
    'tls selfSigned': createSecureContext(selfSigned),
    'tls wrongHost': createSecureContext(authority.issue('other', { hosts: ['other.example'] })),
  };
}

export class FaultyTls {
  readonly #front: TcpFront;
  readonly #contexts: Readonly<Record<Secured, SecureContext>>;
  #fault: TlsFault | undefined;
  #failures = 0;

  private constructor(front: TcpFront) {
    this.#front = front;
    contexts ??= makeContexts();
    this.#contexts = contexts;
    front.onConnection((client) => this.#join(client));
  }

  /** @param target the port on 127.0.0.1 that is spoken to */
  static async open(target: number): Promise<FaultyTls> {
    return new FaultyTls(await TcpFront.open(target));
  }

  get port(): number {
    return this.#front.port;
  }

  /** Handshakes that met a fault. */
  get failures(): number {
    return this.#failures;
  }

  /** Takes effect at once: connections that are there are closed, so that each begins with a handshake. */
  set fault(fault: TlsFault | undefined) {
    this.#fault = fault;
    this.#front.sockets.forEach((socket) => socket.destroy());
  }

  close(): Promise<void> {
    return this.#front.close();
  }

  #join(client: Socket): void {
    const fault = this.#fault;
    this.#failures += fault === undefined ? 0 : 1;
    this.#front.keep(client);
    if (fault === 'tls cut') {
      client.once('data', () => client.destroy());
    } else if (fault === 'tls plain') {
      client.once('data', () =>
        client.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
      );
    } else {
      this.#secure(client, this.#contexts[fault ?? 'good']);
    }
  }

  #secure(client: Socket, secureContext: SecureContext): void {
    const secure = this.#front.keep(new TLSSocket(client, { isServer: true, secureContext }));
    const plain = this.#front.connect();
    secure.on('close', () => plain.destroy());
    plain.on('close', () => secure.destroy());
    secure.pipe(plain);
    plain.pipe(secure);
  }
}
