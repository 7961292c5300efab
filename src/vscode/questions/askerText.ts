/** A dialog names the asking server by the settings, so that no server can pass for another. */
import type { Asker } from '../../host/questions/asker.ts';
import * as vscode from 'vscode';
import { oneLine } from '../text/text.ts';

/** `MCP server "weather" (npx)` */
export function askerText({ name, origin }: Asker): string {
  return vscode.l10n.t('MCP server "{0}" ({1})', oneLine(name, 60), oneLine(origin, 60));
}
