/**
 * Asks for a server, or for one of its items, when a command was not called on a row of the tree. With very many, only
 * those that match what is typed are shown.
 */
import * as vscode from 'vscode';
import { type Catalog, type ListKind, listKinds } from '../../host/catalog/catalog.ts';
import { filterItems } from '../../host/catalog/itemSearch.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { countText } from '../resources/annotationText.ts';
import { listTitle } from './listNouns.ts';
import { oneLine } from '../text/text.ts';
import type { TreeNode } from './nodes.ts';

/** The editor copies every row of a pick, so only these are shown at once. */
const maxShown = 200;

export async function pickNode(host: Pick<McpHost, 'servers'>): Promise<TreeNode | undefined> {
  const ready = [...host.servers.values()].filter(({ state }) => state.kind === 'ready');
  if (ready.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No MCP server is running.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(ready.flatMap(choicesOf), {
    placeHolder: vscode.l10n.t('Details of which server, or of what in it?'),
    matchOnDescription: true,
  });
  if (picked?.list === undefined) {
    return picked && { kind: 'server', serverId: picked.connection.id };
  }
  return pickItem(picked.connection, picked.list);
}

interface Choice extends vscode.QuickPickItem {
  readonly connection: ServerConnection;
  /** None for the server itself. */
  readonly list?: ListKind;
}

function choicesOf(connection: ServerConnection): readonly Choice[] {
  const { config, catalog } = connection;
  const name = oneLine(config.name, 80);
  return [
    { label: name, description: vscode.l10n.t('server'), connection },
    ...listKinds
      .filter((list) => catalog.known(list).length > 0)
      .map((list) => ({
        label: listTitle(list),
        description: `${name} · ${countText(catalog.known(list).length)}`,
        connection,
        list,
      })),
  ];
}

function pickItem(
  { id, config, catalog }: ServerConnection,
  list: ListKind,
): Promise<TreeNode | undefined> {
  const nodes = nodesOf(id, catalog, list);
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly node: TreeNode }>();
  pick.title = `${oneLine(config.name, 80)}: ${listTitle(list)}`;
  const show = (): void => {
    const matches = filterItems(nodes, pick.value);
    pick.items = matches.slice(0, maxShown).map(({ node, ...item }) => ({
      label: oneLine(displayLabel(item), 100),
      description: oneLine(item.uri ?? item.uriTemplate ?? item.description ?? '', 120),
      alwaysShow: true, // our rules did the matching, not the editor's
      node,
    }));
    pick.placeholder =
      matches.length > maxShown
        ? vscode.l10n.t('{0} match; type to see others', countText(matches.length))
        : vscode.l10n.t('Which one?');
  };
  return new Promise((resolve) => {
    pick.onDidChangeValue(show);
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.node);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    show();
    pick.show();
  });
}

interface NamedNode {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly node: TreeNode;
}

function nodesOf(serverId: ServerId, catalog: Catalog, list: ListKind): readonly NamedNode[] {
  const index = 0;
  switch (list) {
    case 'tools':
      return catalog
        .known(list)
        .map((tool) => ({ ...tool, node: { kind: 'tool', serverId, tool, index } }));
    case 'prompts':
      return catalog
        .known(list)
        .map((prompt) => ({ ...prompt, node: { kind: 'prompt', serverId, prompt, index } }));
    case 'resources':
      return catalog.known(list).map((resource) => ({
        ...resource,
        node: { kind: 'resource', serverId, resource, index },
      }));
    case 'resourceTemplates':
      return catalog.known(list).map((template) => ({
        ...template,
        node: { kind: 'template', serverId, template, index },
      }));
  }
}
