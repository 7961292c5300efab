/** The icon that a server names for a row, for the light and for the dark theme. host/icons gets the image. */
import * as vscode from 'vscode';
import { chooseIcon, type IconTheme, type Icons, originOf } from '../../host/icons/icons.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { Icon } from '../../mcp/types/content.ts';

/** Undefined while there is none, or if there will be none: the row then has an icon of the editor. */
export type IconOf = (
  connection: ServerConnection | undefined,
  icons: readonly Icon[] | undefined,
) => { readonly light: vscode.Uri; readonly dark: vscode.Uri } | undefined;

export function treeIcons(icons: Icons): IconOf {
  return (connection, named) => {
    if (connection === undefined || named === undefined) {
      return undefined;
    }
    const { id, config, connectionSettings } = connection;
    const owner = { id, origin: originOf(config.launch), connection: connectionSettings };
    const file = (theme: IconTheme): string | undefined => {
      const icon = chooseIcon(named, theme);
      return icon && icons.fileOf(icon, owner);
    };
    const [light, dark] = [file('light'), file('dark')];
    const either = light ?? dark;
    return either === undefined
      ? undefined
      : { light: vscode.Uri.file(light ?? either), dark: vscode.Uri.file(dark ?? either) };
  };
}
