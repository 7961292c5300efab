/**
 * Requests from the server: runs the handlers, replies once, and handles cancellation by the server.
 * Requests that arrive before the handlers are known wait here.
 */
import { toError } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type HeldMemory, heapBytes, type MemoryAccount } from '../../base/memory.ts';
import { truncated } from '../../base/text.ts';
import { isRpcError, rpcCodes } from '../errors.ts';
import type { Diagnostic } from '../transport/transport.ts';
import type {
  Params,
  RequestId,
  RpcErrorObject,
  RpcRequest,
  RpcResponse,
} from '../types/message.ts';
import type { RequestHandler } from './peer.ts';
import { reportProgress } from './progress.ts';
import type { UnsentReplies } from './replies.ts';

/** Limit of requests that wait for {@link InboundRequests.accept}. */
const maxHeld = 64;
/** Limit of requests that run, or whose replies are being sent, at the same time. People answer one after the other. */
export const maxRunning = 100;

export interface InboundRequestsOwner {
  readonly replies: UnsentReplies;
  /** Sends `notifications/progress`. */
  progress(params: Params): void;
  diagnose(level: Diagnostic['level'], text: string): void;
  /** Called when the last running handler has ended. */
  becameIdle(): void;
  /** The server's memory account: its requests count towards it. */
  readonly memory?: MemoryAccount | undefined;
}

/** Where a request came from. */
export interface Origin {
  readonly during?: RequestId;
  /** Takes the reply. Must also be told when there is none. */
  readonly reply: (reply: RpcResponse | undefined) => void;
}

interface Held {
  readonly request: RpcRequest;
  readonly origin: Origin;
  readonly memory: HeldMemory | undefined;
}

interface Running {
  readonly memory: HeldMemory | undefined;
  readonly controller: AbortController;
  readonly reports: Disposable;
  readonly reply: Origin['reply'];
}

export class InboundRequests {
  readonly #owner: InboundRequestsOwner;
  readonly #running = new Map<unknown, Running>();
  readonly #held = new Map<unknown, Held>();
  #handlers: ReadonlyMap<string, RequestHandler> | undefined;
  #isHasteTold = false;
  /** While true, nothing is answered and nothing can be cancelled. */
  isDropping = false;

