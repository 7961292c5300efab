/** From the editor's chat to messages for the model: earlier turns with @mcp, and what the user attached. */
import * as vscode from 'vscode';
import { isObject, isString, isStringArray } from '../../base/json.ts';
import { fromStored, toStored } from '../../host/agent/transcript.ts';
import type { ModelMessage } from '../../host/models/model.ts';
import type { ChatMetadata } from './chatServices.ts';

/** Characters of one attachment. */
const maxAttachmentChars = 60_000;

export function userMessage(text: string): ModelMessage {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

export function metadataOf(
  turn: readonly ModelMessage[],
  servers: readonly string[],
  isUnfinished: boolean,
): ChatMetadata {
  return { servers, isUnfinished, turn: toStored(turn) };
}

export function readMetadata(result: vscode.ChatResult): ChatMetadata {
  const stored: unknown = result.metadata;
  const { servers, isUnfinished, turn } = isObject(stored) ? stored : {};
  return {
    servers: isStringArray(servers) ? servers : [],
    isUnfinished: isUnfinished === true,
    turn,
  };
}

/** Oldest first. Turns of which calls and results were kept are given with them, others as they read. */
export function historyOf({ history }: vscode.ChatContext): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  let question: ModelMessage | undefined;
  for (const turn of history) {
    if ('prompt' in turn) {
      const command = turn.command === undefined ? '' : `/${turn.command} `;
      question = userMessage(`${command}${turn.prompt}`);
    } else {
      const kept = fromStored(readMetadata(turn.result).turn);
      const answer: ModelMessage = {
        role: 'assistant',
        parts: [{ kind: 'text', text: textOf(turn) }],
      };
      messages.push(...(kept ?? [...(question === undefined ? [] : [question]), answer]));
      question = undefined;
    }
  }
  return messages;
}

function textOf({ response }: vscode.ChatResponseTurn): string {
  return response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
}

/**
 * Files, selections and texts that the user attached, for the model alone: no server gets them.
 * What cannot be read is named as such.
 */
export async function attachments(
  references: readonly vscode.ChatPromptReference[],
): Promise<readonly ModelMessage[]> {
  const texts = await Promise.all(references.map((reference) => attachmentText(reference)));
  const known = texts.filter((text) => text !== undefined);
  return known.length === 0 ? [] : [userMessage(['Attached by the user:', ...known].join('\n\n'))];
}

async function attachmentText({
  id,
  value,
  modelDescription,
}: vscode.ChatPromptReference): Promise<string | undefined> {
  const name = modelDescription ?? id;
  if (isString(value)) {
    return entry(name, value);
  }
  if (value instanceof vscode.Uri) {
    return entry(vscode.workspace.asRelativePath(value), await readFile(value));
  }
  if (value instanceof vscode.Location) {
    const { start, end } = value.range;
    const place = `${vscode.workspace.asRelativePath(value.uri)}:${start.line + 1}-${end.line + 1}`;
    return entry(place, await readRange(value));
  }
  return undefined;
}

function entry(name: string, text: string | undefined): string {
  if (text === undefined) {
    return `${JSON.stringify(name)} cannot be read as text.`;
  }
  const cut = text.length > maxAttachmentChars ? ' (cut)' : '';
  return `${JSON.stringify(name)}${cut}:\n${text.slice(0, maxAttachmentChars)}`;
}

async function readFile(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // a folder, or gone
  }
}

async function readRange({ uri, range }: vscode.Location): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText(range);
  } catch {
    return undefined;
  }
}
