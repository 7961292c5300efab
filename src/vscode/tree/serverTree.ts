/**
 * The tree of the "MCP" view: problems in the settings, then servers, then what each offers. It draws
 * the host's state and decides nothing; a change of one server redraws that server alone.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import type { ConfigProblem, ServerId } from '../../host/config/serverConfig.ts';
import { type ListKind, listKinds, type ListState } from '../../host/catalog/catalog.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SignIns } from '../../host/signIn/signIns.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { FlagSentences } from '../toolWatch.ts';
import type { DroppedItem } from '../../mcp/listing.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { errorText } from '../errorText.ts';
import type { GroupNode, MoreNode, NoteNode, ServerNode, TreeNode } from './nodes.ts';
import type { ServerFacts } from './serverItem.ts';
import { TreeItems } from './treeItems.ts';

/** A list is shown in slices: the editor copies every row that it is given, and 10,000 at once freeze it. */
const sliceSize = 500;

/** Dropped items that are named one by one; the rest is counted. */
const maxDroppedShown = 20;

export class ServerTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #host: McpHost;
  readonly #problems: () => readonly ConfigProblem[];
  readonly #items: TreeItems;
  readonly #store = new DisposableStore();
  readonly #changes = new vscode.EventEmitter<TreeNode | undefined>();
  /** The editor knows nodes by identity: a redraw of one node needs the object that it was given. */
  readonly #servers = new Map<ServerId, ServerNode>();
  readonly #groups = new Map<string, GroupNode>();
  /** As they were when last drawn, to tell a new list. */
  readonly #tools = new Map<ServerId, readonly Tool[] | undefined>();
  /** How many slices of a long list are shown; one unless "Show More" was chosen. */
  readonly #slices = new Map<GroupNode, number>();
  readonly onDidChangeTreeData = this.#changes.event;

  constructor(
    host: McpHost,
    problems: () => readonly ConfigProblem[],
    chat: Pick<EditorChat, 'offer' | 'onDidChangeOffers'>,
    signIns: Pick<SignIns, 'isSignedIn' | 'onDidChange'>,
    flagsOf: FlagSentences,
  ) {
    this.#host = host;
    this.#problems = problems;
    const facts = ({ id, config }: ServerConnection): ServerFacts => ({
      offer: chat.offer(config),
      isSignedIn: signIns.isSignedIn(id),
    });
    this.#items = new TreeItems(host, facts, flagsOf);
    this.#store.add(this.#changes);
    this.#store.add(chat.onDidChangeOffers(() => this.#changes.fire(undefined)));
    this.#store.add(signIns.onDidChange((id) => this.#changes.fire(this.#servers.get(id))));
    this.#store.add(host.onDidChangeServers(() => this.#changes.fire(undefined)));
    this.#store.add(host.onDidChangeServer((id) => this.#redraw(id)));
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
        return node.group;
      case 'group':
      case 'note':
        return this.#server(node.serverId);
      case 'tool':
        return this.#group(node.serverId, 'tools');
      case 'prompt':
        return this.#group(node.serverId, 'prompts');
      case 'resource':
        return this.#group(node.serverId, 'resources');
      case 'template':
        return this.#group(node.serverId, 'resourceTemplates');
    }
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) {
      return [
        ...this.#problems().map((problem, index) => ({ kind: 'problem', problem, index }) as const),
        ...[...this.#host.servers.keys()].map((id) => this.#server(id)),
      ];
    }
    if (node.kind === 'server') {
      return this.#serverChildren(node.serverId);
    }
    return node.kind === 'group' ? this.#groupChildren(node) : [];
  }

  /** Redraws everything: the problems in the settings are not the host's. */
  refresh(): void {
    this.#changes.fire(undefined);
  }

  /** Shows the next slice of a long list. */
  showMore(node: unknown): void {
    if (!isMoreNode(node)) {
      return;
    }
    const { group } = node;
    this.#slices.set(group, (this.#slices.get(group) ?? 1) + 1);
    this.#changes.fire(group);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** A server, and the tools of the others when its own are different ones: names may be shared no more. */
  #redraw(id: ServerId): void {
    this.#changes.fire(this.#servers.get(id));
    const list = this.#host.servers.get(id)?.catalog.list('tools');
    const tools = list?.kind === 'ready' ? list.items : undefined;
    if (this.#tools.get(id) === tools) {
      return;
    }
    this.#tools.set(id, tools);
    for (const group of this.#groups.values()) {
      if (group.list === 'tools' && group.serverId !== id) {
        this.#changes.fire(group);
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

  #group(serverId: ServerId, list: ListKind): GroupNode {
    const key = `${list}/${serverId}`;
    let node = this.#groups.get(key);
    if (node === undefined) {
      node = { kind: 'group', serverId, list };
      this.#groups.set(key, node);
    }
    return node;
  }

  #serverChildren(serverId: ServerId): TreeNode[] {
    const connection = this.#host.servers.get(serverId);
    if (connection === undefined) {
      return [];
    }
    if (connection.config.startup === 'onDemand' && connection.state.kind === 'stopped') {
      // Looking inside is the demand. Failures show in the server's own row.
      void connection.start().catch(() => undefined);
    }
    const notes = stateNotes(serverId, connection);
    const groups = listKinds
      .filter((list) => isWorthShowing(list, connection.catalog.list(list)))
      .map((list) => this.#group(serverId, list));
    return [...notes, ...groups];
  }

  #groupChildren(group: GroupNode): TreeNode[] {
    const catalog = this.#host.servers.get(group.serverId)?.catalog;
    const state = catalog?.list(group.list);
    switch (state?.kind) {
      case undefined:
      case 'none':
        return [];
      case 'loading':
        return [note(group, 'loading', 'loading~spin', vscode.l10n.t('Loading…'))];
      case 'failed':
        return [note(group, 'failed', 'error', errorText(state.error))];
      case 'ready':
        break;
    }
    const shown = (this.#slices.get(group) ?? 1) * sliceSize;
    const rows = this.#itemNodes(group, shown);
    const hidden = state.items.length - shown;
    return [
      ...rows,
      ...(hidden > 0 ? [{ kind: 'more', group, hidden } as const] : []),
      ...(state.truncated === undefined
        ? []
        : [note(group, 'truncated', 'warning', state.truncated)]),
      ...(state.staleBecause === undefined
        ? []
        : [
            note(
              group,
              'stale',
              'warning',
              vscode.l10n.t('May be out of date: {0}', errorText(state.staleBecause)),
            ),
          ]),
      ...droppedNotes(group, state.dropped),
    ];
  }

  #itemNodes(group: GroupNode, count: number): TreeNode[] {
    const { serverId, list } = group;
    const catalog = this.#host.servers.get(serverId)?.catalog;
    if (catalog === undefined) {
      return [];
    }
    switch (list) {
      case 'tools':
        return numbered(catalog.items(list).slice(0, count), ({ name }) => name).map(
          ([tool, index]) => ({ kind: 'tool', serverId, tool, index }),
        );
      case 'prompts':
        return numbered(catalog.items(list).slice(0, count), ({ name }) => name).map(
          ([prompt, index]) => ({ kind: 'prompt', serverId, prompt, index }),
        );
      case 'resources':
        return numbered(catalog.items(list).slice(0, count), ({ uri }) => uri).map(
          ([resource, index]) => ({ kind: 'resource', serverId, resource, index }),
        );
      case 'resourceTemplates':
        return numbered(catalog.items(list).slice(0, count), ({ uriTemplate }) => uriTemplate).map(
          ([template, index]) => ({ kind: 'template', serverId, template, index }),
        );
    }
  }
}

