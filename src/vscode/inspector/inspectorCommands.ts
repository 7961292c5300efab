/** "Inspect Messages…": opens the inspector of a server, and brings it back after a reload of the window. */
import * as vscode from 'vscode';
import { lazily } from '../../base/lazily.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { serverOf } from '../servers/pickServer.ts';
import type { Registry } from '../editor/registerCommands.ts';
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
  const inspectors = lazily(() => own(new (bundles.workbench().Inspectors)(callParts())));
  own(
    vscode.window.registerWebviewPanelSerializer(inspectorViewType, {
      deserializeWebviewPanel: async (panel, state) => inspectors().restore(panel, state),
    }),
  );
  addCommands({
    inspectMessages: async (argument) => {
      const connection = await serverOf(host, argument, {
        placeHolder: vscode.l10n.t('Which server’s messages?'),
        fits: () => true,
        none: vscode.l10n.t('No MCP servers are configured.'),
      });
      if (connection !== undefined) {
        await inspectors().show(connection);
      }
    },
  });
}
