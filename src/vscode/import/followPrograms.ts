/** Asks which programs to follow, and writes the setting. Starts nothing: each server asks before its first start. */
import * as vscode from 'vscode';
import { followable, parseFollow } from '../../host/config/followSetting.ts';
import { oneLine } from '../text/text.ts';
import { readFollow } from '../config/workspace.ts';
import { writeSetting } from '../editor/writeSetting.ts';
import type { FoundFile } from './findImports.ts';

/** @param files of programs with servers; programs that are followed already are always offered */
export async function followPrograms(files: readonly FoundFile[]): Promise<void> {
  const { programs } = parseFollow(readFollow());
  const items = [...followable].flatMap(([word, program]) => {
    const servers = files
      .filter((file) => file.program === program)
      .flatMap((file) => file.servers);
    const names = [...new Set(servers.map(({ name }) => name))].join(', ');
    const picked = programs.includes(program);
    return servers.length > 0 || picked
      ? [{ label: program, description: oneLine(names, 160), picked, word }]
      : [];
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Follow other programs'),
    placeHolder: vscode.l10n.t('Check the programs to follow, then OK'),
    prompt: vscode.l10n.t(
      'Their servers are shown without being copied, and each asks before its first start.',
    ),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (picked !== undefined) {
    const words = picked.map(({ word }) => word);
    const value = words.length === 0 ? undefined : words;
    await writeSetting('follow', value, vscode.ConfigurationTarget.Global);
  }
}
