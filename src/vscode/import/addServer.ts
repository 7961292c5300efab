/**
 * "Add Server" and install links: asks for the server, runs the steps that follow, and returns to the box when the user
 * wants to change something. saveServer.ts does what is done for every server, including a trial (trial.ts); only its
 * answer "Add" leads to settingsTarget.ts.
 */
import * as vscode from 'vscode';
import type { FoundFile, ImportedFile, Surroundings } from '../../host/import/importedServer.ts';
import { pickManyStep } from '../forms/step.ts';
import { askServer, type Step, whyUnusable } from './askServer.ts';
import { askRegistry } from './askRegistry.ts';
import { askBundle, chooseBundle } from './bundleFile.ts';
import { findImports } from './programFiles.ts';
import { type AddServices, importServers } from './importServers.ts';
import { type Asked, saveServer } from './saveServer.ts';
import { readInstallQuery, serversInJson } from '../../host/import/pasted.ts';
import { isCancelled, McpError } from '../../mcp/errors.ts';
import { errorText } from '../text/errorText.ts';
import { oneLine } from '../text/labelText.ts';
import { followable, parseFollow } from '../../host/config/userSettings.ts';
import { readFollow } from '../config/editorWorkspace.ts';
import type { SearchRow } from '../editor/searchPick.ts';
import { writeSetting } from '../editor/writeSetting.ts';

type Result = readonly string[] | undefined;
type Way = SearchRow<Step<readonly string[]>>;

/** Resolves to the names of the added servers, undefined when the user closed a step. */
export async function addServer(services: AddServices): Promise<Result> {
  const files = findImports(services.userData);
  return askServer(
    surroundings(),
    services,
    async (typed) =>
      typed === ''
        ? [...waysFrom(await files, services), searchWay(typed, services), bundleWay(services)]
        : [searchWay(typed, services)],
    (asked) => addAsked(asked, services),
  );
}

function searchWay(typed: string, services: AddServices): Way {
  return {
    label: `$(search) ${typed === '' ? vscode.l10n.t('Search') : vscode.l10n.t('Search for {0}', oneLine(typed, 60))}`,
    detail: vscode.l10n.t('Look it up in a registry of MCP servers'),
    alwaysShow: true,
    choice: async (text) => {
      for (let value = text.trim(); ;) {
        const found = await askRegistry(value, surroundings(), services);
        if (found === undefined) {
          return 'back';
        }
        const end = await addAsked(found, services);
        if (end !== 'back') {
          return end;
        }
        value = found.typed;
      }
    },
  };
}

function bundleWay(services: AddServices): Way {
  return {
    label: `$(archive) ${vscode.l10n.t('Bundle…')}`,
    detail: vscode.l10n.t('A file with a server in it (.mcpb)'),
    choice: async () => {
      const chosen = await chooseBundle();
      const asked = chosen && (await askBundle(chosen, services, surroundings()));
      return asked === undefined || asked === 'back' ? 'back' : addAsked(asked, services);
    },
  };
}

async function addAsked(asked: Asked, services: AddServices): Promise<Result | 'back'> {
  if ('updated' in asked) {
    return asked.updated;
  }
  const { file, origin, discard } = asked;
  const problem = whyUnusable(file);
  const adding: Promise<Result | 'back'> =
    problem === undefined
      ? addFile(file, origin, services)
      : Promise.reject(new McpError('invalidConfig', oneLine(problem, 300)));
  try {
    const end = await adding;
    if (!Array.isArray(end)) {
      await discard?.();
    }
    return end;
  } catch (error) {
    await discard?.();
    throw error;
  }
}

/** The ways from the settings of other programs. */
function waysFrom(files: readonly FoundFile[], services: AddServices): readonly Way[] {
  if (files.length === 0) {
    return [];
  }
  const count = files.reduce((sum, { servers }) => sum + servers.length, 0);
  const programs = [...new Set(files.map(({ program }) => program))].join(', ');
  return [
    {
      label: `$(arrow-down) ${vscode.l10n.t('Import')}`,
      detail:
        count === 1
          ? vscode.l10n.t('1 server found in the settings of {0}', programs)
          : vscode.l10n.t('{0} servers found in the settings of {1}', count, programs),
      choice: () => importServers(files, services),
    },
    {
      label: `$(eye) ${vscode.l10n.t('Follow')}`,
      detail: vscode.l10n.t('Show the servers of other programs without copying them'),
      choice: () => followPrograms(files, services),
    },
  ];
}

