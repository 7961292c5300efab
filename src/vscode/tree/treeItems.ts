/** What a node of the tree looks like: label, description, icon, tooltip, and the words that menus match. */
import * as vscode from 'vscode';
import { percentDecoded } from '../../base/percentEncoding.ts';
import type { ListKind } from '../../host/catalog/catalog.ts';
import type { ConfigProblem, ServerId } from '../../host/config/serverConfig.ts';
import { chooseIcon, type Icons, type IconTheme, originOf } from '../../host/icons/icons.ts';
import type { FavoritePrompts } from '../../host/prompts/favoritePrompts.ts';
import type { EditorChat } from '../../host/editorChat/editorChat.ts';
import type { WatchedResources } from '../../host/resources/watchedResources.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SignIns } from '../../host/signIn/signIns.ts';
import type { Icon } from '../../mcp/types/content.ts';
import { scopeText } from '../config/scopeText.ts';
import { countText } from '../resources/annotationText.ts';
import { errorText } from '../text/errorText.ts';
import { PlainTooltip } from '../text/plainTooltip.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import type { FlagSentences } from '../toolFlags/toolWatch.ts';
import type { GroupFacts } from './groupRows.ts';
import {
  promptItem,
  resourceItem,
  rowCommand,
  skillItem,
  templateItem,
  toolItem,
  warningIcon,
} from './itemRows.ts';
import { listTitle } from './listTexts.ts';
import {
  type FolderNode,
  type GroupNode,
  type MoreNode,
  nodeId,
  type NoteNode,
  type PromptNode,
  type ToolNode,
  type TreeNode,
} from './nodes.ts';
import { type ServerFacts, serverItem, serverTooltip } from './serverItem.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** What rows show besides their nodes. */
export interface ItemParts {
  readonly host: Pick<McpHost, 'servers'>;
  readonly chat: Pick<EditorChat, 'offer'>;
  readonly signIns: Pick<SignIns, 'isSignedIn'>;
  readonly flagsOf: FlagSentences;
  readonly icons: Pick<Icons, 'fileOf'>;
  readonly watched: Pick<WatchedResources, 'stateOf'>;
  readonly favorites: Pick<FavoritePrompts, 'all' | 'has' | 'onDidChange'>;
}

export class TreeItems {
  readonly #parts: ItemParts;
  readonly #factsOf: (group: GroupNode) => GroupFacts;

  constructor(parts: ItemParts, factsOf: (group: GroupNode) => GroupFacts) {
    this.#parts = parts;
    this.#factsOf = factsOf;
  }

  toItem(node: TreeNode): vscode.TreeItem {
    const item = this.#draw(node);
    item.id = nodeId(node);
    return item;
  }

  /**
   * The tooltip of a row whose item has none: that of a server. It also shows the state in the editor's own chat, which
   * changes after the server has started; with the tooltip in the item, that change would redraw the row just when the
   * user opens its lists.
   */
  toTooltip(node: TreeNode): vscode.MarkdownString | undefined {
    const connection =
      node.kind === 'server' ? this.#parts.host.servers.get(node.serverId) : undefined;
    return connection && serverTooltip(connection, this.#facts(connection));
  }

  #draw(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'problem':
        return problemItem(node.problem);
      case 'server':
        return this.#serverItem(node.serverId);
      case 'group':
        return this.#groupItem(node);
      case 'folder':
        return folderItem(node);
      case 'tool': {
        const flags = this.flags(node);
        const item = toolItem(node, flags);
        // A warning keeps its icon.
        return flags.length > 0 ? item : this.#withIcon(item, node.serverId, node.tool.icons);
      }
      case 'prompt':
        return this.#promptItem(node);
      case 'resource':
        return this.#withIcon(
          resourceItem(
            node,
            node.folder !== undefined,
            this.#parts.watched.stateOf({ serverId: node.serverId, uri: node.resource.uri }),
          ),
          node.serverId,
          node.resource.icons,
        );
      case 'template':
        return this.#withIcon(templateItem(node), node.serverId, node.template.icons);
      case 'skill':
        return skillItem(node);
      case 'note':
        return noteItem(node);
      case 'more':
        return moreItem(node);
    }
  }

  #promptItem(node: PromptNode): vscode.TreeItem {
    const { serverId, prompt, favorite } = node;
    const { favorites, host } = this.#parts;
    const server = host.servers.get(serverId)?.config.name ?? '';
    const item = promptItem(node, favorites.has(serverId, prompt.name), server);
    return favorite ? item : this.#withIcon(item, serverId, prompt.icons);
  }

  #serverItem(id: ServerId): vscode.TreeItem {
    const connection = this.#parts.host.servers.get(id);
    if (connection === undefined) {
      return new vscode.TreeItem('');
    }
    const item = serverItem(connection, this.#facts(connection));
    // A problem has an icon of its own; only a ready server shows the icon that it names.
    return connection.state.kind === 'ready'
      ? this.#withIcon(item, id, connection.state.server.info.icons)
      : item;
  }

  #facts({ id, config }: ServerConnection): ServerFacts {
    const { chat, signIns } = this.#parts;
    const { remoteName } = vscode.env;
    return { offer: chat.offer(config), isSignedIn: signIns.isSignedIn(id), remoteName };
  }

  /** While there is none, or if there will be none, the row has an icon of the editor. */
  #withIcon(
    item: vscode.TreeItem,
    serverId: ServerId,
    named: readonly Icon[] | undefined,
  ): vscode.TreeItem {
    const connection = this.#parts.host.servers.get(serverId);
    if (connection === undefined || named === undefined) {
      return item;
    }
    const { id, config, connectionSettings } = connection;
    const owner = { id, origin: originOf(config.launch), connection: connectionSettings };
    const file = (theme: IconTheme): string | undefined => {
      const icon = chooseIcon(named, theme);
      return icon && this.#parts.icons.fileOf(icon, owner);
    };
    const [light, dark] = [file('light'), file('dark')];
    const either = light ?? dark;
    if (either !== undefined) {
      item.iconPath = {
        light: vscode.Uri.file(light ?? either),
        dark: vscode.Uri.file(dark ?? either),
      };
    }
    return item;
  }

  /** One sentence per flag of a tool. */
  flags({ serverId, tool }: ToolNode): readonly string[] {
    const connection = this.#parts.host.servers.get(serverId);
    return connection === undefined ? [] : this.#parts.flagsOf(connection.config, tool);
  }

  #groupItem(group: GroupNode): vscode.TreeItem {
    const { serverId, list } = group;
    const title = listTitle(list);
    const item = new vscode.TreeItem(title, Collapsed);
    const state = this.#parts.host.servers.get(serverId)?.catalog.list(list);
    const facts = this.#factsOf(group);
    item.description = groupDescription(facts, state?.kind);
    if (state?.kind === 'failed') {
      item.tooltip = errorText(state.error);
    } else {
      item.tooltip =
        facts.common === ''
          ? title
          : new PlainTooltip().line(vscode.l10n.t('All begin with'), facts.common).build();
    }
    item.iconPath = new vscode.ThemeIcon(groupIcons[list]);
    item.contextValue = [
      'group',
      ...(facts.count === undefined ? [] : ['canFilter']),
      ...(facts.filter === '' ? [] : ['isFiltered']),
      ...(list === 'resources' || list === 'prompts' ? [list] : []),
    ].join(' ');
    item.accessibilityInformation = { label: `${title}, ${item.description}` };
    return item;
  }
}

