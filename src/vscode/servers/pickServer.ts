/** The server of a command: from the tree's node that it was called on, else the user's pick. */
import * as vscode from 'vscode';
import { pickOne } from '../editor/pickOne.ts';
import { isObject, isString } from '../../base/json.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { oneLine } from '../text/labelText.ts';
import { displayState, stateWords } from '../tree/stateDisplay.ts';
import { scopeText } from '../config/scopeText.ts';

/** The server of the row, or of the id, that is the command's argument. */
export function serverNamed(
  { servers }: Pick<McpHost, 'servers'>,
  argument: unknown,
): ServerConnection | undefined {
  const id = isObject(argument) ? argument['serverId'] : argument;
  return isString(id) ? servers.get(id) : undefined;
}

export async function serverOf(
  host: McpHost,
  argument: unknown,
  choice: {
    readonly placeHolder: string;
    readonly fits: (connection: ServerConnection) => boolean;
    readonly none: string;
  },
): Promise<ServerConnection | undefined> {
  const named = serverNamed(host, argument);
  if (named !== undefined) {
    return named;
  }
  const fitting = [...host.servers.values()].filter(choice.fits).map(serverPick);
  const picked = await pickOne(fitting, choice.none, {
    title: vscode.l10n.t('MCP servers'),
    placeHolder: choice.placeHolder,
  });
  return picked?.connection;
}

export function serverPick(
  connection: ServerConnection,
): vscode.QuickPickItem & { readonly connection: ServerConnection } {
  const { config, state } = connection;
  const { icon } = displayState(state);
  return {
    label: `$(${icon.id}) ${oneLine(config.name, 80)}`,
    description: `${stateWords(state)} · ${scopeText(config.scope)}`,
    connection,
  };
}
