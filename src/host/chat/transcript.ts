/**
 * Converts turns of a chat to the form stored with the editor's history (JSON, without bytes, within limits) and back,
 * without trusting the stored value.
 */
import { isObject, isString } from '../../base/json.ts';
import type { PromptMessage } from '../../mcp/types/methods.ts';
import type { ModelMessage, ModelPart } from '../models/model.ts';
import { promptForModel } from './attached.ts';
import { shortened } from './toolResult.ts';

/** Characters of one text, and of a whole turn. */
const maxTextChars = 4_000;
const maxTurnChars = 40_000;

/** The newest parts are stored first when not everything fits; a turn always keeps its question. */
export function toStored(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  let room = maxTurnChars;
  const stored: ModelMessage[] = [];
  for (const { role, parts } of messages) {
    const kept = parts.map((part) => toStoredPart(part, Math.min(room, maxTextChars)));
    room = Math.max(0, room - JSON.stringify(kept).length);
    stored.push({ role, parts: kept });
  }
  return stored;
}

/** Undefined for a value that is not from {@link toStored}. */
export function fromStored(value: unknown): readonly ModelMessage[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const messages = value.map(readMessage);
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

/**
 * Keeps roles and kinds of content (PROM-05). The last message is the user's, because a model answers a user. Empty if
 * nothing of the prompt is for a model and nothing was added.
 */
export function fromPrompt(messages: readonly PromptMessage[], rest = ''): readonly ModelMessage[] {
  const turned = promptForModel(messages).messages;
  if (turned.length === 0 && rest === '') {
    return [];
  }
  const isAsked = turned.at(-1)?.role === 'user';
  const more = rest === '' && !isAsked ? 'Go on.' : rest;
  return more === ''
    ? turned
    : [...turned, { role: 'user', parts: [{ kind: 'text', text: more }] }];
}

function toStoredPart(part: ModelPart, maxChars: number): ModelPart {
  switch (part.kind) {
    case 'text':
      return shortened(part, maxChars);
    case 'data':
      return { kind: 'text', text: `[data of type ${part.mimeType}, shown earlier]` };
    case 'toolCall':
      return JSON.stringify(part.input).length <= maxChars ? part : { ...part, input: {} };
    case 'toolResult':
      return { ...part, parts: part.parts.map((one) => toStoredPart(one, maxChars)) };
  }
}

function readMessage(value: unknown): ModelMessage | undefined {
  if (!isObject(value) || !Array.isArray(value['parts'])) {
    return undefined;
  }
  const { role } = value;
  const parts = value['parts'].map(readPart);
  return (role === 'user' || role === 'assistant') && parts.every((part) => part !== undefined)
    ? { role, parts }
    : undefined;
}

function readPart(value: unknown): ModelPart | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const { kind, text, callId, tool, input, parts, isError } = value;
  if (kind === 'text' && isString(text)) {
    return { kind, text };
  }
  if (kind === 'toolCall' && isString(callId) && isString(tool) && isObject(input)) {
    return { kind, callId, tool, input };
  }
  if (kind === 'toolResult' && isString(callId) && Array.isArray(parts)) {
    const inner = parts.map(readPart);
    return inner.every((part) => part !== undefined)
      ? { kind, callId, parts: inner, ...(isError === true ? { isError } : {}) }
      : undefined;
  }
  return undefined;
}
