/**
 * An answer of `@mcp` as a Markdown document to save: the question, then what the model said and called, in that order.
 * All of it is data: a model may repeat what a server said.
 */
import * as vscode from 'vscode';
import type { AgentEvent } from '../../host/chat/agentEvents.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { bytesText } from '../../host/tools/resultView.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';
import { errorText } from '../text/errorText.ts';
import type { ResultFile } from '../text/resultFiles.ts';

type Ended = Extract<AgentEvent, { kind: 'callEnded' }>;

type EditorToolEnded = Extract<AgentEvent, { kind: 'editorToolEnded' }>;

/** What the document is made of. */
export type AnswerPart = Ended | EditorToolEnded | Extract<AgentEvent, { kind: 'text' }>;

export function isAnswerPart(event: AgentEvent): event is AnswerPart {
  return event.kind === 'text' || event.kind === 'callEnded' || event.kind === 'editorToolEnded';
}

export function answerFile(question: string, answer: readonly AnswerPart[]): ResultFile {
  const lines = [`# ${vscode.l10n.t('Question to @mcp')}`, '', fenced(question), ''];
  let said = '';
  const endText = (): void => {
    if (said.trim() !== '') {
      lines.push(`## ${vscode.l10n.t('Answer')}`, '', fenced(said.trim(), 'markdown'), '');
    }
    said = '';
  };
  for (const part of answer) {
    if (part.kind === 'text') {
      said += part.text;
    } else {
      endText();
      lines.push(...(part.kind === 'callEnded' ? callLines(part) : editorToolLines(part)));
    }
  }
  endText();
  return { name: 'answer.md', bytes: Buffer.from(`${lines.join('\n').trimEnd()}\n`) };
}

function callLines({ call: { server, tool }, input, end }: Ended): readonly string[] {
  return [
    `## ${vscode.l10n.t('Call')}: ${inline(displayLabel(tool))}`,
    '',
    `- ${vscode.l10n.t('Server')}: ${inline(server.config.name)}`,
    `- ${vscode.l10n.t('Tool')}: ${inline(tool.name)}`,
    `- ${vscode.l10n.t('Outcome')}: ${outcomeText(end)}`,
    '',
    `### ${vscode.l10n.t('Input')}`,
    '',
    json(input),
    '',
    ...(end.kind === 'result'
      ? [`### ${vscode.l10n.t('Result')}`, '', ...resultLines(end.outcome.result)]
      : []),
  ];
}

function editorToolLines({ tool, input, text, isError }: EditorToolEnded): readonly string[] {
  const outcome = isError ? vscode.l10n.t('failed') : vscode.l10n.t('success');
  return [
    `## ${vscode.l10n.t('Call')}: ${inline(tool)}`,
    '',
    `- ${vscode.l10n.t('Tool of the editor')}`,
    `- ${vscode.l10n.t('Outcome')}: ${outcome}`,
    '',
    `### ${vscode.l10n.t('Input')}`,
    '',
    json(input),
    '',
    `### ${vscode.l10n.t('Result')}`,
    '',
    fenced(text),
    '',
  ];
}

function outcomeText(end: Ended['end']): string {
  switch (end.kind) {
    case 'result':
      return end.outcome.result.isError === true
        ? vscode.l10n.t('the tool reports an error')
        : vscode.l10n.t('success');
    case 'denied':
      return vscode.l10n.t('not allowed, nothing was sent');
    case 'invalidInput':
      return `${vscode.l10n.t('invalid input, nothing was sent')}: ${inline(end.problems.join('; '))}`;
    case 'failed':
      return `${vscode.l10n.t('failed')}: ${inline(errorText(end.error))}`;
  }
}

/** Of pictures, sounds and files only the size is said: the document of the result has them. */
function resultLines({ content, structuredContent }: CallToolResult): readonly string[] {
  return [
    ...content.map((block) =>
      block.type === 'text' ? fenced(block.text) : json(block, withoutData),
    ),
    ...(structuredContent === undefined ? [] : [json(structuredContent)]),
  ].flatMap((text) => [text, '']);
}

function json(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return fenced(JSON.stringify(value, replacer, 2), 'json');
}

function withoutData(key: string, value: unknown): unknown {
  return (key === 'data' || key === 'blob') && typeof value === 'string'
    ? bytesText(Buffer.byteLength(value, 'base64'))
    : value;
}
