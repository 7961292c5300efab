/**
 * The tree of the "MCP" view: problems in the settings, then servers, then what each offers. It draws
 * the host's state and decides nothing; a change of one server redraws that server alone.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { ConfigProblem, ServerId } from '../../host/config/serverConfig.ts';
import { type ListKind, listKinds, type ListState } from '../../host/catalog/catalog.ts';
import type { WatchedResources } from '../../host/catalog/watchedResources.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { Icons } from '../../host/icons/icons.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SignIns } from '../../host/signIn/signIns.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { FlagSentences } from '../toolWatch.ts';
import type { GroupFacts, ResourceLayout } from './groupRows.ts';
import { stateNotes } from './listNotes.ts';
import type { FolderNode, GroupNode, MoreNode, ServerNode, TreeNode } from './nodes.ts';
import { ServerGroups } from './serverGroups.ts';
import type { ServerFacts } from './serverItem.ts';
import { ServerRedraws } from './serverRedraws.ts';
import { treeIcons } from './treeIcons.ts';
import { TreeItems } from './treeItems.ts';

/** What the tree draws, and who says how. */
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

export class ServerTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #parts: TreeParts;
  readonly #items: TreeItems;
  readonly #store = new DisposableStore();
  readonly #changes = new vscode.EventEmitter<TreeNode | undefined>();
  /** The editor knows nodes by identity: a redraw of one node needs the object that it was given. */
  readonly #servers = new Map<ServerId, ServerNode>();
  readonly #groups: ServerGroups;
  /** As they were when last drawn, to tell a new list. */
  readonly #tools = new Map<ServerId, readonly Tool[] | undefined>();
  /** The rows at the top as the editor has them; undefined before it has any. */
  #top: string | undefined;
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
    this.#store.add(this.#changes);
    this.#store.add(chat.onDidChangeOffers(() => this.#redrawServers()));
    this.#store.add(signIns.onDidChange((id) => this.#redrawServer(id)));
    this.#store.add(
      watched.onDidChange(({ serverId }) =>
        this.#changes.fire(this.#groups.of(serverId, 'resources')),
      ),
    );
    this.#store.add(icons.onDidCome((ids) => this.#onIcons(ids)));
    this.#store.add(host.onDidChangeServers(() => this.#onServers()));
    const redraws = this.#store.add(new ServerRedraws((id) => this.#redraw(id)));
    this.#store.add(
      host.onDidChangeServer((id) => redraws.changed(id, host.servers.get(id)?.state)),
    );
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return this.#items.toItem(node);
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
    }
  }

  getChildren(node?: TreeNode): TreeNode[] {
    switch (node?.kind) {
      case undefined:
        this.#top = this.#topNow();
        return [
          ...this.#parts
            .problems()
            .map((problem, index) => ({ kind: 'problem', problem, index }) as const),
          ...[...this.#parts.host.servers.keys()].map((id) => this.#server(id)),
        ];
      case 'server':
        return this.#serverChildren(node.serverId);
      case 'group':
        return this.#groups.rows(node).below(node);
      case 'folder':
        return this.#groups.rows(groupOf(node)).below(node);
      case 'tool':
      case 'prompt':
      case 'resource':
      case 'template':
      case 'problem':
      case 'note':
      case 'more':
        return [];
    }
  }

  /**
   * Redraws every row: the problems in the settings and the layout are not the host's. All at once only where a row at
   * the top comes, goes or moves, since while everything is drawn anew, the editor has forgotten the lines that are on
   * the screen, and a click on one of their actions would come without what it is meant for.
   */
  refresh(): void {
    if (this.#top === this.#topNow()) {
      this.#redrawServers();
    } else {
      this.#changes.fire(undefined);
    }
  }

  /** Shows the next slice of a long list or folder. */
  showMore(node: unknown): void {
    if (isMoreNode(node)) {
      const group = groupOf(node.parent);
      this.#groups.rows(group).showMore(node.parent);
      // A folder may have been drawn anew since: only the group is the same object for ever.
      this.#changes.fire(this.#groups.of(group.serverId, group.list));
    }
  }

  /** The groups that have something to filter, as they are shown. */
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

  /** Blank shows all. */
  filter({ serverId, list }: GroupNode, text: string): void {
    const group = this.#groups.of(serverId, list);
    this.#groups.rows(group).filter = text;
    this.#changes.fire(group);
  }

  dispose(): void {
    this.#store.dispose();
    this.#parts.icons.dispose();
  }

  #onIcons(ids: ReadonlySet<ServerId>): void {
    ids.forEach((id) => this.#redrawServer(id));
  }

  /** What is known of servers that are gone is forgotten with them. */
  #onServers(): void {
    const { servers } = this.#parts.host;
    this.#groups.forgetGone();
    for (const id of [...this.#servers.keys(), ...this.#tools.keys()]) {
      if (!servers.has(id)) {
        this.#servers.delete(id);
        this.#tools.delete(id);
      }
    }
    this.refresh();
  }

  /** What the rows at the top are made of. */
  #topNow(): string {
    return JSON.stringify([this.#parts.problems(), [...this.#parts.host.servers.keys()]]);
  }

  /** Each by itself, as {@link refresh} says. */
  #redrawServers(): void {
    for (const node of this.#servers.values()) {
      this.#changes.fire(node);
    }
  }

  /** One that has no row needs no redraw: `undefined` would mean the whole tree. */
  #redrawServer(id: ServerId): void {
    const node = this.#servers.get(id);
    if (node !== undefined) {
      this.#changes.fire(node);
    }
  }

  /** A server, and the tools of the others when its own are different ones: names may be shared no more. */
  #redraw(id: ServerId): void {
    this.#redrawServer(id);
    const list = this.#parts.host.servers.get(id)?.catalog.list('tools');
    const tools = list?.kind === 'ready' ? list.items : undefined;
    if (this.#tools.get(id) === tools) {
      return;
    }
    this.#tools.set(id, tools);
    for (const node of this.#groups.nodes) {
      if (node.list === 'tools' && node.serverId !== id) {
        this.#changes.fire(node);
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

  #serverChildren(serverId: ServerId): TreeNode[] {
    const connection = this.#parts.host.servers.get(serverId);
    if (connection === undefined) {
      return [];
    }
    if (connection.config.startup === 'onDemand' && connection.state.kind === 'stopped') {
      // Looking inside is the demand. Failures show in the server's own row.
      void connection.start().catch(() => undefined);
    }
    const groups = listKinds
      .filter((list) => isWorthShowing(list, connection.catalog.list(list)))
      .map((list) => this.#groups.of(serverId, list));
    return [...stateNotes(serverId, connection), ...groups];
  }
}

/** Who offers resources offers templates too, by the protocol: that there are none is no news. */
function isWorthShowing(list: ListKind, state: ListState<unknown>): boolean {
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
