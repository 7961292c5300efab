/**
 * Who may talk to the bridge: the checks of the token, of `Host` and of `Origin`. Pure. Binding to
 * loopback alone keeps out neither other users of the machine nor web pages (DNS rebinding).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** 256 bits, in characters that a path and a header take. */
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

  /** Takes the same time whatever is presented (RFC 6750 section 2.1: the scheme in any case). */
  isIn(headers: IncomingHttpHeaders): boolean {
    const presented = /^bearer +(?<token>\S+) *$/iu.exec(headers.authorization ?? '');
    return timingSafeEqual(digestOf(presented?.groups?.['token'] ?? ''), this.#digest);
  }
}

/** Digests are of equal length, as a comparison in constant time needs. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Whether a request was meant for this listener, and by no web page: browsers send an `Origin` with
 * every request that could do harm, and a page cannot choose it.
 */
export function isForUs({ host, origin }: IncomingHttpHeaders, port: number): boolean {
  const names = [`127.0.0.1:${port}`, `localhost:${port}`];
  const isOurHost = names.includes(host?.toLowerCase() ?? '');
  const isOurOrigin =
    origin === undefined || names.some((name) => origin.toLowerCase() === `http://${name}`);
  return isOurHost && isOurOrigin;
}
