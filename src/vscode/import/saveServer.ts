/**
 * The last steps of every way to add one server: for whom, its name, its secrets, a trial, and only then the settings.
 */
import * as vscode from 'vscode';
import { beginningOf } from '../../base/text.ts';
import { parseConfig } from '../../host/config/parseConfig.ts';
import type { ImportedServer } from '../../host/import/importedServer.ts';
import { freeName, type ImportPlan } from '../../host/import/planImport.ts';
import { McpError } from '../../mcp/errors.ts';
import { oneLine } from '../text/labelText.ts';
import type { AddServices } from './importServers.ts';
import {
  discardValues,
  keepValues,
  plan,
  type SettingsTarget,
  writeServers,
} from './settingsTarget.ts';
import { askName, askTarget, pickSecrets, secretKey } from './saveQuestions.ts';
import { trial, type TrialEnd } from './trial.ts';

/** A server that is not saved yet. */
export interface Draft {
  readonly server: ImportedServer;
  /** Where it comes from, in words; absent when the user typed the command. */
  readonly origin?: string;
}

/** @returns its name; `back` to change the server; undefined when the user closed a step */
export async function saveServer(
  { server, origin }: Draft,
  services: AddServices,
): Promise<readonly string[] | 'back' | undefined> {
  const target = await askTarget({
    title:
      origin === undefined
        ? vscode.l10n.t('Add MCP Server (2/3): for whom?')
        : vscode.l10n.t('Add MCP Server from {0}: for whom?', oneLine(origin, 60)),
    placeHolder: oneLine(server.summary, 200),
    userData: services.userData,
  });
  if (target === undefined) {
    return undefined;
  }
  const name = await askName(
    vscode.l10n.t('Add MCP Server (3/3): name'),
    suggestion(server.name, target.serverNames),
    target.serverNames,
  );
  const secrets =
    name === undefined
      ? undefined
      : await pickSecrets(
          vscode.l10n.t('Add MCP Server'),
          [{ server, name }],
          services.trial.keepFile,
        );
  if (name === undefined || secrets === undefined) {
    return undefined;
  }
  const planned = (isStarted: boolean): Promise<ImportPlan> =>
    plan(
      [
        {
          server,
          name,
          file: '',
          isSecret: ({ field }) => secrets.has(secretKey(name, field)),
          isStarted,
        },
      ],
      target,
      services.inputs,
    );
  const written = await planned(true);
  await keepValues(written, target, services.inputs);
  let end: TrialEnd;
  try {
    end = await tryPlanned(written, target, origin, services);
  } catch (error) {
    await discardValues(written, target, services.inputs);
    throw error;
  }
  if (end === 'add') {
    return writeServers(written, target, services.inputs);
  }
  await discardValues(written, target, services.inputs);
  if (end === 'addOnly') {
    return writeServers(await planned(false), target, services.inputs);
  }
  return end;
}

async function tryPlanned(
  { servers, inputs, texts }: ImportPlan,
  { scope }: SettingsTarget,
  origin: string | undefined,
  { trial: services }: AddServices,
): Promise<TrialEnd> {
  const config = parseConfig([{ scope, servers, inputs }]);
  const [server] = config.servers;
  if (server === undefined) {
    const [problem] = config.problems;
    throw new McpError('invalidConfig', problem?.message ?? vscode.l10n.t('It cannot be used.'));
  }
  const end = await trial(
    {
      server,
      inputs: config.inputs,
      given: (id) => texts.get(id),
      ...(origin !== undefined && { origin }),
    },
    services,
  );
  if (end !== 'add') {
    services.logs.close(server.id);
  }
  return end;
}

function suggestion(name: string, taken: ReadonlySet<string>): string {
  const own = beginningOf(name.trim(), 100);
  return taken.has(own) ? freeName(own, taken) : own;
}
