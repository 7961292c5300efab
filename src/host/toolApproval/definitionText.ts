/**
 * A tool's definition as lines of text, kept with an approval so that a later question can show what is
 * different, and the difference of two such texts. Pure.
 */
import { isString, stableStringify } from '../../base/json.ts';
import type { Tool } from '../../mcp/types/lists.ts';

/** Characters. Of a longer definition the approval knows what has changed, and not how. */
const maxKept = 20_000;

/** Sentences are lines of their own, so that a changed one stands out. Undefined for one too long to keep. */
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

/** What was kept with an approval. */
export function readDefinitionText(value: unknown): string | undefined {
  return isString(value) && value.length <= maxKept ? value : undefined;
}

function json(value: unknown): string {
  return value === undefined
    ? ''
    : JSON.stringify(JSON.parse(stableStringify(value)), undefined, 2);
}
