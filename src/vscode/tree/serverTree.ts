/**
 * The tree of the "MCP" view: problems in the settings, then servers, then what each offers. It draws the host's state
 * and decides nothing. After a change it compares the drawn rows with the current ones.
 */
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { ConfigProblem, ServerId } from '../../host/config/serverConfig.ts';
import { type ListKind, listKinds, type ListState } from '../../host/catalog/catalog.ts';
import type { WatchedResources } from '../../host/resources/watchedResources.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { Icons } from '../../host/icons/icons.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SignIns } from '../../host/signIn/signIns.ts';
import { GroupRows, type GroupFacts, type ResourceLayout } from './groupRows.ts';
import { stateNotes } from './listTexts.ts';
import {
  type FolderNode,
  type GroupNode,
  type MoreNode,
  type ServerNode,
  type TreeNode,
} from './nodes.ts';
import { Redraws } from './redraws.ts';
import { type ItemParts, TreeItems } from './treeItems.ts';

/** What the tree draws, and how. */
export interface TreeParts extends ItemParts {
  readonly host: Pick<McpHost, 'servers' | 'onDidChangeServers' | 'onDidChangeServer'>;
  readonly problems: () => readonly ConfigProblem[];
  readonly chat: Pick<EditorChat, 'offer' | 'onDidChangeOffers'>;
  readonly signIns: Pick<SignIns, 'isSignedIn' | 'onDidChange'>;
  readonly layout: () => ResourceLayout;
  readonly icons: Icons;
  readonly watched: Pick<WatchedResources, 'stateOf' | 'onDidChange'>;
}

