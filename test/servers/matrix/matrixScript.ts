/** What the server of the protocol matrix does at every revision, whatever carries its messages: each scenario is a tool. */

/** Where a message of the server goes. */
export interface Outlet {
  send(message: unknown): void;
}

/** What a script needs of the channel that it is served over. */
export interface ServedBy {
  /** For what belongs to no request: a stream that is always open, where the channel has one. */
  readonly push: Outlet;
  /** Ends the server as a crash would. */
  die(): void;
}

export type Members = Readonly<Record<string, unknown>>;

export interface Call {
  readonly id: string | number;
  readonly params: Members;
  readonly args: Members;
  readonly meta: Members;
  readonly out: Outlet;
}

export const jsonrpc = '2.0';
const inputSchema = { type: 'object' };

/** What every revision says of the server. */
export const description: Members = {
  capabilities: {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    logging: {},
    // Nobody knows this one, and everybody has to bear it.
    teleport: { range: 3 },
  },
  instructions: 'Call "echo".',
  weather: 'sunny',
};
export const serverInfo = { name: 'matrix', version: '1.0.0', mood: 'fine' };

/** One conversation. */
export abstract class MatrixScript {
  protected readonly served: ServedBy;
  /** Everything that was received, as it came. */
  protected readonly received: unknown[] = [];
  protected readonly cancelled = new Set<unknown>();
  protected readonly complete: Members;
  #tools = ['echo', 'fail', 'refuse', 'progress', 'wait', 'ask', 'withdraw', 'change', 'touch'];

  /** @param complete members of each result of a tool */
  constructor(served: ServedBy, complete: Members = {}) {
    this.served = served;
    this.complete = complete;
  }

  /** Takes what one frame, line or body held. What it answers goes to `out`. */
  abstract receive(frame: unknown, out: Outlet): void;
  /** The client no longer waits for the reply to this request. */
  abstract abandon(id: unknown): void;
  /** The tools that are not the same at every revision. */
  protected abstract readonly others: Readonly<Record<string, (call: Call) => void>>;
  protected abstract tellOfTools(): void;
  /** Tells of each resource that is watched. @returns how many these are */
  protected abstract tellOfResources(): number;
  /** Of log messages that the client wants with a call; undefined: none. */
  protected abstract logLevel({ meta }: Call): unknown;

  /** What any revision lists and reads; undefined for other methods. */
  protected listed(method: string, { cursor, uri }: Members): Members | undefined {
    switch (method) {
      case 'tools/list':
        return this.#page(cursor);
      case 'resources/list':
        return { resources: [] };
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      case 'resources/read':
        return { contents: [{ uri, text: uri }] };
      default:
        return undefined;
    }
  }

  protected call(id: string | number, params: Members, out: Outlet): void {
    const { name, arguments: args, _meta: meta } = params;
    const tool = this.others[String(name)] ?? this.#toolsByName[String(name)];
    if (tool === undefined) {
      this.refuse(out, id, -32_602, `Unknown tool: ${String(name)}`);
    } else {
      tool({ id, params, args: Object(args), meta: Object(meta), out });
    }
  }

  protected refuse(out: Outlet, id: unknown, code: number, message: string, data?: unknown): void {
    out.send({ jsonrpc, id, error: { code, message, data } });
  }

  protected text({ id, out }: Call, text: string, more: Members = {}): void {
    const content = [{ type: 'text', text }];
    out.send({ jsonrpc, id, result: { ...this.complete, content, ...more } });
  }

  /** Two pages; the second one has the last four. */
  #page(cursor: unknown): Members {
    const all = this.#tools.map((name) => ({ name, inputSchema, colour: 'blue' }));
    return cursor === 'rest'
      ? { tools: all.slice(5) }
      : { tools: all.slice(0, 5), nextCursor: 'rest' };
  }

  readonly #toolsByName: Readonly<Record<string, (call: Call) => void>> = {
    echo: (call) => this.text(call, String(call.args['value'])),
    fail: (call) => this.text(call, 'no such city', { isError: true }),
    refuse: ({ id, out }) => this.refuse(out, id, -32_000, 'refused', { hint: 'x' }),
    progress: (call) => {
      for (const progress of [1, 2, 3]) {
        const params = { progressToken: call.meta['progressToken'], progress, total: 3 };
        call.out.send({ jsonrpc, method: 'notifications/progress', params });
      }
      this.text(call, 'done');
    },
    // Answered never; `cancelled` tells whether it was cancelled.
    wait: () => undefined,
    cancelled: (call) => this.text(call, JSON.stringify([...this.cancelled])),
    change: (call) => {
      this.#tools = [...new Set([...this.#tools, 'fresh'])];
      this.tellOfTools();
      this.text(call, 'changed');
    },
    touch: (call) => this.text(call, String(this.tellOfResources())),
    log: (call) => {
      const level = this.logLevel(call);
      if (level !== undefined) {
        const params = { level, logger: 'matrix', data: { text: 'hello' } };
        call.out.send({ jsonrpc, method: 'notifications/message', params });
      }
      this.text(call, 'logged');
    },
    die: () => this.served.die(),
    strange: ({ id, out }) => {
      out.send({ jsonrpc, method: 'notifications/moon_phase', params: { phase: 'full' } });
      out.send({ jsonrpc, method: 'notifications/progress', params: { progressToken: 'x' } });
      out.send({ jsonrpc, id: 'nobody-asked', result: {} });
      const content = [{ type: 'text', text: 'odd', mood: 'fine' }];
      const result = { ...this.complete, content, extra: 1, _meta: { 'x.example/y': 2 } };
      out.send({ jsonrpc, id, result, trace: 'abc' });
    },
    received: (call) => this.text(call, JSON.stringify(this.received)),
  };
}
