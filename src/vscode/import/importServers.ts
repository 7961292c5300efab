/**
 * Copies servers of other programs into the settings: which ones, for whom, under which names, which of
 * their values are secrets, and whether they may start. Nothing is written before the last question.
 */
import * as vscode from 'vscode';
import type { FoundFile, ImportedServer } from '../../host/import/importedServer.ts';
import { freeName, type ImportPlan } from '../../host/import/planImport.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SecretStore } from '../../host/storage.ts';
import { askAboutLaunch, launchLines, problemLines, whoseLines } from '../launch/launchQuestion.ts';
import { shortPath } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import {
  configOf,
  type KeptInputs,
  type SettingsTarget,
  type WriteAnswer,
  writeServers,
} from './settingsTarget.ts';
import { askName, askTarget, planServers } from './saveQuestions.ts';
import { byHand, type Review, reviewer, type TrialServices } from './trial.ts';

export interface AddServices extends TrialServices {
  readonly host: Pick<McpHost, 'servers'>;
  readonly inputs: KeptInputs;
  readonly secrets: SecretStore;
  /** The extension's own folder, for bundles. */
  readonly storage: vscode.Uri;
  /** The folder `User` of the editor, where its settings and those of other extensions are. */
  readonly userData: vscode.Uri;
}

interface Picked {
  readonly server: ImportedServer;
  readonly file: FoundFile;
}

interface Named extends Picked {
  readonly name: string;
}

/** @returns the names of the imported servers, undefined when the user closed a step */
export async function importServers(
  files: readonly FoundFile[],
  services: AddServices,
): Promise<readonly string[] | undefined> {
  const picked = await pickServers(files);
  if (picked === undefined || picked.length === 0) {
    return undefined;
  }
  const target = await askTarget(services.userData, {
    title: vscode.l10n.t('Import MCP Servers: for whom?'),
  });
  const named = target === undefined ? undefined : await nameAll(picked, target.serverNames);
  if (target === undefined || named === undefined || named.length === 0) {
    return undefined;
  }
  const servers = named.map((one) => ({ ...one, file: one.file.path }));
  const wizard = vscode.l10n.t('Import MCP Servers');
  const plan = await planServers(wizard, servers, target, services);
  const answer =
    plan && (await confirm(named, await review(plan, target, services), services.keepFile));
  if (plan === undefined || answer === undefined) {
    return undefined;
  }
  const names = await writeServers<never>(plan, target, services.inputs, async () => answer);
  void vscode.window.showInformationMessage(
    names.length === 1
      ? vscode.l10n.t('{0} was imported.', oneLine(names[0] ?? '', 60))
      : vscode.l10n.t('{0} servers were imported.', names.length),
  );
  return names;
}

interface ServerItem extends vscode.QuickPickItem {
  /** Absent on a row that only shows a problem. */
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

/** Gives each server a free name; asks about a taken one. Undefined when the user closed a question. */
async function nameAll(
  picked: readonly Picked[],
  taken: ReadonlySet<string>,
): Promise<readonly Named[] | undefined> {
  const used = new Set(taken);
  const named: Named[] = [];
  for (const choice of picked) {
    const { name } = choice.server;
    const own = used.has(name) ? await askAboutTaken(choice, used) : name;
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

async function askAboutTaken(
  { server, file }: Picked,
  taken: ReadonlySet<string>,
): Promise<string | typeof skip | undefined> {
  const free = freeName(server.name, taken);
  const name = oneLine(server.name, 60);
  const asFree = { label: vscode.l10n.t('Import as {0}', oneLine(free, 60)) };
  const other = { label: vscode.l10n.t('Other Name…') };
  const none = {
    label: vscode.l10n.t('Skip'),
    detail: vscode.l10n.t('{0} stays as it is', name),
  };
  const picked = await vscode.window.showQuickPick([asFree, other, none], {
    title: vscode.l10n.t('There is already a server "{0}"', name),
    placeHolder: oneLine(`${file.program}: ${server.summary}`, 200),
    ignoreFocusOut: true,
  });
  if (picked === other) {
    return askName(vscode.l10n.t('Import MCP Servers: name'), free, taken);
  }
  if (picked === none) {
    return skip;
  }
  return picked && free;
}

/** Describes what each server would run, as its start would. */
async function review(
  plan: ImportPlan,
  target: SettingsTarget,
  services: AddServices,
): Promise<readonly Review[]> {
  const config = configOf(plan, target);
  const gate = reviewer(config, (id) => plan.texts.get(id), services);
  return Promise.all(config.servers.map((server) => gate.review(server)));
}

async function confirm(
  named: readonly Named[],
  reviews: readonly Review[],
  keepFile: KeepFile,
): Promise<WriteAnswer | undefined> {
  const programs = new Map(named.map(({ name, file }) => [name, file.program]));
  const lines = reviews.flatMap(({ description, problems }) => {
    const { name } = description.server;
    return [
      ...whoseLines(name, programs.get(name) ?? ''),
      ...problemLines(problems),
      ...launchLines(description),
      '',
    ];
  });
  const answer = await askAboutLaunch<WriteAnswer>(
    {
      question:
        named.length === 1
          ? vscode.l10n.t('Import {0}?', oneLine(named[0]?.name ?? '', 60))
          : vscode.l10n.t('Import {0} MCP servers?', named.length),
      title: vscode.l10n.t('What the imported MCP servers would start'),
      lines: [
        vscode.l10n.t(
          'Programs run with your rights. "Import Only" adds them so that they start only when you start them.',
        ),
        '',
        ...lines,
      ],
      buttons: [
        { title: vscode.l10n.t('Import and Start'), answer: 'start', commits: true },
        { title: vscode.l10n.t('Import Only'), answer: 'only', commits: true },
      ],
    },
    keepFile,
    byHand,
  );
  return answer === 'later' ? undefined : answer;
}
