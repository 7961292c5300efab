/**
 * What a process of our own, which is no server, is started with: as little of this one as it can do with.
 * What it runs, and when it ends, is the business of who starts it.
 */
import { homedir } from 'node:os';

/** What Node itself and the system's own tools (`ps`, `taskkill`) need; nothing of the user's is handed on. */
const environment = ['PATH', 'Path', 'SystemRoot', 'SYSTEMROOT', 'windir', 'TEMP', 'TMPDIR'];

export function ownProcessOptions(): {
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  readonly windowsHide: true;
  readonly detached: boolean;
} {
  return {
    // Not a folder that somebody may want to delete.
    cwd: homedir(),
    env: {
      ...Object.fromEntries(environment.map((name) => [name, process.env[name]])),
      // VS Code's own executable is Node only when told so.
      ELECTRON_RUN_AS_NODE: '1',
    },
    windowsHide: true,
    // Whoever signals our process group does not mean this one.
    detached: process.platform !== 'win32',
  };
}
