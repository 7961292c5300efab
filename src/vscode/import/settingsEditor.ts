/**
 * Changes the user's settings.json through the editor, since only the editor knows where that file is: with a profile,
 * in a browser and in a remote window it is no file that we could name.
 */
import * as vscode from 'vscode';
import { delay } from '../../base/async.ts';

/** How long the editor may take to show the file after its command has ended. */
const showLimitMs = 5_000;
const showStepMs = 50;

/**
 * @param change returns the new text; undefined leaves the file unchanged
 * @returns whether the file was changed and saved
 */
export async function editUserSettings(
  change: (text: string) => string | undefined,
): Promise<boolean> {
  const before = new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(tabKey)));
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  const editor = await shownSettings();
  if (editor === undefined) {
    return false;
  }
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  try {
    return await edit(editor, change);
  } finally {
    // A tab that was open before stays open.
    if (tab !== undefined && !tab.isDirty && !before.has(tabKey(tab))) {
      await vscode.window.tabGroups.close(tab, true);
    }
  }
}

async function edit(
  editor: vscode.TextEditor,
  change: (text: string) => string | undefined,
): Promise<boolean> {
  const { document } = editor;
  const text = document.getText();
  const changed = document.isDirty ? undefined : change(text);
  if (changed === undefined) {
    return false;
  }
  // Edits through the editor, not by the document's URI: for the settings in a browser we see the URI of another file.
  const isEdited = await editor.edit((builder) => replaceDifference(builder, document, changed));
  if (!isEdited) {
    return false;
  }
  await vscode.commands.executeCommand('workbench.action.files.save');
  return true;
}

/** Replaces only what differs, so that cursors and folds stay where they are. */
function replaceDifference(
  builder: vscode.TextEditorEdit,
  document: vscode.TextDocument,
  changed: string,
): void {
  const text = document.getText();
  const shorter = Math.min(text.length, changed.length);
  let start = 0;
  while (start < shorter && text[start] === changed[start]) {
    start++;
  }
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === changed.at(-1 - end)) {
    end++;
  }
  const range = new vscode.Range(
    document.positionAt(start),
    document.positionAt(text.length - end),
  );
  builder.replace(range, changed.slice(start, changed.length - end));
}

/** The editor reports its new active editor before or after the command has ended. */
async function shownSettings(): Promise<vscode.TextEditor | undefined> {
  for (let waited = 0; waited < showLimitMs; waited += showStepMs) {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && editor.document.uri.path.endsWith('/settings.json')) {
      return editor;
    }
    await delay(showStepMs);
  }
  return undefined;
}

function tabKey({ input }: vscode.Tab): string {
  return input instanceof vscode.TabInputText ? input.uri.toString() : '';
}
