/** Registers the participant `@mcp` and the language model tools. Their bundle is loaded with the first use. */
import * as vscode from 'vscode';
import { lazily } from '../../base/lazily.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { participantId, toolNames } from '../ids.ts';
import type { createChat } from './participant.ts';
import type { createTools } from './languageModelTools.ts';

const kinds = ['find', 'call', 'readResource', 'getPrompt', 'findSkills', 'loadSkill'] as const;

/** @param services is called with the first use */
export function registerChat(
  {
    own,
    bundles,
    extensionUri,
  }: Registry & {
    readonly bundles: {
      readonly chat: () => {
        readonly createChat: typeof createChat;
        readonly createLanguageModelTools: typeof createTools;
      };
    };
    readonly extensionUri: vscode.Uri;
  },
  services: () => Parameters<typeof createChat>[0] & Parameters<typeof createTools>[0],
): void {
  const chat = lazily(() => bundles.chat().createChat(services()));
  const participant = own(
    vscode.chat.createChatParticipant(participantId, (...request) => chat().handle(...request)),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media/icon.png');
  participant.followupProvider = {
    provideFollowups: (result) => chat().provideFollowups(result),
  };
  const tools = lazily(() => bundles.chat().createLanguageModelTools(services()));
  for (const kind of kinds) {
    own(
      vscode.lm.registerTool<object>(toolNames[kind], {
        prepareInvocation: (options, token) => tools()[kind].prepareInvocation(options, token),
        invoke: (options, token) => tools()[kind].invoke(options, token),
      }),
    );
  }
}
