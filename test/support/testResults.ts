/** Files that a run leaves behind for people. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes a file below `test-results`. @returns its path */
export function writeResult(name: string, text: string): string {
  const file = fileURLToPath(new URL(`../../test-results/${name}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
