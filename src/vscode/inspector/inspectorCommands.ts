/** "Inspect Messages…": opens the inspector of a server, and brings it back after a reload of the window. */
import * as vscode from 'vscode';
import type { McpHost } from '../../host/servers/host.ts';
import { serverOf } from '../servers/pickServer.ts';
import type { CommandHandlers } from '../commands/registerCommands.ts';
import { inspectorViewType } from '../ids.ts';
import type { Inspectors } from './inspectors.ts';

export class Inspecting implements vscode.Disposable {
  readonly #host: McpHost;
  readonly #load: () => Inspectors;
  readonly #serializer: vscode.Disposable;
  #inspectors: Inspectors | undefined;

  /** @param load its code, on first use */
  constructor(host: McpHost, load: () => Inspectors) {
    this.#host = host;
    this.#load = load;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(inspectorViewType, {
      deserializeWebviewPanel: (panel, state) => this.#loaded().restore(panel, state),
    });
  }

  get commands(): CommandHandlers {
    return {
      inspectMessages: async (argument) => {
        const connection = await serverOf(this.#host, argument, {
          placeHolder: vscode.l10n.t('Which server’s messages?'),
          fits: () => true,
          none: vscode.l10n.t('No MCP servers are configured.'),
        });
        if (connection !== undefined) {
          await this.#loaded().show(connection);
        }
      },
    };
  }

  dispose(): void {
    this.#serializer.dispose();
    this.#inspectors?.dispose();
  }

  #loaded(): Inspectors {
    this.#inspectors ??= this.#load();
    return this.#inspectors;
  }
}
