/**
 * Copies servers of other programs into the settings: which ones, for whom, under which names, which of
 * their values are secrets, and whether they may start. Nothing is written before the last question.
 */
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { InputValues } from '../../host/config/inputs.ts';
import { whatIsWrongWithName } from '../../host/config/parseConfig.ts';
import { detailsOf } from '../../host/import/describeEntry.ts';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { type ChosenServer, freeName, planImport } from '../../host/import/planImport.ts';
import { findSecrets } from '../../host/import/secretPlaces.ts';
import { manyLines, oneLine, quoted } from '../text.ts';
import type { FoundFile } from './findImports.ts';
import { askTarget, type SettingsTarget } from './settingsTarget.ts';

export interface ImportServices {
  readonly inputs: Pick<InputValues, 'keep' | 'discard' | 'stored'>;
  /** The folder `User` of the editor, where its settings and those of other extensions are. */
  readonly userData: vscode.Uri | undefined;
}

interface Picked {
  readonly server: ImportedServer;
  readonly file: FoundFile;
}

interface Named extends Picked {
  readonly name: string;
}

/** A modal has no room for more servers. */
const maxShown = 12;

/** @returns the names of the imported servers, undefined when the user closed a step */
export async function importServers(
  files: readonly FoundFile[],
  services: ImportServices,
): Promise<readonly string[] | undefined> {
  const picked = await pickServers(files);
  if (picked === undefined || picked.length === 0) {
    return undefined;
  }
  const target = await askTarget(vscode.l10n.t('Import MCP Servers: for whom?'), services.userData);
  const named = target === undefined ? undefined : await nameAll(picked, target.serverNames);
  if (target === undefined || named === undefined || named.length === 0) {
    return undefined;
  }
  const secrets = await pickSecrets(named);
  const start = secrets === undefined ? undefined : await confirm(named, secrets.size);
  if (secrets === undefined || start === undefined) {
    return undefined;
  }
  const chosen = named.map(
    ({ server, file, name }) =>
      ({
        server,
        name,
        file: file.path,
        isSecret: ({ field }) => secrets.has(secretKey(name, field)),
        isStarted: start,
      }) satisfies ChosenServer,
  );
  return write(chosen, target, services.inputs);
}

async function write(
  chosen: readonly ChosenServer[],
  target: SettingsTarget,
  inputs: ImportServices['inputs'],
): Promise<readonly string[]> {
  const { scope } = target;
  const kept = (await inputs.stored()).filter((stored) => stored.scope === scope.kind);
  const plan = planImport(chosen, [...target.inputIds, ...kept.map(({ id }) => id)]);
  // Values first: a server starts as soon as it is written.
  for (const [id, value] of plan.values) {
    await inputs.keep(scope, id, value);
  }
  try {
    await target.add(plan);
  } catch (error) {
    for (const id of plan.values.keys()) {
      await inputs.discard(scope, id);
    }
    throw error;
  }
  const names = Object.keys(plan.servers);
  void vscode.window.showInformationMessage(
    names.length === 1
      ? vscode.l10n.t('{0} was imported.', oneLine(names[0] ?? '', 60))
      : vscode.l10n.t('{0} servers were imported.', names.length),
  );
  return names;
}

interface ServerItem extends vscode.QuickPickItem {
  /** Nothing on a line that only says what is wrong. */
  readonly choice?: Picked;
}

