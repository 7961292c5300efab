/**
 * Copies servers of other programs into the settings: which ones, for whom, under which names, which of
 * their values are secrets, and whether they may start. Nothing is written before the last question.
 */
import * as vscode from 'vscode';
import type { FoundFile, ImportedServer } from '../../host/import/importedServer.ts';
import { freeName, type ImportPlan } from '../../host/import/planImport.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { SecretStore } from '../../host/storage.ts';
import { pickManyStep, pickStep, separator, type StepEnd, type StepItem } from '../forms/step.ts';
import { askAboutLaunch } from '../launch/launchQuestion.ts';
import { shortPath } from '../config/scopeText.ts';
import { oneLine } from '../text/labelText.ts';
import { inTurn, type TurnEnd } from '../../host/questions/inTurn.ts';
import { configOf, type SettingsTarget, type WriteAnswer, writeServers } from './settingsTarget.ts';
import { askName, askTarget, planServers } from './saveQuestions.ts';
import { byHand, reviewLines, type TrialServices } from './trial.ts';

export interface AddServices extends TrialServices {
  readonly host: Pick<McpHost, 'servers'>;
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

/** @returns the names of the imported servers; `back` from the first step; undefined when the user closed a step */
export async function importServers(
  files: readonly FoundFile[],
  services: AddServices,
): Promise<readonly string[] | 'back' | undefined> {
  const wizard = vscode.l10n.t('Import MCP Servers');
  let picked: readonly Picked[] = [];
  let named: readonly Named[] = [];
  let target: SettingsTarget | undefined;
  let plan: ImportPlan | undefined;
  let answer: WriteAnswer | undefined;
  const end = await inTurn([
    async () => {
      const asked = await pickServers(wizard, files, picked);
      ({ picked } = asked);
      return asked.end === 'next' && picked.length === 0 ? 'closed' : asked.end;
    },
    async () => {
      const title = vscode.l10n.t('Import MCP Servers: for whom?');
      const names = picked.map(({ server }) => oneLine(server.name, 60)).join(', ');
      const asked = await askTarget(services.userData, title, oneLine(names, 200));
      ({ target } = asked);
      return asked.end;
    },
    async () => {
      const asked = await nameAll(picked, target?.serverNames ?? new Set());
      ({ named } = asked);
      return named.length === 0 && asked.end !== 'back' ? 'closed' : asked.end;
    },
    async () => {
      if (target === undefined) {
        return 'closed';
      }
      const servers = named.map((one) => ({ ...one, file: one.file.path }));
      const asked = await planServers(wizard, servers, target, services);
      ({ plan } = asked);
      return asked.end;
    },
    async () => {
      if (target === undefined || plan === undefined) {
        return 'closed';
      }
      const { texts } = plan;
      const programs = new Map(named.map(({ name, file }) => [name, file.program]));
      const lines = await reviewLines(
        configOf(plan, target),
        (id) => texts.get(id),
        (name) => programs.get(name) ?? '',
        services,
      );
      const asked = await confirm(named, lines, services);
      answer = asked === 'start' || asked === 'only' ? asked : undefined;
      return asked === 'back' ? asked : answer === undefined ? 'closed' : 'next';
    },
  ]);
  if (end !== 'next' || plan === undefined || target === undefined || answer === undefined) {
    return end === 'back' ? end : undefined;
  }
  const chosen = answer;
  const names = await writeServers<never>(plan, target, services.inputs(), async () => chosen);
  void vscode.window.showInformationMessage(
    names.length === 1
      ? vscode.l10n.t('{0} was imported.', oneLine(names[0] ?? '', 60))
      : vscode.l10n.t('{0} servers were imported.', names.length),
  );
  return names;
}

interface ServerItem extends StepItem {
  /** Absent on a row that only shows a problem. */
  readonly choice?: Picked;
}

async function pickServers(
  title: string,
  files: readonly FoundFile[],
  before: readonly Picked[],
): Promise<{ readonly end: StepEnd; readonly picked: readonly Picked[] }> {
  const items = files.flatMap((file): ServerItem[] => [
    separator(`${file.program}: ${oneLine(shortPath(file.path), 120)}`),
    ...file.problems.map((problem) => ({
      label: `$(error) ${oneLine(shortPath(file.path), 80)}`,
      detail: oneLine(problem, 300),
    })),
    ...file.servers.map((server) => serverItem(server, file)),
  ]);
  const chosen = new Set(before.map(({ server }) => server));
  const { end, items: checked } = await pickManyStep(
    {
      items,
      selectedItems: items.filter(
        ({ choice }) => choice !== undefined && chosen.has(choice.server),
      ),
      placeholder: vscode.l10n.t('Which ones? They are copied; the files stay as they are.'),
      matchOnDetail: true,
    },
    { title },
    { canGoBack: true },
  );
  return { end, picked: checked.flatMap(({ choice }) => choice ?? []) };
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

/** Gives each server a free name; asks about a taken one. */
async function nameAll(
  picked: readonly Picked[],
  taken: ReadonlySet<string>,
): Promise<{ readonly end: TurnEnd<StepEnd>; readonly named: readonly Named[] }> {
  const names = new Map<Picked, string>();
  const end = await inTurn(
    picked.map((choice, index) => async () => {
      const used = new Set(taken);
      for (const before of picked.slice(0, index)) {
        used.add(names.get(before) ?? before.server.name);
      }
      names.delete(choice);
      if (!used.has(choice.server.name)) {
        names.set(choice, choice.server.name);
        return 'skip';
      }
      const asked = await askAboutTaken(choice, used);
      if (asked.name !== undefined) {
        names.set(choice, asked.name);
      }
      return asked.end;
    }),
  );
  return { end, named: [...names].map(([choice, name]) => ({ ...choice, name })) };
}

/** Without a name: this server is left out. */
async function askAboutTaken(
  { server, file }: Picked,
  taken: ReadonlySet<string>,
): Promise<{ readonly end: StepEnd; readonly name?: string }> {
  const free = freeName(server.name, taken);
  const name = oneLine(server.name, 60);
  const asFree = { label: vscode.l10n.t('Import as {0}', oneLine(free, 60)) };
  const other = { label: vscode.l10n.t('Other Name…') };
  const none = {
    label: vscode.l10n.t('Skip'),
    detail: vscode.l10n.t('{0} stays as it is', name),
  };
  for (;;) {
    const { end, item } = await pickStep(
      {
        items: [asFree, other, none],
        placeholder: oneLine(`${file.program}: ${server.summary}`, 200),
      },
      { title: vscode.l10n.t('There is already a server "{0}"', name) },
      { canGoBack: true },
    );
    if (item !== other) {
      return { end, ...(item === asFree && { name: free }) };
    }
    const typed = await askName(vscode.l10n.t('Import MCP Servers: name'), free, taken);
    if (typed.end !== 'back') {
      return typed;
    }
  }
}

async function confirm(
  named: readonly Named[],
  lines: readonly string[],
  services: AddServices,
): Promise<WriteAnswer | 'back' | undefined> {
  const answer = await askAboutLaunch<WriteAnswer | 'back'>(
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
        { title: vscode.l10n.t('Back'), answer: 'back' },
      ],
    },
    services.keepFile,
    byHand,
  );
  return answer === 'later' ? undefined : answer;
}
