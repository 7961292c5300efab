/** The audit's files on the disk of the machine that the extension runs on. */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { AuditFolder } from '../../host/audit/auditLog.ts';

export function auditFolder(folder: string): AuditFolder {
  return {
    list: async () => {
      const names = await fs.readdir(folder).catch(ifMissing<string[]>([]));
      return Promise.all(
        names.map(async (name) => ({ name, size: await sizeOf(path.join(folder, name)) })),
      );
    },
    append: async (name, text) => {
      await fs.mkdir(folder, { recursive: true });
      // One write at the end of the file keeps the lines of several windows whole. Mode 600: other users must not read
      // it.
      await fs.appendFile(path.join(folder, name), text, { mode: 0o600 });
    },
    remove: (name) => fs.rm(path.join(folder, name), { force: true }),
  };
}

/** Tolerates a missing file: another window may have removed it. */
async function sizeOf(file: string): Promise<number> {
  const stat = await fs.stat(file).catch(ifMissing(undefined));
  return stat?.size ?? 0;
}

function ifMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return instead;
    }
    throw error;
  };
}
