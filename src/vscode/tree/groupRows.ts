/**
 * The rows of one list of one server: its items in slices, filtered, resources in folders; and notes on the list. Draws
 * nothing and reports no change.
 */
import * as vscode from 'vscode';
import type { ListState } from '../../host/catalog/catalog.ts';
import { filterItems } from '../../host/catalog/itemSearch.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import { commonFolder, folderContents } from '../../host/resources/resourceFolders.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';
import type { Resource } from '../../mcp/types/lists.ts';
import { errorText } from '../text/errorText.ts';
import { noMatchNote, note, readyNotes } from './listTexts.ts';
import { type FolderNode, type GroupNode, itemNodes, nodeId, type TreeNode } from './nodes.ts';

/** A list is shown in slices: the editor copies every row that it is given, and 10,000 at once freeze it. */
const sliceSize = 500;

/** With layout `auto`, this many resources get folders: fewer are seen at a glance. */
const folderThreshold = 25;

export type ResourceLayout = 'auto' | 'tree' | 'list';

/** What a group shows besides its rows. */
export interface GroupFacts {
  /** Loaded items, filtered or not; undefined where there is nothing to count. */
  readonly count?: number;
  /** Blank for none. */
  readonly filter: string;
  /** Items that match the filter. */
  readonly matches: number;
  /** The common beginning of all resource URIs, where no row below shows it. */
  readonly common: string;
}

interface GroupParts {
  readonly host: Pick<McpHost, 'servers'>;
  readonly layout: () => ResourceLayout;
}

const none = { kind: 'none' } as const;

export class GroupRows<L extends ListName = ListName> {
  /** One object as long as its server exists, since the editor knows rows by identity. */
  readonly node: GroupNode;
  readonly #list: L;
  readonly #parts: GroupParts;
  /** By the id of group or folder: the number of slices shown; one unless "Show More" was chosen. */
  readonly #slices = new Map<string, number>();
  #filter = '';
  #matches = ofLast((items: readonly ListItems[L][]) => filterItems(items, this.#filter));
  /** Does not make the folders: they are made when the group is opened. */
  readonly #common = ofLast(commonFolder);
  #version = 0;

  constructor(serverId: ServerId, list: L, parts: GroupParts) {
    this.node = { kind: 'group', serverId, list };
    this.#list = list;
    this.#parts = parts;
  }

  get facts(): GroupFacts {
    const filter = this.#filter;
    const items = itemsOf(this.#state);
    if (items === undefined) {
      return { filter, matches: 0, common: '' };
    }
    const common = this.#hasFolders ? this.#common(this.#resources) : '';
    return { count: items.length, filter, matches: this.#matches(items).length, common };
  }

  /** Values that are other ones when the rows have changed. */
  get shown(): readonly unknown[] {
    return [this.#state, this.#version, this.#hasFolders];
  }

  /** Something has changed in the rows that is not part of the list. */
  touch(): void {
    this.#version += 1;
  }

  get filter(): string {
    return this.#filter;
  }

  /** Blank for none. */
  set filter(text: string) {
    this.#filter = text.trim();
    this.#slices.delete(nodeId(this.node));
    this.#matches = ofLast((items) => filterItems(items, this.#filter));
    this.touch();
  }

  showMore(parent: GroupNode | FolderNode): void {
    const id = nodeId(parent);
    this.#slices.set(id, (this.#slices.get(id) ?? 1) + 1);
    this.touch();
  }

  below(parent: GroupNode | FolderNode): TreeNode[] {
    const state = this.#state;
    if (parent.kind === 'folder') {
      return this.#itemRows(itemsOf(state) ?? [], parent);
    }
    switch (state.kind) {
      case 'none':
        return [];
      case 'failed':
        return [note(parent, 'failed', 'error', errorText(state.error))];
      case 'loading':
        return state.items.length === 0
          ? [note(parent, 'loading', 'loading~spin', vscode.l10n.t('Loading…'))]
          : [
              ...this.#itemRows(state.items, parent),
              note(parent, 'loading', 'loading~spin', vscode.l10n.t('Loading the rest…')),
            ];
      case 'ready':
        return [...this.#itemRows(state.items, parent), ...readyNotes(parent, state)];
    }
  }

  get #state(): ListState<ListItems[L]> {
    return this.#parts.host.servers.get(this.node.serverId)?.catalog.list(this.#list) ?? none;
  }

  #itemRows(items: readonly ListItems[L][], parent: GroupNode | FolderNode): TreeNode[] {
    if (this.#hasFolders) {
      return this.#folderRows(parent);
    }
    if (parent.kind === 'folder') {
      return []; // the layout has changed
    }
    const matches = this.#matches(items);
    if (matches.length === 0 && this.#filter !== '') {
      return [noMatchNote(parent, this.#filter)];
    }
    const { serverId } = this.node;
    return this.#sliced(parent, matches.length, (count) =>
      itemNodes(this.#list, matches.slice(0, count), { serverId }),
    );
  }

  #folderRows(parent: GroupNode | FolderNode): TreeNode[] {
    const { serverId } = this.node;
    const folder = parent.kind === 'folder' ? parent : undefined;
    const { folders, resources } = folderContents(this.#resources, folder?.key ?? '');
    const place = { serverId, ...(folder && { folder }) };
    return this.#sliced(parent, folders.length + resources.length, (count) => [
      ...folders
        .slice(0, count)
        .map((inner) => ({ kind: 'folder', serverId, ...inner, parent }) as const),
      ...itemNodes('resources', resources.slice(0, Math.max(0, count - folders.length)), place),
    ]);
  }

  #sliced(
    parent: GroupNode | FolderNode,
    total: number,
    rows: (count: number) => TreeNode[],
  ): TreeNode[] {
    const shown = (this.#slices.get(nodeId(parent)) ?? 1) * sliceSize;
    const hidden = total - shown;
    return [...rows(shown), ...(hidden > 0 ? [{ kind: 'more', parent, hidden } as const] : [])];
  }

  /** None while a filter is set: matches are listed one below the other. */
  get #hasFolders(): boolean {
    if (this.#list !== 'resources' || this.#filter !== '') {
      return false;
    }
    const layout = this.#parts.layout();
    return layout === 'auto' ? this.#resources.length >= folderThreshold : layout === 'tree';
  }

  get #resources(): readonly Resource[] {
    return this.#parts.host.servers.get(this.node.serverId)?.catalog.known('resources') ?? [];
  }
}

/** Remembers what was made of the last list: a changed one is another object. */
function ofLast<T, R>(make: (items: readonly T[]) => R): (items: readonly T[]) => R {
  let last: { readonly items: readonly T[]; readonly made: R } | undefined;
  return (items) => {
    if (last?.items !== items) {
      last = { items, made: make(items) };
    }
    return last.made;
  };
}

function itemsOf<T>(state: ListState<T>): readonly T[] | undefined {
  switch (state.kind) {
    case 'ready':
      return state.items;
    case 'loading':
      return state.items.length === 0 ? undefined : state.items;
    case 'failed':
    case 'none':
      return undefined;
  }
}
