/**
 * The editor draws the app of a tool in the answer if it makes the call itself, which it does over the bridge. Where it
 * would ask once more about the call, the answer has a button for the app instead.
 */
import * as vscode from 'vscode';
import { hasApp } from '../../host/apps/toolUi.ts';
import type { CallServices } from '../../host/chat/callForModel.ts';
import { nameInEditor, runsUnasked } from '../../host/chat/editorTools.ts';
import { showsApps } from '../config/editorWorkspace.ts';
import { allEditorTools, editorTools } from '../models/editorTools.ts';
import type { ChatServices } from './chatServices.ts';

/** A setting of the editor; absent where it does not draw apps. */
const editorSetting = 'chat.mcp.apps.enabled';

export function drawnInAnswer(
  { editorChat }: Pick<ChatServices, 'editorChat'>,
  request: vscode.ChatRequest,
): NonNullable<CallServices['draw']> {
  return ({ call: { server, tool }, input }, make, signal) => {
    const { bridge } = editorChat;
    const endpoint = bridge?.endpoints.find((one) => one.server === server.id);
    const canBeDrawn = hasApp(tool) && server.config.apps && showsApps() && runsUnasked(tool);
    if (bridge === undefined || endpoint?.isInUse !== true || !canBeDrawn || !drawsApps()) {
      return undefined;
    }
    const name = nameInEditor(allEditorTools(), endpoint.introducedAs, tool);
    return name === undefined
      ? undefined
      : bridge.drawnCalls.run({ server: server.id, tool: tool.name, input }, make, () =>
          editorTools(request).call(name, input, signal),
        );
  };
}

function drawsApps(): boolean {
  return vscode.workspace.getConfiguration().get(editorSetting) === true;
}
