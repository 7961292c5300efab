/**
 * The groups below all servers, each with its rows. Each group is one object as long as its server exists, since the
 * editor knows rows by identity. Draws nothing and reports no change.
 */
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ListKind, ListState } from '../../host/catalog/catalog.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';
import type { Resource } from '../../mcp/types/lists.ts';
import { GroupRows, type ResourceLayout } from './groupRows.ts';
import type { FolderNode, GroupNode, ResourceNode } from './nodes.ts';

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
    }
  }

  #state<L extends ListName>(serverId: ServerId, list: L): ListState<ListItems[L]> {
    return this.#parts.host.servers.get(serverId)?.catalog.list(list) ?? { kind: 'none' };
  }
}
