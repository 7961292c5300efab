/** What of resources is there from the start: their files, and which of them are watched. All else is in the bundle of the workbench. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { WatchedResources } from '../../host/catalog/watchedResources.ts';
import type { Memory } from '../../host/ports.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Workbench } from '../createWorkbench.ts';
import { resourceScheme } from '../ids.ts';
import type { ResultFiles } from '../tools/resultFiles.ts';
import { registerResultLinks } from '../tools/resultLinks.ts';
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
  readonly log: Log;
  readonly workbench: () => Workbench;
}): ResourceSurfaces {
  const { host, results, memory, log, workbench } = options;
  const store = new DisposableStore();
  const watched = store.add(new WatchedResources({ host, memory, log }));
  store.add(
    new ResourceFileSystem(host, results, (address, contents) =>
      workbench().parts.draw(address, contents),
    ),
  );
  store.add(showChanges(watched));
  store.add(registerResultLinks(results));
  store.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: resourceScheme, pattern: `**/*${partsEnding}` },
      { provideCodeLenses: ({ uri }) => [...workbench().parts.lenses(uri)] },
    ),
  );
  return { watched, dispose: () => store.dispose() };
}
