/**
 * The parts of resources that exist from the start: their files, and which are watched. All else is in the workbench's
 * bundle.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { WatchedResources } from '../../host/resources/watchedResources.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { Memory } from '../../host/storage.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { PartsDocuments } from './partsDocument.ts';
import { resourceScheme } from '../ids.ts';
import type { ResultFiles } from '../text/resultFiles.ts';
import { registerResultLinks } from '../text/resultLinks.ts';
import { showChanges } from './changedBadges.ts';
import { ResourceFileSystem } from './resourceFileSystem.ts';
import { partsEnding } from './resourceUri.ts';

export interface ResourceSurfaces extends Disposable {
  readonly watched: WatchedResources;
}

/** @param memory of the workspace */
export function showResources(options: {
  readonly host: McpHost;
  readonly results: ResultFiles;
  readonly memory: Memory;
  /** Of the versions of watched resources. */
  readonly account: MemoryAccount;
  readonly log: Log;
  /** Loaded with the first document of several parts. */
  readonly parts: () => Pick<PartsDocuments, 'draw' | 'lenses'>;
}): ResourceSurfaces {
  const { host, results, memory, account, log, parts } = options;
  const store = new DisposableStore();
  const watched = store.add(new WatchedResources({ host, memory, account, log }));
  store.add(
    new ResourceFileSystem(host, results, (address, contents) => parts().draw(address, contents)),
  );
  store.add(showChanges(watched));
  store.add(registerResultLinks(results));
  store.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: resourceScheme, pattern: `**/*${partsEnding}` },
      { provideCodeLenses: ({ uri }) => [...parts().lenses(uri)] },
    ),
  );
  return { watched, dispose: () => store.dispose() };
}