function groupDescription(facts: GroupFacts, state: string | undefined): string {
  if (state === 'failed') {
    return vscode.l10n.t('failed');
  }
  const { count, filter, matches, common } = facts;
  if (count === undefined) {
    return state === 'loading' ? vscode.l10n.t('loading…') : '';
  }
  const counted =
    filter === ''
      ? countText(count)
      : vscode.l10n.t('{0} of {1}', countText(matches), countText(count));
  return dotted(
    filter === '' ? '' : `“${oneLine(filter, 40)}”`,
    state === 'loading' ? vscode.l10n.t('{0}, loading…', counted) : counted,
    oneLine(common, 80),
  );
}

const groupIcons: Readonly<Record<ListKind, string>> = {
  tools: 'tools',
  prompts: 'comment-discussion',
  resources: 'files',
  resourceTemplates: 'symbol-snippet',
  skills: 'mortar-board',
};

function folderItem({ key, label, count }: FolderNode): vscode.TreeItem {
  // Decoded for people; the tooltip has the URI itself.
  const shown = oneLine(percentDecoded(label), 100) || '/';
  const item = new vscode.TreeItem(shown, Collapsed);
  item.description = countText(count);
  item.iconPath = new vscode.ThemeIcon('folder');
  item.tooltip = new PlainTooltip().line('URI', key).build();
  item.contextValue = 'folder';
  item.accessibilityInformation = {
    label:
      count === 1
        ? vscode.l10n.t('{0}, folder, 1 resource', shown)
        : vscode.l10n.t('{0}, folder, {1} resources', shown, countText(count)),
  };
  return item;
}

function problemItem(problem: ConfigProblem): vscode.TreeItem {
  const where = [problem.entry, problem.field].filter((part) => part !== undefined).join('.');
  const label = oneLine(where === '' ? problem.setting : where, 80);
  const item = new vscode.TreeItem(label, None);
  item.description = oneLine(problem.message, 200);
  item.iconPath = warningIcon();
  item.tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Setting'), problem.setting)
    .line(vscode.l10n.t('In'), scopeText(problem.scope))
    .line(vscode.l10n.t('Entry'), where)
    .paragraph(problem.message)
    .build();
  item.contextValue = 'problem';
  const title = vscode.l10n.t('Open Server Settings');
  item.command = rowCommand('openSettings', title, { kind: 'problem', problem });
  item.accessibilityInformation = {
    label: vscode.l10n.t('Problem in the settings: {0}, {1}', label, item.description),
  };
  return item;
}

function noteItem({ text, detail, icon }: NoteNode): vscode.TreeItem {
  const label = oneLine(text, 200);
  const item = new vscode.TreeItem(label, None);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = new PlainTooltip().paragraph(text).paragraph(detail).build();
  item.contextValue = 'note';
  item.accessibilityInformation = { label: noteLabel(icon, label) };
  return item;
}

/** The icon in words, if it means something. */
function noteLabel(icon: string, label: string): string {
  switch (icon) {
    case 'error':
      return vscode.l10n.t('Error: {0}', label);
    case 'warning':
      return vscode.l10n.t('Warning: {0}', label);
    default:
      return label;
  }
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const label = vscode.l10n.t('Show more ({0} left)', countText(node.hidden));
  const item = new vscode.TreeItem(label, None);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.tooltip = label;
  item.contextValue = 'more';
  item.command = rowCommand('showMore', vscode.l10n.t('Show More'), node);
  item.accessibilityInformation = { label, role: 'button' };
  return item;
}
