/**
 * The last steps of every way to add one server: for whom, its name, its secrets, a trial, and only then the settings.
 */
import * as vscode from 'vscode';
import { beginningOf } from '../../base/text.ts';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { freeName, type ImportPlan } from '../../host/import/planImport.ts';
import { oneLine } from '../text/labelText.ts';
import type { AddServices } from './importServers.ts';
import { configOf, type SettingsTarget, writeServers } from './settingsTarget.ts';
import { askName, askTarget, planServers } from './saveQuestions.ts';
import { trial, type TrialEnd } from './trial.ts';

/**
 * @param origin where it comes from, in words; absent when the user typed the command
 * @returns its name; `back` to change the server; undefined when the user closed a step
 */
export async function saveServer(
  server: ImportedServer,
  origin: string | undefined,
  services: AddServices,
): Promise<readonly string[] | 'back' | undefined> {
  const target = await askTarget(services.userData, {
    title:
      origin === undefined
        ? vscode.l10n.t('Add MCP Server (2/3): for whom?')
        : vscode.l10n.t('Add MCP Server from {0}: for whom?', oneLine(origin, 60)),
    placeHolder: oneLine(server.summary, 200),
  });
  if (target === undefined) {
    return undefined;
  }
  const name = await askName(
    vscode.l10n.t('Add MCP Server (3/3): name'),
    suggestion(server.name, target.serverNames),
    target.serverNames,
  );
  const plan =
    name === undefined
      ? undefined
      : await planServers(
          vscode.l10n.t('Add MCP Server'),
          [{ server, name, file: '' }],
          target,
          services,
        );
  return (
    plan &&
    writeServers(plan, target, services.inputs, () => tryPlanned(plan, target, origin, services))
  );
}

async function tryPlanned(
  plan: ImportPlan,
  target: SettingsTarget,
  origin: string | undefined,
  services: AddServices,
): Promise<TrialEnd> {
  const { servers, inputs } = configOf(plan, target);
  const [server] = servers;
  if (server === undefined) {
    return undefined;
  }
  const given = (id: string): string | undefined => plan.texts.get(id);
  const end = await trial({ server, inputs, given, origin }, services);
  if (end !== 'start') {
    services.logs.close(server.id);
  }
  return end;
}

function suggestion(name: string, taken: ReadonlySet<string>): string {
  const own = beginningOf(name.trim(), 100);
  return taken.has(own) ? freeName(own, taken) : own;
}
