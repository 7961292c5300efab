/**
 * Who may talk to the bridge: the checks of the token, of `Host` and of `Origin`. Pure. They are needed because other
 * users of the machine and web pages (DNS rebinding) can reach a loopback port.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** 256 bits, in characters that are valid in a path and a header. */
export function randomWord(): string {
  return randomBytes(32).toString('base64url');
}

export class BearerToken {
  readonly #digest: Buffer;
  /** The value of `Authorization`. */
  readonly header: string;

  constructor(token: string = randomWord()) {
    this.header = `Bearer ${token}`;
    this.#digest = digestOf(token);
  }

  /** Compares in constant time. The scheme is case-insensitive (RFC 6750 section 2.1). */
  isIn(headers: IncomingHttpHeaders): boolean {
    const presented = /^bearer +(?<token>\S+) *$/iu.exec(headers.authorization ?? '');
    return timingSafeEqual(digestOf(presented?.groups?.['token'] ?? ''), this.#digest);
  }
}

/** Digests have equal length, which a constant-time comparison needs. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Whether a request was meant for this listener and was not sent by a web page: browsers send an `Origin` with every
 * request that could do harm, and a page cannot choose it.
 */
export function isForUs({ host, origin }: IncomingHttpHeaders, port: number): boolean {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`];
  const isOurHost = names.includes(host?.toLowerCase() ?? '');
  const isOurOrigin =
    origin === undefined || names.some((name) => origin.toLowerCase() === `http://${name}`);
  return isOurHost && isOurOrigin;
}
