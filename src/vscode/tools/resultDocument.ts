/** Writes the result of a tool call as a Markdown document, with its images and other parts as files beside it. */
import * as vscode from 'vscode';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import {
  durationText,
  bytesText,
  type Cell,
  resultBytes,
  type ResultTable,
  tableOf,
} from '../../host/tools/resultView.ts';
import {
  documentFiles,
  type DocumentParts,
  fenced,
  inline,
  plain,
  section,
} from '../text/contentMarkdown.ts';
import type { ResultFile } from '../text/resultFiles.ts';

const maxRows = 100;

export interface ToolCall {
  readonly server: string;
  readonly serverId: string;
  readonly tool: string;
  /** Of the tool, as lists show it; undefined where it is not known any more. */
  readonly title?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A call that has ended with a result. */
export interface ToolRun extends ToolCall {
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
  return documentFiles(run.tool, lines, parts);
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
