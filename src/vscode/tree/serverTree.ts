/**
 * The tree of the "MCP" view: problems in the settings, then servers, then what each offers. It draws the host's state
 * and decides nothing. After a change it compares the drawn rows with the current ones.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { ConfigProblem, ServerId } from '../../host/config/serverConfig.ts';
import { type ListKind, listKinds, type ListState } from '../../host/catalog/catalog.ts';
import type { WatchedResources } from '../../host/resources/watchedResources.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { Icons } from '../../host/icons/icons.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SignIns } from '../../host/signIn/signIns.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { FlagSentences } from '../toolFlags/toolWatch.ts';
import { DrawnRows, lookOf } from './drawnRows.ts';
import { type GroupFacts, type ResourceLayout, ServerGroups } from './groupRows.ts';
import { stateNotes } from './listTexts.ts';
import {
  type FolderNode,
  type GroupNode,
  type MoreNode,
  nodeId,
  type ResourceNode,
  type ServerNode,
  type TreeNode,
} from './nodes.ts';
import { Redraws, ServerRedraws } from './redraws.ts';
import type { ServerFacts } from './serverItem.ts';
import { treeIcons, TreeItems } from './treeItems.ts';

/** What the tree draws, and how. */
export interface TreeParts {
  readonly host: Pick<McpHost, 'servers' | 'onDidChangeServers' | 'onDidChangeServer'>;
  readonly problems: () => readonly ConfigProblem[];
  readonly chat: Pick<EditorChat, 'offer' | 'onDidChangeOffers'>;
  readonly signIns: Pick<SignIns, 'isSignedIn' | 'onDidChange'>;
  readonly flagsOf: FlagSentences;
  readonly layout: () => ResourceLayout;
  readonly icons: Icons;
  readonly watched: Pick<WatchedResources, 'stateOf' | 'onDidChange'>;
}

/** Undefined for the root. */
type Row = TreeNode | undefined;

