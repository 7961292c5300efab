/** Machines whose programs are a list of paths, or aliases of the Microsoft Store. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import type { Programs } from '../../src/host/launch/launchContext.ts';

/**
 * @param shellPath what the login shell says; counted in `asked`
 * @param links what links say, by their path
 */
export function programsAt(
  files: readonly string[],
  shellPath?: string,
  links: Readonly<Record<string, string>> = {},
): Programs & { readonly asked: { shell: number } } {
  const asked = { shell: 0 };
  return {
    asked,
    isProgram: async (file) => files.includes(file),
    isFolder: async () => true,
    isFile: async (file) => files.includes(file),
    linkAt: async (path) => links[path],
    realPath: async (path) => links[path],
    shellPath: async () => {
      asked.shell += 1;
      return shellPath;
    },
    newShellPath: async () => shellPath,
  };
}

/** Runs something while `stat` rejects as for an app execution alias on Windows (nodejs/node#36790). */
export async function withoutTargets(run: () => Promise<void>): Promise<void> {
  const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' });
  const { mock: stat } = mock.method(fs.promises, 'stat', () => Promise.reject(denied));
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    stat.restore();
    syncBuiltinESMExports();
  }
}
