/**
 * The last steps of every way to add one server: for whom, its name, its secrets, a trial, and only then the settings.
 */
import * as vscode from 'vscode';
import { beginningOf } from '../../base/text.ts';
import type { ImportedFile, ImportedServer } from '../../host/import/importedServer.ts';
import { freeName, type ImportPlan } from '../../host/import/planImport.ts';
import { oneLine } from '../text/labelText.ts';
import type { AddServices } from './importServers.ts';
import { inTurn } from '../../host/questions/inTurn.ts';
import { configOf, type SettingsTarget, writeServers } from './settingsTarget.ts';
import { askName, askTarget, planServers, userTarget } from './saveQuestions.ts';
import { type Trial, trial, type TrialEnd } from './trial.ts';

/** What a step of the user came to. */
export type Asked = AskedServer | Updated;

/** A server in the settings got another entry. */
export interface Updated {
  /** Its name; undefined when the user closed the question. */
  readonly updated: readonly string[] | undefined;
}

export interface AskedServer {
  readonly file: ImportedFile;
  /** Where it comes from, in words; absent when the user saw what is run or reached. */
  readonly origin?: string | undefined;
  /** Takes back what was unpacked, when it is not added. */
  readonly discard?: () => Promise<void>;
}

interface Place {
  readonly target: SettingsTarget;
  readonly name: string;
}

/**
 * For the user and under its own name, unless they choose otherwise after they have seen it.
 * @param origin where it comes from, in words; absent when the user saw the command
 * @returns its name; `back` to change the server; undefined when the user closed a step
 */
export async function saveServer(
  server: ImportedServer,
  origin: string | undefined,
  services: AddServices,
): Promise<readonly string[] | 'back' | undefined> {
  let place: Place | undefined = placeIn(userTarget(services.userData), server);
  while (place !== undefined) {
    const { target, name }: Place = place;
    const title = vscode.l10n.t('Add MCP Server');
    const wanted = [{ server, name, file: '' }];
    const { end: asked, plan } = await planServers(title, wanted, target, services);
    if (plan === undefined) {
      return asked === 'back' ? asked : undefined;
    }
    const end = await writeServers(plan, target, services.inputs(), () =>
      tryPlanned(plan, target, { origin, problems: server.problems }, services),
    );
    if (end !== 'elsewhere') {
      return end;
    }
    place = await askPlace(server, place, services);
  }
  return undefined;
}

function placeIn(target: SettingsTarget, { name }: Pick<ImportedServer, 'name'>): Place {
  return { target, name: suggestion(name, target.serverNames) };
}

/** @returns `before` when the user went back; undefined when they closed a question */
async function askPlace(
  server: ImportedServer,
  before: Place,
  { userData }: AddServices,
): Promise<Place | undefined> {
  let { target, name } = before;
  const end = await inTurn([
    async () => {
      const title = vscode.l10n.t('Add MCP Server: for whom?');
      const asked = await askTarget(userData, title, oneLine(server.summary, 200));
      target = asked.target ?? target;
      return asked.end;
    },
    async () => {
      const title = vscode.l10n.t('Add MCP Server: name');
      const suggested = placeIn(target, before).name;
      const asked = await askName(title, suggested, target.serverNames);
      ({ name } = asked);
      return asked.end;
    },
  ]);
  if (end === 'back') {
    return before;
  }
  return end === 'next' ? { target, name } : undefined;
}

async function tryPlanned(
  plan: ImportPlan,
  target: SettingsTarget,
  from: Pick<Trial, 'origin' | 'problems'>,
  services: AddServices,
): Promise<TrialEnd> {
  const { servers, inputs } = configOf(plan, target);
  const [server] = servers;
  if (server === undefined) {
    return undefined;
  }
  const given = (id: string): string | undefined => plan.texts.get(id);
  const end = await trial({ server, inputs, given, ...from }, services);
  if (end !== 'start') {
    services.logs.close(server.id);
  }
  return end;
}

function suggestion(name: string, taken: ReadonlySet<string>): string {
  const own = beginningOf(name.trim(), 100);
  return taken.has(own) ? freeName(own, taken) : own;
}
