/**
 * The groups below all servers, and the rows below each: the items of a list in slices, filtered, resources in folders;
 * and notes on the list. Each group is one object as long as its server exists, since the editor knows rows by
 * identity. Draws nothing and reports no change.
 */
import * as vscode from 'vscode';
import type { ListKind, ListState } from '../../host/catalog/catalog.ts';
import { filterItems } from '../../host/catalog/itemSearch.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import { commonFolder, ResourceFolders } from '../../host/resources/resourceFolders.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';
import type { Resource } from '../../mcp/types/lists.ts';
import { errorText } from '../text/errorText.ts';
import { noMatchNote, note, readyNotes } from './listTexts.ts';
import {
  type FolderNode,
  type GroupNode,
  nodeId,
  type ResourceNode,
  type TreeNode,
} from './nodes.ts';

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

/** What differs between the lists. */
interface RowsOf<L extends ListName> {
  readonly state: () => ListState<ListItems[L]>;
  readonly keyOf: (item: ListItems[L]) => string;
  /** `index` counts the items before this one that have the same key. */
  readonly toNode: (item: ListItems[L], index: number, folder?: FolderNode) => TreeNode;
  /** Present where items can be shown in folders. */
  readonly folders?: {
    readonly layout: () => ResourceLayout;
    readonly resources: (items: readonly ListItems[L][]) => readonly Resource[];
    readonly toNode: (resource: Resource, index: number, folder?: FolderNode) => TreeNode;
  };
}

class GroupRows<L extends ListName> {
  readonly #group: GroupNode;
  readonly #rows: RowsOf<L>;
  /** By the id of group or folder: the number of slices shown; one unless "Show More" was chosen. */
  readonly #slices = new Map<string, number>();
  readonly #folders = new ResourceFolders();
  #filter = '';
  #matches = ofLast((items: readonly ListItems[L][]) => filterItems(items, this.#filter));
  /** Does not make the folders: they are made when the group is opened. */
  readonly #common = ofLast((items: readonly ListItems[L][]) =>
    commonFolder(this.#rows.folders?.resources(items) ?? []),
  );

  constructor(group: GroupNode, rows: RowsOf<L>) {
    this.#group = group;
    this.#rows = rows;
  }