/** A single server is tried before it is saved; of several, the user picks. */
async function addFile(
  file: ImportedFile,
  origin: string | undefined,
  services: AddServices,
): Promise<Result | 'back'> {
  const [server, ...others] = file.servers.filter(({ isUsable }) => isUsable);
  if (server !== undefined && others.length === 0) {
    return saveServer(server, origin, services);
  }
  const program = origin ?? vscode.l10n.t('what you have typed');
  return importServers([{ ...file, program, path: '' }], services);
}

function surroundings(): Surroundings {
  return { platform: process.platform, env: process.env };
}

/** @param query of the link, as the editor passes it */
export async function addFromLink(query: string, services: AddServices): Promise<void> {
  const link = readInstallQuery(query);
  const file =
    'problem' in link
      ? { servers: [], problems: [link.problem] }
      : serversInJson(link.server, surroundings());
  const problem = whyUnusable(file);
  if (problem !== undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('The install link: {0}', oneLine(problem, 300)),
    );
    return;
  }
  try {
    // There is no earlier step to go back to: the link has all data.
    await addFile(file, vscode.l10n.t('a link'), services);
  } catch (error) {
    if (isCancelled(error)) {
      return;
    }
    void vscode.window.showErrorMessage(errorText(error));
  }
}

/** @param files of programs with servers; programs that are followed already are always offered */
async function followPrograms(
  files: readonly FoundFile[],
  { host }: AddServices,
): Promise<'back' | undefined> {
  const { programs } = parseFollow(readFollow());
  const items = [...followable].flatMap(([word, program]) => {
    const servers = files
      .filter((file) => file.program === program)
      .flatMap((file) => file.servers);
    const names = [...new Set(servers.map(({ name }) => name))].join(', ');
    const picked = programs.includes(program);
    return servers.length > 0 || picked
      ? [{ label: program, description: oneLine(names, 160), picked, word, servers }]
      : [];
  });
  const { end, items: picked } = await pickManyStep(
    {
      items,
      selectedItems: items.filter(({ picked: isFollowed }) => isFollowed),
      placeholder: vscode.l10n.t('Check the programs to follow, then OK'),
      prompt: vscode.l10n.t(
        'Their servers are shown without being copied, and each asks before its first start.',
      ),
    },
    { title: vscode.l10n.t('Follow other programs') },
    { canGoBack: true },
  );
  if (end === 'next') {
    const words = picked.map(({ word }) => word);
    const value = words.length === 0 ? undefined : words;
    await writeSetting('follow', value, vscode.ConfigurationTarget.Global);
    const added = picked.filter(({ word }) => !programs.includes(word));
    tellFollowed(
      added.flatMap(({ servers }) => servers.map(({ name }) => name)),
      host,
    );
  }
  return end === 'back' ? end : undefined;
}

/** @param names of servers that are shown from now on */
function tellFollowed(names: readonly string[], host: AddServices['host']): void {
  if (names.length === 0) {
    return;
  }
  const own = new Set(
    [...host.servers.values()]
      .filter(({ config }) => config.scope.kind !== 'followed')
      .map(({ config }) => config.name),
  );
  const hidden = names.filter((name) => own.has(name));
  const found =
    names.length === 1
      ? vscode.l10n.t('1 server of another program is shown.')
      : vscode.l10n.t('{0} servers of other programs are shown.', names.length);
  const unused = vscode.l10n.t(
    'Not used, since entries of the same name come first: {0}',
    oneLine(hidden.join(', '), 200),
  );
  void vscode.window.showInformationMessage(hidden.length === 0 ? found : `${found} ${unused}`);
}
