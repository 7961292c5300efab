/** Presets of tools: save one under a name, choose one, delete one. */
import * as vscode from 'vscode';
import { showInput } from '../editor/showInput.ts';
import { separator } from '../forms/step.ts';
import type { ToolPreset, ToolPresets, OffList } from '../../host/chat/toolSelection.ts';
import { oneLine } from '../text/labelText.ts';

interface PresetItem extends vscode.QuickPickItem {
  readonly off?: OffList;
  /** Absent unless it is a preset of the user. */
  readonly name?: string;
}

const maxName = 60;

export async function namePreset(presets: ToolPresets, off: OffList): Promise<void> {
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
export async function pickPreset(
  presets: ToolPresets,
  shared: readonly ToolPreset[],
): Promise<OffList | undefined> {
  const pick = vscode.window.createQuickPick<PresetItem>();
  const remove: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete this preset'),
  };
  const draw = (): void => {
    pick.items = items(presets.all, shared, remove);
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

function items(
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
  return {
    label: oneLine(name, maxName),
    description:
      off.length === 0 ? vscode.l10n.t('all tools on') : vscode.l10n.t('off: {0}', offText(off)),
    off,
  };
}

/** Counts whole servers and single tools: the names of removed servers are not known. */
function offText(off: OffList): string {
  const servers = off.filter((entry) => entry.length === 1).length;
  const tools = off.length - servers;
  return [
    ...(servers === 0 ? [] : [vscode.l10n.t('{0} whole servers', servers)]),
    ...(tools === 0 ? [] : [vscode.l10n.t('{0} tools', tools)]),
  ].join(', ');
}
