/**
 * Listens in on every conversation of this process at the edge of Node: requests over HTTP, standard
 * streams of child processes, WebSockets of a client. Each message that is sent is held against the
 * official schema of the revision that was agreed on, whatever test or layer sent it.
 */
import { ChildProcess } from 'node:child_process';
import { ClientRequest, type IncomingMessage } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { WebSocket } from 'ws';
import { type JsonObject, isObject, isString } from '../../../src/base/json.ts';
import { type Revision, isRevision } from '../../../src/mcp/revisions.ts';
import { WireSchemas } from './wireSchemas.ts';

const revisionKey = 'io.modelcontextprotocol/protocolVersion';

/** What has been said to one server. */
class Conversation {
  readonly #tap: WireTap;
  readonly #asked = new Map<unknown, JsonObject>();
  readonly #handshakes = new Set<unknown>();
  #revision: Revision = '2025-11-25';

  constructor(tap: WireTap) {
    this.#tap = tap;
  }

  sent(text: string): void {
    for (const message of messagesIn(text)) {
      const revision = this.#revisionOf(message);
      if (message['method'] === 'initialize') {
        this.#handshakes.add(message['id']);
      }
      const asked = 'method' in message ? undefined : this.#asked.get(message['id']);
      this.#tap.check(revision, message, asked);
    }
  }

  received(text: string): void {
    for (const message of messagesIn(text)) {
      if (isString(message['method'])) {
        this.#asked.set(message['id'], message);
      } else if (this.#handshakes.delete(message['id']) && isObject(message['result'])) {
        const agreed = message['result']['protocolVersion'];
        this.#revision = isRevision(agreed) ? agreed : this.#revision;
      }
    }
  }

  #revisionOf({ params }: JsonObject): Revision {
    const meta = isObject(params) ? params['_meta'] : undefined;
    const own = isObject(meta) ? meta[revisionKey] : undefined;
    return isRevision(own) ? own : this.#revision;
  }
}

export class WireTap {
  #schemas: WireSchemas | undefined;
  readonly #origins = new Map<string, Conversation>();
  readonly #problems: string[] = [];
  /** Messages that were checked. */
  checked = 0;

  check(revision: Revision, message: JsonObject, asked: JsonObject | undefined): void {
    this.checked += 1;
    this.#schemas ??= new WireSchemas();
    const problems = this.#schemas.problems(revision, message, asked);
    if (problems.length > 0) {
      const sent = JSON.stringify(message).slice(0, 500);
      this.#problems.push(`${revision}: ${sent}\n  ${problems.join('\n  ')}`);
    }
  }

  /** What was wrong since the last time. */
  takeProblems(): readonly string[] {
    return this.#problems.splice(0);
  }

  install(): void {
    const require = createRequire(import.meta.url);
    for (const name of ['node:http', 'node:https']) {
      wrap(require(name), 'request', (request, [options]) => {
        if (request instanceof ClientRequest) {
          this.#tapRequest(request, options);
        }
      });
    }
    wrap(require('node:child_process'), 'spawn', (child) => {
      if (child instanceof ChildProcess) {
        this.#tapChild(child);
      }
    });
    syncBuiltinESMExports();
    this.#tapWebSockets();
  }

  #tapRequest(request: ClientRequest, options: unknown): void {
    const { hostname, host, port, socketPath } = Object(options);
    const origin = String(socketPath ?? `${hostname ?? host}:${port}`);
    const conversation = this.#origins.get(origin) ?? new Conversation(this);
    this.#origins.set(origin, conversation);
    onCall(request, 'end', ([body]) => isString(body) && conversation.sent(body));
    request.prependListener('response', (response: IncomingMessage) => {
      const { 'content-type': type = '' } = response.headers;
      const parser = createParser({ onEvent: ({ data }) => conversation.received(data) });
      let text = '';
      onText(response, (chunk) => (text += chunk));
      onText(response, (chunk) => type.startsWith('text/event-stream') && parser.feed(chunk));
      response.once('end', () => conversation.received(text));
    });
  }

  #tapChild({ stdin, stdout }: ChildProcess): void {
    if (stdin === null || stdout === null) {
      return;
    }
    const conversation = new Conversation(this);
    const sent = byLines((line) => conversation.sent(line));
    onCall(stdin, 'write', ([data]) => sent(String(data)));
    onText(
      stdout,
      byLines((line) => conversation.received(line)),
    );
  }

  #tapWebSockets(): void {
    const conversations = new WeakMap<WebSocket, Conversation>();
    const conversationOf = (socket: WebSocket): Conversation => {
      const known = conversations.get(socket) ?? new Conversation(this);
      if (!conversations.has(socket)) {
        conversations.set(socket, known);
        socket.prependListener('message', (data) => known.received(String(data)));
      }
      return known;
    };
    // oxlint-disable-next-line typescript/unbound-method
    const { send } = WebSocket.prototype;
    Reflect.set(WebSocket.prototype, 'send', function (this: WebSocket, ...args: unknown[]) {
      // Those of a server have no address.
      if (isString(this.url)) {
        conversationOf(this).sent(String(args[0]));
      }
      return Reflect.apply(send, this, args);
    });
  }
}

/** Objects, also those of an array; nothing of what is no JSON. */
function messagesIn(text: string): readonly JsonObject[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

function byLines(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  };
}

/** Calls `then` with what the function makes. */
function wrap(
  owner: object,
  name: string,
  then: (made: unknown, args: readonly unknown[]) => void,
): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original === 'function') {
    Reflect.set(owner, name, (...args: readonly unknown[]): unknown => {
      const made: unknown = Reflect.apply(original, owner, args);
      then(made, args);
      return made;
    });
  }
}

/** Calls `before` with the arguments of each call. */
function onCall(owner: object, name: string, before: (args: readonly unknown[]) => void): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original === 'function') {
    Reflect.set(owner, name, (...args: readonly unknown[]): unknown => {
      before(args);
      return Reflect.apply(original, owner, args);
    });
  }
}

/** Reads along: a listener for data would set the stream going. */
function onText(stream: Readable, use: (text: string) => void): void {
  const decoder = new TextDecoder();
  onCall(stream, 'push', ([chunk]) => {
    if (chunk instanceof Uint8Array) {
      use(decoder.decode(chunk, { stream: true }));
    }
  });
}
