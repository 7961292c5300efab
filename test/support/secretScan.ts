/**
 * Looks for secrets in whatever a run leaves behind: in any file, as they are and in the forms that
 * programs give to texts. Says where, never what. Compressed and encrypted files are not opened.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Redactor } from '../../src/base/log.ts';

/** The paths of files below `folders` that hold one of `secrets`, each of which has 8 characters at least. */
export async function filesThatHold(
  secrets: Iterable<string>,
  folders: readonly string[],
  isSkipped: (file: string) => boolean = () => false,
): Promise<readonly string[]> {
  const redactor = new Redactor();
  for (const secret of secrets) {
    redactor.add(secret);
    redactor.add(Buffer.from(secret, 'utf16le').toString('latin1')); // the editor's two-byte texts
  }
  const found: string[] = [];
  for (const folder of folders) {
    for (const file of await filesIn(folder, isSkipped)) {
      const text = await readFile(file, 'latin1').catch(() => ''); // it may have gone meanwhile
      if (redactor.redact(text) !== text) {
        found.push(file);
      }
    }
  }
  return found.toSorted();
}

async function filesIn(
  folder: string,
  isSkipped: (file: string) => boolean,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (isSkipped(file)) {
      continue;
    }
    if (entry.isDirectory()) {
      files.push(...(await filesIn(file, isSkipped)));
    } else if (entry.isFile()) {
      files.push(file);
    }
  }
  return files;
}
