/**
 * One LogOutputChannel for the host and one per server. A server's channel is created when its first line is written,
 * and lives until the server leaves the configuration, so the log of a failed server can still be read.
 */
import type { ServerLogs } from '../../host/servers/serverOutput.ts';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { createLog, type Log, type LogSeverity, Redactor } from '../../base/log.ts';
import type { ServerConfig, ServerId } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { LoggingLevel } from '../../mcp/types/methods.ts';
import { oneLine } from '../text/labelText.ts';

interface ServerLog {
  readonly name: string;
  readonly log: Log;
  readonly redactor: Redactor;
  channel: vscode.LogOutputChannel | undefined;
  /** Is disposed with the channel, and disposes it. */
  readonly store: DisposableStore;
}

export class OutputLogs implements ServerLogs, Disposable {
  readonly #host = vscode.window.createOutputChannel('MCP Host', { log: true });
  readonly #store = new DisposableStore();
  readonly #levelChange = this.#store.add(
    new Emitter<{ readonly id: ServerId; readonly level: LoggingLevel }>(),
  );
  readonly #servers = new Map<ServerId, ServerLog>();
  /** Redacts the host's log, in which errors of any server appear with their causes. */
  readonly #hostRedactor = new Redactor();
  readonly hostLog: Log = createLog(
    (severity, line) => this.#host[severity](line),
    this.#hostRedactor,
  );
  /** Fires when the user chooses another level for a server's channel. */
  readonly onDidChangeLevel = this.#levelChange.event;

  /** Knows the secrets of all servers, and keeps them when a server is gone. */
  get redactor(): Pick<Redactor, 'redact'> {
    return this.#hostRedactor;
  }

  open(server: ServerConfig): { readonly log: Log; readonly redactor: Redactor } {
    let entry = this.#servers.get(server.id);
    if (entry === undefined) {
      const redactor = new Redactor(this.#hostRedactor);
      const log = createLog((severity, line) => this.#write(server.id, severity, line), redactor);
      const store = new DisposableStore();
      entry = { name: server.name, log, redactor, channel: undefined, store };
      this.#servers.set(server.id, entry);
    }
    return entry;
  }

  close(id: ServerId): void {
    this.#servers.get(id)?.store.dispose();
    this.#servers.delete(id);
  }

  /** The level at which a server should send, so that its channel gets all that it shows. */
  levelOf(id: ServerId): LoggingLevel {
    const channel = this.#servers.get(id)?.channel;
    return toLoggingLevel(channel?.logLevel ?? vscode.env.logLevel);
  }

  showHost(): void {
    this.#host.show();
  }

  show(id: ServerId): void {
    const entry = this.#servers.get(id);
    if (entry === undefined) {
      this.showHost();
    } else {
      this.#channel(id, entry).show();
    }
  }

  dispose(): void {
    this.#store.dispose();
    this.#host.dispose();
    this.#servers.forEach(({ store }) => store.dispose());
    this.#servers.clear();
  }

  #write(id: ServerId, severity: LogSeverity, line: string): void {
    const entry = this.#servers.get(id);
    if (entry !== undefined) {
      this.#channel(id, entry)[severity](line);
    }
  }

  #channel(id: ServerId, entry: ServerLog): vscode.LogOutputChannel {
    if (entry.channel === undefined) {
      const name = this.#freeName(entry.name);
      const channel = vscode.window.createOutputChannel(name, { log: true });
      entry.channel = entry.store.add(channel);
      entry.store.add(
        channel.onDidChangeLogLevel((level) =>
          this.#levelChange.fire({ id, level: toLoggingLevel(level) }),
        ),
      );
    }
    return entry.channel;
  }

  /**
   * A name that no other channel has. The editor returns the same channel for the same name, so closing one server's
   * would close the other's: "db" of the user and "db" of the workspace.
   */
  #freeName(server: string): string {
    const channels = [this.#host, ...[...this.#servers.values()].map(({ channel }) => channel)];
    const taken = new Set(channels.map((channel) => channel && fileName(channel.name)));
    const base = `MCP: ${oneLine(server, 60)}`;
    let name = base;
    for (let n = 2; taken.has(fileName(name)); n += 1) {
      name = `${base} (${n})`;
    }
    return name;
  }
}

/** The editor compares names by their log files: a server named "Host" would share ours. */
function fileName(channel: string): string {
  return channel.replaceAll(/[\\/:*?"<>|]/gu, '').toLowerCase();
}

function toLoggingLevel(level: vscode.LogLevel): LoggingLevel {
  switch (level) {
    case vscode.LogLevel.Trace:
    case vscode.LogLevel.Debug:
      return 'debug';
    case vscode.LogLevel.Info:
      return 'info';
    case vscode.LogLevel.Warning:
      return 'warning';
    case vscode.LogLevel.Error:
      return 'error';
    case vscode.LogLevel.Off:
      return 'emergency';
  }
}

/** Asks servers for the level that their channels show, now and whenever a server or a level changes. */
export function followLevels(logs: OutputLogs, host: McpHost): Disposable {
  const store = new DisposableStore();
  store.add(logs.onDidChangeLevel(({ id, level }) => host.servers.get(id)?.setLogLevel(level)));
  store.add(
    host.onDidChangeServers(() => {
      for (const connection of host.servers.values()) {
        connection.setLogLevel(logs.levelOf(connection.id));
      }
    }),
  );
  return store;
}
