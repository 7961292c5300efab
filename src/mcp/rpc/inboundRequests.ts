/**
 * Requests from the server: runs the handlers, replies once, and handles cancellation by the server.
 * Requests that arrive before the handlers are known wait for them.
 */
import { toError } from '../../base/async.ts';
import { type HeldMemory, heapBytes, type MemoryAccount } from '../../base/memory.ts';
import { truncated } from '../../base/text.ts';
import { isRpcError, rpcCodes } from '../errors.ts';
import type { Batch, Diagnostic } from '../transport/transport.ts';
import type {
  Params,
  RequestId,
  RpcErrorObject,
  RpcReplyBatch,
  RpcRequest,
  RpcResponse,
} from '../types/message.ts';
import type { RequestHandler } from './peer.ts';
import { reportProgress } from './progress.ts';

/**
 * Limit of requests that wait or run, and of replies that the server has not accepted: over HTTP each is a request of
 * its own, which holds a connection. People answer one after the other.
 */
export const maxRunning = 100;

export interface InboundRequestsOwner {
  /** Resolves when the server has accepted the reply, or it failed; undefined for at once. Never rejects. */
  send(reply: RpcResponse | RpcReplyBatch): Promise<void> | undefined;
  /** Sends `notifications/progress`. */
  progress(params: Params): void;
  diagnose(level: Diagnostic['level'], text: string): void;
  /** Called when the last running handler has ended. */
  becameIdle(): void;
  /** The server's memory account: its requests count towards it. */
  readonly memory?: MemoryAccount | undefined;
}

/** Takes the reply. Must also be told when there is none. */
type Reply = (reply: RpcResponse | undefined) => void;
type Handlers = ReadonlyMap<string, RequestHandler>;

interface Running {
  readonly memory: HeldMemory | undefined;
  readonly controller: AbortController;
  readonly reply: Reply;
}

export class InboundRequests {
  readonly #owner: InboundRequestsOwner;
  readonly #running = new Map<unknown, Running>();
  readonly #batches = new WeakMap<Batch, Reply>();
  #accepting = Promise.withResolvers<Handlers>();
  #handlers: Handlers | undefined;
  /** Replies that the server has not accepted. */
  #unsent = 0;
  #isIgnoring = false;
  /** Answers the requests of one received batch in one array (BASE-09), otherwise one by one. */
  answersBatches = false;
  /** While true, nothing is answered and nothing can be cancelled. */
  isDropping = false;

  constructor(owner: InboundRequestsOwner) {
    this.#owner = owner;
  }

  get isBusy(): boolean {
    return this.#handlers !== undefined && this.#running.size > 0;
  }