  get facts(): GroupFacts {
    const filter = this.#filter;
    const items = itemsOf(this.#rows.state());
    if (items === undefined) {
      return { filter, matches: 0, common: '' };
    }
    const common = this.#hasFolders(items) ? this.#common(items) : '';
    return { count: items.length, filter, matches: this.#matches(items).length, common };
  }

  get filter(): string {
    return this.#filter;
  }

  /** Blank for none. */
  set filter(text: string) {
    this.#filter = text.trim();
    this.#slices.delete(nodeId(this.#group));
    this.#matches = ofLast((items) => filterItems(items, this.#filter));
  }

  showMore(parent: GroupNode | FolderNode): void {
    const id = nodeId(parent);
    this.#slices.set(id, (this.#slices.get(id) ?? 1) + 1);
  }

  below(parent: GroupNode | FolderNode): TreeNode[] {
    const state = this.#rows.state();
    if (parent.kind === 'folder') {
      return this.#itemRows(itemsOf(state) ?? [], parent);
    }
    switch (state.kind) {
      case 'none':
        this.#folders.update([]); // a stopped server leaves nothing behind
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

  #itemRows(items: readonly ListItems[L][], parent: GroupNode | FolderNode): TreeNode[] {
    const folders = this.#foldersOf(items);
    if (folders !== undefined) {
      return this.#folderRows(folders, parent);
    }
    if (parent.kind === 'folder') {
      return []; // the layout has changed
    }
    const matches = this.#matches(items);
    if (matches.length === 0 && this.#filter !== '') {
      return [noMatchNote(parent, this.#filter)];
    }
    const { keyOf, toNode } = this.#rows;
    return this.#sliced(parent, matches.length, (count) =>
      numbered(matches.slice(0, count), keyOf).map(([item, index]) => toNode(item, index)),
    );
  }

  #folderRows(folders: ResourceFolders, parent: GroupNode | FolderNode): TreeNode[] {
    const { serverId } = this.#group;
    const within = parent.kind === 'folder' ? parent : undefined;
    const contents = folders.contentsOf(within?.key ?? '');
    const total = contents.folders.length + contents.resources.length;
    const toNode = this.#rows.folders?.toNode;
    return this.#sliced(parent, total, (count) => {
      const resources = contents.resources.slice(0, Math.max(0, count - contents.folders.length));
      return [
        ...contents.folders
          .slice(0, count)
          .map((folder) => ({ kind: 'folder', serverId, ...folder, parent }) as const),
        ...numbered(resources, ({ uri }) => uri).flatMap(([resource, index]) =>
          toNode === undefined ? [] : [toNode(resource, index, within)],
        ),
      ];
    });
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
  #foldersOf(items: readonly ListItems[L][]): ResourceFolders | undefined {
    const { folders } = this.#rows;
    if (folders === undefined || !this.#hasFolders(items)) {
      return undefined;
    }
    this.#folders.update(folders.resources(items));
    return this.#folders;
  }

  #hasFolders(items: readonly ListItems[L][]): boolean {
    const layout = this.#rows.folders?.layout() ?? 'list';
    const isWanted = layout === 'auto' ? items.length >= folderThreshold : layout === 'tree';
    return isWanted && this.#filter === '';
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

interface GroupParts {
  readonly host: Pick<McpHost, 'servers'>;
  readonly layout: () => ResourceLayout;
}

type AnyRows = Pick<GroupRows<ListName>, 'below' | 'showMore' | 'filter' | 'facts'>;

export class ServerGroups {
  readonly #parts: GroupParts;
  readonly #groups = new Map<string, { readonly node: GroupNode; readonly rows: AnyRows }>();

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  /** The groups that were asked for so far. */
  get nodes(): readonly GroupNode[] {
    return [...this.#groups.values()].map(({ node }) => node);
  }

  /** The one object for a group. */
  of(serverId: ServerId, list: ListKind): GroupNode {
    return this.#known(serverId, list).node;
  }

  rows({ serverId, list }: GroupNode): AnyRows {
    return this.#known(serverId, list).rows;
  }

  /** Forgets the groups of servers that are gone. */
  forgetGone(): void {
    for (const [key, { node }] of this.#groups) {
      if (!this.#parts.host.servers.has(node.serverId)) {
        this.#groups.delete(key);
      }
    }
  }

  #known(serverId: ServerId, list: ListKind): { readonly node: GroupNode; readonly rows: AnyRows } {
    const key = `${list}/${serverId}`;
    let known = this.#groups.get(key);
    if (known === undefined) {
      const node: GroupNode = { kind: 'group', serverId, list };
      known = { node, rows: this.#createRows(node) };
      this.#groups.set(key, known);
    }
    return known;
  }

  #createRows(group: GroupNode): AnyRows {
    const { serverId, list } = group;
    switch (list) {
      case 'tools':
        return new GroupRows<'tools'>(group, {
          state: () => this.#state(serverId, 'tools'),
          keyOf: ({ name }) => name,
          toNode: (tool, index) => ({ kind: 'tool', serverId, tool, index }),
        });
      case 'prompts':
        return new GroupRows<'prompts'>(group, {
          state: () => this.#state(serverId, 'prompts'),
          keyOf: ({ name }) => name,
          toNode: (prompt, index) => ({ kind: 'prompt', serverId, prompt, index }),
        });
      case 'resources': {
        const toNode = (resource: Resource, index: number, folder?: FolderNode): ResourceNode => ({
          kind: 'resource',
          serverId,
          resource,
          index,
          ...(folder && { folder }),
        });
        return new GroupRows<'resources'>(group, {
          state: () => this.#state(serverId, 'resources'),
          keyOf: ({ uri }) => uri,
          toNode,
          folders: { layout: this.#parts.layout, resources: (items) => items, toNode },
        });
      }
      case 'resourceTemplates':
        return new GroupRows<'resourceTemplates'>(group, {
          state: () => this.#state(serverId, 'resourceTemplates'),
          keyOf: ({ uriTemplate }) => uriTemplate,
          toNode: (template, index) => ({ kind: 'template', serverId, template, index }),
        });
      case 'skills':
        return new GroupRows<'skills'>(group, {
          state: () => this.#state(serverId, 'skills'),
          keyOf: ({ uri }) => uri,
          toNode: (skill, index) => ({ kind: 'skill', serverId, skill, index }),
        });
    }
  }

  #state<L extends ListName>(serverId: ServerId, list: L): ListState<ListItems[L]> {
    return this.#parts.host.servers.get(serverId)?.catalog.list(list) ?? { kind: 'none' };
  }
}
