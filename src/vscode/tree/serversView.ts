/**
 * The "MCP" view as the extension holds it: the tree itself is a bundle that is loaded when the view is first shown, or
 * one of its commands runs. Draws nothing.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { CommandHandlers, Registry } from '../editor/registerCommands.ts';
import { section, viewId } from '../ids.ts';
import type { ConfigSource } from '../config/configSource.ts';
import type { createTree, TreeBundle } from './createTree.ts';
import type { showDetails } from './definitionDocument.ts';
import type { TreeNode } from './nodes.ts';
import type { KeepFile } from '../text/wholeText.ts';

const uriList = 'text/uri-list';

/** What the bundle needs besides a way to expand rows. */
type ViewParts = Omit<Parameters<typeof createTree>[0], 'problems' | 'reveal'> & {
  readonly config: Pick<ConfigSource, 'current' | 'onDidChange'>;
  readonly bundles: { readonly workbench: () => { readonly createTree: typeof createTree } };
};

/** Registers the view with its commands. */
export function registerTree(
  parts: Registry &
    ViewParts & {
      readonly bundles: { readonly chat: () => { readonly showDetails: typeof showDetails } };
      readonly host: McpHost;
      readonly keepFile: KeepFile;
    },
): void {
  const { own, addCommands, bundles, host, keepFile } = parts;
  const view = own(new ServersView(parts));
  addCommands({
    ...view.commands,
    showDetails: (node) => bundles.chat().showDetails(host, keepFile, node),
  });
}

class ServersView implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #load: () => TreeBundle;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #view: vscode.TreeView<TreeNode>;
  #loaded: TreeBundle | undefined;

  constructor({ bundles, config, ...parts }: ViewParts) {
    this.#load = () =>
      bundles.workbench().createTree({
        ...parts,
        problems: () => config.current.problems,
        reveal: (node) => this.#view.reveal(node, { expand: true, focus: false }),
      });
    this.#view = vscode.window.createTreeView(viewId, {
      treeDataProvider: this,
      showCollapseAll: true,
      dragAndDropController: {
        dragMimeTypes: [uriList],
        dropMimeTypes: [],
        handleDrag: (nodes, data) => {
          const uris = this.#bundle.draggedUris(nodes);
          if (uris.length > 0) {
            const text = uris.map((uri) => uri.toString()).join('\r\n');
            data.set(uriList, new vscode.DataTransferItem(text));
          }
        },
      },
    });
    this.#store.add(this.#view);
    this.#store.add(
      this.#view.onDidExpandElement(({ element }) => this.#bundle.tree.onDidExpand(element)),
    );
    this.#store.add(config.onDidChange(() => this.refresh()));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${section}.resources`)) {
          this.refresh();
        }
      }),
    );
  }

  get commands(): CommandHandlers {
    const run =
      (name: keyof TreeBundle['commands']) =>
      (argument: unknown): Promise<void> | void =>
        this.#bundle.commands[name](argument);
    return {
      showMore: run('showMore'),
      filterList: run('filterList'),
      clearFilter: run('clearFilter'),
      viewResourcesAsTree: run('viewResourcesAsTree'),
      viewResourcesAsList: run('viewResourcesAsList'),
    };
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return this.#bundle.tree.getTreeItem(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    return this.#bundle.tree.resolveTreeItem(item, node);
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return this.#bundle.tree.getChildren(node);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.#bundle.tree.getParent(node);
  }

  /** Checks all drawn rows, and redraws those that have changed. */
  refresh(): void {
    this.#loaded?.tree.refresh();
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #bundle(): TreeBundle {
    if (this.#loaded === undefined) {
      const loaded = this.#load();
      this.#store.add(loaded.tree);
      this.#store.add(loaded.tree.onDidChangeTreeData((nodes) => this.#changes.fire(nodes)));
      this.#loaded = loaded;
    }
    return this.#loaded;
  }
}
