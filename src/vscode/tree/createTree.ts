/** Creates the tree, its drag support, and its commands. */
import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { fetchIcon } from '../../host/icons/fetchIcon.ts';
import { IconFiles } from '../../host/icons/iconFiles.ts';
import { Icons } from '../../host/icons/icons.ts';
import { section } from '../ids.ts';
import type { CommandHandlers } from '../editor/registerCommands.ts';
import { clearFilter, filterList } from './filterInput.ts';
import type { ResourceLayout } from './groupRows.ts';
import type { TreeNode } from './nodes.ts';
import { ServerTree, type TreeParts } from './serverTree.ts';

export interface TreeBundle {
  readonly tree: ServerTree;
  readonly commands: Required<
    Pick<
      CommandHandlers,
      'showMore' | 'filterList' | 'clearFilter' | 'viewResourcesAsTree' | 'viewResourcesAsList'
    >
  >;
  /** The document URIs of resources. */
  readonly draggedUris: (nodes: readonly TreeNode[]) => readonly vscode.Uri[];
}

/** The name of the setting, below {@link section}. */
const layoutSetting = 'resources.layout';

export function createTree(
  parts: Omit<TreeParts, 'layout' | 'icons'> & {
    /** The extension's own folder, which all windows share. */
    readonly storage: vscode.Uri;
    readonly log: Log;
    /** Opens a row and shows it. */
    readonly reveal: (node: TreeNode) => Thenable<void>;
  },
): TreeBundle {
  const { host, reveal, storage, log } = parts;
  const icons = new Icons({
    files: new IconFiles(vscode.Uri.joinPath(storage, 'icons').fsPath),
    fetch: fetchIcon,
    isTrusted: () => vscode.workspace.isTrusted,
    log,
  });
  const tree = new ServerTree({ ...parts, layout, icons });
  const filtering = { host, tree, reveal };
  return {
    tree,
    commands: {
      showMore: (node) => tree.showMore(node),
      filterList: (node) => filterList(filtering, node),
      clearFilter: (node) => clearFilter(filtering, node),
      viewResourcesAsTree: () => setLayout('tree'),
      viewResourcesAsList: () => setLayout('list'),
    },
    draggedUris: (nodes) =>
      nodes.flatMap((node) => {
        const uri = node.kind === 'resource' ? tree.uriOf(node) : undefined;
        return uri === undefined ? [] : [uri];
      }),
  };
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
