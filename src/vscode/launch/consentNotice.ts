/** Tells the user once that servers wait for consent. Opening a folder shows no dialog: the user starts the review. */
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import { waitsForConsent } from '../tree/stateDisplay.ts';

export class ConsentNotice extends DisposableOwner {
  readonly #host: McpHost;
  /** Connections that the notice has named: a changed entry makes a new connection. */
  readonly #named = new WeakSet<ServerConnection>();

  constructor(host: McpHost) {
    super();
    this.#host = host;
    const look = this.store.add(
      // Servers ask one by one; one message names them all.
      new CoalescedRun(async () => this.#tell(), { quietMs: 500, maxMs: 3000 }),
    );
    this.store.add(host.onDidChangeServer(() => look.request()));
  }

  #tell(): void {
    const waiting = [...this.#host.servers.values()].filter(
      (connection) => waitsForConsent(connection) && !this.#named.has(connection),
    );
    if (waiting.length === 0) {
      return;
    }
    for (const connection of waiting) {
      this.#named.add(connection);
    }
    const names = waiting.map(({ config }) => `"${oneLine(config.name, 40)}"`).join(', ');
    const review = vscode.l10n.t('Review…');
    void vscode.window
      .showInformationMessage(
        waiting.length === 1
          ? vscode.l10n.t('The MCP server {0} waits for your consent to start.', names)
          : vscode.l10n.t('MCP servers wait for your consent to start: {0}.', names),
        review,
      )
      .then(async (answer) => (answer === review ? this.#review(waiting) : undefined));
  }

  /** Starts all at once: their questions queue, and a postponed or refused one does not stop the others. */
  async #review(connections: readonly ServerConnection[]): Promise<void> {
    // The settings may have changed since the notification.
    const waiting = connections.filter(
      (connection) =>
        this.#host.servers.get(connection.id) === connection && waitsForConsent(connection),
    );
    await Promise.all(
      waiting.map(({ id }) =>
        vscode.commands.executeCommand(commandId('startServer'), { serverId: id }),
      ),
    );
  }
}
