/** Creates the participant for its registration. */
import type * as vscode from 'vscode';
import type { ResultFiles } from '../text/resultFiles.ts';
import type { ChatServices } from './chatServices.ts';
import { Participant } from './participant.ts';

export interface Chat {
  readonly handle: vscode.ChatRequestHandler;
  readonly provideFollowups: vscode.ChatFollowupProvider['provideFollowups'];
}

/** What the workbench's bundle has. */
type ByHand = 'askArguments' | 'pickResource' | 'previewPrompt';

/** @param services.workbench is called when a prompt or a resource is picked */
export function createChat(
  services: Omit<ChatServices, ByHand | 'keepFiles'> & {
    readonly results: ResultFiles;
    readonly workbench: () => Pick<ChatServices, ByHand>;
  },
): Chat {
  const { results, workbench } = services;
  const participant = new Participant({
    ...services,
    keepFiles: (files) => results.add(files),
    askArguments: (...form) => workbench().askArguments(...form),
    pickResource: (...words) => workbench().pickResource(...words),
    previewPrompt: (...prompt) => workbench().previewPrompt(...prompt),
  });
  return {
    handle: (request, context, response, token) =>
      participant.handle(request, context, response, token),
    provideFollowups: (result) => participant.followups(result),
  };
}
