/**
 * Uses a prompt: pick, arguments, preview of its messages (promptPreview.ts), then chat, clipboard
 * or document. Chat gets `@mcp /prompt server.prompt {…}`, which host/prompts/prompts.ts parses, so roles and content
 * types reach the model unchanged.
 */
import * as vscode from 'vscode';
import { openChat } from '../editor/openChat.ts';
import { listEntries, pickItems } from '../editor/itemPicker.ts';
import { isObject, isString } from '../../base/json.ts';
import { whenListed } from '../../host/catalog/catalog.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { McpError } from '../../mcp/errors.ts';
import {
  argumentFor,
  formatArguments,
  namedPrompts,
  type PromptArguments,
  resolvePrompt,
} from '../../host/prompts/prompts.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import { ArgumentCompletion } from '../../host/resources/argumentCompletion.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Prompt, PromptArgument } from '../../mcp/types/lists.ts';
import { cancellable, neverAborted } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import type { EditText } from '../text/textEditing.ts';
import { isPromptNode, type PromptNode } from '../tree/nodes.ts';
import type { ResolvedPrompt } from './promptDocument.ts';
import type { Preview, PromptPreviews } from './promptPreview.ts';
import { askValues, type ValueForm } from './valueWizard.ts';

interface PromptServices {
  readonly host: McpHost;
  readonly previews: PromptPreviews;
  readonly editText: EditText;
}

export interface PromptTarget {
  readonly connection: ServerConnection;
  readonly prompt: Prompt;
}

export interface PromptRun extends PromptTarget {
  readonly given: PromptArguments;
  /** The arguments to ask for before the messages are shown; each change asks for all. */
  readonly asked: readonly PromptArgument[];
  readonly signal: AbortSignal;
  /** Says in a response of chat what is going on: the messages go to the model. Else they go into the chat's input. */
  readonly progress?: (text: string) => void;
}

export interface PreparedPrompt extends Preview {
  readonly choice: Exclude<Preview['choice'], 'change'>;
  readonly resolved: ResolvedPrompt;
}

/** @param argument a row of the tree, or the prompt as a key binding names it; else the user picks */
export async function usePrompt(services: PromptServices, argument: unknown): Promise<void> {
  const named = isObject(argument) && isString(argument['prompt']);
  const target = isPromptNode(argument)
    ? await targetOf(services.host, argument)
    : named
      ? await namedPrompt(services.host, argument)
      : await pickPrompt(services.host);
  if (target !== undefined) {
    await use(services, target, named ? argumentsIn(argument['arguments']) : {});
  }
}

/** Of the file, folder or document that it is called on, else of the active editor. */
export async function useFileInPrompt(
  services: PromptServices,
  argument: unknown,
  all: unknown,
): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const uris = Array.isArray(all) ? all : [argument ?? active];
  const paths = uris
    .filter((uri) => uri instanceof vscode.Uri)
    .map((uri) => (uri.scheme === 'file' ? uri.fsPath : uri.toString(true)));
  await useGiven(services, 'path', paths.join('\n'));
}

/** Of the active editor; its whole text if nothing is selected. */
export async function useSelectionInPrompt(services: PromptServices): Promise<void> {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  const range = selection?.isEmpty === false ? selection : undefined;
  await useGiven(services, 'text', document?.getText(range) ?? '');
}

async function useGiven(
  services: PromptServices,
  what: 'path' | 'text',
  value: string,
): Promise<void> {
  if (value === '') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a file, or select text in one, to use it in a prompt.'),
    );
    return;
  }
  const target = await pickPrompt(services.host, { withArguments: true });
  const argument = target && argumentFor(target.prompt, what);
  if (target !== undefined && argument !== undefined) {
    await use(services, target, { [argument.name]: value });
  }
}

/**
 * As key bindings name it: `{"server": "docs", "prompt": "review", "arguments": {"style": "short"}}`.
 * @throws McpError `invalidConfig` if there is no such prompt
 */
async function namedPrompt(
  host: McpHost,
  { server, prompt: name }: Readonly<Record<string, unknown>>,
): Promise<PromptTarget> {
  const connection =
    host.servers.get(String(server)) ??
    [...host.servers.values()].find(({ config }) => server === config.name);
  if (connection !== undefined && connection.state.kind !== 'ready') {
    await connection.start();
  }
  await whenListed(host.servers.values());
  const prompt = connection?.catalog.items('prompts').find((one) => one.name === name);
  if (connection === undefined || prompt === undefined) {
    throw new McpError(
      'invalidConfig',
      vscode.l10n.t(
        'There is no prompt "{0}" of a running MCP server "{1}".',
        oneLine(String(name), 80),
        oneLine(connection?.config.name ?? String(server), 60),
      ),
    );
  }
  return { connection, prompt };
}

