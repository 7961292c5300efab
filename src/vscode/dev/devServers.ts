/**
 * The servers that are being developed: restarts each when a file that its entry names has changed (soon, not too often,
 * and without a question), and attaches a debugger to each that starts. Restarts after a crash have rules of their own
 * (host/servers/connectionState.ts). host/launch/debugLaunch.ts makes the command line with which a runtime listens.
 */
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import { type Disposable, DisposableOwner, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import { type DebugTarget, attachConfiguration } from '../../host/launch/debugLaunch.ts';
import type { ServerConfig, ServerId } from '../../host/config/serverConfig.ts';
import { folderOf } from '../../host/config/variables.ts';
import { isLeftOut, readWatch } from '../../host/dev/watchPatterns.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { oneLine } from '../text/labelText.ts';

export class DevServers implements Disposable {
  readonly #host: McpHost;
  readonly #logs: OutputLogs;
  readonly #store = new DisposableStore();
  /** By connection: a changed entry gets a new one. */
  readonly #restarts = new Map<ServerConnection, FileRestarts>();
  /** Each start has one of its own. */
  readonly #attached = new WeakSet<DebugTarget>();

  constructor(host: McpHost, logs: OutputLogs) {
    this.#host = host;
    this.#logs = logs;
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
        this.#restarts.set(connection, new FileRestarts(connection, log));
      }
    }
  }

  async #attach(id: ServerId): Promise<void> {
    const connection = this.#host.servers.get(id);
    if (connection?.state.kind !== 'ready') {
      return;
    }
    const { config, debugTarget: target } = connection;
    if (target === undefined || this.#attached.has(target)) {
      return;
    }
    this.#attached.add(target);
    const { log } = this.#logs.open(config);
    const configuration = attachConfiguration(oneLine(config.name, 80), target);
    try {
      const isAttached = await vscode.debug.startDebugging(devFolder(config), configuration, {
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

/** A build writes many files, and an editor writes one in several steps. */
const settleTimes = { quietMs: 300, maxMs: 3_000 };
/** A server that writes watched files when it starts would restart for ever. */
const maxRestartsPerMinute = 10;

class FileRestarts extends DisposableOwner {
  readonly #connection: ServerConnection;
  readonly #log: Log;
  readonly #rate = new RateLimit(maxRestartsPerMinute);
  readonly #run = this.store.add(new CoalescedRun(() => this.#restart(), settleTimes));
  /** The last changed file, relative to the folder. */
  #changed = '';

  constructor(connection: ServerConnection, log: Log) {
    super();
    this.#connection = connection;
    this.#log = log;
    const { config } = connection;
    const folder = devFolder(config);
    if (folder === undefined) {
      log.warn('`dev.watch` has no effect because no folder is open');
      return;
    }
    const patterns = readWatch(config.dev?.watch ?? []);
    const onChange = (uri: vscode.Uri): void => {
      const file = vscode.workspace.asRelativePath(uri, false);
      if (!isLeftOut(file, patterns)) {
        this.#changed = file;
        this.#run.request();
      }
    };
    for (const pattern of patterns.includes) {
      const watcher = this.store.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern)),
      );
      this.store.add(watcher.onDidChange(onChange));
      this.store.add(watcher.onDidCreate(onChange));
      this.store.add(watcher.onDidDelete(onChange));
    }
  }

  async #restart(): Promise<void> {
    const { state } = this.#connection;
    // A user who stopped the server does not want an edit to start it. A restart must not withdraw a question that the
    // user is reading.
    const isHeldUp = state.kind === 'starting' && state.waitsFor !== undefined;
    const isLeftAlone = state.kind === 'stopped' || state.kind === 'stopping' || isHeldUp;
    if (!vscode.workspace.isTrusted || isLeftAlone) {
      return;
    }
    const file = this.#changed;
    if (this.#rate.admit().kind === 'refused') {
      this.#log.warn(
        `Not restarted after a change of ${file}: there were ${maxRestartsPerMinute} restarts in the last minute. Does the server write a file that \`dev.watch\` names?`,
      );
      return;
    }
    this.#log.info(`Restarting after a change of ${file}`);
    try {
      await this.#connection.restart(
        vscode.l10n.t('restarted after a change of {0}', oneLine(file, 60)),
      );
    } catch (error) {
      // The state also shows the error, and what to do.
      this.#log.debug(`The start after a change of ${file} failed: ${String(error)}`);
    }
  }
}

/** The folder of the entry, else the window's first one. */
function devFolder({ scope }: ServerConfig): vscode.WorkspaceFolder | undefined {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
    uri: folder.uri.toString(),
    folder,
  }));
  return (folderOf(folders, scope) ?? folders[0])?.folder;
}
