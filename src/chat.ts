/**
 * Entry point of the bundle behind the chat participant and the language model tools. The extension
 * loads it with the first message to `@mcp`, or the first call of such a tool, hands it what it needs,
 * and imports it by type only.
 */
import type { ChatServices } from './vscode/chat/chatServices.ts';
import { Participant } from './vscode/chat/participant.ts';
import type { ChatBundle } from './vscode/chat/register.ts';
import { createTools, type ToolServices } from './vscode/languageModelTools/tools.ts';
import type { ToolImplementations } from './vscode/languageModelTools/register.ts';

export function createChat(services: ChatServices): ChatBundle {
  const participant = new Participant(services);
  return {
    handle: (request, context, response, token) =>
      participant.handle(request, context, response, token),
    provideFollowups: (result) => participant.followups(result),
  };
}

export function createLanguageModelTools(services: ToolServices): ToolImplementations {
  return createTools(services);
}