async function pickServers(files: readonly FoundFile[]): Promise<readonly Picked[] | undefined> {
  const items = files.flatMap((file): ServerItem[] => [
    {
      label: `${file.program}: ${oneLine(shortPath(file.path), 120)}`,
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...file.problems.map((problem) => ({
      label: `$(error) ${oneLine(shortPath(file.path), 80)}`,
      detail: oneLine(problem, 300),
    })),
    ...file.servers.map((server) => serverItem(server, file)),
  ]);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Import MCP Servers'),
    placeHolder: vscode.l10n.t('Which ones? They are copied; the files stay as they are.'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked?.flatMap(({ choice }) => choice ?? []);
}

function serverItem(server: ImportedServer, file: FoundFile): ServerItem {
  const { name, summary, problems, isUsable, project } = server;
  const label = oneLine(name, 60) || '""';
  const notes = [
    ...(project === undefined ? [] : [vscode.l10n.t('for {0}', shortPath(project))]),
    ...(server.entry['enabled'] === false ? [vscode.l10n.t('switched off')] : []),
    ...problems,
  ].map((note) => oneLine(note, 200));
  if (!isUsable) {
    return {
      label: `$(error) ${label}`,
      description: vscode.l10n.t('cannot be imported'),
      detail: notes.join(' · '),
    };
  }
  const icon = problems.length === 0 ? '' : '$(warning) ';
  return {
    label,
    description: oneLine(summary, 160),
    ...(notes.length === 0 ? {} : { detail: `${icon}${notes.join(' · ')}` }),
    choice: { server, file },
  };
}

/** Gives each server a name that is free; a taken one is asked about. Undefined: the user closed a question. */
async function nameAll(
  picked: readonly Picked[],
  taken: ReadonlySet<string>,
): Promise<readonly Named[] | undefined> {
  const used = new Set(taken);
  const named: Named[] = [];
  for (const choice of picked) {
    const { name } = choice.server;
    const own = used.has(name) ? await askName(choice, used) : name;
    if (own === undefined) {
      return undefined;
    }
    if (own !== skip) {
      used.add(own);
      named.push({ ...choice, name: own });
    }
  }
  return named;
}

const skip = Symbol('skip');

async function askName(
  { server, file }: Picked,
  taken: ReadonlySet<string>,
): Promise<string | typeof skip | undefined> {
  const free = freeName(server.name, taken);
  const name = oneLine(server.name, 60);
  const answer = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('Import as {0}', oneLine(free, 60)),
        run: async () => Promise.resolve<string | typeof skip>(free),
      },
      { label: vscode.l10n.t('Other Name…'), run: async () => otherName(free, taken) },
      {
        label: vscode.l10n.t('Skip'),
        detail: vscode.l10n.t('{0} stays as it is', name),
        run: async () => Promise.resolve<string | typeof skip>(skip),
      },
    ],
    {
      title: vscode.l10n.t('There is a server {0} already', name),
      placeHolder: oneLine(`${file.program}: ${server.summary}`, 200),
      ignoreFocusOut: true,
    },
  );
  return answer?.run();
}

async function otherName(free: string, taken: ReadonlySet<string>): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Import MCP Servers: name'),
    value: free,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const trimmed = value.trim();
      if (whatIsWrongWithName(trimmed) !== undefined) {
        return vscode.l10n.t('A name of 1 to 100 visible characters is needed.');
      }
      return taken.has(trimmed)
        ? vscode.l10n.t('There is a server of this name already. Choose another name.')
        : undefined;
    },
  });
  return name?.trim();
}

/** Asks once for all of them. The values themselves are not shown. */
async function pickSecrets(named: readonly Named[]): Promise<ReadonlySet<string> | undefined> {
  const items = named.flatMap(({ server, name }) =>
    findSecrets(server.entry).map(({ field, value, isRequired }) => ({
      label: `$(key) ${oneLine(field, 80)}`,
      description: vscode.l10n.t('{0}, {1} characters', oneLine(name, 60), value.length),
      ...(isRequired ? { detail: vscode.l10n.t('goes to the secret storage in any case') } : {}),
      picked: true,
      key: secretKey(name, field),
    })),
  );
  if (items.length === 0) {
    return new Set();
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Import MCP Servers: which of these are secrets?'),
    placeHolder: vscode.l10n.t(
      'Checked values go to the secret storage, others are written to the settings.',
    ),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : new Set(picked.map(({ key }) => key));
}

function secretKey(name: string, field: string): string {
  return JSON.stringify([name, field]);
}

/** @returns whether they start, undefined when nothing is to be imported */
async function confirm(named: readonly Named[], secrets: number): Promise<boolean | undefined> {
  const start = vscode.l10n.t('Import and Start');
  const only = vscode.l10n.t('Import Only');
  const shown = named
    .slice(0, maxShown)
    .flatMap(({ name, server, file }) => [
      `${oneLine(name, 60)} (${file.program})`,
      quoted(manyLines([server.summary, ...detailsOf(server.entry)].join('\n'), 600)),
      ...server.problems.slice(0, 4).map((problem) => `⚠ ${oneLine(problem, 200)}`),
      '',
    ]);
  const more = named.length - maxShown;
  const answer = await vscode.window.showInformationMessage(
    named.length === 1
      ? vscode.l10n.t('Import {0}?', oneLine(named[0]?.name ?? '', 60))
      : vscode.l10n.t('Import {0} MCP servers?', named.length),
    {
      modal: true,
      detail: [
        ...shown,
        ...(more > 0 ? [vscode.l10n.t('… and {0} more', more), ''] : []),
        ...(secrets > 0
          ? [vscode.l10n.t('Secrets ({0}) go to the secret storage, not to the settings.', secrets)]
          : []),
        vscode.l10n.t(
          'Programs run with your rights. "Import Only" adds them so that they start by command alone.',
        ),
      ].join('\n'),
    },
    start,
    only,
  );
  return answer === undefined ? undefined : answer === start;
}

function shortPath(file: string): string {
  const home = os.homedir();
  return file.startsWith(`${home}${path.sep}`)
    ? `~${file.slice(home.length)}`
    : vscode.workspace.asRelativePath(file, false);
}
