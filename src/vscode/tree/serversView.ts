/**
 * The "MCP" view as the extension holds it: the tree itself is a bundle that is loaded when the view is first shown, or
 * one of its commands runs. Draws nothing.
 */
import * as vscode from 'vscode';
import { lazily } from '../../base/lazily.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { section, viewId } from '../ids.ts';
import type { ConfigSource } from '../config/configSource.ts';
import type { createTree } from './createTree.ts';
import type { showDetails } from './definitionDocument.ts';
import { lazyTree } from './lazyTree.ts';
import type { TreeNode } from './nodes.ts';
import type { ServerTree } from './serverTree.ts';

const uriList = 'text/uri-list';

/** Registers the view with its commands. */
export function registerTree(
  parts: Registry &
    Omit<Parameters<typeof createTree>[0], 'problems' | 'reveal'> & {
      readonly config: Pick<ConfigSource, 'current' | 'onDidChange'>;
      readonly bundles: {
        readonly workbench: () => { readonly createTree: typeof createTree };
        readonly chat: () => { readonly showDetails: typeof showDetails };
      };
    } & Parameters<typeof showDetails>[0],
): void {
  const { own, addCommands, bundles, config } = parts;
  const bundle = lazily((): ReturnType<typeof createTree> =>
    bundles.workbench().createTree({
      ...parts,
      problems: () => config.current.problems,
      reveal: (node) => view.reveal(node, { expand: true, focus: false }),
    }),
  );
  const dragAndDropController: vscode.TreeDragAndDropController<TreeNode> = {
    dragMimeTypes: [uriList],
    dropMimeTypes: [],
    handleDrag: (nodes, data) => {
      const uris = nodes.flatMap((node) => rows().uriOf(node) ?? []);
      if (uris.length > 0) {
        const text = uris.map((uri) => uri.toString()).join('\r\n');
        data.set(uriList, new vscode.DataTransferItem(text));
      }
    },
  };
  const { view, rows, loaded } = lazyTree<TreeNode, ServerTree>(viewId, own, () => bundle().tree, {
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController,
  });
  own(view.onDidExpandElement(({ element }) => rows().onDidExpand(element)));
  own(config.onDidChange(() => loaded()?.refresh()));
  own(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${section}.resources`)) {
        loaded()?.refresh();
      }
    }),
  );
  addCommands({
    showMore: (node) => rows().showMore(node),
    filterList: (node) => bundle().filterList(node),
    clearFilter: (node) => bundle().clearFilter(node),
    addFavorite: (node) => bundle().addFavorite(node),
    removeFavorite: (node) => bundle().removeFavorite(node),
    viewResourcesAsTree: () => bundle().setLayout('tree'),
    viewResourcesAsList: () => bundle().setLayout('list'),
    showDetails: (node) => bundles.chat().showDetails(parts, node),
  });
}
