/**
 * JSON-RPC with one view: checks what comes, answers each request once, and knows nothing of what the messages mean.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#transport-layer
 */
import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/clock.ts';
import { onUnexpectedError } from '../../base/event.ts';
import { isObject } from '../../base/json.ts';
import { jsonChars } from '../../base/memory.ts';
import { isMcpError, isRpcError, McpError, RpcError, rpcCodes } from '../../mcp/errors.ts';
import type { Progress } from '../../mcp/session/session.ts';
import {
  envelopeProblem,
  type Params,
  type RequestId,
  type RpcErrorObject,
} from '../../mcp/types/message.ts';

export const viewLimits = {
  /** Characters of one message, from or to the view. */
  messageChars: 32 * 1024 * 1024,
  /** Messages in one second; a view that sends more is ended. */
  messagesPerSecond: 1_000,
  /** Requests of the view that wait for their answers. */
  openRequests: 100,
} as const;

/** To a view: refused, failed, or not connected. */
export const refusedCode = -32_000;

export function refused(message: string): RpcError {
  return new RpcError(refusedCode, message);
}

export interface ViewRequest {
  readonly method: string;
  readonly params: Params;
  /** Aborts when the view cancels the request, or is gone. */
  readonly signal: AbortSignal;
  /** Present when the view asked for progress. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface ConversationParts {
  readonly post: (message: object) => void;
  readonly clock: Clock;
  /** @throws RpcError for the view as it is; any other McpError becomes one */
  readonly onRequest: (request: ViewRequest) => Promise<object>;
  readonly onNotification: (method: string, params: Params) => void;
  /** A message was dropped; completes "dropped a message: ". */
  readonly onDropped: (because: string) => void;
  /** Whether the view takes requests and notifications. */
  readonly isReady: () => boolean;
  /** Sees each message that comes or goes. */
  readonly observe: (direction: 'fromApp' | 'toApp', message: object) => void;
}

