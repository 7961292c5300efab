/**
 * A connection through an HTTP proxy by CONNECT (RFC 9110 section 9.3.6), and the errors of a proxy that
 * cannot be reached or refuses. Knows nothing of what goes through the tunnel.
 *
 * Requests are made with `ClientRequest`, not with `http.request`: VS Code replaces the latter by one that
 * uses its own proxy and, by default, drops our agent for every host but localhost. A package would add a
 * second HTTP client (undici), or report a 407 of the proxy as the server's (https-proxy-agent).
 */
import { t } from '../../base/l10n.ts';
import { once } from 'node:events';
import { ClientRequest, type IncomingMessage } from 'node:http';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { after, onAbort, toError } from '../../base/async.ts';
import { McpError } from '../errors.ts';
import type { ProxySettings, TlsOptions } from './connectionSettings.ts';
import { codeOf, networkReason } from './networkReasons.ts';
import { bareHost } from './privateAddress.ts';

export interface Target {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Milliseconds for the proxy's response. It connects before it responds. */
const answerMs = 30_000;
/** As Node's agents set it for their own connections, in milliseconds. */
const tcpKeepAliveMs = 1_000;

/**
 * Resolves with a connection to the proxy itself, for requests that it forwards.
 * @param options TLS options, for a proxy with `https:`
 * @throws as {@link openTunnel}
 */
export async function reachProxy(
  proxy: ProxySettings,
  options: TlsOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connectToProxy(proxy, options);
  const isSecure = proxy.origin.startsWith('https:');
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => undefined); // later errors are already reported
    socket.destroy();
    throw unreachable(proxy, toError(error), signal);
  }
}

function connectToProxy({ origin }: ProxySettings, options: TlsOptions): Socket {
  const url = new URL(origin);
  const target = targetOf(url);
  const socket =
    url.protocol === 'https:'
      ? connectTls({ ...options, ...target, servername: serverName(target.host) })
      : connectSocket(target);
  return socket.setKeepAlive(true, tcpKeepAliveMs);
}

/**
 * Resolves with an unused connection to `target`.
 * @throws McpError `unreachable` that names the proxy and the problem; its cause has Node's error code, or
 *   `ERR_PROXY_REFUSED`
 */
export function openTunnel(
  proxy: ProxySettings,
  target: Target,
  options: TlsOptions,
  signal: AbortSignal,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const authority = authorityOf(target);
    const request = new ClientRequest({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyHeaders(proxy) },
      createConnection: () => connectToProxy(proxy, options),
    });
    const limit = after(answerMs, () => {
      reject(proxyFailure(proxy, t('it does not answer within {0} s', answerMs / 1000)));
      request.destroy();
    });
    const abortion = onAbort(signal, () => request.destroy());
    request.on('connect', (response: IncomingMessage, socket: Duplex, head: Buffer) => {
      const refusal = refusalOf(proxy, response, authority);
      if (refusal !== undefined) {
        socket.destroy();
        reject(refusal);
        return;
      }
      if (head.length > 0) {
        socket.unshift(head);
      }
      resolve(socket);
    });
    request.on('error', (cause) => reject(unreachable(proxy, cause, signal)));
    request.on('close', () => {
      limit.dispose();
      abortion.dispose();
    });
    request.end();
  });
}

export function proxyHeaders({ authorization }: ProxySettings): Readonly<Record<string, string>> {
  return authorization === undefined ? {} : { 'proxy-authorization': authorization };
}

/** Undefined for a successful response. @param authority the server that was to be reached */
export function refusalOf(
  proxy: ProxySettings,
  { statusCode = 0, statusMessage = '', headers }: IncomingMessage,
  authority: string,
): McpError | undefined {
  if (statusCode >= 200 && statusCode <= 299) {
    return undefined;
  }
  const status = `HTTP ${statusCode}${statusMessage === '' ? '' : ` ${statusMessage}`}`;
  const text =
    statusCode === 407
      ? askedWho(proxy, headers['proxy-authenticate'], status)
      : t(
          'The proxy {0} does not connect to {1} ({2}): ask its administrator, or change "proxy" of the entry',
          proxy.origin,
          authority,
          status,
        );
  return new McpError('unreachable', text, { cause: refused(status) });
}

function askedWho(
  { origin, authorization }: ProxySettings,
  schemes: readonly string[] | string | undefined,
  status: string,
): string {
  const asked = [schemes ?? []].flat().map((text) => text.split(/[\s,]/u, 1)[0] ?? '');
  if (asked.length > 0 && !asked.some((scheme) => /^basic$/iu.test(scheme))) {
    return t(
      'The proxy {0} asks for {1} ({2}), and only user and password (Basic) are sent: leave "proxy" out, so that the editor\'s settings count',
      origin,
      asked.join(', '),
      status,
    );
  }
  return authorization === undefined
    ? t(
        'The proxy {0} asks for user and password ({1}): put them into "proxy" of the entry, as in "http://name:${input:proxyPassword}@host:port"',
        origin,
        status,
      )
    : t(
        'The proxy {0} does not accept user and password of "proxy" ({1}): correct them',
        origin,
        status,
      );
}

function unreachable(proxy: ProxySettings, cause: Error, signal: AbortSignal): McpError {
  const reason = signal.aborted
    ? t('the connection was given up')
    : networkReason(codeOf(cause), cause);
  return proxyFailure(proxy, reason, cause);
}

function proxyFailure({ origin }: ProxySettings, reason: string, cause?: Error): McpError {
  const text = t('The proxy {0} cannot be reached: {1} (see "proxy" of the entry)', origin, reason);
  return new McpError('unreachable', text, {
    cause: Object.assign(refused(reason), { cause }),
  });
}

function refused(text: string): Error {
  return Object.assign(new Error(text), { code: 'ERR_PROXY_REFUSED' });
}

/** Host and port of a URL with an HTTP or WebSocket scheme. */
export function targetOf(url: URL): Target {
  const { protocol, port } = url;
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return {
    host: bareHost(url),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
  };
}

export function authorityOf({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** SNI allows no addresses (RFC 6066 section 3). */
export function serverName(host: string): string {
  return isIP(host) === 0 ? host : '';
}
