/**
 * Entry point of the bundle behind tools that are used by hand: the form for their input, the call and
 * its result. The extension loads it with the first such command, and imports it by type only.
 */
import type { Memory } from './host/ports.ts';
import { KeptInputs } from './host/tools/keptInputs.ts';
import { runTool, type RunServices } from './vscode/tools/runTool.ts';

export interface ToolCommands {
  readonly runTool: (argument: unknown) => Promise<void>;
}

export function createToolCommands(
  services: Omit<RunServices, 'inputs'> & { readonly workspaceMemory: Memory },
): ToolCommands {
  const run: RunServices = { ...services, inputs: new KeptInputs(services.workspaceMemory) };
  return { runTool: (argument) => runTool(run, argument) };
}
