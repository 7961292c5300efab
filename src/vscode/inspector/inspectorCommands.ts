/** "Inspect Messages…": opens the inspector of a server, and brings it back after a reload of the window. */
import * as vscode from 'vscode';
import type { McpHost } from '../../host/servers/host.ts';
import { serverOf } from '../servers/pickServer.ts';
import type { CommandHandlers, Registry } from '../editor/registerCommands.ts';
import { inspectorViewType } from '../ids.ts';
import type { InspectorParts, Inspectors } from './inspectors.ts';

/** @param callParts is called when the first inspector opens */
export function registerInspector(
  {
    own,
    addCommands,
    bundles,
    host,
  }: Registry & {
    readonly bundles: { readonly workbench: () => { readonly Inspectors: typeof Inspectors } };
    readonly host: McpHost;
  },
  callParts: () => InspectorParts,
): void {
  const create = (): Inspectors => new (bundles.workbench().Inspectors)(callParts());
  addCommands(own(new Inspecting(host, create)).commands);
}

class Inspecting implements vscode.Disposable {
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
