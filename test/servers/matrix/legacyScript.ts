/**
 * What the server of the protocol matrix does in the handshake era, whatever carries its messages: every
 * scenario is a tool. It knows no transport; matrixHosts.ts and stdioHost.ts give it one.
 */

import type { Outlet, Script, ServedBy } from './script.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Call {
  readonly id: string | number;
  readonly args: Readonly<Record<string, unknown>>;
  readonly token: unknown;
  readonly out: Outlet;
}

const jsonrpc = '2.0';
const inputSchema = { type: 'object' };

/** One conversation. `receive` takes what one frame, line or body held: a message, or an array of them. */
export class LegacyScript implements Script {
  readonly #revision: string;
  readonly #served: ServedBy;
  /** Everything that was received, as it came. */
  readonly #received: unknown[] = [];
  readonly #replies = new Map<unknown, (reply: Message, wasBatch: boolean) => void>();
  readonly #cancelled = new Set<unknown>();
  readonly #watched = new Set<unknown>();
  #tools = ['echo', 'fail', 'refuse', 'progress', 'wait', 'ask', 'withdraw', 'change', 'touch'];
  #logLevel: unknown;
  #onProgress: ((params: unknown) => void) | undefined;

  constructor(revision: string, served: ServedBy) {
    this.#revision = revision;
    this.#served = served;
  }

  receive(frame: unknown, out: Outlet): void {
    this.#received.push(frame);
    const messages: readonly Message[] = Array.isArray(frame) ? frame : [frame];
    for (const message of messages) {
      if (message.method === undefined) {
        this.#replies.get(message.id)?.(message, Array.isArray(frame));
      } else if (message.id === undefined) {
        this.#notice(message);
      } else {
        this.#request(message.id, message.method, message.params ?? {}, out);
      }
    }
  }

  /** A stream that closes cancels nothing in this era (HTTP-08). */
  abandon(): void {}

