/**
 * A conversation with `@mcp` as a Markdown document: questions, calls with input and result, and answers. All of it is data: a
 * model may repeat what a server said.
 */
import * as vscode from 'vscode';
import { fromStored } from '../../host/chat/modelContext.ts';
import type { ModelPart } from '../../host/models/model.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';
import { readMetadata, textOf, typedText } from './conversation.ts';

/** Made of what the editor keeps, so texts of calls are as short as there (`toStored`); questions and answers are whole. */
export function conversationDocument({ history }: vscode.ChatContext): string {
  const sections = history.flatMap((turn) => {
    if ('prompt' in turn) {
      return [`## ${vscode.l10n.t('Question')}`, fenced(typedText(turn))];
    }
    const answer = textOf(turn).trim();
    return [
      ...callSections(turn),
      ...(answer === '' ? [] : [`## ${vscode.l10n.t('Answer')}`, fenced(answer, 'markdown')]),
    ];
  });
  return [`# ${vscode.l10n.t('Conversation with @mcp')}`, ...sections].join('\n\n') + '\n';
}

function callSections({ result }: vscode.ChatResponseTurn): readonly string[] {
  const parts = (fromStored(readMetadata(result).turn) ?? []).flatMap((message) => message.parts);
  const tools = new Map(
    parts.flatMap((part) => (part.kind === 'toolCall' ? [[part.callId, part.tool]] : [])),
  );
  return parts.flatMap((part) => {
    if (part.kind === 'toolCall') {
      const input = fenced(JSON.stringify(part.input, undefined, 2), 'json');
      return [`## ${vscode.l10n.t('Call')}: ${inline(part.tool)}`, input];
    }
    if (part.kind === 'toolResult') {
      const title = part.isError === true ? vscode.l10n.t('Error') : vscode.l10n.t('Result');
      const tool = tools.get(part.callId) ?? part.callId;
      return [`## ${title}: ${inline(tool)}`, fenced(textsOf(part.parts))];
    }
    return [];
  });
}

function textsOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}
