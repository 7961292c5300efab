/** Machines whose programs are a list of paths. */
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