/** Who offers resources offers templates too, by the protocol: that there are none is no news. */
function isWorthShowing(list: ListKind, state: ListState<unknown>): boolean {
  if (list === 'resourceTemplates' && state.kind === 'ready') {
    return state.items.length > 0 || state.dropped.length > 0 || state.staleBecause !== undefined;
  }
  return state.kind !== 'none';
}

/** Each item with the number of earlier items of the same key. */
function numbered<T>(items: readonly T[], keyOf: (item: T) => string): (readonly [T, number])[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    return [item, index];
  });
}

function stateNotes(serverId: ServerId, { state }: ServerConnection): NoteNode[] {
  switch (state.kind) {
    case 'failed':
      return problemNotes(serverId, 'error', errorText(state.error), state.lastStderr);
    case 'waiting':
      return problemNotes(serverId, 'warning', errorText(state.cause), state.lastStderr);
    case 'stopped':
    case 'starting':
    case 'ready':
    case 'stopping':
      return [];
  }
}

/** The error, and what the server wrote last: there it mostly says itself what is wrong. */
function problemNotes(
  serverId: ServerId,
  icon: string,
  text: string,
  lastStderr: readonly string[],
): NoteNode[] {
  const detail = lastStderr.join('\n');
  const lastLine = lastStderr.findLast((line) => line.trim() !== '');
  return [
    { kind: 'note', serverId, key: 'state', icon, text, detail },
    ...(lastLine === undefined
      ? []
      : [
          {
            kind: 'note' as const,
            serverId,
            key: 'stderr',
            icon: 'output',
            text: lastLine,
            detail: lastStderr.length > 1 ? detail : '',
          },
        ]),
  ];
}

function note(group: GroupNode, key: string, icon: string, text: string): NoteNode {
  return {
    kind: 'note',
    serverId: group.serverId,
    key: `${group.list}/${key}`,
    icon,
    text,
    detail: '',
  };
}

function droppedNotes(group: GroupNode, dropped: readonly DroppedItem[]): NoteNode[] {
  const named = dropped
    .slice(0, maxDroppedShown)
    .map(({ index, name = `#${index + 1}`, reason }) =>
      note(
        group,
        `dropped/${index}`,
        'warning',
        vscode.l10n.t('{0} is left out: {1}', name, reason),
      ),
    );
  const rest = dropped.length - named.length;
  return rest > 0
    ? [
        ...named,
        note(group, 'dropped/rest', 'warning', vscode.l10n.t('{0} more are left out', rest)),
      ]
    : named;
}

function isMoreNode(value: unknown): value is MoreNode {
  return isObject(value) && value['kind'] === 'more';
}
