/** Writes the result of a tool call as a Markdown document with its images and other parts as files beside it. */
import * as vscode from 'vscode';
import type { ContentBlock } from '../../mcp/types/content.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import { extensionOf } from '../../host/catalog/mediaTypes.ts';
import { oneLine } from '../text.ts';
import { type ResultFile, safeFileName } from './resultFiles.ts';

export interface ToolRun {
  readonly server: string;
  readonly tool: string;
  readonly input: unknown;
  readonly result: CallToolResult;
  /** What is wrong with the structured output; empty when it fits its schema. */
  readonly outputProblems: readonly string[];
  /** What could not be checked, each with the reason. */
  readonly unchecked: readonly string[];
  readonly durationMs: number;
}

/** The first file is the document. */
export function toFiles(run: ToolRun): readonly ResultFile[] {
  const parts: ResultFile[] = [];
  const body = run.result.content.map((block, index) => section(block, index + 1, parts));
  const lines = [
    `# ${inline(run.tool)}`,
    '',
    `- ${vscode.l10n.t('Server')}: ${inline(run.server)}`,
    `- ${vscode.l10n.t('Outcome')}: ${outcome(run)}`,
    `- ${vscode.l10n.t('Duration')}: ${run.durationMs} ms`,
    '',
    ...problems(run.outputProblems),
    ...run.unchecked.flatMap((text) => [`> ${inline(text)}`, '']),
    `## ${vscode.l10n.t('Input')}`,
    '',
    fenced(JSON.stringify(run.input, undefined, 2), 'json'),
    '',
    ...body,
    ...structured(run),
  ];
  if (run.result.content.length === 0 && run.result.structuredContent === undefined) {
    lines.push(vscode.l10n.t('The tool returned no content.'), '');
  }
  return [
    { name: `${safeFileName(run.tool)}.md`, bytes: Buffer.from(`${lines.join('\n').trimEnd()}\n`) },
    ...parts,
  ];
}

function outcome({ result, outputProblems }: ToolRun): string {
  if (result.isError === true) {
    return vscode.l10n.t('**the tool reports an error**');
  }
  return outputProblems.length > 0
    ? vscode.l10n.t('**the structured output breaks the schema that the server declared**')
    : vscode.l10n.t('success');
}

function problems(found: readonly string[]): readonly string[] {
  if (found.length === 0) {
    return [];
  }
  return [
    vscode.l10n.t('The server’s output cannot be relied on:'),
    '',
    ...found.map((problem) => `- ${inline(problem)}`),
    '',
  ];
}

function structured({ result }: ToolRun): readonly string[] {
  return result.structuredContent === undefined
    ? []
    : [
        `## ${vscode.l10n.t('Structured content')}`,
        '',
        fenced(JSON.stringify(result.structuredContent, undefined, 2), 'json'),
        '',
      ];
}

function section(block: ContentBlock, number: number, parts: ResultFile[]): string {
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
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Server text inside a Markdown line: as code, so that it forms no link and no image. */
function inline(text: string): string {
  const line = oneLine(text, 300);
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const tick = '`'.repeat(longest + 1);
  return line === ''
    ? ''
    : `${tick}${longest > 0 ? ' ' : ''}${line}${longest > 0 ? ' ' : ''}${tick}`;
}

function partName(number: number, mediaType: string): string {
  return `${number}.${extensionOf(mediaType) ?? 'bin'}`;
}
