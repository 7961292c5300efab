/** Creates the tree, and its commands: the filter of a list, whose rows follow the typing, and the layout of resources. */
import * as vscode from 'vscode';
import { CoalescedRun } from '../../base/async.ts';
import { isObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { fetchIcon } from '../../host/icons/fetchIcon.ts';
import { IconFiles } from '../../host/icons/iconFiles.ts';
import { Icons } from '../../host/icons/icons.ts';
import { FavoritePrompts } from '../../host/prompts/favoritePrompts.ts';
import type { Memory } from '../../host/storage.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { pickOne } from '../editor/pickOne.ts';
import { section } from '../ids.ts';
import { countText } from '../resources/annotationText.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import type { ResourceLayout } from './groupRows.ts';
import { listTitle } from './listTexts.ts';
import { type GroupNode, isPromptNode, type TreeNode } from './nodes.ts';
import { ServerTree, type TreeParts } from './serverTree.ts';

/** The name of the setting, below {@link section}. */
const layoutSetting = 'resources.layout';

export function createTree(
  parts: Omit<TreeParts, 'layout' | 'icons' | 'favorites'> & {
    /** Of the workspace. */
    readonly memory: Memory;
    /** The extension's own folder, which all windows share. */
    readonly storage: vscode.Uri;
    readonly log: Log;
    /** Opens a row and shows it. */
    readonly reveal: (node: TreeNode) => Thenable<void>;
  },
) {
  const icons = new Icons({
    files: new IconFiles(vscode.Uri.joinPath(parts.storage, 'icons').fsPath),
    fetch: fetchIcon,
    isTrusted: () => vscode.workspace.isTrusted,
    log: parts.log,
  });
  const favorites = new FavoritePrompts(parts.memory);
  const tree = new ServerTree({ ...parts, layout, icons, favorites });
  const filtering = { ...parts, tree };
  return {
    tree,
    filterList: (argument: unknown) => filterList(filtering, argument),
    clearFilter: (argument: unknown) => clearFilter(tree, argument),
    setLayout,
    addFavorite: (node: unknown) => ofPrompt(node, (id, name) => favorites.add(id, name)),
    removeFavorite: (node: unknown) => ofPrompt(node, (id, name) => favorites.remove(id, name)),
  };
}

async function ofPrompt(
  node: unknown,
  act: (serverId: ServerId, prompt: string) => Promise<void>,
): Promise<void> {
  if (isPromptNode(node)) {
    await act(node.serverId, node.prompt.name);
  }
}

function layout(): ResourceLayout {
  const value = vscode.workspace.getConfiguration(section).get<unknown>(layoutSetting);
  return value === 'tree' || value === 'list' ? value : 'auto';
}

async function setLayout(value: ResourceLayout): Promise<void> {
  await vscode.workspace
    .getConfiguration(section)
    .update(layoutSetting, value, vscode.ConfigurationTarget.Global);
}

/** Each key would redraw the tree: waits for this quiet, at most for the maximum. */
const typingTimes = { quietMs: 200, maxMs: 1_000 } as const;

interface FilterParts {
  readonly host: Pick<McpHost, 'servers'>;
  readonly tree: ServerTree;
  /** Opens a row, so that the filtered rows are visible. */
  readonly reveal: (group: GroupNode) => Thenable<void>;
}

/** @param argument the row of the command, if any */
async function filterList(parts: FilterParts, argument: unknown): Promise<void> {
  const group = isGroupNode(argument) ? argument : await pickGroup(parts);
  if (group !== undefined) {
    await parts.reveal(group);
    await askFilter(parts, group);
  }
}

function clearFilter(tree: ServerTree, argument: unknown): void {
  const groups = isGroupNode(argument)
    ? [argument]
    : tree.filterable.filter((group) => tree.facts(group).filter !== '');
  for (const group of groups) {
    tree.filter(group, '');
  }
  if (groups.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No list is filtered.'));
  }
}

async function pickGroup({ host, tree }: FilterParts): Promise<GroupNode | undefined> {
  const items = tree.filterable.map((group) => {
    const { count = 0, filter } = tree.facts(group);
    return {
      label: listTitle(group.list),
      description: dotted(
        oneLine(host.servers.get(group.serverId)?.config.name ?? '', 60),
        countText(count),
        filter === '' ? '' : `“${oneLine(filter, 40)}”`,
      ),
      group,
    };
  });
  const none = vscode.l10n.t('No running MCP server lists anything that could be filtered.');
  const picked = await pickOne(items, none, {
    placeHolder: vscode.l10n.t('Which list should be filtered?'),
    matchOnDescription: true,
  });
  return picked?.group;
}

function askFilter({ host, tree }: FilterParts, group: GroupNode): Promise<void> {
  const before = tree.facts(group).filter;
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t(
    'Filter {0} of {1}',
    listTitle(group.list),
    oneLine(host.servers.get(group.serverId)?.config.name ?? '', 60),
  );
  box.value = before;
  box.placeholder = vscode.l10n.t('Words of the name, description or URI; empty shows all');
  let wanted = before;
  const apply = (text: string): void => {
    tree.filter(group, text);
    const { filter, matches, count = 0 } = tree.facts(group);
    box.prompt =
      filter === '' ? '' : vscode.l10n.t('{0} of {1}', countText(matches), countText(count));
  };
  // A click on a row that was found leaves the box; only Escape takes the filter back.
  box.ignoreFocusOut = true;
  const run = new CoalescedRun(async () => apply(wanted), typingTimes);
  return new Promise((resolve) => {
    box.onDidChangeValue((text) => {
      wanted = text;
      run.request();
    });
    let isAccepted = false;
    box.onDidAccept(() => {
      isAccepted = true;
      box.hide();
    });
    box.onDidHide(() => {
      run.dispose();
      tree.filter(group, isAccepted ? box.value : before);
      box.dispose();
      resolve();
    });
    box.show();
  });
}

function isGroupNode(value: unknown): value is GroupNode {
  return isObject(value) && value['kind'] === 'group';
}
