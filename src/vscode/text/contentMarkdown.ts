/** Content blocks of servers as Markdown in which server text stays data: it forms no links, images or commands. */
import * as vscode from 'vscode';
import { longestRun } from '../../base/text.ts';
import { extensionOf, fileNameFor } from '../../host/resources/mediaTypes.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import { markdownWords, oneLine } from './labelText.ts';
import { type ResultFile, type ResultLink, safeFileName } from './resultFiles.ts';

/** What a document collects beside its text. */
export interface DocumentParts {
  /** Files beside the document, for content that is not text. */
  readonly files: ResultFile[];
  readonly links: ResultLink[];
  /** The server that the blocks come from. */
  readonly serverId: string;
}

/**
 * A Markdown document and the files beside it.
 * @param about for the document's name
 */
export function documentFiles(
  about: string,
  lines: readonly string[],
  { files, links }: DocumentParts,
): readonly ResultFile[] {
  const bytes = Buffer.from(`${lines.join('\n').trimEnd()}\n`);
  return [{ name: `${safeFileName(about)}.md`, bytes, links }, ...files];
}

/**
 * One block under its own heading.
 * @param number of the block, for the names of its files
 * @param parts gets the block's files and links
 */
export function section(block: ContentBlock, number: number, parts: DocumentParts): string {
  const keep = (name: string, bytes: Uint8Array): string => {
    parts.files.push({ name, bytes, block: number });
    return name;
  };
  switch (block.type) {
    case 'text':
      return `## ${vscode.l10n.t('Text')}\n\n${fenced(block.text)}\n`;
    case 'image':
    case 'audio': {
      const name = keep(partName(number, block.mimeType), Buffer.from(block.data, 'base64'));
      const heading = block.type === 'image' ? vscode.l10n.t('Image') : vscode.l10n.t('Audio');
      return `## ${heading}\n\n${block.type === 'image' ? '!' : ''}[${inline(block.mimeType)}](${name})\n`;
    }
    case 'resource_link':
      link(parts, block.uri, { serverId: parts.serverId, uri: block.uri });
      return `## ${vscode.l10n.t('Resource link')}\n\n- ${inline(block.title ?? block.name)}: ${inline(block.uri)}\n`;
    case 'resource': {
      const { uri, mimeType, ...resource } = block.resource;
      const heading = `## ${vscode.l10n.t('Embedded resource')}\n\n${inline(uri)}\n\n`;
      const isText = 'text' in resource;
      const file = isText
        ? keep(`${number}-${fileNameFor(uri, mimeType)}`, Buffer.from(resource.text))
        : keep(partName(number, mimeType ?? ''), Buffer.from(resource.blob, 'base64'));
      link(parts, uri, { file });
      const body = isText ? fenced(resource.text) : `[${inline(mimeType ?? file)}](${file})`;
      return `${heading}${body}\n`;
    }
    default:
      return unknownBlock(block);
  }
}

function link({ links }: DocumentParts, uri: string, target: ResultLink['target']): void {
  links.push({ shown: oneLine(uri, maxInline), target });
}

/** Shows a content type of a later revision as it came. */
function unknownBlock(block: never): string {
  return `## ${vscode.l10n.t('Content of an unknown kind')}\n\n${fenced(JSON.stringify(block, undefined, 2), 'json')}\n`;
}

/** A fence longer than any run of backticks inside, so server text cannot leave it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, longestRun(text, '`'));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const maxInline = 300;

/** Server text inside a Markdown line, as code: it forms no link and no image. */
export function inline(text: string, maxLength = maxInline): string {
  const line = oneLine(text, maxLength);
  const longest = longestRun(line, '`');
  const tick = '`'.repeat(longest + 1);
  return line === ''
    ? ''
    : `${tick}${longest > 0 ? ' ' : ''}${line}${longest > 0 ? ' ' : ''}${tick}`;
}

/** Server text as words of a Markdown line: no link, no image, no emphasis, no icon. */
export function plain(text: string, maxLength = 300): string {
  return markdownWords(oneLine(text, maxLength));
}

function partName(number: number, mediaType: string): string {
  return `${number}.${extensionOf(mediaType) ?? 'bin'}`;
}
