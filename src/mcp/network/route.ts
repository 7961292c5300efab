/**
 * The way of requests and connections to one server that has settings of its own for it. With `tls` alone the editor's
 * proxy goes on to count; an own proxy, none, or TLS that is not checked goes past all that the editor adds.
 * Knows HTTP only so far as a proxy needs it.
 *
 * Past the editor leads `ClientRequest` itself: in the extension host `http.request` is VS Code's, which by default
 * replaces the agent of requests to every host but localhost. With an agent of ours alone nothing would be ours there.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { connect as connectSocket } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { toError } from '../../base/async.ts';
import type { McpError } from '../errors.ts';
import type { ConnectionSettings, ProxySettings } from './connectionSettings.ts';
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
import { type TlsOptions, tlsOptions } from './trust.ts';

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

  /** Whether the editor's proxy has no say. Then sockets come from {@link connect} or from {@link createAgent}. */
  get isPastEditor(): boolean {
    const { tls, proxy } = this.#settings;
    // What is not checked must not leave this machine by the editor's proxy.
    return proxy !== undefined || tls?.isInsecure === true;
  }

  /** Of TLS with the server, for whoever makes connections on their own. */
  get tls(): TlsOptions {
    this.#toServer ??= tlsOptions(this.#settings.tls ?? {});
    return this.#toServer;
  }

  /** For requests by {@link request}. `destroy` also ends what is being connected. */
  createAgent({ protocol }: URL, options: http.AgentOptions): http.Agent {
    const isSecure = protocol === 'https:';
    const agent = isSecure ? new https.Agent(options) : new http.Agent(options);
    const { proxy = false } = this.#settings;
    return proxy === false ? agent : this.#throughProxy(agent, isSecure, proxy);
  }

  /** As `http.request`. */
  request(options: RouteRequest, onResponse: OnResponse): http.ClientRequest {
    const isSecure = options.protocol === 'https:';
    const whole = isSecure ? { ...options, ...this.tls } : this.#forProxy(options);
    if (this.isPastEditor) {
      return new http.ClientRequest(whole, onResponse);
    }
    const { request } = isSecure ? https : http;
    return request(whole, onResponse);
  }

  /** What an answer over {@link request} means if it is the proxy's: that it asks who is there. */
  refusalOf(response: http.IncomingMessage, url: URL): McpError | undefined {
    const { proxy = false } = this.#settings;
    // Over TLS the proxy has answered before; then it is the server that asks.
    return proxy === false || response.statusCode !== 407 || url.protocol !== 'http:'
      ? undefined
      : refusalOf(proxy, response, authorityOf(targetOf(url)));
  }

  /**
   * Resolves with a connection to the host of a URL, with TLS where its scheme says so.
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
        // Before TLS: a host may have several addresses, and each attempt has a handle of its own.
        await once(raw, 'connect', { signal });
      }
      if (url.protocol === 'https:' || url.protocol === 'wss:') {
        socket = this.#secured(raw, target);
        await once(socket, 'secureConnect', { signal });
      }
      signal.throwIfAborted();
      return socket;
    } catch (error) {
      raw.on('error', () => undefined); // what comes now is told already
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

  /** @throws what is wrong with the settings of TLS; nothing is left of the socket then */
  #secured(socket: Duplex, target: Target, options: object = {}): Duplex {
    try {
      return connectTls({
        servername: serverName(target.host),
        ...options,
        ...this.tls,
        ...target,
        path: undefined, // of the request, in an agent's options: here it would be a pipe
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

  /** What is not encrypted a proxy passes on as a request (RFC 9112 section 3.2.2): few open tunnels for it. */
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