  receive(request: RpcRequest, batch: Batch | undefined): void {
    const { id, method, params } = request;
    const reply = this.#replyTo(batch);
    if (this.isDropping) {
      this.#warn(`The server may not send requests: "${method}" was ignored`);
      reply(undefined);
    } else if (this.#unsent >= maxRunning) {
      this.#ignore(method);
      reply(undefined);
    } else if (method === 'ping') {
      reply({ jsonrpc: '2.0', id, result: {} });
    } else if (this.#running.has(id)) {
      // A reply would be taken as the reply to the first request, which is still to come.
      this.#warn(`A second request with id ${JSON.stringify(id)} was ignored`);
      reply(undefined);
    } else if (this.#running.size + this.#unsent >= maxRunning) {
      this.#warn(
        `"${method}" was refused: the server waits for ${maxRunning} answers already. If they do not become fewer, stop the server.`,
      );
      const message = `Too many requests at the same time: more than ${maxRunning}`;
      reply(failure(id, { code: rpcCodes.internalError, message }));
    } else {
      const memory = this.#owner.memory?.hold();
      if (memory?.set(heapBytes(params)) === false) {
        const message = `The request ${this.#owner.memory?.refusal}`;
        this.#warn(`"${method}" was refused. ${message}`);
        reply(failure(id, { code: rpcCodes.internalError, message }));
      } else {
        void this.#run(request, { memory, controller: new AbortController(), reply });
      }
    }
  }

  accept(handlers: Handlers): void {
    this.#handlers = handlers;
    this.#accepting.resolve(handlers);
  }

  /** Handles `notifications/cancelled`. An id that names no request under way is ignored (CANC-04). */
  cancel(params: Params): void {
    const id = params['requestId'];
    const running = this.#running.get(id);
    if (running === undefined) {
      this.#owner.diagnose('debug', 'A cancellation that names no running request was ignored');
      return;
    }
    this.#owner.diagnose('info', `The server cancelled a request${reasonIn(params)}`);
    this.#end(id, running);
    running.controller.abort();
    running.reply(undefined);
  }

  /** Ends every request without a reply, and its batch with it. Later requests wait for {@link accept}. */
  reset(): void {
    const ended = [...this.#running.values()];
    const wasBusy = this.isBusy;
    this.#running.clear();
    this.#handlers = undefined;
    this.#accepting = Promise.withResolvers();
    this.answersBatches = false;
    this.isDropping = false;
    for (const { memory, controller } of ended) {
      memory?.set(0);
      controller.abort();
    }
    if (wasBusy) {
      this.#owner.becameIdle();
    }
  }

  /** Never rejects. */
  async #run({ id, method, params }: RpcRequest, running: Running): Promise<void> {
    this.#running.set(id, running);
    const { signal } = running.controller;
    const handlers = this.#handlers ?? (await this.#accepting.promise);
    if (signal.aborted) {
      return;
    }
    const handler = handlers.get(method);
    let response: RpcResponse;
    if (handler === undefined) {
      const message = `Method not found: ${method}`;
      response = failure(id, { code: rpcCodes.methodNotFound, message });
    } else {
      // Servers also send `null`.
      const given = params ?? {};
      const reports = reportProgress(given, (progress) => this.#owner.progress(progress));
      signal.addEventListener('abort', () => reports.dispose());
      try {
        const result = await handler(given, { signal });
        response = { jsonrpc: '2.0', id, result };
      } catch (error) {
        if (!signal.aborted) {
          this.#warn(`"${method}" from the server failed: ${toError(error).message}`);
        }
        response = failure(id, toErrorObject(error));
      }
      reports.dispose();
    }
    // Another entry under this id, or none, means that this request was cancelled (CANC-03) or reset.
    if (this.#running.get(id) === running) {
      this.#end(id, running);
      running.reply(response);
    }
  }

  #end(id: unknown, { memory }: Running): void {
    memory?.set(0);
    this.#running.delete(id);
    if (this.#running.size === 0) {
      this.#owner.becameIdle();
    }
  }

  /** Where the revision has no batches, requests of a received array are answered one by one (TRAP-07). */
  #replyTo(batch: Batch | undefined): Reply {
    if (batch === undefined || !this.answersBatches) {
      return (reply) => reply && this.#send(reply);
    }
    const replyTo = this.#batches.get(batch) ?? inOneArray(batch, (all) => this.#send(all));
    this.#batches.set(batch, replyTo);
    return replyTo;
  }

  #send(reply: RpcResponse | RpcReplyBatch): void {
    const sent = this.#owner.send(reply);
    if (sent !== undefined) {
      this.#unsent += 1;
      void sent.then(() => this.#onTaken());
    }
  }

  #onTaken(): void {
    this.#unsent -= 1;
    this.#isIgnoring &&= this.#unsent > 0;
  }

  /** Also an error reply would be one more that the server does not accept. The first is logged. */
  #ignore(method: string): void {
    if (!this.#isIgnoring) {
      this.#isIgnoring = true;
      this.#warn(
        `The server has not accepted ${maxRunning} replies. Until it does, its requests are ignored, first "${method}"`,
      );
    }
  }

  #warn(text: string): void {
    this.#owner.diagnose('warn', text);
  }
}

/** Collects the replies to the requests of one received batch. A batch without any reply (CANC-03) sends nothing. */
function inOneArray({ requests }: Batch, send: (replies: RpcReplyBatch) => void): Reply {
  const replies: RpcResponse[] = [];
  let open = requests;
  return (reply) => {
    if (reply !== undefined) {
      replies.push(reply);
    }
    open -= 1;
    if (open === 0 && replies.length > 0) {
      send(replies);
    }
  };
}

function failure(id: RequestId, error: RpcErrorObject): RpcResponse {
  return { jsonrpc: '2.0', id, error };
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
