/**
 * The requests and connections to one server with network settings of its own. With only `tls`, the
 * editor's proxy still applies. A proxy of its own, no proxy, or unchecked TLS bypasses everything that the
 * editor adds. Knows HTTP only as far as a proxy needs it.
 *
 * To bypass the editor it uses `ClientRequest`: in the extension host, `http.request` is VS Code's and by
 * default replaces the agent of requests to every host but localhost, so that setting only an agent would
 * have no effect.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { connect as connectSocket } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { toError } from '../../base/async.ts';
import type { McpError } from '../errors.ts';
import {
  type ConnectionSettings,
  type ProxySettings,
  type TlsOptions,
  tlsOptions,
} from './connectionSettings.ts';
import {
  authorityOf,
  openTunnel,
  proxyHeaders,
  reachProxy,
  refusalOf,
  serverName,
  type Target,
  targetOf,
} from './proxyTunnel.ts';

export type RouteRequest = Omit<http.RequestOptions, 'headers'> & {
  readonly headers?: http.OutgoingHttpHeaders;
};
type OnResponse = (response: http.IncomingMessage) => void;
type Created = (error: Error | null, stream: Duplex) => void;

export class Route {
  readonly #settings: ConnectionSettings;
  #toServer: TlsOptions | undefined;
  #toProxy: TlsOptions | undefined;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  /** Whether the editor's proxy is bypassed. Then sockets come from {@link connect} or from {@link createAgent}. */
  get isPastEditor(): boolean {
    const { tls, proxy } = this.#settings;
    // Unchecked traffic must not leave this machine through the editor's proxy.
    return proxy !== undefined || tls?.isInsecure === true;
  }

  /** TLS options for the server, for callers that make their own connections. */
  get tls(): TlsOptions {
    this.#toServer ??= tlsOptions(this.#settings.tls ?? {});
    return this.#toServer;
  }

  /** For requests by {@link request}. `destroy` also ends connections that are being opened. */
  createAgent({ protocol }: URL, options: http.AgentOptions): http.Agent {
    const isSecure = protocol === 'https:';
    const agent = isSecure ? new https.Agent(options) : new http.Agent(options);
    const { proxy = false } = this.#settings;
    return proxy === false ? agent : this.#throughProxy(agent, isSecure, proxy);
  }

  /** Like `http.request`. */
  request(options: RouteRequest, onResponse: OnResponse): http.ClientRequest {
    const isSecure = options.protocol === 'https:';
    const whole = isSecure ? { ...options, ...this.tls } : this.#forProxy(options);
    if (this.isPastEditor) {
      return new http.ClientRequest(whole, onResponse);
    }
    const { request } = isSecure ? https : http;
    return request(whole, onResponse);
  }

  /** The error if a response over {@link request} is the proxy's request for credentials. */
  refusalOf(response: http.IncomingMessage, url: URL): McpError | undefined {
    const { proxy = false } = this.#settings;
    // Over TLS the proxy's part is over by then, so a 407 comes from the server.
    return proxy === false || response.statusCode !== 407 || url.protocol !== 'http:'
      ? undefined
      : refusalOf(proxy, response, authorityOf(targetOf(url)));
  }

  /**
   * Resolves with a connection to the host of a URL, with TLS if its scheme says so.
   * @throws McpError of the proxy; the socket's error; the signal's reason
   */
  async connect(url: URL, signal: AbortSignal): Promise<Duplex> {
    signal.throwIfAborted();
    const target = targetOf(url);
    const { proxy = false } = this.#settings;
    const raw =
      proxy === false
        ? connectSocket(target)
        : await openTunnel(proxy, target, this.#tlsToProxy(proxy), signal);
    let socket: Duplex = raw;
    try {
      if (proxy === false) {
        // Before TLS: a host may have several addresses, and each attempt has its own handle.
        await once(raw, 'connect', { signal });
      }
      if (url.protocol === 'https:' || url.protocol === 'wss:') {
        socket = this.#secured(raw, target);
        await once(socket, 'secureConnect', { signal });
      }
      signal.throwIfAborted();
      return socket;
    } catch (error) {
      raw.on('error', () => undefined); // later errors are already reported
      socket.destroy();
      raw.destroy();
      throw error;
    }
  }

  #throughProxy<A extends http.Agent>(agent: A, isSecure: boolean, proxy: ProxySettings): A {
    const connecting = new AbortController();
    const destroy = agent.destroy.bind(agent);
    agent.destroy = () => {
      connecting.abort();
      destroy();
    };
    agent.createConnection = (options: http.ClientRequestArgs, created?: Created) => {
      const target = { host: String(options.host), port: Number(options.port) };
      const toProxy = this.#tlsToProxy(proxy);
      const connection: Promise<Duplex> = isSecure
        ? openTunnel(proxy, target, toProxy, connecting.signal).then((socket) =>
            this.#secured(socket, target, options),
          )
        : reachProxy(proxy, toProxy, connecting.signal);
      connection.then(
        (socket) => created?.(null, socket),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is no stream where there is an error
        (error: unknown) => created?.(toError(error), undefined as unknown as Duplex),
      );
      return undefined;
    };
    return agent;
  }

  /** @throws the error in the TLS settings; the socket is closed then */
  #secured(socket: Duplex, target: Target, options: object = {}): Duplex {
    try {
      return connectTls({
        servername: serverName(target.host),
        ...options,
        ...this.tls,
        ...target,
        path: undefined, // in an agent's options this is the request's path; here it would be a pipe
        socket,
      });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  #tlsToProxy({ origin }: ProxySettings): TlsOptions {
    if (origin.startsWith('https:')) {
      const { ca } = this.#settings.tls ?? {};
      this.#toProxy ??= tlsOptions(ca === undefined ? {} : { ca });
    }
    return this.#toProxy ?? {};
  }

  /** A proxy forwards unencrypted requests (RFC 9112 section 3.2.2): few open tunnels for them. */
  #forProxy(options: RouteRequest): RouteRequest {
    const { proxy = false } = this.#settings;
    if (proxy === false) {
      return options;
    }
    const { hostname, port, path = '/' } = options;
    const host = authorityOf({ host: hostname ?? '', port: Number(port ?? 80) || 80 });
    return {
      ...options,
      path: `http://${host.replace(/:80$/u, '')}${path ?? ''}`,
      headers: { ...options.headers, ...proxyHeaders(proxy) },
    };
  }
}
