/**
 * Keeps the results of tools that the user ran as read-only files, so the editor shows them like any document: one
 * Markdown file per run, and one file per image, sound or embedded resource. Addresses in them are links: a resource
 * opens as from the tree, an embedded one as the copy in the result.
 */
import * as vscode from 'vscode';
import type { MemoryAccount } from '../../base/memory.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { commandId, resourceScheme } from '../ids.ts';
import { type KeptFile, KeptRuns } from './keptRuns.ts';
import { oneLine } from './labelText.ts';

/** No server id in hexadecimal: see `resourceUri.ts`. */
export const resultAuthority = 'result';

/** The target of a text in a document: a resource of a server, or another file of the same run. */
export interface ResultLink {
  /** The text in the document. */
  readonly shown: string;
  readonly target: ResourceAddress | { readonly file: string };
}

export interface ResultFile extends KeptFile {
  readonly links?: readonly ResultLink[];
  /** The number of the content block that it is, from 1. */
  readonly block?: number;
}

export class ResultFiles {
  readonly #runs: KeptRuns<ResultFile>;

  /** @param memory of all results: kept ones displace others in it */
  constructor(memory: MemoryAccount) {
    this.#runs = new KeptRuns(memory);
  }

  /** @returns the URI of each file, in the order given. */
  add(files: readonly ResultFile[]): readonly vscode.Uri[] {
    const run = this.#runs.add(files);
    return files.map(({ name }) =>
      vscode.Uri.from({
        scheme: resourceScheme,
        authority: resultAuthority,
        path: `/${run}/${name}`,
      }),
    );
  }

  /** Undefined when the run was dropped, or never existed. */
  read(uri: vscode.Uri): Uint8Array | undefined {
    return this.#file(uri)?.bytes;
  }

  /** What can be opened from the document; empty for none. */
  links(uri: vscode.Uri): readonly ResultLink[] {
    return this.#file(uri)?.links ?? [];
  }

  #file(uri: vscode.Uri): ResultFile | undefined {
    const [, run, name] = uri.path.split('/');
    return uri.authority === resultAuthority ? this.#runs.file(Number(run), name ?? '') : undefined;
  }
}

/** A file name made from a server's tool name. */
export function safeFileName(name: string): string {
  const safe = oneLine(name, 60)
    .replaceAll(/[^\w.-]+/gu, '_')
    .replace(/^\.+/u, '');
  return safe === '' ? 'tool' : safe;
}

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