export class AppConversation implements Disposable {
  readonly #parts: ConversationParts;
  readonly #open = new Map<RequestId, AbortController>();
  readonly #waiting = new Map<RequestId, () => void>();
  #nextId = 1;
  #hasGreeted = false;
  #isOver = false;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  notify(method: string, params: object): void {
    this.#post({ jsonrpc: '2.0', method, params });
  }

  /** Resolves with the answer, whatever it says, or after so many milliseconds. */
  ask(method: string, params: object, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      const done = (): void => {
        timer.dispose();
        this.#waiting.delete(id);
        resolve();
      };
      const timer = this.#parts.clock.after(limitMs, done);
      this.#waiting.set(id, done);
      this.#post({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** The view begins anew, with ids of its own: the answers to its earlier requests would be taken for others. */
  #forgetRequests(): void {
    for (const controller of this.#open.values()) {
      controller.abort(new McpError('cancelled', 'The app was loaded again'));
    }
    this.#open.clear();
  }

  /** Open requests are answered with an error, and what they do is cancelled. */
  dispose(): void {
    if (this.#isOver) {
      return;
    }
    for (const id of this.#open.keys()) {
      this.#answer(id, { error: { code: refusedCode, message: 'The app is closed' } });
    }
    this.#isOver = true;
    this.#forgetRequests();
    for (const done of this.#waiting.values()) {
      done();
    }
  }

  /** A message of the view as it came, of any shape. */
  receive(message: unknown): void {
    if (this.#isOver || !isObject(message) || message['jsonrpc'] !== '2.0') {
      return;
    }
    const { id, method } = message;
    const isTooLarge = charsOf(message) > viewLimits.messageChars;
    const problem = isTooLarge ? 'it is too large' : envelopeProblem(message);
    if (!isTooLarge) {
      this.#parts.observe('fromApp', message);
    }
    if (problem !== undefined) {
      this.#parts.onDropped(problem);
      if ('method' in message && isId(id)) {
        const error = { code: rpcCodes.invalidRequest, message: `Invalid request: ${problem}` };
        this.#post({ jsonrpc: '2.0', id, error });
      }
      return;
    }
    if (typeof method !== 'string') {
      this.#onAnswer(id);
    } else if (!method.startsWith('ui/notifications/sandbox-')) {
      const params = isObject(message['params']) ? message['params'] : {};
      if (isId(id)) {
        void this.#onRequest(id, method, params);
      } else {
        this.#onNotification(method, params);
      }
    }
  }

  #onAnswer(id: unknown): void {
    const done = isId(id) ? this.#waiting.get(id) : undefined;
    if (done === undefined) {
      this.#parts.onDropped('it answers no request');
    }
    done?.();
  }

  #onNotification(method: string, params: Params): void {
    if (method !== 'notifications/cancelled') {
      this.#parts.onNotification(method, params);
      return;
    }
    const { requestId } = params;
    if (!isId(requestId)) {
      this.#parts.onDropped('"notifications/cancelled" has no "requestId"');
      return;
    }
    const controller = this.#open.get(requestId);
    this.#open.delete(requestId); // a cancelled request gets no answer
    controller?.abort(new McpError('cancelled', 'The app cancelled the request'));
  }

  async #onRequest(id: RequestId, method: string, params: Params): Promise<void> {
    if (this.#open.has(id) && method !== 'ui/initialize') {
      this.#parts.onDropped('its id belongs to an open request');
      return;
    }
    // A first greeting leaves what was asked before it (APP-44), unless its id shows that the page was loaded again.
    if (method === 'ui/initialize' && (this.#hasGreeted || this.#open.has(id))) {
      this.#forgetRequests();
    }
    if (this.#open.size >= viewLimits.openRequests) {
      const message = `More than ${viewLimits.openRequests} requests wait for an answer`;
      this.#post({ jsonrpc: '2.0', id, error: { code: refusedCode, message } });
      return;
    }
    const controller = new AbortController();
    this.#open.set(id, controller);
    const { signal } = controller;
    const outcome = await this.#outcome({ method, params, signal, ...this.#progress(params) });
    if (this.#open.get(id) === controller) {
      this.#hasGreeted ||= method === 'ui/initialize' && 'result' in outcome;
      this.#answer(id, outcome);
      this.#open.delete(id);
    }
  }

  async #outcome(
    request: ViewRequest,
  ): Promise<{ readonly result: object } | { readonly error: RpcErrorObject }> {
    try {
      const result = request.method === 'ping' ? {} : await this.#parts.onRequest(request);
      if (charsOf(result) > viewLimits.messageChars) {
        throw refused('The answer is too large for an app');
      }
      return { result };
    } catch (error) {
      return { error: toErrorObject(error) };
    }
  }

  #progress(params: Params): Pick<ViewRequest, 'onProgress'> {
    const meta = params['_meta'];
    const token = isObject(meta) ? meta['progressToken'] : undefined;
    if (!isId(token)) {
      return {};
    }
    return {
      onProgress: (progress) => {
        if (this.#parts.isReady()) {
          this.notify('notifications/progress', { ...progress, progressToken: token });
        }
      },
    };
  }

  #answer(id: RequestId, outcome: object): void {
    this.#post({ jsonrpc: '2.0', id, ...outcome });
  }

  #post(message: object): void {
    this.#parts.observe('toApp', message);
    this.#parts.post(message);
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

/** Infinite for a message that is nested too deeply to be measured. */
function charsOf(message: object): number {
  try {
    return jsonChars(message, viewLimits.messageChars);
  } catch {
    return Infinity;
  }
}

/** Errors of the server pass unchanged. Hides the text of an unexpected error: it may hold paths or secrets. */
function toErrorObject(error: unknown): RpcErrorObject {
  if (isRpcError(error)) {
    const { rpcCode: code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  if (!isMcpError(error)) {
    onUnexpectedError(error);
    return { code: rpcCodes.internalError, message: 'Internal error' };
  }
  const code = error.code === 'unsupported' ? rpcCodes.methodNotFound : refusedCode;
  return { code, message: error.message };
}
