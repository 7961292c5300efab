/**
 * Marks changed watched resources in tabs and in the tree, and notes when the user sees one: a document in front counts
 * as seen. The host knows which are watched, and what has changed.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { WatchedResources } from '../../host/resources/watchedResources.ts';
import { contextKeys, resourceScheme } from '../ids.ts';
import { fromEditorUri, toEditorUri } from './resourceUri.ts';

export function showChanges(watched: WatchedResources): Disposable {
  const store = new DisposableStore();
  const changes = store.add(new vscode.EventEmitter<undefined>());
  const look = (): void => {
    for (const { activeTab } of vscode.window.tabGroups.all) {
      const address = activeTab && addressOf(activeTab);
      if (address !== undefined) {
        watched.seen(address);
      }
    }
  };
  store.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changes.event,
      provideFileDecoration: (uri) => decoration(watched, uri),
    }),
  );
  store.add(
    watched.onDidChange(() => {
      look();
      changes.fire(undefined);
      tellMenus(watched);
    }),
  );
  store.add(vscode.window.tabGroups.onDidChangeTabs(look));
  store.add(vscode.window.tabGroups.onDidChangeTabGroups(look));
  tellMenus(watched);
  return store;
}

function decoration(watched: WatchedResources, uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== resourceScheme) {
    return undefined;
  }
  const address = fromEditorUri(uri);
  if (address === undefined || watched.stateOf(address) !== 'changed') {
    return undefined;
  }
  return new vscode.FileDecoration(
    '●',
    vscode.l10n.t('Changed since you last looked at it'),
    new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
  );
}

/** The resource in the front of a tab, even beside its earlier version. */
function addressOf({ input }: vscode.Tab): ReturnType<typeof fromEditorUri> {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return fromEditorUri(input.uri);
  }
  return input instanceof vscode.TabInputTextDiff ? fromEditorUri(input.modified) : undefined;
}

/** Sets the folders of watched documents: a `when` clause knows only the path of a document's URI. */
function tellMenus(watched: WatchedResources): void {
  const folders = watched.addresses.map((address) => {
    const { path } = toEditorUri(address, 'x');
    return path.slice(0, path.lastIndexOf('/'));
  });
  void vscode.commands.executeCommand('setContext', contextKeys.watchedFolders, folders);
}
