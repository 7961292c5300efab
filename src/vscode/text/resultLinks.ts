/**
 * Makes the addresses in results of tools and in prompts links: a resource opens as from the tree, an embedded one as
 * the copy in the result.
 */
import * as vscode from 'vscode';
import { commandId, resourceScheme } from '../ids.ts';
import { type ResultFiles, type ResultLink, resultAuthority } from './resultFiles.ts';

/** Links in one document, however often a server repeats an address. */
const maxPlaces = 200;

export function registerResultLinks(results: Pick<ResultFiles, 'links'>): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: resourceScheme, pattern: '**/*.md' },
    {
      provideDocumentLinks: (document) =>
        document.uri.authority === resultAuthority
          ? results.links(document.uri).flatMap((link) => linksIn(document, link))
          : [],
    },
  );
}

function linksIn(
  document: vscode.TextDocument,
  { shown, target }: ResultLink,
): readonly vscode.DocumentLink[] {
  const text = document.getText();
  const uri = targetUri(document.uri, target);
  const links: vscode.DocumentLink[] = [];
  for (
    let at = text.indexOf(shown);
    at >= 0 && links.length < maxPlaces;
    at = text.indexOf(shown, at + shown.length)
  ) {
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + shown.length));
    const link = new vscode.DocumentLink(range, uri);
    link.tooltip = vscode.l10n.t('Open Resource');
    links.push(link);
  }
  return links;
}

function targetUri(document: vscode.Uri, target: ResultLink['target']): vscode.Uri {
  if ('file' in target) {
    return vscode.Uri.joinPath(document, '..', target.file);
  }
  // The same as for a row of the tree.
  const node = {
    kind: 'resource',
    serverId: target.serverId,
    resource: { uri: target.uri },
  };
  const query = encodeURIComponent(JSON.stringify([node]));
  return vscode.Uri.parse(`command:${commandId('openResource')}?${query}`);
}
