/**
 * Restarts one server when a file that its entry names has changed: soon, not too often,
 * and without a question. Restarts after a crash have rules of their own (host/servers/connectionState.ts).
 */
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import { isLeftOut, readWatch } from '../../host/dev/watchPatterns.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { oneLine } from '../text/labelText.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';

/** A build writes many files, and an editor writes one in several steps. */
const settleTimes = { quietMs: 300, maxMs: 3_000 };
/** A server that writes watched files when it starts would restart for ever. */
const maxRestartsPerMinute = 10;

export class FileRestarts implements Disposable {
  readonly #connection: ServerConnection;
  readonly #host: McpHost;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #rate = new RateLimit(maxRestartsPerMinute);
  readonly #run = this.#store.add(new CoalescedRun(() => this.#restart(), settleTimes));
  /** The last changed file, relative to the folder. */
  #changed = '';

  constructor(connection: ServerConnection, host: McpHost, log: Log) {
    this.#connection = connection;
    this.#host = host;
    this.#log = log;
    const { config } = connection;
    const folder = folderOf(config);
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
      const watcher = this.#store.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern)),
      );
      this.#store.add(watcher.onDidChange(onChange));
      this.#store.add(watcher.onDidCreate(onChange));
      this.#store.add(watcher.onDidDelete(onChange));
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #restart(): Promise<void> {
    const { state, isHeldUp } = this.#connection;
    // A user who stopped the server does not want an edit to start it. A restart must not withdraw a question that the
    // user is reading.
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
    await this.#connection.stop();
    this.#connection.startedFor = vscode.l10n.t(
      'restarted after a change of {0}',
      oneLine(file, 60),
    );
    try {
      await this.#host.startUnasked(this.#connection.id);
    } catch (error) {
      // The state also shows the error, and what to do.
      this.#log.debug(`The start after a change of ${file} failed: ${String(error)}`);
    }
  }
}

/** The folder of the entry, else the window's first one. */
export function folderOf({ scope }: ServerConfig): vscode.WorkspaceFolder | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = folders.find(({ uri }) => scope.kind === 'folder' && uri.toString() === scope.uri);
  return own ?? folders[0];
}
