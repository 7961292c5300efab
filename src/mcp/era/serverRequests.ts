/**
 * What a server may ask in the handshake era: which methods are served is known at once, how they are
 * answered (requestHandlers.ts) is loaded with the first question.
 */
import { lazilyLoaded } from '../../base/lazily.ts';
import { RpcError, rpcCodes } from '../errors.ts';
import type { Params } from '../rpc/message.ts';
import type { RequestContext, RequestHandler } from '../rpc/peer.ts';
import type { RequestHandlers } from './requestHandlers.ts';
import type { ClientFeatures } from './session.ts';
import type { TaskOwner } from './tasks/taskOwner.ts';

/** Served together with what may be asked as a task (TASK-01). */
const taskMethods = ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'];

export class ServerRequests {
  readonly #features: ClientFeatures;
  readonly #load: () => Promise<RequestHandlers>;
  #loading: Promise<RequestHandlers> | undefined;
  #loaded: RequestHandlers | undefined;
  /** By method; the rest gets -32601 from the peer (CAP-05). */
  readonly handlers: ReadonlyMap<string, RequestHandler>;

  /** @param signalOf aborts when a task of ours is over; undefined for any other */
  constructor(
    features: ClientFeatures,
    owner: TaskOwner,
    signalOf: (taskId: string) => AbortSignal | undefined,
  ) {
    this.#features = features;
    this.#load = lazilyLoaded(async () => {
      const { createRequestHandlers } = await import('./requestHandlers.ts');
      return createRequestHandlers(features, owner, signalOf);
    });
    const { listRoots, elicit, sample } = features;
    const methods = [
      ...(listRoots ? ['roots/list'] : []),
      ...(elicit ? ['elicitation/create'] : []),
      ...(sample ? ['sampling/createMessage'] : []),
      ...((elicit ?? sample) ? taskMethods : []),
    ];
    this.handlers = new Map(
      methods.map((method) => [method, (params, context) => this.#answer(method, params, context)]),
    );
  }

  /** The session is over: nothing of it is kept, what is asked as a task is withdrawn. */
  clear(): void {
    this.#loaded?.clear();
  }

  /** `notifications/elicitation/complete`: told after what was asked before it, whose code may still be loaded. */
  onCompleted(elicitationId: string): void {
    const tell = (): void => this.#features.elicitationCompleted?.(elicitationId);
    if (this.#loading === undefined || this.#loaded !== undefined) {
      tell();
    } else {
      this.#loading.then(tell, tell);
    }
  }

  async #answer(method: string, params: Params, context: RequestContext): Promise<unknown> {
    if (this.#loaded === undefined) {
      this.#loading = this.#load();
      this.#loaded = await this.#loading;
    }
    context.signal.throwIfAborted();
    const handler = this.#loaded.handlers.get(method);
    if (handler === undefined) {
      throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`);
    }
    return handler(params, context);
  }
}
