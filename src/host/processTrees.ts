/** Ends processes that we start besides servers, with their children. See mcp/transport/stdio/reaper.ts. */

/** Ends watched processes when this one is gone, even if it was killed. */
export interface OrphanWatch {
  /** @param pid of a process that leads a process group, where groups exist */
  watch(pid: number): void;
  release(pid: number): void;
}

export interface ProcessTrees extends OrphanWatch {
  /** Call before starting a process that is to be watched. */
  prepare(): void;
  /** Ends a watched process tree, by force if necessary. Never rejects. */
  endTree(pid: number): Promise<void>;
}