function argumentsIn(value: unknown): PromptArguments {
  const given = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(given.map(([name, one]) => [name, isString(one) ? one : String(one)]));
}

/** @param given arguments that are not asked for: the preview shows what becomes of them, and can change them */
async function use(
  services: PromptServices,
  target: PromptTarget,
  given: PromptArguments,
): Promise<void> {
  const asked = target.prompt.arguments?.filter(({ name }) => !Object.hasOwn(given, name)) ?? [];
  const run: PromptRun = { ...target, given, asked, signal: neverAborted };
  const prepared = await preparePrompt(services, run);
  if (prepared?.choice === 'use') {
    await useInChat(services.host, prepared.resolved);
  }
}

/**
 * Arguments, messages, preview, until the user changes no argument any more.
 * @returns undefined when the user closed the question for arguments
 */
export async function preparePrompt(
  { previews, editText }: PromptServices,
  run: PromptRun,
): Promise<PreparedPrompt | undefined> {
  const { connection, prompt, signal, progress } = run;
  const whom = progress === undefined ? 'chatInput' : 'model';
  let args: PromptArguments | undefined = run.given;
  for (let { asked } = run; ; asked = prompt.arguments ?? []) {
    if (asked.length > 0) {
      progress?.(vscode.l10n.t('Waiting for the arguments of the prompt'));
      args = await askValues(formOf(run, asked), args, { editText, signal });
      signal.throwIfAborted();
    }
    if (args === undefined) {
      return undefined;
    }
    const result = await resolve(run, args);
    const { id: serverId, config } = connection;
    const resolved = { server: config.name, serverId, prompt, args, result };
    const { choice, document } = await previews.show(resolved, whom, signal, () =>
      progress?.(vscode.l10n.t('Waiting for you to review the messages of the prompt')),
    );
    if (choice !== 'change') {
      return { choice, document, resolved };
    }
  }
}

function formOf({ connection, prompt }: PromptTarget, asked: readonly PromptArgument[]): ValueForm {
  return {
    title: `${oneLine(connection.config.name, 40)}: ${oneLine(displayLabel(prompt), 60)}`,
    fields: asked.map((argument) => ({
      name: argument.name,
      label: oneLine(displayLabel(argument), 60),
      description: argument.description ?? '',
      isRequired: argument.required === true,
    })),
    completion: new ArgumentCompletion(connection, { type: 'ref/prompt', name: prompt.name }),
  };
}

async function targetOf(
  host: McpHost,
  { serverId, prompt, favorite }: PromptNode,
): Promise<PromptTarget | undefined> {
  if (favorite === 'unlisted') {
    return namedPrompt(host, { server: serverId, prompt: prompt.name });
  }
  const connection = host.servers.get(serverId);
  return connection === undefined ? undefined : { connection, prompt };
}

export async function pickPrompt(
  host: Pick<McpHost, 'servers'>,
  { withArguments = false, signal = neverAborted } = {},
): Promise<PromptTarget | undefined> {
  const [picked] = await pickItems<PromptTarget>({
    host,
    entriesOf: (connection) =>
      listEntries(connection, 'prompts', (prompt) => ({ connection, prompt })).filter(
        ({ value: { prompt } }) => !withArguments || (prompt.arguments ?? []).length > 0,
      ),
    placeHolder: vscode.l10n.t('Which prompt should be used?'),
    none: withArguments
      ? vscode.l10n.t('No running MCP server offers a prompt that takes arguments.')
      : vscode.l10n.t('No running MCP server offers prompts.'),
    signal,
  });
  return picked;
}

function resolve(
  { connection, prompt, signal, progress }: PromptRun,
  args: PromptArguments,
): Thenable<ResolvedPrompt['result']> {
  const text = vscode.l10n.t(
    '{0}: getting the prompt {1}',
    oneLine(connection.config.name, 60),
    oneLine(displayLabel(prompt), 80),
  );
  const get = (ended: AbortSignal): Promise<ResolvedPrompt['result']> =>
    resolvePrompt(connection, prompt, args, ended, fromUser);
  if (progress === undefined) {
    return cancellable(text, get);
  }
  progress(text);
  return get(signal);
}

/** The participant resolves the prompt again, so roles, images and resources reach the model unchanged. */
async function useInChat(host: McpHost, { serverId, prompt, args }: ResolvedPrompt): Promise<void> {
  const named = namedPrompts(host.servers.values()).find(
    (one) => one.server.id === serverId && one.prompt.name === prompt.name,
  );
  const query = ['@mcp', '/prompt', named?.name ?? '', formatArguments(args)]
    .filter((word) => word !== '')
    .join(' ');
  const told = vscode.l10n.t('The chat could not be opened. The message is on the clipboard.');
  await openChat({ query: `${query} ` }, { query, told });
}