  #notice({ method, params }: Message): void {
    if (method === 'notifications/cancelled') {
      this.#cancelled.add(params?.['requestId']);
    } else if (method === 'notifications/progress') {
      this.#onProgress?.(params);
    }
  }

  #request(
    id: string | number,
    method: string,
    params: Readonly<Record<string, unknown>>,
    out: Outlet,
  ): void {
    const answer = (result: unknown): void => out.send({ jsonrpc, id, result });
    switch (method) {
      case 'initialize':
        answer(this.#initializeResult());
        break;
      case 'tools/list':
        answer(this.#page(params['cursor']));
        break;
      case 'tools/call':
        this.#call(id, params, out);
        break;
      case 'resources/list':
        answer({ resources: [] });
        break;
      case 'resources/templates/list':
        answer({ resourceTemplates: [] });
        break;
      case 'resources/read':
        answer({ contents: [{ uri: params['uri'], text: params['uri'] }] });
        break;
      case 'resources/subscribe':
        this.#watched.add(params['uri']);
        answer({});
        break;
      case 'resources/unsubscribe':
        this.#watched.delete(params['uri']);
        answer({});
        break;
      case 'logging/setLevel':
        this.#logLevel = params['level'];
        answer({});
        break;
      case 'ping':
        answer({});
        break;
      default:
        out.send({ jsonrpc, id, error: { code: -32601, message: `No method ${method}` } });
    }
  }

  #initializeResult(): unknown {
    return {
      protocolVersion: this.#revision,
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        // Nobody knows this one, and everybody has to bear it.
        teleport: { range: 3 },
      },
      serverInfo: { name: 'matrix', version: '1.0.0', mood: 'fine' },
      instructions: 'Call "echo".',
      weather: 'sunny',
    };
  }

  /** Two pages; the second one has the last four. */
  #page(cursor: unknown): unknown {
    const all = this.#tools.map((name) => ({ name, inputSchema, colour: 'blue' }));
    return cursor === 'rest'
      ? { tools: all.slice(5) }
      : { tools: all.slice(0, 5), nextCursor: 'rest' };
  }

  #call(id: string | number, params: Readonly<Record<string, unknown>>, out: Outlet): void {
    const { name, arguments: args, _meta: meta } = params;
    const call: Call = {
      id,
      args: { ...Object(args) },
      token: Object(meta).progressToken,
      out,
    };
    const tool = this.#toolsByName[String(name)];
    if (tool === undefined) {
      out.send({ jsonrpc, id, error: { code: -32602, message: `Unknown tool: ${String(name)}` } });
    } else {
      tool(call);
    }
  }

  readonly #toolsByName: Readonly<Record<string, (call: Call) => void>> = {
    echo: (call) => this.#text(call, String(call.args['value'])),
    fail: ({ id, out }) =>
      out.send({
        jsonrpc,
        id,
        result: { content: [{ type: 'text', text: 'no such city' }], isError: true },
      }),
    refuse: ({ id, out }) =>
      out.send({ jsonrpc, id, error: { code: -32000, message: 'refused', data: { hint: 'x' } } }),
    progress: (call) => {
      for (const progress of [1, 2, 3]) {
        const params = { progressToken: call.token, progress, total: 3 };
        call.out.send({ jsonrpc, method: 'notifications/progress', params });
      }
      this.#text(call, 'done');
    },
    // Answered never; `cancelled` tells whether it was cancelled.
    wait: () => undefined,
    cancelled: (call) => this.#text(call, JSON.stringify([...this.#cancelled])),
    ask: (call) => {
      const { method, params } = call.args;
      this.#ask(call, method, params, (reply) => this.#text(call, JSON.stringify(reply)));
    },
    // Takes its question back; a reply to it would be told.
    withdraw: (call) => {
      const { method, params } = call.args;
      const requestId = this.#ask(call, method, params, () => this.#text(call, 'answered'));
      const params2 = { requestId, reason: 'changed my mind' };
      call.out.send({ jsonrpc, method: 'notifications/cancelled', params: params2 });
      // A ping is answered after whatever was sent before it.
      this.#ask(call, 'ping', undefined, () => this.#text(call, 'withdrawn'));
    },
    // Takes its question back once it is told that somebody thinks about it.
    hurry: (call) => {
      const { method, params } = call.args;
      const progressToken = `thinking-${call.id}`;
      const asked = { ...Object(params), _meta: { progressToken } };
      const requestId = this.#ask(call, method, asked, () => this.#text(call, 'answered'));
      this.#onProgress = (told) => {
        this.#onProgress = undefined;
        call.out.send({ jsonrpc, method: 'notifications/cancelled', params: { requestId } });
        this.#text(
          call,
          JSON.stringify(told) === JSON.stringify({ progressToken, progress: 1 }) ? 'told' : 'odd',
        );
      };
    },
    change: (call) => {
      this.#tools = [...new Set([...this.#tools, 'fresh'])];
      this.#served.push.send({ jsonrpc, method: 'notifications/tools/list_changed' });
      this.#text(call, 'changed');
    },
    touch: (call) => {
      for (const uri of this.#watched) {
        this.#served.push.send({
          jsonrpc,
          method: 'notifications/resources/updated',
          params: { uri },
        });
      }
      this.#text(call, String(this.#watched.size));
    },
    log: (call) => {
      const params = { level: this.#logLevel, logger: 'matrix', data: { text: 'hello' } };
      call.out.send({ jsonrpc, method: 'notifications/message', params });
      this.#text(call, 'logged');
    },
    die: () => this.#served.die(),
    strange: (call) => {
      call.out.send({ jsonrpc, method: 'notifications/moon_phase', params: { phase: 'full' } });
      call.out.send({ jsonrpc, method: 'notifications/progress', params: { progressToken: 'x' } });
      call.out.send({ jsonrpc, id: 'nobody-asked', result: {} });
      const content = [{ type: 'text', text: 'odd', mood: 'fine' }];
      call.out.send({
        jsonrpc,
        id: call.id,
        result: { content, extra: 1, _meta: { 'x.example/y': 2 } },
        trace: 'abc',
      });
    },
    // Two requests and a notification in one array; how the replies came is the result.
    batch: (call) => {
      const ways: string[] = [];
      const note = (_reply: Message, wasBatch: boolean): void => {
        ways.push(wasBatch ? 'in an array' : 'alone');
        if (ways.length === 2) {
          // The result comes in an array, too.
          const content = [{ type: 'text', text: ways.join(', ') }];
          call.out.send([{ jsonrpc, id: call.id, result: { content } }]);
        }
      };
      const ids = ['first', 'second'].map((name) => `${name}-${call.id}`);
      for (const id of ids) {
        this.#replies.set(id, note);
      }
      call.out.send([
        { jsonrpc, id: ids[0], method: 'ping' },
        { jsonrpc, method: 'notifications/moon_phase' },
        { jsonrpc, id: ids[1], method: 'roots/list' },
      ]);
    },
    received: (call) => this.#text(call, JSON.stringify(this.#received)),
  };

  #ask(call: Call, method: unknown, params: unknown, onReply: (reply: Message) => void): string {
    const id = `${String(method)}-${call.id}`;
    this.#replies.set(id, ({ result, error }) =>
      onReply(error === undefined ? { result } : { error }),
    );
    call.out.send({ jsonrpc, id, method, params });
    return id;
  }

  #text({ id, out }: Call, text: string): void {
    out.send({ jsonrpc, id, result: { content: [{ type: 'text', text }] } });
  }
}
