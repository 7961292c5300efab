/** A transport under test, whatever its kind: the shortest ways to send, and all that came out of it. */
import type {
  CloseReason,
  Diagnostic,
  Inbound,
  SendOptions,
  Transport,
} from '../../src/mcp/transport/transport.ts';

const { signal: never } = new AbortController();

export class TransportTap {
  readonly transport: Transport;
  readonly inbound: Inbound[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly closes: CloseReason[] = [];
  #nextId = 1;

  constructor(transport: Transport) {
    this.transport = transport;
    transport.onDidReceive((inbound) => this.inbound.push(inbound));
    transport.onDidDiagnose((diagnostic) => this.diagnostics.push(diagnostic));
    transport.onDidClose((reason) => this.closes.push(reason));
  }

  async start(signal: AbortSignal = never): Promise<this> {
    await this.transport.start(signal);
    return this;
  }

  /** Ids count from 1. Resolves when the transport is done with the message, not with its reply. */
  async ask(method: string, params = {}, options: SendOptions = {}): Promise<void> {
    const id = this.#nextId++;
    await this.transport.send({ jsonrpc: '2.0', id, method, params }, options);
  }

  async tell(method: string, params = {}): Promise<void> {
    await this.transport.send({ jsonrpc: '2.0', method, params });
  }

  /** What came, in order: the method, or the id of a reply. */
  get order(): readonly unknown[] {
    return this.inbound.map(({ message }) => ('method' in message ? message.method : message.id));
  }

  get texts(): string {
    return this.diagnostics.map(({ text }) => text).join('\n');
  }

  /** How it ended, in words. */
  get endings(): readonly string[] {
    return this.closes.map((reason) => {
      switch (reason.kind) {
        case 'requested':
          return 'requested';
        case 'ended':
          return `ended: ${reason.detail}`;
        case 'failed':
          return `failed: ${reason.error.message}`;
      }
    });
  }
}
