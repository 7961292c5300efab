// Entries of `mcpHost.servers` for the tests: real servers from npm and the scripted ones of test/servers.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ground } from './ground.ts';
import { eventually, until } from './until.ts';

export interface StdioEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly startup?: string;
}

/** A server of @modelcontextprotocol from npm. */
export function published(name: string, ...args: readonly string[]): StdioEntry {
  const { node, root } = ground();
  const entry = path.join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
  return { command: node, args: [entry, ...args] };
}

/** A server of test/servers. */
export function scripted(file: string, env: Readonly<Record<string, string>> = {}): StdioEntry {
  const { node, root } = ground();
  return { command: node, args: [path.join(root, 'test/servers', file)], env };
}

/** The lines of a file that a scripted server writes; none while it does not exist. */
export async function linesOf(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const text = await readFile(file, 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** The texts of all logs of the editor. */
export async function logTexts(): Promise<readonly string[]> {
  const logs = path.join(ground().trusted.profile, 'logs');
  const files = await readdir(logs, { recursive: true, withFileTypes: true });
  return Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
  );
}

/** Waits until a scripted server has written these lines, and no others. */
export async function expectLines(file: string, expected: readonly string[]): Promise<void> {
  await eventually(
    () => linesOf(file),
    (lines) => assert.deepEqual(lines, expected),
  );
}

/** Waits until this is the last line. */
export async function expectLast(file: string, line: string): Promise<void> {
  await eventually(
    async () => (await linesOf(file)).at(-1),
    (last) => assert.equal(last, line),
  );
}

/** Waits for `count` process ids in a file. */
export async function pidsIn(file: string, count: number): Promise<readonly number[]> {
  const lines = await until(
    `${count} process ids`,
    () => linesOf(file),
    ({ length }) => length >= count,
  );
  return lines.map(Number);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function untilGone(pids: readonly number[], timeoutMs: number): Promise<void> {
  await until(
    'the processes to be gone',
    async () => pids.filter(isAlive),
    ({ length }) => length === 0,
    timeoutMs,
  );
}
