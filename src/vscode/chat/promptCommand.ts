/** `/prompt name arguments`, and the same typed as `/server.prompt arguments`: from words to messages for the model. */
import * as vscode from 'vscode';
import { fromPrompt } from '../../host/agent/transcript.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { missingArguments, parseArguments } from '../../host/prompts/promptArguments.ts';
import { findPrompt, type NamedPrompt, promptName } from '../../host/prompts/promptName.ts';
import { resolvePrompt } from '../../host/prompts/resolvePrompt.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inline } from '../contentMarkdown.ts';
import { oneLine } from '../text.ts';
import type { Exchange, Question } from './exchange.ts';

type Named = NamedPrompt<ServerConnection>;

/** Whether the message begins with the name of a prompt, such as `/everything.simple-prompt`. */
export function typesPrompt(exchange: Exchange): boolean {
  return (
    exchange.prompt.startsWith('/') && findPrompt(all(exchange), exchange.prompt) !== undefined
  );
}

/** Undefined when there is no such prompt, or the user gave up; the response then says so. */
export async function resolveTypedPrompt(exchange: Exchange): Promise<Question | undefined> {
  const { response, signal, services } = exchange;
  const prompts = all(exchange);
  const match = exchange.prompt === '' ? await pick(prompts) : findPrompt(prompts, exchange.prompt);
  if (match === undefined) {
    tellUnknown(exchange, prompts);
    return undefined;
  }
  const { server, prompt } = match.found;
  const typed = parseArguments(prompt, match.rest);
  const isComplete = missingArguments(prompt, typed).length === 0;
  const isAsked = !isComplete || (match.rest === '' && exchange.prompt === '');
  const args = isAsked ? await services.askArguments(server, prompt, typed) : typed;
  signal.throwIfAborted();
  if (args === undefined) {
    response.markdown(vscode.l10n.t('The prompt was not used: its arguments were not given.'));
    return undefined;
  }
  response.progress(
    vscode.l10n.t('Getting the prompt {0}', oneLine(promptName(server.config.name, prompt), 80)),
  );
  const { messages } = await resolvePrompt(server, prompt, args, signal);
  const isUsed = Object.keys(args).length > 0;
  // A prompt without arguments leaves what follows its name to the model.
  return { messages: fromPrompt(messages, isUsed ? '' : match.rest), server };
}

function all({ services }: Exchange): readonly Named[] {
  return [...services.host.servers.values()].flatMap((server) =>
    server.catalog
      .items('prompts')
      .map((prompt) => ({ server, serverName: server.config.name, prompt })),
  );
}

async function pick(
  prompts: readonly Named[],
): Promise<{ readonly found: Named; readonly rest: string } | undefined> {
  if (prompts.length === 0) {
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    prompts.map((found) => ({
      label: oneLine(displayLabel(found.prompt), 100),
      description: oneLine(found.serverName, 60),
      detail: oneLine(found.prompt.description ?? '', 150),
      found,
    })),
    {
      placeHolder: vscode.l10n.t('Which prompt should be used?'),
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  return picked === undefined ? undefined : { found: picked.found, rest: '' };
}

function tellUnknown({ prompt, response }: Exchange, prompts: readonly Named[]): void {
  if (prompts.length === 0) {
    response.markdown(vscode.l10n.t('No running MCP server offers prompts.'));
    return;
  }
  const [word = ''] = prompt.split(/\s/u, 1);
  const intro =
    word === ''
      ? vscode.l10n.t('No prompt was chosen. These can be used:')
      : vscode.l10n.t('There is no prompt {0}. These can be used:', inline(word));
  const lines = prompts
    .slice(0, 40)
    .map(({ serverName, prompt: one }) => `- ${inline(`/prompt ${promptName(serverName, one)}`)}`);
  response.markdown([intro, '', ...lines].join('\n'));
}
