/** Writes the result of a tool call as a Markdown document, with its images and other parts as files beside it. */
import * as vscode from 'vscode';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import { fileNameFor } from '../../host/resources/mediaTypes.ts';
import {
  durationText,
  bytesText,
  type Cell,
  resultBytes,
  type ResultTable,
  tableOf,
} from '../../host/tools/resultView.ts';
import {
  type DocumentParts,
  fenced,
  inline,
  partName,
  plain,
  section,
} from '../text/contentMarkdown.ts';
import { type ResultFile, safeFileName } from '../text/resultFiles.ts';

const maxRows = 100;

export interface ToolRun {
  readonly server: string;
  readonly serverId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: CallToolResult;
  /** Problems of the structured output; empty when it fits its schema. */
  readonly outputProblems: readonly string[];
  /** What could not be checked, and why. */
  readonly unchecked: readonly string[];
  readonly durationMs: number;
}

/** The first file is the document. */
export function toFiles(run: ToolRun): readonly ResultFile[] {
  const parts: DocumentParts = { files: [], links: [], serverId: run.serverId };
  const body = run.result.content.map((block, index) => section(block, index + 1, parts));
  const lines = [
    `# ${inline(run.tool)}`,
    '',
    `- ${vscode.l10n.t('Server')}: ${inline(run.server)}`,
    `- ${vscode.l10n.t('Outcome')}: ${outcome(run)}`,
    `- ${vscode.l10n.t('Duration')}: ${durationText(run.durationMs)}`,
    `- ${vscode.l10n.t('Size')}: ${bytesText(resultBytes(run.result))}`,
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
    {
      name: `${safeFileName(run.tool)}.md`,
      bytes: Buffer.from(`${lines.join('\n').trimEnd()}\n`),
      links: parts.links,
    },
    ...parts.files,
  ];
}

/** The blocks that can be opened or saved on their own; those of bytes have the names of {@link toFiles}. */
export function filesOfBlocks({
  content,
}: CallToolResult): readonly { readonly index: number; readonly file: ResultFile }[] {
  return content.flatMap((block, index) => {
    switch (block.type) {
      case 'image':
      case 'audio': {
        const name = partName(index + 1, block.mimeType);
        return [{ index, file: { name, bytes: Buffer.from(block.data, 'base64') } }];
      }
      case 'resource': {
        const { resource } = block;
        const file =
          'text' in resource
            ? {
                name: `${index + 1}-${fileNameFor(resource.uri, resource.mimeType)}`,
                bytes: Buffer.from(resource.text),
              }
            : {
                name: partName(index + 1, resource.mimeType ?? ''),
                bytes: Buffer.from(resource.blob, 'base64'),
              };
        return [{ index, file }];
      }
      case 'text':
      case 'resource_link':
        return [];
    }
  });
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
  if (result.structuredContent === undefined) {
    return [];
  }
  const table = tableOf(result.structuredContent);
  return [
    `## ${vscode.l10n.t('Structured content')}`,
    '',
    ...(table === undefined ? [] : tableLines(table)),
    fenced(JSON.stringify(result.structuredContent, undefined, 2), 'json'),
    '',
  ];
}

/** The JSON below the table has all of it. */
function tableLines({ columns, rows, moreRows, moreColumns }: ResultTable): readonly string[] {
  const shown = rows.slice(0, maxRows);
  const isCut = shown.length < rows.length || moreRows > 0 || moreColumns > 0;
  return [
    line(columns.map((name) => plain(name, 120))),
    line(columns.map(() => '---')),
    ...shown.map((row) => line(row.map((cell) => plain(cellText(cell), 200)))),
    '',
    ...(isCut ? [vscode.l10n.t('The table is cut.'), ''] : []),
  ];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cellText(cell: Cell): string {
  return cell === undefined ? '' : String(cell);
}
