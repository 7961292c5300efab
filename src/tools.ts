/**
 * Entry point of the bundle behind tools that are used by hand: the form for their input, the call, its
 * result, and which of them models get. The extension loads it with the first such command, and imports it by type only.
 */
import { ToolPresets } from './host/agent/toolPresets.ts';
import type { Memory } from './host/ports.ts';
import { KeptInputs } from './host/tools/keptInputs.ts';
import { runTool, type RunServices } from './vscode/tools/runTool.ts';
import { selectTools, type SelectServices } from './vscode/tools/selectTools.ts';
import { openResultPart, saveResultPart } from './vscode/tools/showResult.ts';

export interface ToolCommands {
  readonly runTool: (argument: unknown) => Promise<void>;
  readonly openResultPart: (argument: unknown) => Promise<void>;
  readonly saveResultPart: (argument: unknown) => Promise<void>;
  readonly chooseTools: () => Promise<void>;
}

export function createToolCommands(
  services: Omit<RunServices, 'inputs'> &
    Omit<SelectServices, 'presets'> & { readonly workspaceMemory: Memory },
): ToolCommands {
  const presets = new ToolPresets(services.workspaceMemory);
  const run: RunServices = { ...services, inputs: new KeptInputs(services.workspaceMemory) };
  return {
    runTool: (argument) => runTool(run, argument),
    openResultPart,
    saveResultPart,
    chooseTools: () => selectTools({ ...services, presets }),
  };
}
