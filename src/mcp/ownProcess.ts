/**
 * The spawn options for a helper process of our own (not a server), with as little of our environment as
 * possible, and how such processes are ended. The caller decides what it runs and when it ends.
 */
import { homedir } from 'node:os';

/** Variables that Node and the system tools (`ps`, `taskkill`) need. No variable of the user's own is passed on. */
const environment = ['PATH', 'Path', 'SystemRoot', 'SYSTEMROOT', 'windir', 'TEMP', 'TMPDIR'];

export function ownProcessOptions(): {
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  readonly windowsHide: true;
  readonly detached: boolean;
} {
  return {
    // A folder that nobody is likely to delete.
    cwd: homedir(),
    env: {
      ...Object.fromEntries(environment.map((name) => [name, process.env[name]])),
      // VS Code's executable runs as Node only with this.
      ELECTRON_RUN_AS_NODE: '1',
    },
    windowsHide: true,
    // A signal to our process group is not meant for this process.
    detached: process.platform !== 'win32',
  };
}

/** Ends watched processes when this one is gone, even if it was killed. */
export interface OrphanWatch {
  /** @param pid of a process that leads a process group, where groups exist */
  watch(pid: number): void;
  release(pid: number): void;
}

/** Ends processes that we start besides servers, with their children. See mcp/transport/stdio/reaper.ts. */
export interface ProcessTrees extends OrphanWatch {
  /** Call before starting a process that is to be watched. */
  prepare(): void;
  /** Ends a watched process tree, by force if necessary. Never rejects. */
  endTree(pid: number): Promise<void>;
}
