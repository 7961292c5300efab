/** How calls and their results are shown: progress, duration, size, tables. */
import { isObject, stableStringify } from '../../base/json.ts';
import { perObject } from '../../base/lazily.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import type { Progress } from '../../mcp/session/session.ts';

export type Cell = string | number | boolean | null | undefined;

export interface ResultTable {
  /** The member of the structured content that is the table, if it is not the whole content. */
  readonly name?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The number of rows and columns beyond these. */
  readonly moreRows: number;
  readonly moreColumns: number;
}

export const tableLimits = { rows: 500, columns: 30 } as const;

/** A list of flat objects, or an object with exactly one such list. Undefined for everything else. */
export function tableOf(value: unknown): ResultTable | undefined {
  if (isFlatList(value)) {
    return toTable(value);
  }
  const lists = isObject(value)
    ? Object.entries(value).filter(([, inner]) => isFlatList(inner))
    : [];
  const [first, ...others] = lists;
  if (first === undefined || others.length > 0) {
    return undefined;
  }
  const [name, rows] = first;
  return isFlatList(rows) ? { name, ...toTable(rows) } : undefined;
}

type Row = Readonly<Record<string, Cell>>;

function isFlatList(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFlat);
}

function isFlat(value: unknown): value is Row {
  return (
    isObject(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((inner) => typeof inner !== 'object' || inner === null)
  );
}

/** Columns in the order in which the rows name them. */
function toTable(list: readonly Row[]): Omit<ResultTable, 'name'> {
  const names = [...new Set(list.flatMap((row) => Object.keys(row)))];
  const columns = names.slice(0, tableLimits.columns);
  return {
    columns,
    rows: list
      .slice(0, tableLimits.rows)
      .map((row) => columns.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined))),
    moreRows: Math.max(0, list.length - tableLimits.rows),
    moreColumns: names.length - columns.length,
  };
}

/**
 * Whether a text repeats the structured content: "a tool that returns structured content SHOULD also return the
 * serialized JSON in a TextContent block" (2025-06-18, server/tools).
 */
export function repeatsStructure(text: string, result: CallToolResult): boolean {
  if (result.structuredContent === undefined) {
    return false;
  }
  try {
    return stableStringify(JSON.parse(text)) === structureOf(result);
  } catch {
    return false; // no JSON, so no repetition
  }
}

/** Serialized once for all texts of a result: it may be large, and there may be many texts. */
const structureOf = perObject(({ structuredContent }: CallToolResult) =>
  stableStringify(structuredContent),
);

/** `820 bytes`, `12.4 kB`, `3.1 MB`; a kB has 1000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) {
    return `${bytes} bytes`;
  }
  return bytes < 1_000_000
    ? `${Number((bytes / 1_000).toFixed(1))} kB`
    : `${Number((bytes / 1_000_000).toFixed(1))} MB`;
}

/** Bytes of a result as the server wrote it, without the protocol's envelope. */
export function resultBytes({ content, structuredContent }: CallToolResult): number {
  const texts = [content, structuredContent].map((part) => JSON.stringify(part) ?? '');
  return Buffer.byteLength(texts.join(''));
}

/**
 * The progress of a call in one line: the server's message and the position.
 * @param shown sanitizes the server's message
 */
export function progressText(
  { progress, total, message }: Progress,
  shown: (text: string) => string,
): string {
  const position = total === undefined ? String(progress) : `${progress}/${total}`;
  if (message === undefined) {
    return position;
  }
  // The status of a task has no position.
  return progress === 0 && total === undefined ? shown(message) : `${shown(message)} (${position})`;
}

/** `340 ms`, `12.3 s`, `45 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) {
    return `${Math.round(ms)} ms`;
  }
  const seconds = ms / 1_000;
  if (seconds < 60) {
    return `${Number(seconds.toFixed(1))} s`;
  }
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
