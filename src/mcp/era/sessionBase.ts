/** What the sessions of both eras have in common: their events, and their end. */
import { DisposableStore } from '../../base/disposable.ts';
import { HoldingEmitter } from '../../base/event.ts';
import { McpError } from '../errors.ts';
import type { Peer } from '../rpc/rpcPeer.ts';
import type { ServerChange } from '../session/session.ts';
import type { CloseReason, Diagnostic } from '../transport/transport.ts';
import type { LoggingMessage } from '../types/methods.ts';

/** Events kept for a listener that subscribes after the server's first notification. */
const heldEvents = 100;

export abstract class SessionBase {
  protected readonly peer: Peer;
  protected readonly store = new DisposableStore();
  protected readonly lifetime = new AbortController();
  protected readonly changed = new HoldingEmitter<ServerChange>(heldEvents);
  protected readonly logged = new HoldingEmitter<LoggingMessage>(heldEvents);
  protected readonly diagnosed = new HoldingEmitter<Diagnostic>(heldEvents);
  readonly #closed = new HoldingEmitter<CloseReason>(1);
  readonly onDidChange = this.changed.event;
  readonly onDidLog = this.logged.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidDiagnose = this.diagnosed.event;
  #failure: Error | undefined;

  constructor(peer: Peer) {
    this.peer = peer;
    this.store.add(peer.onDidClose((reason) => this.#onClosed(reason)));
  }

  protected fail(reason: Error): void {
    this.#failure ??= reason;
    void this.peer.close().catch(() => undefined); // only the failure itself is reported
  }

  #onClosed(reason: CloseReason): void {
    this.lifetime.abort(new McpError('closed', 'The connection ended'));
    this.store.dispose();
    const error = this.#failure;
    this.#closed.fire(error === undefined ? reason : { kind: 'failed', error });
  }
}
