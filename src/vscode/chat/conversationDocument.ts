/**
 * A conversation with `@mcp` as a Markdown document: questions, answers, and calls with input and result, in their order.
 * All of it is data: a model may repeat what a server said.
 */
import * as vscode from 'vscode';
import type { Turn } from '../../host/chat/modelContext.ts';
import type { ModelMessage, ModelPart } from '../../host/models/model.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';

export function conversationDocument(turns: readonly Turn[]): string {
  /** Names of tools by the IDs of their calls, which may come again in a later turn. */
  const tools = new Map<string, string>();
  const sections = turns
    .flat()
    .flatMap(({ role, parts }) => [
      ...textSection(role, parts),
      ...parts.flatMap((part) => callSection(part, tools)),
    ]);
  return [`# ${vscode.l10n.t('Conversation with @mcp')}`, ...sections].join('\n\n') + '\n';
}

function textSection(role: ModelMessage['role'], parts: readonly ModelPart[]): readonly string[] {
  const text = textOf(parts, '');
  const title = role === 'user' ? vscode.l10n.t('Question') : vscode.l10n.t('Answer');
  const language = role === 'user' ? '' : 'markdown';
  return text === '' ? [] : [`## ${title}`, fenced(text, language)];
}

function callSection(part: ModelPart, tools: Map<string, string>): readonly string[] {
  if (part.kind === 'toolCall') {
    tools.set(part.callId, part.tool);
    return [
      `## ${vscode.l10n.t('Call')}: ${inline(part.tool)}`,
      fenced(JSON.stringify(part.input, undefined, 2), 'json'),
    ];
  }
  if (part.kind === 'toolResult') {
    const title = part.isError === true ? vscode.l10n.t('Error') : vscode.l10n.t('Result');
    const tool = tools.get(part.callId) ?? part.callId;
    return [`## ${title}: ${inline(tool)}`, fenced(textOf(part.parts, '\n'))];
  }
  return [];
}

function textOf(parts: readonly ModelPart[], between: string): string {
  return parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join(between)
    .trim();
}
