/** `/resource uri question`: a resource of a server for the model. Without a URI, the user picks one. */
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import { resourcesForModel } from '../../host/chat/attached.ts';
import { isNotFound } from '../../host/resources/resources.ts';
import type { ResourceContent } from '../../host/resources/resourceContents.ts';
import { fromUser } from '../../host/requestOrigin.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { inline } from '../text/contentMarkdown.ts';
import { attachedResource, tellLeftOut } from './attachedResource.ts';
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
  response.reference(editorUri(server, uri));
  const { parts, leftOut } = resourcesForModel([attachedResource(server, uri, contents)]);
  tellLeftOut(response, [uri], leftOut);
  if (parts.length === 0) {
    return undefined;
  }
  const attached = { role: 'user', parts } as const;
  if (rest !== '') {
    return { messages: [attached, userMessage(rest)], server };
  }
  response.markdown(vscode.l10n.t('Attached for your next question to @mcp:'));
  response.markdown(` ${inline(uri)} `);
  response.anchor(editorUri(server, uri));
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
  const picked = await services.pickResource(vscode.l10n.t('Which resource should the model get?'));
  const server = picked && services.host.servers.get(picked.serverId);
  return picked === undefined || server === undefined ? [] : [{ server, uri: picked.uri }];
}
