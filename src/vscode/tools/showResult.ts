/** Shows the result of a tool as a page. Opens or saves a part of it. */
import * as vscode from 'vscode';
import { commandId, resourceScheme } from '../ids.ts';
import { fromEditorUri } from '../text/resourceUri.ts';
import { saveFile } from '../editor/saveFile.ts';
import { oneLine } from '../text/labelText.ts';
import { toFiles, type ToolRun } from './resultDocument.ts';
import { resultAuthority, type ResultFiles } from '../text/resultFiles.ts';
import { fileUris, showPage } from '../text/contentPage.ts';
import { resultHtml } from './resultPage.ts';

export function showResult(run: ToolRun, results: ResultFiles): void {
  const files = toFiles(run);
  const uris = results.add(files);
  const [document] = uris;
  const body = resultHtml({
    run,
    document,
    files: fileUris(files, uris),
    serverId: run.serverId,
  });
  const title = vscode.l10n.t('Result of {0}', oneLine(run.title ?? run.tool, 60));
  showPage({ viewType: 'mcpHost.result', title, body });
}

/** @param argument the URI of a part of a result, or of a resource that a result links to */
export async function openResultPart(argument: unknown): Promise<void> {
  const uri = partOf(argument);
  if (uri === undefined) {
    return;
  }
  await (fromEditorUri(uri) === undefined
    ? vscode.commands.executeCommand('vscode.open', uri, { preview: false })
    : vscode.commands.executeCommand(commandId('openResource'), uri));
}

/** @param argument the URI of a part of a result */
export async function saveResultPart(argument: unknown): Promise<void> {
  const uri = partOf(argument);
  if (uri?.authority !== resultAuthority) {
    return;
  }
  const name = uri.path.split('/').at(-1) ?? 'result';
  const title = vscode.l10n.t('Save {0}', oneLine(name, 120));
  await saveFile({ title, name }, async () => vscode.workspace.fs.readFile(uri));
}

/** Accepts only URIs of this extension's own scheme: the argument of a command can be anything. */
function partOf(argument: unknown): vscode.Uri | undefined {
  if (typeof argument !== 'string') {
    return undefined;
  }
  const uri = vscode.Uri.parse(argument);
  return uri.scheme === resourceScheme ? uri : undefined;
}
