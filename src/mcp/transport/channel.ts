/** What the transports have in common: their events. */
import { Emitter, type Event, noEvent } from '../../base/event.ts';
import type { RpcMessage } from '../types/message.ts';
import type { Batch, CloseReason, Diagnostic, Inbound, Transport } from './transport.ts';

/** Sessions begin and end unheard, unless a transport overrides that. */
export abstract class ChannelBase {
  readonly cancelsByClosing: boolean = false;
  protected readonly received = new Emitter<Inbound>();
  protected readonly diagnosed = new Emitter<Diagnostic>();
  readonly #closed = new Emitter<CloseReason>();
  readonly onDidReceive = this.received.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidDiagnose = this.diagnosed.event;
  readonly onDidLoseSession: Event<void> = noEvent;
  readonly onDidOpenPushStream: Event<void> = noEvent;

  beginSession(): void {}
  sessionReady(_agreed: Parameters<Transport['sessionReady']>[0]): void {}

  protected deliver(message: RpcMessage, batch: Batch | undefined): void {
    this.received.fire(batch === undefined ? { message } : { message, batch });
  }

  protected note(level: Diagnostic['level'], text: string): void {
    this.diagnosed.fire({ level, source: 'transport', text });
  }

  /** Call once. Nothing is received afterwards. */
  protected tellClose(reason: CloseReason): void {
    this.#closed.fire(reason);
    this.received.dispose();
  }
}
