/**
 * Select Tools…: which tools models get, in `@mcp` and in the editor's chat, with check boxes by server, presets, and
 * the limit of one request. host/chat decides what a click means.
 */
import * as vscode from 'vscode';
import { type Checked, ToolChoice } from '../../host/chat/toolChoice.ts';
import {
  sharedPresets,
  type ToolPreset,
  type ToolPresets,
  type ToolSelection,
} from '../../host/chat/toolSelection.ts';
import { isForModels } from '../../host/apps/toolUi.ts';
import { whenListed } from '../../host/catalog/catalog.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { runStep, separator, stepButton } from '../forms/step.ts';
import { section } from '../ids.ts';
import { maxTools } from '../models/editorModel.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { scopeText } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import { type FlagSentences, toolItem } from '../toolFlags/toolWatch.ts';
import { namePreset, pickPreset } from './toolPresetPicks.ts';

export interface SelectServices {
  readonly host: McpHost;
  readonly selection: ToolSelection;
  readonly presets: ToolPresets;
  readonly flagsOf: FlagSentences;
}

interface ToolItem extends vscode.QuickPickItem {
  /** What is checked with it: a server or a tool. */
  readonly box?: Checked;
}

export async function selectTools(services: SelectServices): Promise<void> {
  const { host, selection, presets } = services;
  await whenListed(host.servers.values());
  const offering = [...host.servers.values()].filter(
    (connection) => toolsOf(connection).length > 0,
  );
  if (offering.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No running MCP server offers tools.'));
    return;
  }
  const choice = new ToolChoice(
    offering.map((connection) => ({
      serverId: connection.id,
      tools: [...new Set(toolsOf(connection).map(({ name }) => name))],
    })),
    selection.off,
  );
  for (;;) {
    const end = await showTools(services, offering, choice);
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

function showTools(
  { flagsOf }: SelectServices,
  offering: readonly ServerConnection[],
  choice: ToolChoice,
): Promise<string> {
  const limit = maxTools();
  const pick = vscode.window.createQuickPick<ToolItem>();
  const items = offering.flatMap((server) => itemsOf(server, flagsOf));
  const draw = (): void => {
    pick.title = vscode.l10n.t('Select Tools: {0} of {1}', choice.count, choice.total);
    pick.prompt = limitText(choice.count, limit);
  };
  const check = (): void => {
    pick.selectedItems = checkedItems(items, choice.checked);
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
          if (choice.click(toChecked(selected))) {
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
        'One request of @mcp takes {0}, so the model gets all that are checked. Each call is still asked about.',
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
      box: { servers: [id], tools: [] },
    },
    ...tools.map((tool) => ({
      ...toolItem(config, tool, flagsOf),
      description: oneLine(tool.description ?? '', 150),
      box: { servers: [], tools: [{ serverId: id, tool: tool.name }] },
    })),
  ];
}

function checkedItems(items: readonly ToolItem[], checked: Checked): readonly ToolItem[] {
  const keys = new Set(keysOf(checked));
  return items.filter(({ box }) => box !== undefined && keysOf(box).every((key) => keys.has(key)));
}

function keysOf({ servers, tools }: Checked): readonly string[] {
  return [...servers, ...tools.map(({ serverId, tool }) => JSON.stringify([serverId, tool]))];
}

function toChecked(items: readonly ToolItem[]): Checked {
  const boxes = items.flatMap(({ box }) => box ?? []);
  return {
    servers: boxes.flatMap(({ servers }) => servers),
    tools: boxes.flatMap(({ tools }) => tools),
  };
}
