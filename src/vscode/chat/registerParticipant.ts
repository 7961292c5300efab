/** Registers the participant `@mcp`. Its code is a bundle that is loaded with the first message. */
import * as vscode from 'vscode';
import { participantId } from '../ids.ts';

/** What the chat bundle exports. */
export interface ChatBundle {
  readonly handle: vscode.ChatRequestHandler;
  readonly provideFollowups: vscode.ChatFollowupProvider['provideFollowups'];
}

export function registerParticipant(
  load: () => ChatBundle,
  iconPath: vscode.Uri,
): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(participantId, (...request) =>
    load().handle(...request),
  );
  participant.iconPath = iconPath;
  participant.followupProvider = {
    provideFollowups: (...request) => load().provideFollowups(...request),
  };
  return participant;
}
