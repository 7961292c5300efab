/**
 * Several contents of one resource as a Markdown document: each part with its URI, its type and its text, with its
 * actions above. Server text stays data.
 */
import * as vscode from 'vscode';
import { addressKey, type ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { bytesOf, type ResourceContent } from '../../host/resources/resourceContents.ts';
import { extensionOf, fileNameFor } from '../../host/resources/mediaTypes.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';
import { commandId } from '../ids.ts';
import { fromEditorUri, toEditorUri } from '../text/resourceUri.ts';

/** Documents with known parts; an older one gets its actions back when it is read again. */
const maxDocuments = 50;

interface Part {
  /** The line of its heading, from 0. */
  readonly line: number;
  readonly document: vscode.Uri;
}

export class PartsDocuments {
  readonly #parts = new Map<string, readonly Part[]>();

  draw(address: ResourceAddress, contents: readonly ResourceContent[]): Uint8Array {
    const { bytes, parts } = drawn(address, contents);
    const key = addressKey(address);
    this.#parts.delete(key);
    this.#parts.set(key, parts);
    const [oldest] = this.#parts.keys();
    if (this.#parts.size > maxDocuments && oldest !== undefined) {
      this.#parts.delete(oldest);
    }
    return bytes;
  }

  /** The actions of each part, above its heading. */
  lenses(document: vscode.Uri): readonly vscode.CodeLens[] {
    const address = fromEditorUri(document);
    const parts = address === undefined ? [] : (this.#parts.get(addressKey(address)) ?? []);
    return parts.flatMap((part) => {
      const range = new vscode.Range(part.line, 0, part.line, 0);
      const lens = (title: string, command: string): vscode.CodeLens =>
        new vscode.CodeLens(range, { title, command, arguments: [part.document] });
      return [
        lens(vscode.l10n.t('Open'), commandId('openResource')),
        lens(vscode.l10n.t('Save As…'), commandId('saveResource')),
        lens(vscode.l10n.t('Add to Chat'), commandId('addResourceToChat')),
        lens(vscode.l10n.t('Copy URI'), commandId('copyResourceUri')),
      ];
    });
  }
}

/** @param index from 0 */
function partUri(
  { serverId, uri }: ResourceAddress,
  index: number,
  content: ResourceContent,
): vscode.Uri {
  return toEditorUri(
    { serverId, uri, part: index + 1 },
    fileNameFor(content.uri, content.mimeType),
  );
}

function partLines(number: number, content: ResourceContent): readonly string[] {
  const { uri, mimeType } = content;
  return [
    `## ${vscode.l10n.t('Part {0}: {1}', number, inline(fileNameFor(uri, mimeType)))}`,
    '',
    `- URI: ${inline(uri)}`,
    `- ${vscode.l10n.t('Type')}: ${mimeType === undefined ? vscode.l10n.t('not said') : inline(mimeType)}`,
    `- ${vscode.l10n.t('Size')}: ${vscode.l10n.t('{0} bytes', bytesOf(content).byteLength)}`,
    '',
    ...(content.kind === 'text'
      ? fenced(content.text.replace(/\n$/u, ''), extensionOf(mimeType ?? '') ?? '').split('\n')
      : [vscode.l10n.t('No text: choose Open or Save As above.')]),
  ];
}

/** The document, and at which lines its parts begin. */
export function drawn(
  address: ResourceAddress,
  contents: readonly ResourceContent[],
): { readonly bytes: Uint8Array; readonly parts: readonly Part[] } {
  const lines = [
    `# ${vscode.l10n.t('{0} parts', contents.length)}`,
    '',
    `- ${vscode.l10n.t('Resource')}: ${inline(address.uri)}`,
  ];
  const parts: Part[] = [];
  for (const [index, content] of contents.entries()) {
    const document = partUri(address, index, content);
    lines.push('');
    parts.push({ line: lines.length, document });
    for (const line of partLines(index + 1, content)) {
      lines.push(line);
    }
  }
  return { bytes: Buffer.from(`${lines.join('\n')}\n`), parts };
}
