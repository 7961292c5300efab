/** Asks for the filter of a list in the tree. The rows follow the typing; Escape restores the previous filter. */
import * as vscode from 'vscode';
import { pickOne } from '../editor/pickOne.ts';
import { CoalescedRun } from '../../base/async.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { isObject } from '../../base/json.ts';
import { countText } from '../resources/annotationText.ts';
import { listTitle } from './listTexts.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import type { GroupNode } from './nodes.ts';
import type { ServerTree } from './serverTree.ts';

/** Each key would redraw the tree: waits for this quiet, at most for the maximum. */
const typingTimes = { quietMs: 200, maxMs: 1_000 } as const;

interface FilterParts {
  readonly host: Pick<McpHost, 'servers'>;
  readonly tree: ServerTree;
  /** Opens a row, so that the filtered rows are visible. */
  readonly reveal: (group: GroupNode) => Thenable<void>;
}

/** @param argument the row of the command, if any */
export async function filterList(parts: FilterParts, argument: unknown): Promise<void> {
  const group = isGroupNode(argument) ? argument : await pickGroup(parts);
  if (group !== undefined) {
    await parts.reveal(group);
    await askFilter(parts, group);
  }
}

export async function clearFilter(parts: FilterParts, argument: unknown): Promise<void> {
  const groups = isGroupNode(argument)
    ? [argument]
    : parts.tree.filterable.filter((group) => parts.tree.facts(group).filter !== '');
  for (const group of groups) {
    parts.tree.filter(group, '');
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
