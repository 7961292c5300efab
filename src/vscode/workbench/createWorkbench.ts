/** Creates the parts for work by hand: prompts, resources, tools, settings, and their commands. */
import { ToolPresets } from '../../host/chat/toolSelection.ts';
import { RecentUris } from '../../host/resources/resourceAddress.ts';
import type { WatchedResources } from '../../host/resources/watchedResources.ts';
import type { Memory } from '../../host/storage.ts';
import { SeenMessages } from '../../host/prompts/prompts.ts';
import { KeptInputs } from '../../host/tools/keptInputs.ts';
import type { ChatWorkbench } from '../chat/chatServices.ts';
import { type ApprovalCommandServices, manageApprovals } from '../toolApproval/approvalCommands.ts';
import { type SettingsServices, settingsCommands } from './settingsCommands.ts';
import type { WorkbenchCommands } from '../editor/registerCommands.ts';
import { type DiagnosisServices, diagnosisCommands } from '../diagnosis/diagnosisCommands.ts';
import {
  pickPrompt,
  preparePrompt,
  useFileInPrompt,
  usePrompt,
  useSelectionInPrompt,
} from '../prompts/promptCommands.ts';
import { PromptPreviews } from '../prompts/promptPreview.ts';
import { PartsDocuments } from '../resources/partsDocument.ts';
import { pickSubject, resourceCommands } from '../resources/resourceCommands.ts';
import { addressOf, type ResourceServices } from '../resources/resourceSubject.ts';
import type { ResultFiles } from '../text/resultFiles.ts';
import { type SignInCommandServices, signInCommands } from '../signIn/signInCommands.ts';
import { skillCommands } from '../skills/skillCommands.ts';
import { type Rerun, runTool, type RunServices, runToolAgain } from '../tools/runTool.ts';
import { selectTools, type SelectServices } from '../tools/selectTools.ts';
import type { ToolRun } from '../tools/resultDocument.ts';
import { openResultPart, saveResultPart, showResult } from '../tools/showResult.ts';

type WorkbenchServices = SettingsServices &
  SignInCommandServices &
  ApprovalCommandServices &
  DiagnosisServices &
  Omit<RunServices, 'inputs'> &
  Omit<SelectServices, 'presets'> & {
    readonly results: ResultFiles;
    readonly watched: WatchedResources;
    /** Of the workspace. */
    readonly memory: Memory;
  };

export interface Workbench extends ChatWorkbench {
  readonly parts: Pick<PartsDocuments, 'draw' | 'lenses'>;
  /** Shows the result of a tool without its app. */
  readonly showResult: (run: ToolRun) => void;
  readonly runToolAgain: (rerun: Rerun) => Promise<void>;
  readonly commands: WorkbenchCommands;
}

export function createWorkbench(services: WorkbenchServices): Workbench {
  const { host, results, editText, memory, keepFile, watched } = services;
  const previews = new PromptPreviews(results, new SeenMessages());
  const parts = new PartsDocuments();
  const prompts = { host, previews, editText };
  const prompt: WorkbenchCommands['usePrompt'] = (argument) => usePrompt(prompts, argument);
  const recents = new RecentUris(memory);
  const resources: ResourceServices = { host, recents, watched, keepFile, editText };
  const presets = new ToolPresets(memory);
  const run: RunServices = { ...services, inputs: new KeptInputs(memory) };
  return {
    parts,
    pickPrompt: (signal) => pickPrompt(host, { signal }),
    preparePrompt: (how) => preparePrompt(prompts, how),
    pickResource: async (placeHolder) => {
      const picked = await pickSubject(resources, placeHolder);
      return picked && addressOf(picked);
    },
    showResult: (tool) => showResult(tool, results),
    runToolAgain: (rerun) => runToolAgain(run, rerun),
    commands: {
      usePrompt: prompt,
      useFileInPrompt: (argument, all) => useFileInPrompt(prompts, argument, all),
      useSelectionInPrompt: () => useSelectionInPrompt(prompts),
      ...skillCommands(services),
      ...signInCommands(services),
      ...resourceCommands(resources, prompt),
      runTool: (argument) => runTool(run, argument),
      openResultPart,
      saveResultPart,
      chooseTools: () => selectTools({ ...services, presets }),
      ...settingsCommands(services),
      manageApprovals: () => manageApprovals(services),
      ...diagnosisCommands(services),
    },
  };
}
