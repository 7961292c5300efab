/**
 * `/prompt name arguments`, also typed as `/server.prompt arguments`: makes messages for the model, which the user sees
 * first. Uses the same wizard and preview as the tree and the palette.
 */
import * as vscode from 'vscode';
import { fromPrompt } from '../../host/chat/modelParts.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import {
  missingArguments,
  parseArguments,
  findPrompt,
  type NamedPrompt,
  namedPrompts,
} from '../../host/prompts/prompts.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inline, plain } from '../text/contentMarkdown.ts';
import type { ResolvedPrompt } from '../prompts/promptDocument.ts';
import type { PreviewChoice } from '../prompts/promptPreview.ts';
import { oneLine } from '../text/labelText.ts';
import type { Exchange, Question } from './chatServices.ts';

type Named = NamedPrompt<ServerConnection>;

/** `/prompt` alone, or `/mcp.` as in the editor's own chat. */
const namesNone = (prompt: string): boolean => /^(?:\/mcp\.)?$/u.test(prompt);

/** Whether the message begins with the name of a prompt, such as `/everything.simple-prompt`, or asks which there are. */
export function typesPrompt(exchange: Exchange): boolean {
  const { prompt } = exchange;
  return (
    prompt.startsWith('/') && (namesNone(prompt) || findPrompt(all(exchange), prompt) !== undefined)
  );
}

/** Undefined when there is no such prompt, or the user gave up; the response then says so. */
export async function resolveTypedPrompt(exchange: Exchange): Promise<Question | undefined> {
  const { response, signal, services } = exchange;
  const prompts = all(exchange);
  const match = namesNone(exchange.prompt)
    ? await pick(exchange, prompts.length)
    : findPrompt(prompts, exchange.prompt);
  if (match === undefined) {
    tellUnknown(exchange, prompts);
    return undefined;
  }
  const { server, prompt } = match.found;
  const given = parseArguments(prompt, match.rest);
  const isAsked = namesNone(exchange.prompt) || missingArguments(prompt, given).length > 0;
  const prepared = await services.workbench().preparePrompt({
    connection: server,
    prompt,
    given,
    asked: isAsked ? (prompt.arguments ?? []) : [],
    signal,
    progress: (text) => response.progress(text),
  });
  if (prepared === undefined) {
    response.markdown(vscode.l10n.t('The prompt was not used because its arguments are missing.'));
    return undefined;
  }
  const { choice, resolved, document } = prepared;
  if (choice !== 'use') {
    response.markdown(unusedText(choice));
    return undefined;
  }
  tellUsed(exchange, resolved, document);
  const isUsed = Object.keys(resolved.args).length > 0;
  // For a prompt without arguments, the text after its name is for the model.
  const messages = fromPrompt(resolved.result.messages, isUsed ? '' : match.rest);
  if (messages.length === 0) {
    response.markdown(
      vscode.l10n.t(
        'The server addresses all messages of this prompt to you. The model did not get them.',
      ),
    );
    return undefined;
  }
  return { messages, server };
}

/** Says which prompt was used, with the model's messages one click away. */
function tellUsed(
  { response }: Exchange,
  { server, prompt }: ResolvedPrompt,
  document: vscode.Uri | undefined,
): void {
  const text = vscode.l10n.t(
    'Prompt "{0}" ({1}):',
    oneLine(displayLabel(prompt), 80),
    oneLine(server, 60),
  );
  response.markdown(new vscode.MarkdownString(`$(note) ${plain(text, 200)} `, true));
  if (document !== undefined) {
    response.anchor(document);
  }
  response.markdown('\n\n');
}

function unusedText(choice: Exclude<PreviewChoice, 'use' | 'change'>): string {
  switch (choice) {
    case 'copied':
      return vscode.l10n.t(
        'The messages of the prompt are on the clipboard. The model did not get them.',
      );
    case 'kept':
      return vscode.l10n.t(
        'The messages of the prompt are open in the editor. The model did not get them.',
      );
    case 'closed':
      return vscode.l10n.t('The prompt was not used: the model did not get its messages.');
  }
}

function all({ services }: Exchange): readonly Named[] {
  return namedPrompts(services.host.servers.values());
}

async function pick(
  { services, signal }: Exchange,
  count: number,
): Promise<{ readonly found: Omit<Named, 'name'>; readonly rest: string } | undefined> {
  const picked = count === 0 ? undefined : await services.workbench().pickPrompt(signal);
  signal.throwIfAborted();
  return picked && { found: { server: picked.connection, prompt: picked.prompt }, rest: '' };
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
  const lines = prompts.slice(0, 40).map(({ name }) => `- ${inline(`/prompt ${name}`)}`);
  response.markdown([intro, '', ...lines].join('\n'));
}
