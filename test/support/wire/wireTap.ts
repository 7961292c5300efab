/**
 * Listens in on every conversation of this process at the edge of Node: requests over HTTP, standard
 * streams of child processes, WebSockets of a client. Each message that is sent is held against the
 * official schema of the revision that was agreed on, whatever test or layer sent it.
 */
import { ChildProcess } from 'node:child_process';
import { ClientRequest, type IncomingMessage } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Server } from 'node:net';
import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { WebSocket } from 'ws';
import { type JsonObject, isString } from '../../../src/base/json.ts';
import { type Revision, revisions } from '../../../src/mcp/revisions.ts';
import { type Checker, Conversation, messagesIn } from './conversation.ts';
import { WireSchemas } from './wireSchemas.ts';

/** Characters of one message. */
const maxHeard = 4_000_000;

export class WireTap implements Checker {
  #schemas: WireSchemas | undefined;
  /** The newest over HTTP by host and port, or by the path of a socket: tests speak one revision at a time with a server. */
  readonly #places = new Map<string, Conversation>();
  readonly #problems: string[] = [];
  /** Messages that were checked. */
  checked = 0;

  check(revision: Revision, message: JsonObject, asked: JsonObject | undefined): void {
    this.checked += 1;
    this.#schemas ??= new WireSchemas();
    this.#note(revision, message, this.#schemas.problems(revision, message, asked));
  }

  /** BASE-10: in most revisions there are none. */
  checkArray(revision: Revision, messages: readonly JsonObject[]): void {
    const problems = revisions[revision].batches ? [] : ['an array, which this revision has not'];
    this.#note(revision, messages, problems);
  }

  #note(revision: Revision, sent: unknown, problems: readonly string[]): void {
    if (problems.length > 0) {
      const text = JSON.stringify(sent).slice(0, 500);
      this.#problems.push(`${revision}: ${text}\n  ${problems.join('\n  ')}`);
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
    this.#tapServers();
    this.#tapWebSockets();
  }

  #tapRequest(request: ClientRequest, options: unknown): void {
    const { hostname, host, port, socketPath } = Object(options);
    const place = String(socketPath ?? `${hostname ?? host}:${port}`);
    let conversation = this.#places.get(place) ?? new Conversation(this);
    onCall(request, 'end', ([data]) => {
      const body = isString(data) ? data : '';
      const isNew = messagesIn(body).some(({ method }) => method === 'initialize');
      conversation = (isNew ? undefined : this.#places.get(place)) ?? new Conversation(this);
      this.#places.set(place, conversation);
      conversation.sent(body);
    });
    request.prependListener('response', (response: IncomingMessage) => {
      const { 'content-type': type = '' } = response.headers;
      let unheard = 0;
      const parser = createParser({
        onEvent: ({ data }) => {
          unheard = 0;
          // A stream of HTTP+SSE answers what was posted to the same place.
          (this.#places.get(place) ?? conversation).received(data);
        },
      });
      let text = '';
      onText(response, (chunk) => (text = kept(text + chunk)));
      if (type.startsWith('text/event-stream')) {
        onText(response, (chunk) => {
          unheard += chunk.length;
          // The parser keeps an event until its end, which a flood has not.
          if (unheard <= maxHeard) {
            parser.feed(chunk);
          }
        });
      }
      response.once('end', () => conversation.received(text));
    });
  }

  /** What was said to the server before, at the same address, was said to another. */
  #tapServers(): void {
    // oxlint-disable-next-line typescript/unbound-method
    const { listen } = Server.prototype;
    const onListening = (server: Server): void => {
      const address = server.address();
      if (address !== null) {
        const name = isString(address) ? address : `:${address.port}`;
        for (const place of this.#places.keys()) {
          if (place.endsWith(name)) {
            this.#places.delete(place);
          }
        }
      }
    };
    Reflect.set(Server.prototype, 'listen', function (this: Server, ...args: unknown[]) {
      this.prependOnceListener('listening', () => onListening(this));
      return Reflect.apply(listen, this, args);
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

/** Nothing of what is longer than any message of a test: a flood is not kept for the sake of being heard. */
function kept(text: string): string {
  return text.length > maxHeard ? '' : text;
}

function byLines(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = `${rest}${text}`.split('\n');
    rest = kept(lines.pop() ?? '');
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
