/**
 * The parts of resources that exist from the start: their files, which are watched, and the marks of changed ones in
 * tabs and in the tree. All else is in the workbench's bundle.
 */
import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { WatchedResources } from '../../host/resources/watchedResources.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ServerMemory } from '../../host/servers/serverMemory.ts';
import type { Memory } from '../../host/storage.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { contextKeys, resourceScheme } from '../ids.ts';
import { registerResultLinks, type ResultFiles } from '../text/resultFiles.ts';
import type { PartsDocuments } from './partsDocument.ts';
import { ResourceFileSystem } from './resourceFileSystem.ts';
import { fromEditorUri, partsEnding, toEditorUri } from '../text/resourceUri.ts';

/** @param parts.workbench is loaded with the first document of several parts */
export function registerResources(
  parts: Registry & {
    readonly host: McpHost;
    readonly results: ResultFiles;
    /** Of the workspace. */
    readonly memory: Memory;
    readonly serverMemory: ServerMemory;
    readonly log: Log;
    readonly workbench: () => { readonly parts: Pick<PartsDocuments, 'draw' | 'lenses'> };
  },
): WatchedResources {
  const { own, results, serverMemory, workbench } = parts;
  const watched = own(new WatchedResources({ ...parts, account: serverMemory.open() }));
  own(
    new ResourceFileSystem({
      ...parts,
      drawParts: (address, contents) => workbench().parts.draw(address, contents),
    }),
  );
  showChanges(watched, own);
  own(registerResultLinks(results));
  own(
    vscode.languages.registerCodeLensProvider(
      { scheme: resourceScheme, pattern: `**/*${partsEnding}` },
      { provideCodeLenses: ({ uri }) => [...workbench().parts.lenses(uri)] },
    ),
  );
  return watched;
}

function showChanges(watched: WatchedResources, own: Registry['own']): void {
  const changes = own(new vscode.EventEmitter<undefined>());
  const look = (): void => {
    for (const { activeTab } of vscode.window.tabGroups.all) {
      const address = activeTab && addressOf(activeTab);
      if (address !== undefined) {
        watched.seen(address);
      }
    }
  };
  own(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changes.event,
      provideFileDecoration: (uri) => decoration(watched, uri),
    }),
  );
  own(
    watched.onDidChange(() => {
      look();
      changes.fire(undefined);
      tellMenus(watched);
    }),
  );
  own(vscode.window.tabGroups.onDidChangeTabs(look));
  own(vscode.window.tabGroups.onDidChangeTabGroups(look));
  tellMenus(watched);
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
