/** Content blocks of servers as Markdown in which server text stays data: no links, images or commands of its own. */
import * as vscode from 'vscode';
import { extensionOf } from '../host/catalog/mediaTypes.ts';
import type { ContentBlock } from '../mcp/types/content.ts';
import { markdownWords, oneLine } from './text.ts';
import type { ResultFile } from './tools/resultFiles.ts';

/**
 * One block under a heading of its own.
 * @param number of the block, for the names of its files
 * @param parts gets what is not text, as files beside the document
 */
export function section(block: ContentBlock, number: number, parts: ResultFile[]): string {
  switch (block.type) {
    case 'text':
      return `## ${vscode.l10n.t('Text')}\n\n${fenced(block.text)}\n`;
    case 'image':
    case 'audio': {
      const name = partName(number, block.mimeType);
      parts.push({ name, bytes: Buffer.from(block.data, 'base64') });
      const heading = block.type === 'image' ? vscode.l10n.t('Image') : vscode.l10n.t('Audio');
      return `## ${heading}\n\n${block.type === 'image' ? '!' : ''}[${inline(block.mimeType)}](${name})\n`;
    }
    case 'resource_link':
      return `## ${vscode.l10n.t('Resource link')}\n\n- ${inline(block.title ?? block.name)}: ${inline(block.uri)}\n`;
    case 'resource': {
      const { resource } = block;
      const heading = `## ${vscode.l10n.t('Embedded resource')}\n\n${inline(resource.uri)}\n\n`;
      if ('text' in resource) {
        return `${heading}${fenced(resource.text)}\n`;
      }
      const name = partName(number, resource.mimeType ?? '');
      parts.push({ name, bytes: Buffer.from(resource.blob, 'base64') });
      return `${heading}[${inline(resource.mimeType ?? name)}](${name})\n`;
    }
    default:
      return unknownBlock(block);
  }
}

/** A kind of content that a later revision brings: shown as it came. */
function unknownBlock(block: never): string {
  return `## ${vscode.l10n.t('Content of an unknown kind')}\n\n${fenced(JSON.stringify(block, undefined, 2), 'json')}\n`;
}

/** A fence longer than any run of backticks inside, so that server text cannot leave it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Server text inside a Markdown line: as code, so that it forms no link and no image. */
export function inline(text: string, maxLength = 300): string {
  const line = oneLine(text, maxLength);
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const tick = '`'.repeat(longest + 1);
  return line === ''
    ? ''
    : `${tick}${longest > 0 ? ' ' : ''}${line}${longest > 0 ? ' ' : ''}${tick}`;
}

/** Server text as words of a Markdown line: no link, no image, no emphasis, no icon. */
export function plain(text: string, maxLength = 300): string {
  return markdownWords(oneLine(text, maxLength));
}

/** The name of a file beside the document. */
export function partName(number: number, mediaType: string): string {
  return `${number}.${extensionOf(mediaType) ?? 'bin'}`;
}
