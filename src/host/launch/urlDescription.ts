/**
 * A URL of the settings as it is shown before the start. Scheme, host and port are always shown, even if a variable
 * holds them; values of variables after that stay hidden behind the variable.
 */
import { isMcpError } from '../../mcp/errors.ts';
import { readSocketUrl, type SocketAddress } from '../config/socketUrl.ts';
import { referencesIn, replaceReferences } from '../config/variables.ts';

export interface UrlDescription {
  readonly shown: string;
  /** Scheme, host and port, as far as known; the path of a socket, or the name of a pipe. */
  readonly origin: string;
  readonly isSocket: boolean;
  /** Names of the query's parameters. */
  readonly parameters: readonly string[];
}

/** @param text folders replaced, `${env:…}` and `${input:…}` as written */
export function describeUrl(text: string, envValue: (name: string) => string): UrlDescription {
  const socket = describeSocket(text, envValue);
  if (socket !== undefined) {
    return socket;
  }
  const end = endOfAuthority(text);
  const authority = text.slice(0, end);
  const rest = text.slice(end);
  const parameters = [...new URLSearchParams(/\?([^#]*)/u.exec(rest)?.[1] ?? '').keys()];
  const replaced = replaceReferences(authority, (reference) =>
    reference.kind === 'env' ? envValue(reference.name) : undefined,
  );
  if (replaced.includes('${input:') || !URL.canParse(replaced)) {
    return { shown: replaced + rest, origin: replaced, isSocket: false, parameters };
  }
  const url = new URL(replaced);
  // The value of a variable may continue after the host with a path or query, which may hold a secret.
  const isOriginOnly = url.pathname === '/' && url.search === '' && url.hash === '';
  const references = referencesIn(authority).map((reference) => reference.text);
  if (references.length > 0) {
    const hidden = isOriginOnly ? '' : `/…${references.join('')}`;
    return { shown: url.origin + hidden + rest, origin: url.origin, isSocket: false, parameters };
  }
  // A non-ASCII host is shown as it is looked up: `xn--…` looks like no other host.
  const isAscii = /^[\u0021-\u007e]*$/u.test(authority);
  return {
    shown: isAscii ? text : url.origin + rest,
    origin: url.origin,
    isSocket: false,
    parameters,
  };
}

/** Undefined for a URL of no socket. The socket's path is shown in full, even if a variable holds it. */
function describeSocket(
  text: string,
  envValue: (name: string) => string,
): UrlDescription | undefined {
  const address = addressIn(
    replaceReferences(text, (reference) =>
      reference.kind === 'env' ? envValue(reference.name) : undefined,
    ),
  );
  if (address === undefined) {
    return undefined;
  }
  const query = text.includes('?') ? text.slice(text.indexOf('?')) : '';
  const parameters = [...new URLSearchParams(query).keys()];
  return { shown: text, origin: address.socketPath, isSocket: true, parameters };
}

function addressIn(text: string): SocketAddress | undefined {
  try {
    return readSocketUrl(text);
  } catch (error) {
    if (isMcpError(error)) {
      return undefined; // the start will say what is wrong
    }
    throw error;
  }
}

/** Where scheme, host and port end, in a text whose variables count as one character each. */
function endOfAuthority(text: string): number {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:[\\/]*/u.exec(text)?.[0] ?? '';
  const rest = /^(?:\$\{[^{}]*\}|[^\\/?#])*/u.exec(text.slice(scheme.length))?.[0] ?? '';
  return scheme.length + rest.length;
}
