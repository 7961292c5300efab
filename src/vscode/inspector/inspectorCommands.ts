/** "Inspect Messages…": opens the inspector of a server, and brings it back after a reload of the window. */
import * as vscode from 'vscode';
import { serverOf } from '../commands/pickServer.ts';
import type { CommandHandlers } from '../commands/register.ts';
import { inspectorViewType } from '../ids.ts';
import type { Inspectors, InspectorParts } from './inspectors.ts';

export type InspectingParts = InspectorParts & {
  readonly bundle: () => { readonly Inspectors: typeof Inspectors };
};

export class Inspecting implements vscode.Disposable {
  readonly #parts: InspectingParts;
  readonly #serializer: vscode.Disposable;
  #inspectors: Inspectors | undefined;

  constructor(parts: InspectingParts) {
    this.#parts = parts;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(inspectorViewType, {
      deserializeWebviewPanel: (panel, state) => this.#loaded().restore(panel, state),
    });
  }

  get commands(): CommandHandlers {
    return {
      inspectMessages: async (argument) => {
        const connection = await serverOf(this.#parts.host, argument, {
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
    this.#inspectors ??= new (this.#parts.bundle().Inspectors)(this.#parts);
    return this.#inspectors;
  }
}
