/**
 * What the server of the protocol matrix does at revision 2026-07-28, whatever carries its messages: the
 * tools of legacyScript.ts, as far as they can exist without requests of the server.
 */
import type { Outlet, Script, ServedBy } from './script.ts';

type Members = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Members;
}

interface Call {
  readonly id: string | number;
  readonly params: Members;
  readonly args: Members;
  readonly meta: Members;
  readonly out: Outlet;
}

const jsonrpc = '2.0';
const prefix = 'io.modelcontextprotocol/';
const notCached = { ttlMs: 0, cacheScope: 'private' };
const complete = { resultType: 'complete' };

export class ModernScript implements Script {
  readonly #served: ServedBy;
  readonly #received: unknown[] = [];
  readonly #cancelled = new Set<unknown>();
  readonly #subscriptions = new Map<unknown, { readonly filter: Members; readonly out: Outlet }>();
  #tools = ['echo', 'fail', 'refuse', 'progress', 'wait', 'ask', 'withdraw', 'change', 'touch'];

  constructor(served: ServedBy) {
    this.#served = served;
  }

  receive(frame: unknown, out: Outlet): void {
    this.#received.push(frame);
    const { id, method = '', params = {} }: Message = Object(frame);
    if (method === 'notifications/cancelled') {
      this.abandon(params['requestId']);
    } else if (id !== undefined) {
      this.#request(id, method, params, out);
    }
  }

  abandon(id: unknown): void {
    if (!this.#subscriptions.delete(id)) {
      this.#cancelled.add(id);
    }
  }

  #request(id: string | number, method: string, params: Members, out: Outlet): void {
    const meta: Members = Object(params['_meta']);
    const answer = (result: Members): void =>
      out.send({ jsonrpc, id, result: { ...complete, ...result } });
    if (meta[`${prefix}protocolVersion`] !== '2026-07-28') {
      out.send({
        jsonrpc,
        id,
        error: { code: -32_602, message: 'Each request names its revision' },
      });
      return;
    }
    switch (method) {
      case 'server/discover':
        answer(discovered);
        break;
      case 'tools/list':
        answer({ ...this.#page(params['cursor']), ...notCached });
        break;
      case 'tools/call':
        this.#call({ id, params, args: Object(params['arguments']), meta, out });
        break;
      case 'resources/list':
        answer({ resources: [], ...notCached });
        break;
      case 'resources/templates/list':
        answer({ resourceTemplates: [], ...notCached });
        break;
      case 'resources/read':
        answer({ contents: [{ uri: params['uri'], text: params['uri'] }], ...notCached });
        break;
      case 'subscriptions/listen':
        this.#listen(id, Object(params['notifications']), out);
        break;
      default:
        out.send({ jsonrpc, id, error: { code: -32_601, message: `No method ${method}` } });
    }
  }

  #page(cursor: unknown): Members {
    const inputSchema = { type: 'object' };
    const all = this.#tools.map((name) => ({ name, inputSchema, colour: 'blue' }));
    return cursor === 'rest'
      ? { tools: all.slice(5) }
      : { tools: all.slice(0, 5), nextCursor: 'rest' };
  }

  #listen(id: string | number, filter: Members, out: Outlet): void {
    this.#subscriptions.set(id, { filter, out });
    this.#tell(out, 'notifications/subscriptions/acknowledged', id, { notifications: filter });
  }

  #tell(out: Outlet, method: string, subscription: unknown, params: Members = {}): void {
    const meta = { [`${prefix}subscriptionId`]: subscription };
    out.send({ jsonrpc, method, params: { ...params, _meta: meta } });
  }

  #call(call: Call): void {
    const { id, params, out } = call;
    const name = String(params['name']);
    const tool = this.#toolsByName[name];
    if (tool === undefined) {
      out.send({ jsonrpc, id, error: { code: -32_602, message: `Unknown tool: ${name}` } });
    } else {
      tool(call);
    }
  }

  readonly #toolsByName: Readonly<Record<string, (call: Call) => void>> = {
    echo: (call) => this.#text(call, String(call.args['value'])),
    fail: (call) => this.#text(call, 'no such city', { isError: true }),
    refuse: ({ id, out }) =>
      out.send({ jsonrpc, id, error: { code: -32_000, message: 'refused', data: { hint: 'x' } } }),
    progress: (call) => {
      for (const progress of [1, 2, 3]) {
        const params = { progressToken: call.meta['progressToken'], progress, total: 3 };
        call.out.send({ jsonrpc, method: 'notifications/progress', params });
      }
      this.#text(call, 'done');
    },
    wait: () => undefined,
    cancelled: (call) => this.#text(call, JSON.stringify([...this.#cancelled])),
    // The first time it asks back; the second time the answer is the result.
    ask: (call) => {
      const { method, params } = call.args;
      const responses = call.params['inputResponses'];
      if (responses === undefined) {
        const inputRequests = { question: { method, params } };
        const result = { resultType: 'input_required', inputRequests, requestState: 's"1" ☃' };
        call.out.send({ jsonrpc, id: call.id, result });
      } else if (call.params['requestState'] === 's"1" ☃') {
        this.#text(call, JSON.stringify({ result: Object(responses).question }));
      } else {
        this.#text(call, 'the state is not what it was');
      }
    },
    change: (call) => {
      this.#tools = [...new Set([...this.#tools, 'fresh'])];
      for (const [id, { filter, out }] of this.#subscriptions) {
        if (filter['toolsListChanged'] === true) {
          this.#tell(out, 'notifications/tools/list_changed', id);
        }
      }
      this.#text(call, 'changed');
    },
    touch: (call) => {
      let count = 0;
      for (const [id, { filter, out }] of this.#subscriptions) {
        const uris: unknown = filter['resourceSubscriptions'];
        for (const uri of Array.isArray(uris) ? uris : []) {
          count += 1;
          this.#tell(out, 'notifications/resources/updated', id, { uri });
        }
      }
      this.#text(call, String(count));
    },
    log: (call) => {
      const level = call.meta[`${prefix}logLevel`];
      if (level !== undefined) {
        const params = { level, logger: 'matrix', data: { text: 'hello' } };
        call.out.send({ jsonrpc, method: 'notifications/message', params });
      }
      this.#text(call, 'logged');
    },
    die: () => this.#served.die(),
    strange: (call) => {
      call.out.send({ jsonrpc, method: 'notifications/moon_phase', params: { phase: 'full' } });
      call.out.send({ jsonrpc, method: 'notifications/progress', params: { progressToken: 'x' } });
      const content = [{ type: 'text', text: 'odd', mood: 'fine' }];
      const result = { ...complete, content, extra: 1, _meta: { 'x.example/y': 2 } };
      call.out.send({ jsonrpc, id: call.id, result, trace: 'abc' });
    },
    received: (call) => this.#text(call, JSON.stringify(this.#received)),
  };

  #text({ id, out }: Call, text: string, more: Members = {}): void {
    const content = [{ type: 'text', text }];
    out.send({ jsonrpc, id, result: { ...complete, content, ...more } });
  }
}

const discovered: Members = {
  supportedVersions: ['2026-07-28'],
  capabilities: {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    logging: {},
    teleport: { range: 3 },
  },
  instructions: 'Call "echo".',
  weather: 'sunny',
  ...notCached,
  _meta: { [`${prefix}serverInfo`]: { name: 'matrix', version: '1.0.0', mood: 'fine' } },
};
