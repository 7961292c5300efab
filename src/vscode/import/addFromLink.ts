/** Adds the server of an install link, by the same steps and with the same questions as any other. */
import * as vscode from 'vscode';
import { readInstallQuery } from '../../host/import/installLink.ts';
import { serversInJson } from '../../host/import/pasted.ts';
import { isCancelled } from '../../mcp/errors.ts';
import { errorText } from '../text/errorText.ts';
import { oneLine } from '../text/text.ts';
import { addParsed, surroundings } from './addServer.ts';
import { whyUnusable } from './askServer.ts';
import type { AddServices } from './importServers.ts';

/** @param query of the link, as the editor passes it */
export async function addFromLink(query: string, services: AddServices): Promise<void> {
  const link = readInstallQuery(query);
  const file =
    'problem' in link
      ? { servers: [], problems: [link.problem] }
      : serversInJson(link.server, surroundings());
  const problem = whyUnusable(file);
  if (problem !== undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('The install link: {0}', oneLine(problem, 300)),
    );
    return;
  }
  try {
    // There is no earlier step to go back to: the link has all data.
    await addParsed(file, vscode.l10n.t('a link'), services);
  } catch (error) {
    if (isCancelled(error)) {
      return;
    }
    void vscode.window.showErrorMessage(errorText(error));
  }
}
