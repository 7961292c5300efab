/** Machines whose programs are a list of paths. */
import type { Programs } from '../../src/host/config/launchContext.ts';

/** @param shellPath what the login shell says; counted in `asked` */
export function programsAt(
  files: readonly string[],
  shellPath?: string,
): Programs & { readonly asked: { shell: number } } {
  const asked = { shell: 0 };
  return {
    asked,
    isProgram: async (file) => files.includes(file),
    isFolder: async () => true,
    shellPath: async () => {
      asked.shell += 1;
      return shellPath;
    },
  };
}
