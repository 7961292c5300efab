/**
 * Select Tools…: which tools models get, in `@mcp` and in the editor's chat, with check boxes by server, presets, and
 * the limit of one request. host/chat decides what a click means.
 */
import * as vscode from 'vscode';
import {
  boxOf,
  countOff,
  editorGroup,
  type OffList,
  sharedPresets,
  ToolChoice,
  type ToolPreset,
  type ToolPresets,
  type ToolSelection,
} from '../../host/chat/toolSelection.ts';
import { type EditorTool, withoutOurs } from '../../host/chat/editorTools.ts';
import { isForModels } from '../../host/apps/toolUi.ts';
import { whenListed } from '../../host/catalog/catalog.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { allEditorTools } from '../models/editorTools.ts';
import { showInput } from '../editor/showInput.ts';
import { runStep, separator, stepButton } from '../forms/step.ts';
import { section } from '../ids.ts';
import { maxTools } from '../models/editorModel.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { scopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import { type FlagSentences, toolItem } from '../toolFlags/toolWatch.ts';

export interface SelectServices {
  readonly host: McpHost;
  readonly selection: ToolSelection;
  readonly presets: ToolPresets;
  readonly flagsOf: FlagSentences;
}

interface ToolItem extends vscode.QuickPickItem {
  readonly box?: string;
}

export async function selectTools(services: SelectServices): Promise<void> {
  const { host, selection, presets } = services;
  await whenListed(host.servers.values());
  const offering = [...host.servers.values()].filter(
    (connection) => toolsOf(connection).length > 0,
  );
  const ofEditor = withoutOurs(allEditorTools(), host.servers.values());
  if (offering.length + ofEditor.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No running MCP server offers tools.'));
    return;
  }
  const choice = new ToolChoice(
    [
      ...offering.map((connection) => ({
        serverId: connection.id,
        tools: [...new Set(toolsOf(connection).map(({ name }) => name))],
      })),
      ...(ofEditor.length === 0
        ? []
        : [{ serverId: editorGroup, tools: ofEditor.map(({ name }) => name) }]),
    ],
    selection.off,
  );
  const items = [
    ...offering.flatMap((server) => itemsOf(server, services.flagsOf)),
    ...itemsOfEditor(ofEditor),
  ];
  for (;;) {
    const end = await showTools(items, choice);
    if (end === 'save') {
      await namePreset(presets, choice.off);
    } else if (end === 'presets') {
      const off = await pickPreset(presets, fromSettings(host));
      if (off !== undefined) {
        choice.use(off);
      }
    } else if (end === 'limit') {
      const setting = `@id:${section}.chat.maxTools`;
      await vscode.commands.executeCommand('workbench.action.openSettings', setting);
      return;
    } else {
      if (end === 'next') {
        await selection.set(choice.off);
      }
      return;
    }
  }
}

function fromSettings(host: McpHost): readonly ToolPreset[] {
  return sharedPresets(
    vscode.workspace.getConfiguration(section).get('toolPresets'),
    [...host.servers.values()].map((connection) => ({
      id: connection.id,
      name: connection.config.name,
      tools: toolsOf(connection).map(({ name }) => name),
    })),
  );
}

function showTools(items: readonly ToolItem[], choice: ToolChoice): Promise<string> {
  const limit = maxTools();
  const pick = vscode.window.createQuickPick<ToolItem>();
  const draw = (): void => {
    const { count, total, checked } = choice;
    const tools = vscode.l10n.t('Select Tools: {0} of {1}', count, total);
    // The editor counts the boxes of servers, too.
    pick.title = [tools, ...serversText(checked.size - count)].join(', ');
    pick.prompt = limitText(choice.count, limit);
  };
  const check = (): void => {
    const { checked } = choice;
    pick.selectedItems = items.filter(({ box }) => box !== undefined && checked.has(box));
  };
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.placeholder = vscode.l10n.t('Check the tools that models get in this workspace, then OK');
  pick.items = items;
  check();
  return runStep<'presets' | 'save' | 'limit'>(
    pick,
    { title: '' },
    {},
    (finish, store) => {
      draw();
      store.add(
        pick.onDidChangeSelection((selected) => {
          if (choice.click(new Set(selected.flatMap(({ box }) => box ?? [])))) {
            check();
          }
          draw();
        }),
      );
      store.add(pick.onDidAccept(() => finish('next')));
    },
    [presetsButton, saveButton, limitButton],
  );
}

const presetsButton = stepButton(
  'list-selection',
  vscode.l10n.t('Presets: use a selection that you have saved'),
  'presets',
);
const saveButton = stepButton('save', vscode.l10n.t('Save this selection as a preset'), 'save');
const limitButton = stepButton(
  'gear',
  vscode.l10n.t('Change how many tools one request takes'),
  'limit',
);

/** Says whether the selection exceeds the limit, and what happens then. */
function limitText(count: number, limit: number): string {
  return count > limit
    ? vscode.l10n.t(
        '⚠ {0} are more than the {1} that one request of @mcp takes: the model gets those that fit the question, and searches for the others. Uncheck some to choose yourself.',
        count,
        limit,
      )
    : vscode.l10n.t(
        'One request of @mcp takes {0}, so the model gets all that are checked.',
        limit,
      );
}

