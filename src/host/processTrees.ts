/** Processes of our own, which are no servers: that nothing is left of them. mcp/transport/stdio/reaper.ts has it. */

/** Ends what is left of processes when this one is gone, also by force. */
export interface OrphanWatch {
  /** @param pid of a process that leads a group, where there are groups */
  watch(pid: number): void;
  release(pid: number): void;
}

export interface ProcessTrees extends OrphanWatch {
  /** For whoever is about to start a process that is to be watched. */
  prepare(): void;
  /** Ends a tree that is watched, by force where it has to be. Never rejects. */
  endTree(pid: number): Promise<void>;
}
