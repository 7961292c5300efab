/** The server of the protocol matrix at revision 2026-07-28, which sends no requests. */
import {
  type Call,
  description,
  jsonrpc,
  MatrixScript,
  type Members,
  type Outlet,
  type ServedBy,
  serverInfo,
} from './matrixScript.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Members;
}

const prefix = 'io.modelcontextprotocol/';
const notCached = { ttlMs: 0, cacheScope: 'private' };
const discovered: Members = {
  supportedVersions: ['2026-07-28'],
  ...description,
  ...notCached,
  _meta: { [`${prefix}serverInfo`]: serverInfo },
};

export class ModernScript extends MatrixScript {
  readonly #subscriptions = new Map<unknown, { readonly filter: Members; readonly out: Outlet }>();

  constructor(served: ServedBy) {
    super(served, { resultType: 'complete' });
  }

  receive(frame: unknown, out: Outlet): void {
    this.received.push(frame);
    const { id, method = '', params = {} }: Message = Object(frame);
    if (method === 'notifications/cancelled') {
      this.abandon(params['requestId']);
    } else if (id !== undefined) {
      this.#request(id, method, params, out);
    }
  }

  abandon(id: unknown): void {
    if (!this.#subscriptions.delete(id)) {
      this.cancelled.add(id);
    }
  }

  protected tellOfTools(): void {
    for (const [id, { filter, out }] of this.#subscriptions) {
      if (filter['toolsListChanged'] === true) {
        this.#tell(out, 'notifications/tools/list_changed', id);
      }
    }
  }

  protected tellOfResources(): number {
    let count = 0;
    for (const [id, { filter, out }] of this.#subscriptions) {
      const uris: unknown = filter['resourceSubscriptions'];
      for (const uri of Array.isArray(uris) ? uris : []) {
        count += 1;
        this.#tell(out, 'notifications/resources/updated', id, { uri });
      }
    }
    return count;
  }

  protected logLevel({ meta }: Call): unknown {
    return meta[`${prefix}logLevel`];
  }

  #request(id: string | number, method: string, params: Members, out: Outlet): void {
    const meta: Members = Object(params['_meta']);
    const listed = method === 'server/discover' ? discovered : this.listed(method, params);
    if (meta[`${prefix}protocolVersion`] !== '2026-07-28') {
      this.refuse(out, id, -32_602, 'Each request names its revision');
    } else if (method === 'tools/call') {
      this.call(id, params, out);
    } else if (method === 'subscriptions/listen') {
      this.#listen(id, Object(params['notifications']), out);
    } else if (listed === undefined) {
      this.refuse(out, id, -32_601, `No method ${method}`);
    } else {
      out.send({ jsonrpc, id, result: { ...this.complete, ...listed, ...notCached } });
    }
  }

  #listen(id: string | number, filter: Members, out: Outlet): void {
    this.#subscriptions.set(id, { filter, out });
    this.#tell(out, 'notifications/subscriptions/acknowledged', id, { notifications: filter });
  }

  #tell(out: Outlet, method: string, subscription: unknown, params: Members = {}): void {
    const meta = { [`${prefix}subscriptionId`]: subscription };
    out.send({ jsonrpc, method, params: { ...params, _meta: meta } });
  }

  protected readonly others: Readonly<Record<string, (call: Call) => void>> = {
    // The first time it asks back; the second time the answer is the result.
    ask: (call) => {
      const { method, params } = call.args;
      const responses = call.params['inputResponses'];
      if (responses === undefined) {
        const inputRequests = { question: { method, params } };
        const result = { resultType: 'input_required', inputRequests, requestState: 's"1" ☃' };
        call.out.send({ jsonrpc, id: call.id, result });
      } else if (call.params['requestState'] === 's"1" ☃') {
        this.text(call, JSON.stringify({ result: Object(responses).question }));
      } else {
        this.text(call, 'the state is not what it was');
      }
    },
  };
}