export class ServerTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #parts: TreeParts;
  readonly #items: TreeItems;
  readonly #store = new DisposableStore();
  readonly #changes = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  /** The editor knows nodes by identity: to redraw one it needs the same object. */
  readonly #servers = new Map<ServerId, ServerNode>();
  readonly #groups: ServerGroups;
  /** The tools as last drawn, to notice a new list. */
  readonly #tools = new Map<ServerId, readonly Tool[] | undefined>();
  readonly #drawn: DrawnRows<Row>;
  readonly #redraws: Redraws<Row>;
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(parts: TreeParts) {
    const { host, chat, signIns, flagsOf, icons, watched } = parts;
    this.#parts = parts;
    this.#groups = new ServerGroups(parts);
    const facts = ({ id, config }: ServerConnection): ServerFacts => ({
      offer: chat.offer(config),
      isSignedIn: signIns.isSignedIn(id),
    });
    this.#items = new TreeItems(host, {
      facts,
      flagsOf,
      groupFacts: (node) => this.facts(node),
      iconOf: treeIcons(icons),
      watchStateOf: (resource) => watched.stateOf(resource),
    });
    this.#drawn = new DrawnRows<Row>({
      id: (row) => (row === undefined ? '' : nodeId(row)),
      look: (row) => (row === undefined ? '' : lookOf(row, this.#items.toItem(row))),
      hover: (row) => (row === undefined ? '' : (this.#items.toTooltip(row)?.value ?? '')),
      below: (row) => this.#below(row),
      isKept: (row) => row?.kind === 'server' || row?.kind === 'group',
    });
    this.#store.add(this.#changes);
    this.#redraws = this.#store.add(new Redraws(this.#drawn, (rows) => this.#tell(rows)));
    this.#store.add(chat.onDidChangeOffers(() => this.#onOffers()));
    this.#store.add(signIns.onDidChange((id) => this.#redrawSoon(id)));
    this.#store.add(
      watched.onDidChange(({ serverId }) =>
        this.#redraws.soon(this.#groups.of(serverId, 'resources')),
      ),
    );
    this.#store.add(icons.onDidCome((ids) => ids.forEach((id) => this.#redrawSoon(id))));
    this.#store.add(host.onDidChangeServers(() => this.refresh()));
    const states = this.#store.add(new ServerRedraws((id) => this.#onServer(id)));
    this.#store.add(
      host.onDidChangeServer((id) => states.changed(id, host.servers.get(id)?.state)),
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = this.#items.toItem(node);
    this.#drawn.drew(node, lookOf(node, item));
    return item;
  }

  /** Called when the user wants to see the tooltip of a row that has none yet. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    const tooltip = this.#items.toTooltip(node);
    if (tooltip !== undefined) {
      item.tooltip = tooltip;
      this.#drawn.lookedAt(node);
    }
    return item;
  }

  /** The URI of the document of a resource. */
  uriOf(node: ResourceNode): vscode.Uri | undefined {
    return this.#items.toItem(node).resourceUri;
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
        return this.#groups.of(node.serverId, 'tools');
      case 'prompt':
        return this.#groups.of(node.serverId, 'prompts');
      case 'resource':
        return node.folder ?? this.#groups.of(node.serverId, 'resources');
      case 'template':
        return this.#groups.of(node.serverId, 'resourceTemplates');
      case 'skill':
        return this.#groups.of(node.serverId, 'skills');
    }
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) {
      this.#forgetGone();
    }
    const rows = this.#below(node);
    this.#drawn.asked(node, rows);
    return rows;
  }

  /**
   * Checks every drawn row: problems in the settings and the layout are not part of the host. Redraws everything only
   * if a row at the top comes, goes or moves: while the editor redraws everything it has forgotten the visible rows,
   * and a click on one of their actions would have no argument.
   */
  refresh(): void {
    this.#redraws.soon(undefined);
  }

  /** Shows the next slice of a long list or folder. */
  showMore(node: unknown): void {
    if (isMoreNode(node)) {
      const group = groupOf(node.parent);
      this.#groups.rows(group).showMore(node.parent);
      this.#redraws.now(this.#groups.of(group.serverId, group.list));
    }
  }

  /** The groups with something to filter, as shown. */
  get filterable(): readonly GroupNode[] {
    return [...this.#parts.host.servers].flatMap(([id, { catalog }]) =>
      listKinds
        .filter((list) => catalog.known(list).length > 0)
        .map((list) => this.#groups.of(id, list)),
    );
  }

  facts(group: GroupNode): GroupFacts {
    return this.#groups.rows(group).facts;
  }

  /** A blank text shows all. */
  filter({ serverId, list }: GroupNode, text: string): void {
    const group = this.#groups.of(serverId, list);
    this.#groups.rows(group).filter = text;
    this.#redraws.now(group);
  }

  dispose(): void {
    this.#store.dispose();
    this.#parts.icons.dispose();
  }

  /** Waits until the editor has new rows: until then it knows those that are gone, which may come again. */
  #forgetGone(): void {
    const { servers } = this.#parts.host;
    this.#groups.forgetGone();
    for (const id of [...this.#servers.keys(), ...this.#tools.keys()]) {
      if (!servers.has(id)) {
        this.#servers.delete(id);
        this.#tools.delete(id);
      }
    }
  }

  #tell(rows: readonly Row[]): void {
    const nodes = rows.filter((row) => row !== undefined);
    this.#changes.fire(nodes.length < rows.length ? undefined : nodes);
  }

  #onOffers(): void {
    this.#servers.forEach((node) => this.#redraws.soon(node));
  }

  /** A server without a row needs no redraw. */
  #redrawSoon(id: ServerId): void {
    const node = this.#servers.get(id);
    if (node !== undefined) {
      this.#redraws.soon(node);
    }
  }

  /** Redraws a server, and the tools of the others when its own have changed: shared names may no longer be shared. */
  #onServer(id: ServerId): void {
    this.#redrawSoon(id);
    const list = this.#parts.host.servers.get(id)?.catalog.list('tools');
    const tools = list?.kind === 'ready' ? list.items : undefined;
    if (this.#tools.get(id) === tools) {
      return;
    }
    this.#tools.set(id, tools);
    for (const node of this.#groups.nodes) {
      if (node.list === 'tools' && node.serverId !== id) {
        this.#redraws.soon(node);
      }
    }
  }

  #server(serverId: ServerId): ServerNode {
    let node = this.#servers.get(serverId);
    if (node === undefined) {
      node = { kind: 'server', serverId };
      this.#servers.set(serverId, node);
    }
    return node;
  }

  #below(node: Row): TreeNode[] {
    switch (node?.kind) {
      case undefined:
        return [
          ...this.#parts
            .problems()
            .map((problem, index) => ({ kind: 'problem', problem, index }) as const),
          ...[...this.#parts.host.servers.keys()].map((id) => this.#server(id)),
        ];
      case 'server':
        return this.#insideServer(node.serverId);
      case 'group':
        return this.#groups.rows(node).below(node);
      case 'folder':
        return this.#groups.rows(groupOf(node)).below(node);
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

  #insideServer(serverId: ServerId): TreeNode[] {
    const connection = this.#parts.host.servers.get(serverId);
    if (connection === undefined) {
      return [];
    }
    const groups = listKinds
      .filter((list) => isWorthShowing(list, connection.catalog.list(list)))
      .map((list) => this.#groups.of(serverId, list));
    return [...stateNotes(serverId, connection), ...groups];
  }
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

function groupOf(node: GroupNode | FolderNode): GroupNode {
  return node.kind === 'group' ? node : groupOf(node.parent);
}

function isMoreNode(value: unknown): value is MoreNode {
  return isObject(value) && value['kind'] === 'more';
}
