/**
 * Uses a prompt: pick, arguments, preview of its messages (promptPreview.ts), then chat, clipboard
 * or document. Chat gets `@mcp /prompt server.prompt {…}`, which host/prompts/prompts.ts parses, so roles and content
 * types reach the model unchanged.
 */
import * as vscode from 'vscode';
import { openChat } from '../editor/openChat.ts';
import { pickOne } from '../editor/pickOne.ts';
import { isObject } from '../../base/json.ts';
import { whenListed } from '../../host/catalog/catalog.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import {
  formatArguments,
  type PromptArguments,
  promptName,
  type PromptServer,
  resolvePrompt,
} from '../../host/prompts/prompts.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import { ArgumentCompletion } from '../../host/resources/argumentCompletion.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Prompt } from '../../mcp/types/lists.ts';
import { cancellable, neverAborted } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import type { EditText } from '../text/textEditing.ts';
import type { PromptNode } from '../tree/nodes.ts';
import type { ResolvedPrompt } from './promptDocument.ts';
import type { PromptPreviews } from './promptPreview.ts';
import { askValues, type HowToAsk } from './valueWizard.ts';

interface PromptServices {
  readonly host: McpHost;
  readonly previews: PromptPreviews;
  readonly editText: EditText;
}

interface Target {
  readonly connection: ServerConnection;
  readonly prompt: Prompt;
}

export async function usePrompt(
  { host, previews, editText }: PromptServices,
  argument: unknown,
): Promise<void> {
  const target = isPromptNode(argument) ? targetOf(host, argument) : await pickPrompt(host);
  if (target === undefined) {
    return;
  }
  const { connection, prompt } = target;
  let args: PromptArguments | undefined = {};
  for (;;) {
    args = await askArguments(connection, prompt, args, { editText, signal: neverAborted });
    if (args === undefined) {
      return;
    }
    const result = await resolve(target, args);
    const { id: serverId, config } = connection;
    const resolved = { server: config.name, serverId, prompt, args, result };
    const { choice } = await previews.show(resolved, 'chatInput', neverAborted);
    if (choice === 'use') {
      await useInChat(resolved);
    }
    if (choice !== 'change') {
      return;
    }
  }
}

function isPromptNode(value: unknown): value is PromptNode {
  return isObject(value) && value['kind'] === 'prompt';
}

function targetOf(host: McpHost, { serverId, prompt }: PromptNode): Target | undefined {
  const connection = host.servers.get(serverId);
  return connection === undefined ? undefined : { connection, prompt };
}

async function pickPrompt(host: McpHost): Promise<Target | undefined> {
  await whenListed(host.servers.values());
  const items = [...host.servers.values()].flatMap((connection) =>
    connection.catalog.items('prompts').map((prompt) => ({
      label: oneLine(displayLabel(prompt), 100),
      description: oneLine(connection.config.name, 60),
      detail: oneLine(prompt.description ?? '', 150),
      target: { connection, prompt },
    })),
  );
  const picked = await pickOne(items, vscode.l10n.t('No running MCP server offers prompts.'), {
    placeHolder: vscode.l10n.t('Which prompt should be used?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.target;
}

function resolve(
  { connection, prompt }: Target,
  args: PromptArguments,
): Thenable<ResolvedPrompt['result']> {
  return cancellable(
    vscode.l10n.t(
      '{0}: getting the prompt {1}',
      oneLine(connection.config.name, 60),
      oneLine(displayLabel(prompt), 80),
    ),
    (signal) => resolvePrompt(connection, prompt, args, signal, fromUser),
  );
}

/** The participant resolves the prompt again, so roles, images and resources reach the model unchanged. */
async function useInChat({ server, prompt, args }: ResolvedPrompt): Promise<void> {
  const query = ['@mcp', '/prompt', promptName(server, prompt), formatArguments(args)]
    .filter((word) => word !== '')
    .join(' ');
  const told = vscode.l10n.t('The chat could not be opened. The message is on the clipboard.');
  await openChat({ query: `${query} ` }, { query, told });
}

/**
 * Undefined when the user closed a step. Asks nothing for a prompt without arguments.
 * @param known initial values, which the user can change
 */
export async function askArguments(
  server: PromptServer,
  prompt: Prompt,
  known: PromptArguments,
  how: HowToAsk,
): Promise<PromptArguments | undefined> {
  return askValues(
    {
      title: `${oneLine(server.config.name, 40)}: ${oneLine(displayLabel(prompt), 60)}`,
      fields: (prompt.arguments ?? []).map((argument) => ({
        name: argument.name,
        label: oneLine(displayLabel(argument), 60),
        description: argument.description ?? '',
        isRequired: argument.required === true,
      })),
      completion: new ArgumentCompletion(server, { type: 'ref/prompt', name: prompt.name }),
    },
    known,
    how,
  );
}