/** The tools that the server offers to models. */
function toolsOf({ catalog }: Pick<ServerConnection, 'catalog'>): readonly Tool[] {
  return catalog.items('tools').filter(isForModels);
}

function itemsOf(connection: ServerConnection, flagsOf: FlagSentences): readonly ToolItem[] {
  const { id, config } = connection;
  const tools = toolsOf(connection);
  const name = oneLine(config.name, 60);
  return [
    separator(`${name} (${scopeText(config.scope)})`),
    {
      label: `$(server) ${name}`,
      description:
        tools.length === 1
          ? vscode.l10n.t('its only tool')
          : vscode.l10n.t('all of its {0} tools', tools.length),
      box: boxOf(id),
    },
    ...tools.map((tool) => ({
      ...toolItem(config, tool, flagsOf),
      description: oneLine(tool.description ?? '', 150),
      box: boxOf(id, tool.name),
    })),
  ];
}

function itemsOfEditor(tools: readonly EditorTool[]): readonly ToolItem[] {
  return tools.length === 0
    ? []
    : [
        separator(vscode.l10n.t('Tools of the editor, in @mcp')),
        {
          label: `$(tools) ${vscode.l10n.t('Tools of the editor')}`,
          description: vscode.l10n.t(
            'of other extensions and of the MCP servers of the editor, too',
          ),
          box: boxOf(editorGroup),
        },
        ...tools.map(({ name, description, isOfServer }) => ({
          label: `$(${isOfServer ? 'mcp' : 'tools'}) ${oneLine(name, 80)}`,
          description: oneLine(description, 150),
          box: boxOf(editorGroup, name),
        })),
      ];
}

interface PresetItem extends vscode.QuickPickItem {
  readonly off?: OffList;
  /** Absent unless it is a preset of the user. */
  readonly name?: string;
}

const maxName = 60;

async function namePreset(presets: ToolPresets, off: OffList): Promise<void> {
  const names = new Set(presets.all.map(({ name }) => name));
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save the Selection as a Preset'),
    prompt: vscode.l10n.t('Its name. Presets are kept for this workspace.'),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const trimmed = text.trim();
      if (trimmed === '' || trimmed.length > maxName) {
        return vscode.l10n.t('A name has 1 to {0} characters.', maxName);
      }
      return names.has(trimmed)
        ? {
            message: vscode.l10n.t('This replaces the preset of this name.'),
            severity: vscode.InputBoxValidationSeverity.Warning,
          }
        : undefined;
    },
  });
  if (name !== undefined) {
    await presets.save(name.trim(), off);
  }
}

/**
 * The tools that are off in the chosen preset; undefined when none was chosen.
 * @param shared presets of the settings, which cannot be deleted here
 */
async function pickPreset(
  presets: ToolPresets,
  shared: readonly ToolPreset[],
): Promise<OffList | undefined> {
  const pick = vscode.window.createQuickPick<PresetItem>();
  const remove: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete this preset'),
  };
  const draw = (): void => {
    pick.items = presetItems(presets.all, shared, remove);
  };
  pick.title = vscode.l10n.t('Presets of Tools');
  pick.placeholder = vscode.l10n.t('Choose a selection; you can change it before it counts');
  pick.ignoreFocusOut = true;
  draw();
  return showInput<OffList | undefined>(pick, undefined, (finish, store) => {
    store.add(pick.onDidAccept(() => finish(pick.selectedItems[0]?.off)));
    store.add(
      pick.onDidTriggerItemButton(async ({ item }) => {
        if (item.name !== undefined) {
          await presets.delete(item.name);
          draw();
        }
      }),
    );
  });
}

function presetItems(
  own: readonly ToolPreset[],
  shared: readonly ToolPreset[],
  remove: vscode.QuickInputButton,
): readonly PresetItem[] {
  return [
    {
      label: `$(check-all) ${vscode.l10n.t('All Tools')}`,
      description: vscode.l10n.t('of all servers, now and later'),
      off: [],
    },
    ...own.map(({ name, off }) => ({ ...presetItem(name, off), buttons: [remove], name })),
    ...(shared.length === 0 ? [] : [separator(vscode.l10n.t('from the settings'))]),
    ...shared.map(({ name, off }) => presetItem(name, off)),
  ];
}

function presetItem(name: string, off: OffList): PresetItem {
  const text = offText(off);
  return {
    label: oneLine(name, maxName),
    description: text === '' ? vscode.l10n.t('all tools on') : vscode.l10n.t('off: {0}', text),
    off,
  };
}

/** Counts whole servers and single tools: the names of removed servers are not known. */
function offText(off: OffList): string {
  const { servers, tools } = countOff(off);
  return [
    ...serversText(servers),
    ...(tools === 0 ? [] : [vscode.l10n.t('{0} tools', tools)]),
  ].join(', ');
}

function serversText(count: number): readonly string[] {
  if (count === 0) {
    return [];
  }
  return [
    count === 1 ? vscode.l10n.t('1 whole server') : vscode.l10n.t('{0} whole servers', count),
  ];
}
