/**
 * Converts turns of a chat to the form stored with the editor's history (JSON, without bytes, within limits) and back,
 * without trusting the stored value.
 */
import { isObject, isString } from '../../base/json.ts';
import { type ModelMessage, type ModelPart, textPart } from '../models/model.ts';
import { shortened } from './modelParts.ts';

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
  return Array.isArray(value) && value.every(isMessage) ? value : undefined;
}

function toStoredPart(part: ModelPart, maxChars: number): ModelPart {
  switch (part.kind) {
    case 'text':
      return shortened(part, maxChars);
    case 'data':
      return textPart(`[data of type ${part.mimeType}, shown earlier]`);
    case 'toolCall':
      return JSON.stringify(part.input).length <= maxChars ? part : { ...part, input: {} };
    case 'toolResult':
      return { ...part, parts: part.parts.map((one) => toStoredPart(one, maxChars)) };
  }
}

function isMessage(value: unknown): value is ModelMessage {
  if (!isObject(value)) {
    return false;
  }
  const { role, parts } = value;
  return (role === 'user' || role === 'assistant') && Array.isArray(parts) && parts.every(isPart);
}

function isPart(value: unknown): value is ModelPart {
  if (!isObject(value)) {
    return false;
  }
  const { kind, text, callId, tool, input, parts } = value;
  switch (kind) {
    case 'text':
      return isString(text);
    case 'toolCall':
      return isString(callId) && isString(tool) && isObject(input);
    case 'toolResult':
      return isString(callId) && Array.isArray(parts) && parts.every(isPart);
    default:
      return false;
  }
}
