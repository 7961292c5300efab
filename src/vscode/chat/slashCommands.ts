/** The commands `/servers`, `/tools` and `/resource`. The host provides the data; server text is escaped. */
import * as vscode from 'vscode';
import { chosenTools } from '../../host/chat/editorTools.ts';
import { allEditorTools } from '../models/editorTools.ts';
import { runningServers } from '../../host/chat/agentServer.ts';
import { buildRegistry, type LeftOutBecause } from '../../host/chat/modelTools.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inline, plain } from '../text/contentMarkdown.ts';
import { errorText } from '../text/errorText.ts';
import { dotted } from '../text/labelText.ts';
import { commandId } from '../ids.ts';
import { maxTools } from '../models/editorModel.ts';
import { scopeText } from '../config/scopeText.ts';
import { displayState, stateWords } from '../tree/stateDisplay.ts';
import type { ChatServices, Exchange, Question } from './chatServices.ts';
import { toError } from '../../base/async.ts';
import { isNotFound } from '../../host/resources/resources.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import { attachedResource, resourceMessage, userMessage } from './conversation.ts';
import { resourceUri } from '../text/resourceUri.ts';

const maxListed = 60;

export function showServers({ host }: ChatServices, response: vscode.ChatResponseStream): void {
  const servers = [...host.servers.values()];
  if (servers.length === 0) {
    response.markdown(vscode.l10n.t('No MCP servers are configured.'));
    response.button({ command: commandId('addServer'), title: vscode.l10n.t('Add Server…') });
    return;
  }
  for (const server of servers) {
    response.markdown(serverLine(server));
  }
  response.button({ command: commandId('showServers'), title: vscode.l10n.t('Manage Servers') });
}

function serverLine(server: ServerConnection): vscode.MarkdownString {
  const { config, state } = server;
  const icon = displayState(state).icon.id.replace('~spin', '');
  const facts = dotted(
    stateWords(state),
    state.kind === 'ready' ? offers(server) : '',
    scopeText(config.scope),
    state.kind === 'failed' ? errorText(state.error) : '',
  );
  return new vscode.MarkdownString(
    `- $(${icon}) **${plain(config.name, 80)}** · ${plain(facts, 600)}\n`,
    true,
  );
}

function offers({ catalog }: ServerConnection): string {
  return vscode.l10n.t(
    'tools: {0}, prompts: {1}, resources: {2}',
    catalog.items('tools').length,
    catalog.items('prompts').length,
    catalog.items('resources').length,
  );
}

/** Shows by server the tool names that the model uses; then those that it does not get, and why (TOOL-07). */
export function showTools(services: ChatServices, response: vscode.ChatResponseStream): void {
  const servers = runningServers(services.host.servers.values());
  const ofEditor = chosenTools({ all: allEditorTools }, servers, services.selection);
  const { offered, leftOut } = buildRegistry(servers, services.selection, ofEditor);
  if (offered.size + leftOut.length + ofEditor.length === 0) {
    response.markdown(vscode.l10n.t('No running MCP server offers tools.'));
    return;
  }
  const limit = maxTools();
  if (offered.size > limit) {
    response.markdown(
      `${vscode.l10n.t(
        'There are {0} tools, but a request can offer only {1}. The model gets those that match the question, and can search for the others.',
        offered.size,
        limit,
      )}\n\n`,
    );
  }
  for (const server of servers) {
    const tools = [...offered.values()].filter((one) => one.server === server);
    const missing = leftOut.filter((one) => one.server === server);
    if (tools.length + missing.length > 0) {
      response.markdown(heading(server.config.name, tools.length));
      list(
        response,
        tools.map(({ forModel, tool }) => toolLine(forModel.name, displayLabel(tool))),
      );
      list(
        response,
        missing.map(({ tool, because }) =>
          toolLine(tool.name, vscode.l10n.t('left out: {0}', reason(because))),
        ),
      );
    }
  }
  if (ofEditor.length > 0) {
    response.markdown(heading(vscode.l10n.t('Tools of the editor'), ofEditor.length));
    list(
      response,
      ofEditor.map(({ name, description }) => toolLine(name, description)),
    );
  }
  response.button({ command: commandId('chooseTools'), title: vscode.l10n.t('Select Tools…') });
  response.button({ command: commandId('manageApprovals'), title: vscode.l10n.t('Approvals…') });
}

