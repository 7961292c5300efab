/** Shows the result of a tool: text as a document, everything else as a page. Opens or saves a part of it. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { fileNameFor } from '../../host/resources/mediaTypes.ts';
import { wantsPage } from '../../host/tools/resultView.ts';
import { commandId, resourceScheme } from '../ids.ts';
import { fromEditorUri, toEditorUri } from '../resources/resourceUri.ts';
import { saveFile } from '../editor/saveFile.ts';
import { oneLine } from '../text/labelText.ts';
import { filesOfBlocks, toFiles, type ToolRun } from './resultDocument.ts';
import { resultAuthority, type ResultFile, type ResultFiles } from '../text/resultFiles.ts';
import { pageCommands, resultPage } from './resultPage.ts';

export async function showResult(run: ToolRun, results: ResultFiles): Promise<void> {
  const parts = toFiles(run);
  const blocks = filesOfBlocks(run.result);
  // Parts that are inline in the Markdown get a file of their own for the page.
  const inline = blocks.map(({ file }) => file).filter((file) => !hasName(parts, file));
  const all = [...parts, ...inline];
  const uris = results.add(all);
  const [document] = uris;
  if (!wantsPage(run.result)) {
    if (document !== undefined) {
      await vscode.window.showTextDocument(document, { preview: false });
    }
    return;
  }
  const uriOf = (name: string): vscode.Uri | undefined =>
    uris[all.findIndex((file) => file.name === name)];
  const panel = vscode.window.createWebviewPanel(
    'mcpHost.result',
    vscode.l10n.t('Result of {0}', oneLine(run.tool, 60)),
    { viewColumn: vscode.ViewColumn.Active },
    {
      enableScripts: false,
      enableForms: false,
      enableCommandUris: [...pageCommands],
      enableFindWidget: true,
      localResourceRoots: [],
    },
  );
  panel.webview.html = resultPage({
    run,
    nonce: randomBytes(16).toString('hex'),
    document,
    files: new Map(
      blocks.flatMap(({ index, file }) => {
        const uri = uriOf(file.name);
        return uri === undefined ? [] : [[index, uri] as const];
      }),
    ),
    resource: (uri, mediaType) =>
      toEditorUri({ serverId: run.serverId, uri }, fileNameFor(uri, mediaType)),
  });
}

function hasName(files: readonly ResultFile[], { name }: ResultFile): boolean {
  return files.some((file) => file.name === name);
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
