/**
 * A tool's definition as lines of text, kept with an approval so that a later question can show what has changed, and
 * the difference of two such texts. Pure.
 */
import { isString, stableStringify } from '../../base/json.ts';
import type { Tool } from '../../mcp/types/lists.ts';

/** Characters. For a longer definition the approval knows which parts have changed, but not how. */
const maxKept = 20_000;

/** Each sentence is a line, so that a changed one stands out. Undefined for a text that is too long to keep. */
export function definitionText(tool: Tool): string | undefined {
  const { title, description, inputSchema, annotations } = tool;
  const parts: readonly (readonly [string, string])[] = [
    ['title', title ?? ''],
    ['description', (description ?? '').replaceAll(/(?<=[.!?])[ \t]+(?=\S)/gu, '\n')],
    ['inputSchema', json(inputSchema)],
    ['annotations', json(annotations)],
  ];
  const text = parts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  return text.length > maxKept ? undefined : text;
}

/** The text that was stored with an approval. */
export function readDefinitionText(value: unknown): string | undefined {
  return isString(value) && value.length <= maxKept ? value : undefined;
}

function json(value: unknown): string {
  return value === undefined
    ? ''
    : JSON.stringify(JSON.parse(stableStringify(value)), undefined, 2);
}
