/** The server of the protocol matrix in the handshake era. */
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
  readonly result?: unknown;
  readonly error?: unknown;
}

/** `receive` takes what one frame, line or body held: a message, or an array of them. */
export class LegacyScript extends MatrixScript {
  readonly #revision: string;
  readonly #replies = new Map<unknown, (reply: Message, wasBatch: boolean) => void>();
  readonly #watched = new Set<unknown>();
  #logLevel: unknown;
  #onProgress: ((params: unknown) => void) | undefined;

  constructor(revision: string, served: ServedBy) {
    super(served);
    this.#revision = revision;
  }

  receive(frame: unknown, out: Outlet): void {
    this.received.push(frame);
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

  protected tellOfTools(): void {
    this.served.push.send({ jsonrpc, method: 'notifications/tools/list_changed' });
  }

  protected tellOfResources(): number {
    for (const uri of this.#watched) {
      const method = 'notifications/resources/updated';
      this.served.push.send({ jsonrpc, method, params: { uri } });
    }
    return this.#watched.size;
  }

  protected logLevel(): unknown {
    return this.#logLevel;
  }

  #notice({ method, params }: Message): void {
    if (method === 'notifications/cancelled') {
      this.cancelled.add(params?.['requestId']);
    } else if (method === 'notifications/progress') {
      this.#onProgress?.(params);
    }
  }

  #request(id: string | number, method: string, params: Members, out: Outlet): void {
    if (method === 'tools/call') {
      this.call(id, params, out);
      return;
    }
    const result = this.listed(method, params) ?? this.#resultOf(method, params);
    if (result === undefined) {
      this.refuse(out, id, -32_601, `No method ${method}`);
    } else {
      out.send({ jsonrpc, id, result });
    }
  }

  #resultOf(method: string, { uri, level }: Members): Members | undefined {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: this.#revision,
          capabilities: description['capabilities'],
          serverInfo,
          ...description,
        };
      case 'resources/subscribe':
        this.#watched.add(uri);
        return {};
      case 'resources/unsubscribe':
        this.#watched.delete(uri);
        return {};
      case 'logging/setLevel':
        this.#logLevel = level;
        return {};
      case 'ping':
        return {};
      default:
        return undefined;
    }
  }

  protected readonly others: Readonly<Record<string, (call: Call) => void>> = {
    ask: (call) => {
      const { method, params } = call.args;
      this.#ask(call, method, params, (reply) => this.text(call, JSON.stringify(reply)));
    },
    // Takes its question back; a reply to it would be told.
    withdraw: (call) => {
      const { method, params } = call.args;
      const requestId = this.#ask(call, method, params, () => this.text(call, 'answered'));
      const params2 = { requestId, reason: 'changed my mind' };
      call.out.send({ jsonrpc, method: 'notifications/cancelled', params: params2 });
      // A ping is answered after whatever was sent before it.
      this.#ask(call, 'ping', undefined, () => this.text(call, 'withdrawn'));
    },
    // Takes its question back once it is told that somebody thinks about it.
    hurry: (call) => {
      const { method, params } = call.args;
      const progressToken = `thinking-${call.id}`;
      const asked = { ...Object(params), _meta: { progressToken } };
      const requestId = this.#ask(call, method, asked, () => this.text(call, 'answered'));
      this.#onProgress = (told) => {
        this.#onProgress = undefined;
        call.out.send({ jsonrpc, method: 'notifications/cancelled', params: { requestId } });
        this.text(
          call,
          JSON.stringify(told) === JSON.stringify({ progressToken, progress: 1 }) ? 'told' : 'odd',
        );
      };
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
  };

  #ask(call: Call, method: unknown, params: unknown, onReply: (reply: Message) => void): string {
    const id = `${String(method)}-${call.id}`;
    this.#replies.set(id, ({ result, error }) =>
      onReply(error === undefined ? { result } : { error }),
    );
    call.out.send({ jsonrpc, id, method, params });
    return id;
  }
}
