/**
 * Entry point of the bundle with what is done with prompts and resources: pickers, wizards, previews,
 * documents of several parts. The extension loads it with the first such command, hands it what it
 * needs, and imports it by type only.
 */
import { RecentUris } from './host/catalog/recentUris.ts';
import type { WatchedResources } from './host/catalog/watchedResources.ts';
import type { Memory } from './host/ports.ts';
import { SeenMessages } from './host/prompts/seenMessages.ts';
import type { McpHost } from './host/servers/host.ts';
import type { EditText } from './vscode/asks/textEditing.ts';
import type { Documents } from './vscode/documents.ts';
import { askArguments } from './vscode/prompts/argumentWizard.ts';
import { promptCommands } from './vscode/prompts/promptCommands.ts';
import { PromptPreviews } from './vscode/prompts/promptPreview.ts';
import { PartsDocuments } from './vscode/resources/partsDocument.ts';
import { pickSubject, resourceCommands } from './vscode/resources/resourceCommands.ts';
import { addressOf, type ResourceServices } from './vscode/resources/resourceSubject.ts';
import type { ResultFiles } from './vscode/tools/resultFiles.ts';

export { setUnexpectedErrorHandler } from './base/event.ts';

/** `memory`: of the workspace. */
export function createDocuments(services: {
  readonly host: McpHost;
  readonly results: ResultFiles;
  readonly watched: WatchedResources;
  readonly editText: EditText;
  readonly memory: Memory;
}): Documents {
  const { host, results, watched, editText, memory } = services;
  const previews = new PromptPreviews(results, new SeenMessages());
  const parts = new PartsDocuments();
  const { usePrompt } = promptCommands({ host, previews, editText });
  const resources: ResourceServices = {
    host,
    recents: new RecentUris(memory),
    watched,
    keepFile: (file) => results.add([file])[0],
    editText,
  };
  return {
    parts,
    askArguments: (server, prompt, known, signal) =>
      askArguments(server, prompt, known, { editText, signal }),
    pickResource: async (placeHolder) => {
      const picked = await pickSubject(resources, placeHolder);
      return picked && addressOf(picked.subject);
    },
    previewPrompt: (resolved, signal, onAsk) => previews.show(resolved, 'model', signal, onAsk),
    commands: {
      usePrompt,
      ...resourceCommands(resources, parts, usePrompt),
    },
  };
}