export class ServerTree extends DisposableOwner implements vscode.TreeDataProvider<TreeNode> {
  readonly #parts: TreeParts;
  readonly #items: TreeItems;
  readonly #changes = this.store.add(new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>());
  /** The editor knows nodes by identity: to redraw one it needs the same object. */
  readonly #servers = new Map<ServerId, ServerNode>();
  readonly #groups = new Map<string, GroupRows>();
  readonly #redraws: Redraws<TreeNode>;
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(parts: TreeParts) {
    super();
    const { host, chat, signIns, icons, watched } = parts;
    this.#parts = parts;
    this.#items = new TreeItems(parts, (node) => this.facts(node));
    this.#redraws = this.store.add(
      new Redraws<TreeNode>(
        {
          look: (row) => (row === undefined ? [] : lookOf(this.#items.toItem(row))),
          tooltip: (row) => [row && this.#items.toTooltip(row)?.value],
          inside: (row) => this.#inside(row),
        },
        (row) => (row?.kind === 'group' ? [] : this.#below(row).filter(isParent)),
        (rows) => this.#changes.fire(rows),
      ),
    );
    const changed = (): void => this.refresh();
    this.store.add(chat.onDidChangeOffers(changed));
    this.store.add(signIns.onDidChange(changed));
    this.store.add(watched.onDidChange(({ serverId }) => this.#touch(serverId)));
    this.store.add(icons);
    this.store.add(icons.onDidCome((ids) => ids.forEach((id) => this.#touch(id))));
    this.store.add(
      parts.favorites.onDidChange(() => [...host.servers.keys()].forEach((id) => this.#touch(id))),
    );
    this.store.add(host.onDidChangeServers(changed));
    this.store.add(host.onDidChangeServer(changed));
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    if (isParent(node)) {
      this.#redraws.drew(node, 'look');
    }
    return this.#items.toItem(node);
  }

  /** Called when the user wants to see the tooltip of a row that has none yet. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    const tooltip = this.#items.toTooltip(node);
    if (tooltip !== undefined) {
      item.tooltip = tooltip;
      this.#redraws.drew(node, 'tooltip');
    }
    return item;
  }

  /** The URI of the document of a resource; undefined for other rows. */
  uriOf(node: TreeNode): vscode.Uri | undefined {
    return node.kind === 'resource' ? this.#items.toItem(node).resourceUri : undefined;
  }

  /**
   * The user has expanded a row. Expanding an on-demand server starts it; a failure shows in its own row. The editor
   * also asks for the rows of an expanded row whenever it redraws it, which must start nothing.
   */
  onDidExpand(node: TreeNode): void {
    const connection = node.kind === 'server' && this.#parts.host.servers.get(node.serverId);
    if (
      connection &&
      connection.config.startup === 'onDemand' &&
      connection.state.kind === 'stopped'
    ) {
      void connection.start().catch(() => undefined);
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    switch (node.kind) {
      case 'problem':
      case 'server':
        return undefined;
      case 'more':
      case 'folder':
        return node.parent;
      case 'group':
      case 'note':
        return this.#server(node.serverId);
      case 'tool':
        return this.#group(node.serverId, 'tools').node;
      case 'prompt':
        return node.favorite ? undefined : this.#group(node.serverId, 'prompts').node;
      case 'resource':
        return node.folder ?? this.#group(node.serverId, 'resources').node;
      case 'template':
        return this.#group(node.serverId, 'resourceTemplates').node;
      case 'skill':
        return this.#group(node.serverId, 'skills').node;
    }
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) {
      this.#forgetGone();
    }
    if (node === undefined || isParent(node)) {
      this.#redraws.drew(node, 'inside');
    }
    return this.#below(node);
  }

  /**
   * Checks every drawn row, soon. Redraws everything only if a row at the top comes, goes or moves: while the editor
   * redraws everything it has forgotten the visible rows, and a click on one of their actions would have no argument.
   */
  refresh(): void {
    this.#redraws.soon();
  }

  /** Shows the next slice of a long list or folder. */
  showMore(node: unknown): void {
    if (isMoreNode(node)) {
      this.#rowsOf(node.parent).showMore(node.parent);
      this.#redraws.now();
    }
  }

  /** The groups with something to filter, as shown. */
  get filterable(): readonly GroupNode[] {
    return [...this.#parts.host.servers].flatMap(([id, { catalog }]) =>
      listKinds
        .filter((list) => catalog.known(list).length > 0)
        .map((list) => this.#group(id, list).node),
    );
  }

  facts(group: GroupNode): GroupFacts {
    return this.#rowsOf(group).facts;
  }

  /** A blank text shows all. */
  filter(group: GroupNode, text: string): void {
    this.#rowsOf(group).filter = text;
    this.#redraws.now();
  }

  /** Waits until the editor has new rows: until then it knows those that are gone, which may come again. */
  #forgetGone(): void {
    const { servers } = this.#parts.host;
    for (const [key, { node }] of this.#groups) {
      if (!servers.has(node.serverId)) {
        this.#redraws.forget(node);
        this.#groups.delete(key);
      }
    }
    for (const [id, node] of this.#servers) {
      if (!servers.has(id)) {
        this.#redraws.forget(node);
        this.#servers.delete(id);
      }
    }
  }

  /** Rows of the server have changed that its lists do not tell of: their icons, or that they are watched. */
  #touch(serverId: ServerId): void {
    listKinds.forEach((list) => this.#group(serverId, list).touch());
    this.refresh();
  }

  #server(serverId: ServerId): ServerNode {
    let node = this.#servers.get(serverId);
    if (node === undefined) {
      node = { kind: 'server', serverId };
      this.#servers.set(serverId, node);
    }
    return node;
  }

  #group(serverId: ServerId, list: ListKind): GroupRows {
    const key = `${list}/${serverId}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = new GroupRows(serverId, list, this.#parts);
      this.#groups.set(key, group);
    }
    return group;
  }

  #rowsOf(node: GroupNode | FolderNode): GroupRows {
    return node.kind === 'group'
      ? this.#group(node.serverId, node.list)
      : this.#rowsOf(node.parent);
  }

  #inside(row: TreeNode | undefined): readonly unknown[] {
    const below = this.#below(row);
    if (row?.kind !== 'group') {
      return below.map((node) => (isParent(node) ? node : JSON.stringify(node)));
    }
    // Which names are shared changes with the tools of other servers.
    const flags = below.flatMap((node) => (node.kind === 'tool' ? this.#items.flags(node) : []));
    return [...this.#rowsOf(row).shown, ...flags];
  }

  #below(node: TreeNode | undefined): TreeNode[] {
    switch (node?.kind) {
      case undefined:
        return [
          ...this.#parts
            .problems()
            .map((problem, index) => ({ kind: 'problem', problem, index }) as const),
          ...this.#favorites(),
          ...[...this.#parts.host.servers.keys()].map((id) => this.#server(id)),
        ];
      case 'server':
        return this.#insideServer(node.serverId);
      case 'group':
      case 'folder':
        return this.#rowsOf(node).below(node);
      case 'tool':
      case 'prompt':
      case 'resource':
      case 'template':
      case 'skill':
      case 'problem':
      case 'note':
      case 'more':
        return [];
    }
  }

  /** Also of servers that do not run: their lists are not known. */
  #favorites(): TreeNode[] {
    const { favorites, host } = this.#parts;
    return favorites.all.flatMap(([serverId, name]) => {
      const known = host.servers.get(serverId)?.catalog.known('prompts');
      const listed = known?.find((one) => one.name === name);
      const prompt = listed ?? { name };
      const favorite = listed ? 'listed' : 'unlisted';
      return known ? [{ kind: 'prompt', serverId, prompt, index: 0, favorite } as const] : [];
    });
  }

  #insideServer(serverId: ServerId): TreeNode[] {
    const connection = this.#parts.host.servers.get(serverId);
    if (connection === undefined) {
      return [];
    }
    const groups = listKinds
      .filter((list) => isWorthShowing(list, connection.catalog.list(list)))
      .map((list) => this.#group(serverId, list).node);
    return [...stateNotes(serverId, connection), ...groups];
  }
}

/** The rows that are redrawn on their own. */
function isParent(node: TreeNode): node is ServerNode | GroupNode {
  return node.kind === 'server' || node.kind === 'group';
}

/** The visible and audible parts of a row. Its tooltip is an object that JSON does not show. */
function lookOf({ tooltip, ...item }: vscode.TreeItem): readonly unknown[] {
  return [JSON.stringify(item), typeof tooltip === 'object' ? tooltip.value : tooltip];
}

/**
 * A server that offers resources also declares templates, by the protocol. So an empty list of templates is not worth a
 * row, and mostly it is empty while it loads.
 */
function isWorthShowing(list: ListKind, state: ListState<unknown>): boolean {
  if (list === 'resourceTemplates' && state.kind === 'loading') {
    return state.items.length > 0;
  }
  if (list === 'resourceTemplates' && state.kind === 'ready') {
    return state.items.length > 0 || state.dropped.length > 0 || state.staleBecause !== undefined;
  }
  return state.kind !== 'none';
}

function isMoreNode(value: unknown): value is MoreNode {
  return isObject(value) && value['kind'] === 'more';
}
