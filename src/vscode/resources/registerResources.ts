/**
 * The parts of resources that exist from the start: their files, and which are watched. All else is in the workbench's
 * bundle.
 */
import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { WatchedResources } from '../../host/resources/watchedResources.ts';
import type { ServerMemory } from '../../host/servers/serverMemory.ts';
import type { Memory } from '../../host/storage.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { PartsDocuments } from './partsDocument.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { resourceScheme } from '../ids.ts';
import { registerResultLinks, type ResultFiles } from '../text/resultFiles.ts';
import { showChanges } from './changedBadges.ts';
import { ResourceFileSystem } from './resourceFileSystem.ts';
import { partsEnding } from './resourceUri.ts';

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
  const { own, host, results, serverMemory, workbench } = parts;
  const watched = own(new WatchedResources({ ...parts, account: serverMemory.open() }));
  own(
    new ResourceFileSystem(host, results, (address, contents) =>
      workbench().parts.draw(address, contents),
    ),
  );
  own(showChanges(watched));
  own(registerResultLinks(results));
  own(
    vscode.languages.registerCodeLensProvider(
      { scheme: resourceScheme, pattern: `**/*${partsEnding}` },
      { provideCodeLenses: ({ uri }) => [...workbench().parts.lenses(uri)] },
    ),
  );
  return watched;
}
