/**
 * The servers that are being developed: watches their files, and attaches a debugger to each that starts.
 * host/launch/debugLaunch.ts makes the command line with which a runtime listens for it.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type DebugTarget, attachConfiguration } from '../../host/launch/debugLaunch.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { oneLine } from '../text/labelText.ts';
import { FileRestarts, folderOf } from './fileRestarts.ts';

export class DevServers implements Disposable {
  readonly #host: McpHost;
  readonly #logs: OutputLogs;
  readonly #store = new DisposableStore();
  /** By connection: a changed entry gets a new one. */
  readonly #restarts = new Map<ServerConnection, FileRestarts>();
  /** The debug addresses of starts in progress; taken when the server is ready. */
  readonly #targets: Map<ServerId, DebugTarget>;

  constructor(host: McpHost, logs: OutputLogs, targets: Map<ServerId, DebugTarget>) {
    this.#host = host;
    this.#logs = logs;
    this.#targets = targets;
    this.#store.add(host.onDidChangeServers(() => this.#watch()));
    this.#store.add(host.onDidChangeServer((id) => void this.#attach(id)));
    this.#watch();
    for (const id of host.servers.keys()) {
      void this.#attach(id);
    }
  }

  dispose(): void {
    this.#store.dispose();
    for (const restarts of this.#restarts.values()) {
      restarts.dispose();
    }
  }

  #watch(): void {
    const current = new Set(this.#host.servers.values());
    for (const [connection, restarts] of this.#restarts) {
      if (!current.has(connection)) {
        restarts.dispose();
        this.#restarts.delete(connection);
      }
    }
    for (const connection of current) {
      const { config } = connection;
      const isWatched = (config.dev?.watch ?? []).length > 0 && config.isEnabled;
      if (isWatched && config.hiddenBy === undefined && !this.#restarts.has(connection)) {
        const { log } = this.#logs.open(config);
        this.#restarts.set(connection, new FileRestarts(connection, this.#host, log));
      }
    }
  }

  async #attach(id: ServerId): Promise<void> {
    const connection = this.#host.servers.get(id);
    const target = this.#targets.get(id);
    if (connection?.state.kind !== 'ready' || target === undefined) {
      return;
    }
    this.#targets.delete(id);
    const { config } = connection;
    const { log } = this.#logs.open(config);
    const configuration = attachConfiguration(oneLine(config.name, 80), target);
    try {
      const isAttached = await vscode.debug.startDebugging(folderOf(config), configuration, {
        suppressDebugView: true,
        suppressSaveBeforeStart: true,
      });
      if (isAttached) {
        log.info(`The debugger (${target.type}) is attached on port ${target.port}`);
      } else {
        log.warn(`The debugger (${target.type}) was not attached on port ${target.port}`);
      }
    } catch (error) {
      log.warn(`The debugger (${target.type}) was not attached: ${String(error)}`);
    }
  }
}
