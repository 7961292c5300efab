/** Registers the participant `@mcp` and the language model tools. Their bundle is loaded with the first use. */
import * as vscode from 'vscode';
import { lazily } from '../../base/lazily.ts';
import type { Log } from '../../base/log.ts';
import { optionalApi } from '../editor/optionalApi.ts';
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
    log,
  }: Registry & {
    readonly bundles: {
      readonly chat: () => {
        readonly createChat: typeof createChat;
        readonly createLanguageModelTools: typeof createTools;
      };
    };
    readonly extensionUri: vscode.Uri;
    readonly log: Log;
  },
  services: () => Parameters<typeof createChat>[0] & Parameters<typeof createTools>[0],
): void {
  const { chat: chatApi, lm } = optionalApi;
  const chat = lazily(() => bundles.chat().createChat(services()));
  if (chatApi?.createChatParticipant === undefined) {
    log.warn('This editor lets no extension take part in its chat: @mcp is not there');
  } else {
    const participant = own(
      chatApi.createChatParticipant(participantId, (...request) => chat().handle(...request)),
    );
    participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media/icon.png');
    participant.followupProvider = {
      provideFollowups: (result) => chat().provideFollowups(result),
    };
  }
  const tools = lazily(() => bundles.chat().createLanguageModelTools(services()));
  if (lm?.registerTool === undefined) {
    log.warn(
      'This editor takes no tools from extensions: mcp_find_tools and the like are not there',
    );
    return;
  }
  for (const kind of kinds) {
    own(
      lm.registerTool<object>(toolNames[kind], {
        prepareInvocation: (options, token) => tools()[kind].prepareInvocation(options, token),
        invoke: (options, token) => tools()[kind].invoke(options, token),
      }),
    );
  }
}
