/**
 * What a remembered approval is bound to: everything of a tool that the user could have read, and the server's launch,
 * part by part, so that a later question can say what has changed; and the definition as text, to show how. Pure.
 */
import { createHash } from 'node:crypto';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { launchHash } from './trustedServers.ts';

/** What a remembered yes is bound to. `server`: what its entry starts or connects to. */
export type DefinitionPart = 'server' | 'title' | 'description' | 'inputSchema' | 'annotations';

/** In the order in which changes are shown. */
const parts: readonly DefinitionPart[] = [
  'server',
  'title',
  'description',
  'inputSchema',
  'annotations',
];

/** A hash of each part. */
export type ToolDefinition = Readonly<Record<DefinitionPart, string>>;

export function definitionOf(server: ServerConfig, tool: Tool): ToolDefinition {
  return {
    server: launchHash(server),
    title: hashOf(tool.title),
    description: hashOf(tool.description),
    inputSchema: hashOf(tool.inputSchema),
    annotations: hashOf(tool.annotations),
  };
}

export function changesIn(before: ToolDefinition, now: ToolDefinition): readonly DefinitionPart[] {
  return parts.filter((part) => before[part] !== now[part]);
}

/** Whether it is from {@link definitionOf}. */
export function isDefinition(value: unknown): value is ToolDefinition {
  return isObject(value) && parts.every((part) => isString(value[part]));
}

/** JSON leaves an undefined value out; it gets a hash, too. */
function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(value === undefined ? '' : stableStringify(value))
    .digest('hex');
}

/** Characters. For a longer definition the approval knows which parts have changed, but not how. */
const maxKept = 20_000;

/** Each sentence is a line, so that a changed one stands out. Undefined for a text that is too long to keep. */
export function definitionText(tool: Tool): string | undefined {
  const { title, description, inputSchema, annotations } = tool;
  const sections: readonly (readonly [string, string])[] = [
    ['title', title ?? ''],
    ['description', (description ?? '').replaceAll(/(?<=[.!?])[ \t]+(?=\S)/gu, '\n')],
    ['inputSchema', json(inputSchema)],
    ['annotations', json(annotations)],
  ];
  const text = sections
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

/** Cells of the table: longer texts are compared without regard to order. */
const maxCells = 1_000_000;

/** The lines that differ between two texts, in order, each after `- ` or `+ `. */
export function lineDifference(before: string, now: string): readonly string[] {
  const [a, b] = [before.split('\n'), now.split('\n')];
  const start = a.findIndex((line, index) => line !== b[index]);
  if (start < 0 && a.length >= b.length) {
    return [];
  }
  const head = start < 0 ? a.length : start;
  return differenceOf(a.slice(head), b.slice(head));
}

function differenceOf(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length * b.length > maxCells) {
    const [inA, inB] = [new Set(a), new Set(b)];
    return [
      ...a.filter((line) => !inB.has(line)).map(removed),
      ...b.filter((line) => !inA.has(line)).map(added),
    ];
  }
  const common = commonLengths(a, b);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push(removed(a[i] ?? ''));
      i += 1;
    } else {
      lines.push(added(b[j] ?? ''));
      j += 1;
    }
  }
  return lines;
}

/** The number of common lines of both rests, by where the rests begin. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = rows[i];
      if (row !== undefined) {
        row[j] =
          a[i] === b[j]
            ? at(rows, i + 1, j + 1) + 1
            : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
      }
    }
  }
  return rows;
}

function at(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

function removed(line: string): string {
  return `- ${line}`;
}

function added(line: string): string {
  return `+ ${line}`;
}
