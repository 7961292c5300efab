/** `/resource uri question`: a resource of a server for the model. Without a URI, the user picks one. */
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import { resourceParts } from '../../host/agent/toolResult.ts';
import { agentLimits } from '../../host/agent/agentLoop.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { isNotFound } from '../../host/catalog/resources.ts';
import type { ResourceContent } from '../../host/catalog/resourceContents.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inline } from '../contentMarkdown.ts';
import { oneLine } from '../text.ts';
import { userMessage } from './conversation.ts';
import type { Exchange, Question } from './exchange.ts';
import { editorUri } from './render.ts';

interface Address {
  readonly server: ServerConnection;
  readonly uri: string;
}

export async function attachResource(exchange: Exchange): Promise<Question | undefined> {
  const { response, signal, services, prompt } = exchange;
  const [word = ''] = prompt.split(/\s/u, 1);
  const rest = prompt.slice(word.length).trim();
  const servers = [...services.host.servers.values()];
  const candidates = word === '' ? await pick(servers) : addressesOf(servers, word);
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
  response.reference(editorUri(server, uri));
  const { maxResultChars: maxChars, maxImageBytes, maxImages } = agentLimits;
  const { parts } = resourceParts(contents, { maxChars, maxImageBytes, maxImages });
  const name = { server: server.config.name, uri };
  const attached = {
    role: 'user',
    parts: [{ kind: 'text', text: `Resource of an MCP server ${JSON.stringify(name)}:` }, ...parts],
  } as const;
  if (rest !== '') {
    return { messages: [attached, userMessage(rest)], server };
  }
  response.markdown(vscode.l10n.t('Attached for your next question to @mcp:'));
  response.markdown(` ${inline(uri)} `);
  response.anchor(editorUri(server, uri));
  return { messages: [attached], server, isForLater: true };
}

/** Servers that list the URI first; then, since not every resource is listed, all that offer resources. */
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
      return { server, uri, contents: await server.resources.read(uri, signal) };
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

async function pick(servers: readonly ServerConnection[]): Promise<readonly Address[]> {
  const items = servers.flatMap((server) =>
    server.catalog.items('resources').map((resource) => ({
      label: oneLine(displayLabel(resource), 100),
      description: oneLine(server.config.name, 60),
      detail: oneLine(resource.uri, 200),
      address: { server, uri: resource.uri },
    })),
  );
  if (items.length === 0) {
    return [];
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Resources of MCP servers'),
    placeHolder: vscode.l10n.t('Which resource should the model get?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked === undefined ? [] : [picked.address];
}
