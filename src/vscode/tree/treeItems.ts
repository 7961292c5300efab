/** What a node of the tree looks like: label, description, icon, tooltip, and the words that menus match. */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ListKind } from '../../host/catalog/catalog.ts';
import type { ConfigProblem } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { FlagSentences } from '../toolWatch.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { errorText } from '../errorText.ts';
import { commandIds } from '../ids.ts';
import { scopeText } from '../scopeText.ts';
import { PlainTooltip } from '../plainTooltip.ts';
import { oneLine } from '../text.ts';
import {
  type GroupNode,
  type MoreNode,
  nodeId,
  type NoteNode,
  type PromptNode,
  type ResourceNode,
  type TemplateNode,
  type ToolNode,
  type TreeNode,
} from './nodes.ts';
import { type ServerFacts, serverItem } from './serverItem.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

export class TreeItems {
  readonly #host: McpHost;
  readonly #facts: (connection: ServerConnection) => ServerFacts;
  readonly #flagsOf: FlagSentences;

  constructor(
    host: McpHost,
    facts: (connection: ServerConnection) => ServerFacts,
    flagsOf: FlagSentences,
  ) {
    this.#host = host;
    this.#facts = facts;
    this.#flagsOf = flagsOf;
  }

  toItem(node: TreeNode): vscode.TreeItem {
    const item = this.#draw(node);
    item.id = nodeId(node);
    return item;
  }

  #draw(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'problem':
        return problemItem(node.problem);
      case 'server': {
        const connection = this.#host.servers.get(node.serverId);
        return connection === undefined
          ? new vscode.TreeItem('')
          : serverItem(connection, this.#facts(connection));
      }
      case 'group':
        return this.#groupItem(node);
      case 'tool':
        return toolItem(node, this.#flags(node));
      case 'prompt':
        return promptItem(node);
      case 'resource':
        return resourceItem(node);
      case 'template':
        return templateItem(node);
      case 'note':
        return noteItem(node);
      case 'more':
        return moreItem(node);
    }
  }

  #flags({ serverId, tool }: ToolNode): readonly string[] {
    const connection = this.#host.servers.get(serverId);
    return connection === undefined ? [] : this.#flagsOf(connection.config, tool);
  }

  #groupItem({ serverId, list }: GroupNode): vscode.TreeItem {
    const item = new vscode.TreeItem(groupTitle(list), Collapsed);
    const state = this.#host.servers.get(serverId)?.catalog.list(list);
    item.contextValue = 'group';
    switch (state?.kind) {
      case 'ready':
        item.description = String(state.items.length);
        break;
      case 'loading':
        item.description = vscode.l10n.t('loading…');
        break;
      case 'failed':
        item.description = vscode.l10n.t('failed');
        item.tooltip = errorText(state.error);
        break;
      case 'none':
      case undefined:
        break;
    }
    item.iconPath = new vscode.ThemeIcon(groupIcon(list));
    return item;
  }
}

function groupTitle(list: ListKind): string {
  switch (list) {
    case 'tools':
      return vscode.l10n.t('Tools');
    case 'prompts':
      return vscode.l10n.t('Prompts');
    case 'resources':
      return vscode.l10n.t('Resources');
    case 'resourceTemplates':
      return vscode.l10n.t('Templates');
  }
}

function groupIcon(list: ListKind): string {
  switch (list) {
    case 'tools':
      return 'tools';
    case 'prompts':
      return 'comment-discussion';
    case 'resources':
      return 'files';
    case 'resourceTemplates':
      return 'symbol-snippet';
  }
}

function problemItem(problem: ConfigProblem): vscode.TreeItem {
  const where = [problem.entry, problem.field].filter((part) => part !== undefined).join('.');
  const item = new vscode.TreeItem(oneLine(where === '' ? problem.setting : where, 80), None);
  item.description = oneLine(problem.message, 200);
  item.iconPath = warningIcon();
  item.tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Setting'), problem.setting)
    .line(vscode.l10n.t('In'), scopeText(problem.scope))
    .line(vscode.l10n.t('Entry'), where)
    .paragraph(problem.message)
    .build();
  item.contextValue = 'problem';
  item.command = {
    command: commandIds.openSettings,
    title: vscode.l10n.t('Open Server Settings'),
    arguments: [{ kind: 'problem', problem }],
  };
  return item;
}

function warningIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

/** Where all of a text is that a tooltip cuts. */
function restText(): string {
  return vscode.l10n.t('“Show Details” has the rest.');
}

function toolItem({ tool }: ToolNode, flags: readonly string[]): vscode.TreeItem {
  const item = listed(tool);
  const tooltip = new PlainTooltip().line(vscode.l10n.t('Tool'), tool.name);
  if (flags.length === 0) {
    item.iconPath = new vscode.ThemeIcon('symbol-method');
  } else {
    item.iconPath = warningIcon();
    item.accessibilityInformation = { label: [displayLabel(tool), ...flags].join(', ') };
    tooltip.paragraph(flags.map((flag) => `⚠ ${flag}`).join('\n'));
  }
  item.tooltip = tooltip
    .paragraph(tool.description ?? '')
    .line(vscode.l10n.t('Claims, unverified'), claims(tool))
    .build(restText());
  item.contextValue = 'tool';
  return item;
}

/** Annotations are claims (TOOL-02); what is not claimed counts as its default (TOOL-03) and is not shown. */
function claims({ annotations }: Tool): string {
  const said: string[] = [];
  if (annotations?.readOnlyHint === true) {
    said.push(vscode.l10n.t('changes nothing'));
  } else if (annotations?.destructiveHint === true) {
    said.push(vscode.l10n.t('may destroy'));
  } else if (annotations?.destructiveHint === false) {
    said.push(vscode.l10n.t('only adds'));
  }
  if (annotations?.openWorldHint === true) {
    said.push(vscode.l10n.t('reaches other systems'));
  }
  return said.join(', ');
}

function promptItem(node: PromptNode): vscode.TreeItem {
  const { prompt } = node;
  const item = listed(prompt);
  item.iconPath = new vscode.ThemeIcon('comment');
  const tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Prompt'), prompt.name)
    .paragraph(prompt.description ?? '');
  for (const argument of prompt.arguments ?? []) {
    const required = argument.required === true ? ` ${vscode.l10n.t('(required)')}` : '';
    tooltip.line(
      vscode.l10n.t('Argument'),
      `${argument.name}${required} ${argument.description ?? ''}`,
    );
  }
  item.tooltip = tooltip.build(restText());
  item.contextValue = 'prompt';
  item.command = {
    command: commandIds.usePrompt,
    title: vscode.l10n.t('Use Prompt'),
    arguments: [node],
  };
  return item;
}

function resourceItem(node: ResourceNode): vscode.TreeItem {
  const { resource } = node;
  const item = listed(resource);
  item.iconPath = new vscode.ThemeIcon(
    resource.mimeType?.startsWith('image/') === true ? 'file-media' : 'file',
  );
  item.tooltip = new PlainTooltip()
    .line('URI', resource.uri)
    .line(vscode.l10n.t('Type'), resource.mimeType ?? '')
    .line(
      vscode.l10n.t('Size'),
      resource.size === undefined ? '' : vscode.l10n.t('{0} bytes', resource.size),
    )
    .paragraph(resource.description ?? '')
    .build(restText());
  item.contextValue = 'resource';
  item.command = {
    command: commandIds.openResource,
    title: vscode.l10n.t('Open Resource'),
    arguments: [node],
  };
  return item;
}

function templateItem({ template }: TemplateNode): vscode.TreeItem {
  const item = listed(template);
  item.iconPath = new vscode.ThemeIcon('symbol-snippet');
  item.tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Template'), template.uriTemplate)
    .line(vscode.l10n.t('Type'), template.mimeType ?? '')
    .paragraph(template.description ?? '')
    .build(restText());
  item.contextValue = 'template';
  return item;
}

function listed(
  named: Parameters<typeof displayLabel>[0] & { readonly description?: string },
): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(displayLabel(named), 100), None);
  item.description = oneLine(named.description ?? '', 120);
  return item;
}

function noteItem({ text, detail, icon }: NoteNode): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(text, 200), None);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = new PlainTooltip().paragraph(text).paragraph(detail).build();
  item.contextValue = 'note';
  return item;
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show more ({0} left)', node.hidden), None);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.contextValue = 'more';
  item.command = {
    command: commandIds.showMore,
    title: vscode.l10n.t('Show More'),
    arguments: [node],
  };
  return item;
}
