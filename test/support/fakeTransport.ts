/**
 * A Transport without a channel: what is sent is recorded, what comes in is scripted. Like stdio it
 * takes messages at once; `failNext` makes it behave like a channel that reports each failure.
 */
import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/event.ts';
import { McpError, isRpcError } from '../../src/mcp/errors.ts';
import {
  type RequestId,
  type RpcMessage,
  type RpcReplyBatch,
  type RpcRequest,
  type RpcResponse,
  isRequest,
  isResponse,
} from '../../src/mcp/types/message.ts';
import type {
  CloseReason,
  Diagnostic,
  Inbound,
  SendOptions,
  Transport,
} from '../../src/mcp/transport/transport.ts';

/** Returns the result, throws an RpcError for an error reply, or returns `noReply`. */
export type Responder = (params: Readonly<Record<string, unknown>>, request: RpcRequest) => unknown;

export const noReply = Symbol('no reply');

export class FakeTransport implements Transport {
  cancelsByClosing = false;
  readonly #received = new Emitter<Inbound>();
  readonly #closed = new Emitter<CloseReason>();
  readonly #sessionLost = new Emitter<void>();
  readonly #pushStreamOpened = new Emitter<void>();
  readonly #diagnosed = new Emitter<Diagnostic>();
  readonly onDidReceive = this.#received.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidLoseSession = this.#sessionLost.event;
  readonly onDidOpenPushStream = this.#pushStreamOpened.event;
  readonly onDidDiagnose = this.#diagnosed.event;
  readonly #responders = new Map<string, Responder>();
  readonly #failures: Error[] = [];
  #isClosed = false;

  /** What was sent, after a trip through JSON, and what was called, in order: `start`, `sessionReady …` */
  readonly sent: RpcMessage[] = [];
  /** The arrays among it, which are not in `sent`. */
  readonly sentBatches: RpcReplyBatch[] = [];
  readonly events: string[] = [];
  readonly sendOptions: (SendOptions | undefined)[] = [];
  /** Set to make `start` fail. */
  startError: Error | undefined;

  /** Answers a method from now on, a microtask after it was sent. */
  respond(method: string, responder: Responder): this {
    this.#responders.set(method, responder);
    return this;
  }

  /** Lets the next sends reject with these errors, and drops their messages. */
  failNext(...errors: readonly Error[]): void {
    this.#failures.push(...errors);
  }

  emit(message: RpcMessage, during?: RequestId): void {
    this.#received.fire({ message, during });
  }

  /** Any members at all, with `jsonrpc` filled in, after a trip through JSON. */
  push(members: Readonly<Record<string, unknown>>, during?: RequestId): void {
    const message: RpcMessage = JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...members }));
    this.emit(message, during);
  }

  /** The members of one array. */
  pushBatch(...members: readonly Readonly<Record<string, unknown>>[]): void {
    const messages: readonly RpcMessage[] = JSON.parse(
      JSON.stringify(members.map((member) => ({ jsonrpc: '2.0', ...member }))),
    );
    const batch = { requests: messages.filter(isRequest).length };
    for (const message of messages) {
      this.#received.fire({ message, batch });
    }
  }

  diagnose(diagnostic: Diagnostic): void {
    this.#diagnosed.fire(diagnostic);
  }

  loseSession(): void {
    this.#sessionLost.fire();
  }

  openPushStream(): void {
    this.#pushStreamOpened.fire();
  }

  end(reason: CloseReason = { kind: 'ended', detail: 'the process exited with code 1' }): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#closed.fire(reason);
    }
  }

  get hasListeners(): boolean {
    return [
      this.#received,
      this.#closed,
      this.#sessionLost,
      this.#pushStreamOpened,
      this.#diagnosed,
    ].some((emitter) => emitter.hasListeners);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The requests and notifications of one method, oldest first. */
  sentOf(method: string): readonly RpcRequest[] {
    return this.sent.filter(
      (message): message is RpcRequest => 'method' in message && message.method === method,
    );
  }

  /** What was sent in reply to requests of the server. */
  get replies(): readonly RpcResponse[] {
    return this.sent.filter(isResponse);
  }

  async start(): Promise<void> {
    this.events.push('start');
    if (this.startError !== undefined) {
      throw this.startError;
    }
  }

  send(message: RpcMessage | RpcReplyBatch, options?: SendOptions): Promise<void> | undefined {
    if (this.#isClosed) {
      return Promise.reject(new McpError('closed', 'the fake channel is closed'));
    }
    const copy: RpcMessage | RpcReplyBatch = JSON.parse(JSON.stringify(message));
    const failure = this.#failures.shift();
    if (failure !== undefined) {
      return Promise.reject(failure);
    }
    if (isBatch(copy)) {
      this.sentBatches.push(copy);
      return undefined;
    }
    this.sent.push(copy);
    this.sendOptions.push(options);
    if ('method' in copy) {
      this.events.push(copy.method);
      if ('id' in copy) {
        queueMicrotask(() => void this.#answer(copy));
      }
    }
    return undefined;
  }

  beginSession(): void {
    this.events.push('beginSession');
  }

  sessionReady(agreed: { readonly revision: string }): void {
    this.events.push(`sessionReady ${agreed.revision}`);
  }

  async close(): Promise<void> {
    this.events.push('close');
    this.end({ kind: 'requested' });
  }

  async #answer(request: RpcRequest): Promise<void> {
    const responder = this.#responders.get(request.method);
    if (responder === undefined) {
      return;
    }
    try {
      const answer = responder(request.params ?? {}, request);
      const result = answer instanceof Promise ? await answer : answer;
      if (result !== noReply) {
        this.push({ id: request.id, result });
      }
    } catch (error) {
      assert(isRpcError(error), 'a responder may throw RpcError only');
      const { rpcCode: code, message, data } = error;
      this.push({ id: request.id, error: { code, message, data } });
    }
  }
}

function isBatch(value: RpcMessage | RpcReplyBatch): value is RpcReplyBatch {
  return Array.isArray(value);
}
