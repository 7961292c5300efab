/** Commands on resources: open one, or find one over all servers. */
import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { fileNameFor } from '../../host/catalog/mediaTypes.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Resource } from '../../mcp/types/lists.ts';
import { neverAborted } from '../cancellation.ts';
import { viewId } from '../ids.ts';
import { toEditorUri } from '../resources/resourceUri.ts';
import { oneLine } from '../text.ts';
import type { ResourceNode } from '../tree/nodes.ts';
import type { CommandHandlers } from './register.ts';

export function resourceCommands(host: McpHost): CommandHandlers {
  return {
    openResource: (argument) =>
      isResourceNode(argument)
        ? openResource(host, argument.serverId, argument.resource)
        : browseResources(host),
    browseResources: () => browseResources(host),
  };
}

function isResourceNode(value: unknown): value is ResourceNode {
  return isObject(value) && value['kind'] === 'resource';
}

/**
 * Reads before it opens: of a file that cannot be read the editor says no more than "unexpected error".
 * What was read here is still fresh when the editor asks for it.
 */
async function openResource(host: McpHost, serverId: ServerId, resource: Resource): Promise<void> {
  await vscode.window.withProgress(
    { location: { viewId } },
    async () => await host.servers.get(serverId)?.resources.read(resource.uri, neverAborted),
  );
  const uri = toEditorUri(
    { serverId, uri: resource.uri },
    fileNameFor(resource.uri, resource.mimeType),
  );
  await vscode.commands.executeCommand('vscode.open', uri);
}

async function browseResources(host: McpHost): Promise<void> {
  const items = [...host.servers.values()].flatMap(({ id, config, catalog }) =>
    catalog.items('resources').map((resource) => ({
      label: oneLine(displayLabel(resource), 100),
      description: oneLine(config.name, 60),
      detail: oneLine(resource.uri, 200),
      id,
      resource,
    })),
  );
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No running MCP server offers resources.'),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: vscode.l10n.t('Which resource should be opened?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) {
    await openResource(host, picked.id, picked.resource);
  }
}
