/**
 * What the row of a tool, prompt, resource or template looks like: label, description, icon, tooltip,
 * what a screen reader says, and the words that menus match.
 */
import * as vscode from 'vscode';
import { viewLink } from '../../host/apps/toolUi.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { WatchState } from '../../host/resources/watchedResources.ts';
import type { Resource, Tool } from '../../mcp/types/lists.ts';
import { describeAnnotations, sizeText } from '../resources/annotationText.ts';
import { commandId, type CommandName } from '../ids.ts';
import { PlainTooltip } from '../text/plainTooltip.ts';
import { resourceUri } from '../text/resourceUri.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import type { PromptNode, ResourceNode, SkillNode, TemplateNode, ToolNode } from './nodes.ts';

const { None } = vscode.TreeItemCollapsibleState;

export function toolItem(node: ToolNode, flags: readonly string[]): vscode.TreeItem {
  const { tool } = node;
  const link = viewLink(tool);
  const appWord = link.kind === 'view' ? vscode.l10n.t('app') : '';
  const item = listed(vscode.l10n.t('tool'), tool, [appWord, ...flags]);
  item.description = dotted(appWord, String(item.description));
  const tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Tool'), tool.name)
    .line(vscode.l10n.t('App'), link.kind === 'view' ? link.uri : '');
  if (flags.length === 0) {
    item.iconPath = new vscode.ThemeIcon('symbol-method');
  } else {
    item.iconPath = warningIcon();
    tooltip.paragraph(flags.map((flag) => `⚠ ${flag}`).join('\n'));
  }
  item.tooltip = tooltip
    .paragraph(tool.description ?? '')
    .line(vscode.l10n.t('Claims, unverified'), claims(tool))
    .build(restText());
  item.contextValue = 'tool';
  item.command = rowCommand('runTool', vscode.l10n.t('Run Tool…'), node);
  return item;
}

/** Annotations are claims (TOOL-02); an absent one counts as its default (TOOL-03) and is not shown. */
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

/** @param server the name of the server, which the row of a favorite tells */
export function promptItem(node: PromptNode, isStarred: boolean, server: string): vscode.TreeItem {
  const { prompt, favorite } = node;
  const shownServer = favorite === undefined ? '' : oneLine(server, 60);
  const item = listed(vscode.l10n.t('prompt'), prompt, [shownServer]);
  item.description = dotted(shownServer, String(item.description));
  item.iconPath = new vscode.ThemeIcon(favorite === undefined ? 'comment' : 'star-full');
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
  const starred = favorite === 'unlisted' ? 'starred' : 'prompt starred';
  item.contextValue = isStarred ? starred : 'prompt';
  item.command = rowCommand('usePrompt', vscode.l10n.t('Use Prompt'), node);
  return item;
}

/** @param isPlaced whether the rows around it show its place; else its URI stands in for a missing description */
export function resourceItem(
  node: ResourceNode,
  isPlaced: boolean,
  watching: WatchState,
): vscode.TreeItem {
  const { serverId, resource } = node;
  const { uri, mimeType = '', size, description = '' } = resource;
  const watchWord = watchText(watching);
  const item = listed(vscode.l10n.t('resource'), resource, [watchWord, sizeText(size)]);
  const shown = oneLine(isPlaced ? description : description || uri, 120);
  item.description = dotted(watchWord, sizeText(size), shown === item.label ? '' : shown);
  // The URI of its document lets a row be dragged, and gives it its badge and its file icon.
  item.resourceUri = resourceUri(serverId, resource);
  item.iconPath = mimeType.startsWith('image/')
    ? new vscode.ThemeIcon('file-media')
    : vscode.ThemeIcon.File;
  item.tooltip = resourceTooltip(resource);
  item.contextValue = watching === 'none' ? 'resource' : `resource watched ${watching}`;
  item.command = rowCommand('openResource', vscode.l10n.t('Open Resource'), node);
  return item;
}

function watchText(watching: WatchState): string {
  switch (watching) {
    case 'none':
      return '';
    case 'watched':
      return vscode.l10n.t('watched');
    case 'changed':
      return vscode.l10n.t('changed');
  }
}

function resourceTooltip({
  uri,
  name,
  mimeType = '',
  size,
  annotations,
  description = '',
}: Resource): vscode.MarkdownString {
  const tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Resource'), name)
    .line('URI', uri)
    .line(vscode.l10n.t('Type'), mimeType)
    .line(vscode.l10n.t('Size'), sizeText(size));
  return describeAnnotations(tooltip, annotations).paragraph(description).build(restText());
}

export function templateItem(node: TemplateNode): vscode.TreeItem {
  const { template } = node;
  const { name, uriTemplate, mimeType = '', annotations, description = '' } = template;
  const item = listed(vscode.l10n.t('template'), template);
  item.iconPath = new vscode.ThemeIcon('symbol-snippet');
  const tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Template'), name)
    .line('URI', uriTemplate)
    .line(vscode.l10n.t('Type'), mimeType);
  item.tooltip = describeAnnotations(tooltip, annotations).paragraph(description).build(restText());
  item.contextValue = 'template';
  item.command = rowCommand('openTemplate', vscode.l10n.t('Open from Template…'), node);
  return item;
}

export function skillItem(node: SkillNode): vscode.TreeItem {
  const { skill } = node;
  const { name, uri, description, resources } = skill;
  const item = listed(vscode.l10n.t('skill'), { name, description });
  item.iconPath = new vscode.ThemeIcon('mortar-board');
  item.tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Skill'), name)
    .line('URI', uri)
    .line(
      vscode.l10n.t('Files'),
      resources === 'dynamic'
        ? vscode.l10n.t('made for each read: their content cannot be checked')
        : `${resources.length}, ${sizeText(resources.reduce((sum, { size }) => sum + size, 0))}`,
    )
    .paragraph(description)
    .build(restText());
  item.contextValue = 'skill';
  item.command = rowCommand('showSkill', vscode.l10n.t('Show Skill'), node);
  return item;
}

/** What a click on the row does. */
export function rowCommand(name: CommandName, title: string, argument: unknown): vscode.Command {
  return { command: commandId(name), title, arguments: [argument] };
}

/** The icon of a row with something wrong. */
export function warningIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

/** @param more what a screen reader also says, between its kind and its description */
function listed(
  kind: string,
  named: Parameters<typeof displayLabel>[0] & { readonly description?: string },
  more: readonly string[] = [],
): vscode.TreeItem {
  const label = oneLine(displayLabel(named), 100);
  const description = oneLine(named.description ?? '', 120);
  const item = new vscode.TreeItem(label, None);
  item.description = description;
  item.accessibilityInformation = {
    label: [label, kind, ...more, description].filter((part) => part !== '').join(', '),
  };
  return item;
}

/** Says where to read a text that the tooltip cuts. */
function restText(): string {
  return vscode.l10n.t('“Show Details” has the rest.');
}