  constructor(owner: InboundRequestsOwner) {
    this.#owner = owner;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  receive(request: RpcRequest, origin: Origin): void {
    const { id, method } = request;
    if (this.isDropping) {
      this.#owner.diagnose('warn', `The server may not send requests: "${method}" was ignored`);
      origin.reply(undefined);
    } else if (this.#owner.replies.ignores(method)) {
      origin.reply(undefined);
    } else if (method === 'ping') {
      origin.reply({ jsonrpc: '2.0', id, result: {} });
    } else if (this.#running.has(id) || this.#held.has(id)) {
      // A reply would be taken as the reply to the first request, which is still to come.
      this.#owner.diagnose('warn', `A second request with id ${JSON.stringify(id)} was ignored`);
      origin.reply(undefined);
    } else if (this.#running.size + this.#owner.replies.count >= maxRunning) {
      const message = `Too many requests at the same time: more than ${maxRunning}`;
      this.#owner.diagnose(
        'warn',
        `"${method}" was refused: the server waits for ${maxRunning} answers already. If they do not become fewer, stop the server.`,
      );
      this.#fail(id, { code: rpcCodes.internalError, message }, origin);
    } else {
      this.#take(request, origin);
    }
  }

  #take(request: RpcRequest, origin: Origin): void {
    const { id, method } = request;
    const memory = this.#owner.memory?.hold();
    if (memory?.set(heapBytes(request.params)) === false) {
      const message = `The request ${this.#owner.memory?.refusal}`;
      this.#owner.diagnose('warn', `"${method}" was refused. ${message}`);
      this.#fail(id, { code: rpcCodes.internalError, message }, origin);
    } else if (this.#handlers !== undefined) {
      this.#dispatch(this.#handlers, { request, origin, memory });
    } else if (this.#held.size < maxHeld) {
      this.#held.set(id, { request, origin, memory });
    } else {
      memory?.set(0);
      if (!this.#isHasteTold) {
        this.#isHasteTold = true;
        this.#owner.diagnose(
          'warn',
          `A request was refused, and so are those that follow: the server sent more than ${maxHeld} requests before the handshake was complete. It has to wait for the end of the handshake.`,
        );
      }
      const message = `Too many requests before the handshake was complete: more than ${maxHeld}`;
      this.#fail(id, { code: rpcCodes.internalError, message }, origin);
    }
  }

  accept(handlers: ReadonlyMap<string, RequestHandler>): void {
    this.#handlers = handlers;
    const waiting = [...this.#held.values()];
    this.#held.clear();
    for (const held of waiting) {
      this.#dispatch(handlers, held);
    }
  }

  /** Handles `notifications/cancelled`. An id that names no request under way is ignored (CANC-04). */
  cancel(params: Params): void {
    const id = params['requestId'];
    const running = this.#running.get(id);
    const held = this.#held.get(id);
    if (running === undefined && held === undefined) {
      this.#owner.diagnose('debug', 'A cancellation that names no running request was ignored');
      return;
    }
    this.#owner.diagnose('info', `The server cancelled a request${reasonIn(params)}`);
    if (running !== undefined) {
      this.#end(id);
      running.controller.abort();
      running.reply(undefined);
    } else {
      this.#held.delete(id);
      held?.memory?.set(0);
      held?.origin.reply(undefined);
    }
  }

  /** Ends every request without a reply, and its batch with it. Later requests wait for {@link accept}. */
  reset(): void {
    const ended = [...this.#running.values()];
    for (const { memory } of [...ended, ...this.#held.values()]) {
      memory?.set(0);
    }
    const wasBusy = this.isBusy;
    this.#running.clear();
    this.#held.clear();
    this.#handlers = undefined;
    this.isDropping = false;
    for (const { controller, reports } of ended) {
      reports.dispose();
      controller.abort();
    }
    if (wasBusy) {
      this.#owner.becameIdle();
    }
  }

  #dispatch(handlers: ReadonlyMap<string, RequestHandler>, held: Held): void {
    const { request, origin } = held;
    const handler = handlers.get(request.method);
    if (handler === undefined) {
      held.memory?.set(0);
      const message = `Method not found: ${request.method}`;
      this.#fail(request.id, { code: rpcCodes.methodNotFound, message }, origin);
      return;
    }
    void this.#run(handler, held);
  }

  /** Never rejects. */
  async #run(handler: RequestHandler, { request, origin, memory }: Held): Promise<void> {
    const { id, method } = request;
    const { during, reply } = origin;
    const controller = new AbortController();
    const params = request.params ?? {};
    const reports = reportProgress(params, (progress) => this.#owner.progress(progress));
    const running: Running = { controller, reports, reply, memory };
    this.#running.set(id, running);
    let response: RpcResponse;
    try {
      const result = await handler(params, { signal: controller.signal, during });
      response = { jsonrpc: '2.0', id, result: result ?? {} };
    } catch (error) {
      if (!controller.signal.aborted) {
        this.#owner.diagnose(
          'warn',
          `"${method}" from the server failed: ${toError(error).message}`,
        );
      }
      response = { jsonrpc: '2.0', id, error: toErrorObject(error) };
    }
    // Another entry under this id, or none, means that this request was cancelled (CANC-03) or reset.
    if (this.#running.get(id) === running) {
      this.#end(id);
      reply(response);
    }
  }

  #end(id: unknown): void {
    const running = this.#running.get(id);
    running?.reports.dispose();
    running?.memory?.set(0);
    this.#running.delete(id);
    if (this.#running.size === 0) {
      this.#owner.becameIdle();
    }
  }

  #fail(id: RequestId, error: RpcErrorObject, { reply }: Origin): void {
    reply({ jsonrpc: '2.0', id, error });
  }
}

/** The text of an unexpected error is not sent: it may hold paths or secrets. */
function toErrorObject(error: unknown): RpcErrorObject {
  return isRpcError(error)
    ? {
        code: error.rpcCode,
        message: error.message,
        ...(error.data === undefined ? undefined : { data: error.data }),
      }
    : { code: rpcCodes.internalError, message: 'Internal error' };
}

/** The server's reason (CANC-06), for the log. */
function reasonIn({ reason }: Params): string {
  return typeof reason === 'string' && reason !== ''
    ? `: ${JSON.stringify(truncated(reason, 200))}`
    : '';
}
