/** What is kept of a call, as texts to read and to compare, and as the input of another call. */
import { isObject, isString, type JsonObject, parsedJson } from '../../base/json.ts';
import { mask } from '../inspector/maskedText.ts';
import type { KeptCall, KeptInput, KeptText } from './callHistory.ts';

/** Indented; as it was kept where its end is missing. */
export function jsonText({ json, isCut }: KeptText): string {
  return isCut ? `${json}…` : JSON.stringify(parsedJson(json), undefined, 2);
}

/** The result, or the error in its place: texts as they are, everything else as JSON. */
export function resultText({ result, error = '' }: KeptCall): string {
  if (result === undefined) {
    return error;
  }
  const value = result.isCut ? undefined : parsedJson(result.json);
  if (!isObject(value) || !Array.isArray(value['content'])) {
    return jsonText(result);
  }
  const { content, structuredContent } = value;
  const parts = [...content, ...(structuredContent === undefined ? [] : [structuredContent])];
  return parts
    .map((part: unknown) =>
      isObject(part) && part['type'] === 'text' && isString(part['text'])
        ? part['text']
        : JSON.stringify(part, undefined, 2),
    )
    .join('\n\n');
}

/** What another call can begin with: members of which something is masked are left out. */
export function knownInput(input: KeptInput): JsonObject {
  const value = input.isCut ? undefined : parsedJson(input.json);
  if (!isObject(value) || input.isWhole) {
    return isObject(value) ? value : {};
  }
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => !JSON.stringify(member).includes(mask)),
  );
}