function heading(name: string, count: number): string {
  return `\n\n**${plain(name, 80)}** · ${vscode.l10n.t('tools: {0}', count)}\n\n`;
}

function toolLine(name: string, text: string): string {
  return `- ${inline(name)} ${plain(text, 200)}\n`;
}

function list(response: vscode.ChatResponseStream, lines: readonly string[]): void {
  for (const line of lines.slice(0, maxListed)) {
    response.markdown(line);
  }
  if (lines.length > maxListed) {
    response.markdown(`- ${vscode.l10n.t('and {0} more', lines.length - maxListed)}\n`);
  }
}

function reason(because: LeftOutBecause): string {
  switch (because.kind) {
    case 'off':
      return vscode.l10n.t('you switched it off');
    case 'app':
      return vscode.l10n.t('the server reserves it for its apps');
    case 'unusable':
      return because.reason;
  }
}

interface Address {
  readonly server: ServerConnection;
  readonly uri: string;
}

export async function attachResource(exchange: Exchange): Promise<Question | undefined> {
  const { response, signal, services, prompt } = exchange;
  const [word = ''] = prompt.split(/\s/u, 1);
  const rest = prompt.slice(word.length).trim();
  const servers = [...services.host.servers.values()];
  const candidates = word === '' ? await pick(exchange) : addressesOf(servers, word);
  signal.throwIfAborted();
  const read = await readFirst(candidates, signal);
  if (read === undefined) {
    response.markdown(
      word === ''
        ? vscode.l10n.t('No resource was chosen.')
        : vscode.l10n.t('No running MCP server has the resource {0}.', inline(word)),
    );
    return undefined;
  }
  const { server, uri, contents } = read;
  response.reference(resourceUri(server.id, { uri }));
  const [attached] = resourceMessage([attachedResource(server, uri, contents)], response);
  if (attached === undefined) {
    return undefined;
  }
  if (rest !== '') {
    return { messages: [attached, userMessage(rest)], server };
  }
  response.markdown(vscode.l10n.t('Attached for your next question to @mcp:'));
  response.markdown(` ${inline(uri)} `);
  response.anchor(resourceUri(server.id, { uri }));
  return { messages: [attached], server, forLater: { serverId: server.id, uri } };
}

/** First the servers that list the URI; then, since not every resource is listed, all with resources. */
function addressesOf(servers: readonly ServerConnection[], uri: string): readonly Address[] {
  const able = servers.filter(
    ({ state }) => state.kind === 'ready' && state.server.capabilities.resources !== undefined,
  );
  const lists = ({ catalog }: ServerConnection): boolean =>
    catalog.items('resources').some((resource) => resource.uri === uri);
  const listing = able.filter(lists);
  return (listing.length > 0 ? listing : able).map((server) => ({ server, uri }));
}

async function readFirst(
  candidates: readonly Address[],
  signal: AbortSignal,
): Promise<(Address & { readonly contents: readonly ResourceContent[] }) | undefined> {
  let failure: unknown;
  for (const { server, uri } of candidates) {
    try {
      return { server, uri, contents: await server.resources.read(uri, signal, fromUser) };
    } catch (error) {
      signal.throwIfAborted();
      failure = isNotFound(error) ? failure : error;
    }
  }
  if (failure !== undefined) {
    throw toError(failure);
  }
  return undefined;
}

async function pick({ services }: Exchange): Promise<readonly Address[]> {
  const placeHolder = vscode.l10n.t('Which resource should the model get?');
  const picked = await services.workbench().pickResource(placeHolder);
  const server = picked && services.host.servers.get(picked.serverId);
  return picked === undefined || server === undefined ? [] : [{ server, uri: picked.uri }];
}
