/**
 * Observes the messages of one server over restarts and changes of its entry, whichever connection has them, until it
 * is disposed.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Redactor } from '../../base/log.ts';
import { MessageRecorder } from '../../host/inspector/messageRecorder.ts';
import type { Seen } from '../../host/inspector/seenMessage.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { ConnectionState } from '../../host/servers/connectionState.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ServerMemory } from '../../host/servers/serverMemory.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { oneLine } from '../text/labelText.ts';

export interface ObservedParts {
  readonly host: McpHost;
  readonly logs: Pick<OutputLogs, 'open'>;
  readonly serverMemory: ServerMemory;
}

export class ObservedServer implements vscode.Disposable {
  readonly id: ServerId;
  readonly recorder: MessageRecorder;
  /** Knows the secrets of every connection that was observed. */
  readonly redactor = { redact: (text: string) => this.#redact(text) };
  readonly #parts: ObservedParts;
  readonly #redactors = new Set<Redactor>();
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<Seen>());
  /** Fires for each new entry, and again when more is known of it. */
  readonly onDidChange = this.#changed.event;
  #connection: ServerConnection | undefined;
  #lastState: ConnectionState['kind'] | undefined;

  /** @param id of a server that may be in no settings yet: another extension or a followed file may bring it */
  constructor(id: ServerId, parts: ObservedParts) {
    this.id = id;
    this.#parts = parts;
    const memory = this.#store.add(parts.serverMemory.open());
    this.recorder = new MessageRecorder(this.redactor, (seen) => this.#changed.fire(seen), memory);
    const connection = parts.host.servers.get(id);
    if (connection === undefined) {
      this.recorder.note(
        vscode.l10n.t(
          'The server is not in the settings. Its messages appear here once it is added',
        ),
        false,
      );
    } else {
      this.#attach(connection);
    }
    this.#store.add(parts.host.onDidChangeServers(() => this.#onServersChanged()));
    this.#store.add(
      parts.host.onDidChangeServer((changedId) => {
        if (changedId === this.id) {
          this.#onStateChanged();
        }
      }),
    );
  }

  /** Undefined while the server is in no settings. */
  get connection(): ServerConnection | undefined {
    return this.#connection;
  }

  /** Forgets all messages so far. */
  clear(): void {
    this.recorder.clear();
    this.#connection?.tap.recent?.clear();
  }

  dispose(): void {
    this.#detach();
    this.recorder.dispose();
    this.#store.dispose();
  }

  #attach(connection: ServerConnection): void {
    this.#connection = connection;
    this.#redactors.add(this.#parts.logs.open(connection.config).redactor);
    const { recent } = connection.tap;
    if (recent !== undefined) {
      this.recorder.replay(recent);
    }
    connection.tap.observer = this.recorder;
    this.#lastState = undefined;
    this.#onStateChanged();
  }

  #detach(): void {
    if (this.#connection !== undefined) {
      this.#connection.tap.observer = undefined;
      this.#connection = undefined;
    }
  }

  #onServersChanged(): void {
    const connection = this.#parts.host.servers.get(this.id);
    const before = this.#connection;
    if (connection === before) {
      return;
    }
    this.#detach();
    if (connection === undefined) {
      this.recorder.note(vscode.l10n.t('The server is no longer in the settings'), true);
      return;
    }
    this.recorder.note(
      before === undefined
        ? vscode.l10n.t('The server is in the settings now')
        : vscode.l10n.t('The entry of the server was changed'),
      true,
    );
    this.#attach(connection);
  }

  #onStateChanged(): void {
    const state = this.#connection?.state;
    if (state === undefined) {
      return;
    }
    if (state.kind === 'ready') {
      this.recorder.revision = state.server.revision;
    }
    // The state event also fires when a list changes.
    if (state.kind !== this.#lastState) {
      this.#lastState = state.kind;
      this.recorder.note(eventText(state), state.kind !== 'ready' && state.kind !== 'stopping');
    }
  }

  #redact(text: string): string {
    let result = text;
    for (const redactor of this.#redactors) {
      result = redactor.redact(result);
    }
    return result;
  }
}

function eventText(state: ConnectionState): string {
  switch (state.kind) {
    case 'ready': {
      const { revision, transport } = state.server;
      return vscode.l10n.t('The server is ready: revision {0} over {1}', revision, transport);
    }
    case 'starting':
      return vscode.l10n.t('The server is starting');
    case 'waiting':
      return vscode.l10n.t(
        'The server ended and starts again in {0} s: {1}',
        Math.ceil(state.delayMs / 1000),
        oneLine(state.cause.message, 300),
      );
    case 'failed':
      return vscode.l10n.t('The server failed: {0}', oneLine(state.error.message, 300));
    case 'stopping':
      return vscode.l10n.t('The server is being stopped');
    case 'stopped':
      return vscode.l10n.t('The server is stopped');
  }
}
