/** A view whose rows come from a bundle, which is loaded when they are first asked for. Draws nothing. */
import * as vscode from 'vscode';

type Rows<N> = vscode.TreeDataProvider<N> & vscode.Disposable;

export interface LazyTree<N, R extends Rows<N>> {
  readonly view: vscode.TreeView<N>;
  /** Loads them. */
  readonly rows: () => R;
  /** Undefined while nobody has asked for them. */
  readonly loaded: () => R | undefined;
}

export function lazyTree<N, R extends Rows<N>>(
  viewId: string,
  own: <T extends vscode.Disposable>(part: T) => T,
  load: () => R,
  options: Omit<vscode.TreeViewOptions<N>, 'treeDataProvider'> = {},
): LazyTree<N, R> {
  const changed = own(new vscode.EventEmitter<N | N[] | undefined | null | void>());
  let loaded: R | undefined;
  const rows = (): R => {
    if (loaded === undefined) {
      loaded = own(load());
      loaded.onDidChangeTreeData?.((nodes) => changed.fire(nodes));
    }
    return loaded;
  };
  const treeDataProvider: vscode.TreeDataProvider<N> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => rows().getTreeItem(node),
    getChildren: (node) => rows().getChildren(node),
    getParent: (node) => rows().getParent?.(node),
    resolveTreeItem: (item, node, token) => rows().resolveTreeItem?.(item, node, token) ?? item,
  };
  const view = own(vscode.window.createTreeView(viewId, { ...options, treeDataProvider }));
  return { view, rows, loaded: () => loaded };
}
