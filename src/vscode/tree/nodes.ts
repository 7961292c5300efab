/** The nodes of the tree and their stable ids, so that expansion and selection survive a refresh. */
import { isObject } from '../../base/json.ts';
import type { ConfigProblem, ServerId } from '../../host/config/serverConfig.ts';
import type { ListKind } from '../../host/catalog/catalog.ts';
import type { ListItems, ListName } from '../../mcp/listItems.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../../mcp/types/lists.ts';
import type { Skill } from '../../mcp/types/skills.ts';

export type TreeNode =
  | { readonly kind: 'problem'; readonly problem: ConfigProblem; readonly index: number }
  | ServerNode
  | GroupNode
  | FolderNode
  | ToolNode
  | PromptNode
  | ResourceNode
  | TemplateNode
  | SkillNode
  | NoteNode
  | MoreNode;

export interface ServerNode {
  readonly kind: 'server';
  readonly serverId: ServerId;
}
export interface GroupNode {
  readonly kind: 'group';
  readonly serverId: ServerId;
  readonly list: ListKind;
}
/** Resources whose URIs begin the same. */
export interface FolderNode {
  readonly kind: 'folder';
  readonly serverId: ServerId;
  /** See {@link ResourceFolder.key}. */
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly parent: GroupNode | FolderNode;
}
/** `index` counts the items before this one with the same key: servers do list one name twice. */
interface ItemNode {
  readonly serverId: ServerId;
  readonly index: number;
}
export interface ToolNode extends ItemNode {
  readonly kind: 'tool';
  readonly tool: Tool;
}
export interface PromptNode extends ItemNode {
  readonly kind: 'prompt';
  readonly prompt: Prompt;
  /** Set for the row of a favorite, above the servers. Of an unlisted one, only the name is known. */
  readonly favorite?: 'listed' | 'unlisted';
}
export interface ResourceNode extends ItemNode {
  readonly kind: 'resource';
  readonly resource: Resource;
  /** The folder that shows it; none for a row right below its group. */
  readonly folder?: FolderNode;
}
export interface TemplateNode extends ItemNode {
  readonly kind: 'template';
  readonly template: ResourceTemplate;
}
export interface SkillNode extends ItemNode {
  readonly kind: 'skill';
  readonly skill: Skill;
}
export function isPromptNode(value: unknown): value is PromptNode {
  return isObject(value) && value['kind'] === 'prompt';
}

/** A row that is not an item: an error, a list that is loading, dropped items. */
export interface NoteNode {
  readonly kind: 'note';
  readonly serverId: ServerId;
  readonly text: string;
  readonly detail: string;
  readonly icon: string;
  readonly key: string;
}
/** The rest of a long list, or of a long folder. */
export interface MoreNode {
  readonly kind: 'more';
  readonly parent: GroupNode | FolderNode;
  readonly hidden: number;
}

interface ListNodes<L extends ListName> {
  /** Items of one list may share it. */
  readonly keyOf: (item: ListItems[L]) => string;
  readonly toNode: (item: ListItems[L], place: Place) => TreeNode;
}

/** The folder is that of a resource. */
type Place = ItemNode & Pick<ResourceNode, 'folder'>;

const listNodes: { readonly [L in ListName]: ListNodes<L> } = {
  tools: {
    keyOf: ({ name }) => name,
    toNode: (tool, place) => ({ kind: 'tool', tool, ...place }),
  },
  prompts: {
    keyOf: ({ name }) => name,
    toNode: (prompt, place) => ({ kind: 'prompt', prompt, ...place }),
  },
  resources: {
    keyOf: ({ uri }) => uri,
    toNode: (resource, place) => ({ kind: 'resource', resource, ...place }),
  },
  resourceTemplates: {
    keyOf: ({ uriTemplate }) => uriTemplate,
    toNode: (template, place) => ({ kind: 'template', template, ...place }),
  },
  skills: {
    keyOf: ({ uri }) => uri,
    toNode: (skill, place) => ({ kind: 'skill', skill, ...place }),
  },
};

/** The nodes of items of one list, one after the other. */
export function itemNodes<L extends ListName>(
  list: L,
  items: readonly ListItems[L][],
  place: Omit<Place, 'index'>,
): TreeNode[] {
  const { keyOf, toNode }: ListNodes<L> = listNodes[list];
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    return toNode(item, { ...place, index });
  });
}

/** The first item of a key within a list has the plain id, so its id survives items that come and go. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case 'problem':
      return `problem/${node.index}`;
    case 'server':
      return `server/${node.serverId}`;
    case 'group':
      return `group/${node.serverId}/${node.list}`;
    case 'folder':
      return `folder/${node.serverId}/${node.key}`;
    case 'tool':
      return itemId(node, node.tool.name);
    case 'prompt':
      return node.favorite
        ? `favorite/${node.serverId}/${node.prompt.name}`
        : itemId(node, node.prompt.name);
    case 'resource':
      return itemId(node, node.resource.uri);
    case 'template':
      return itemId(node, node.template.uriTemplate);
    case 'skill':
      return itemId(node, node.skill.uri);
    case 'note':
      return `note/${node.serverId}/${node.key}`;
    case 'more':
      return `more/${nodeId(node.parent)}`;
  }
}

function itemId(node: ItemNode & { readonly kind: string }, key: string): string {
  const plain = `${node.kind}/${node.serverId}/${key}`;
  return node.index === 0 ? plain : `${plain}#${node.index}`;
}
