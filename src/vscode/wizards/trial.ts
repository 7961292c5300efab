/**
 * Tries a server before it is saved: shows what would run where the user has not written it, runs it once,
 * and shows what came of it. Writes nothing but the values that the user gives for inputs.
 */
import * as vscode from 'vscode';
import type { InputDefinition, ServerConfig } from '../../host/config/serverConfig.ts';
import { listKinds, type ListKind } from '../../host/catalog/catalog.ts';
import type { LaunchConsent } from '../../host/consent/launchPreparation.ts';
import type { LaunchDescription } from '../../host/consent/launchDescription.ts';
import type { ServerLogs, Workspace } from '../../host/ports.ts';
import type { Clock } from '../../host/servers/clock.ts';
import type { LaunchInspector } from '../../host/diagnosis/launchInspection.ts';
import type { LaunchGate } from '../../host/servers/prepareLaunch.ts';
import { ServerOutput } from '../../host/servers/serverOutput.ts';
import { type TrialFindings, type TrialParts, tryServer } from '../../host/servers/serverTrial.ts';
import { McpError } from '../../mcp/errors.ts';
import { neverAborted, toSignal } from '../cancellation.ts';
import { askAboutLaunch, launchLines } from '../dialogs/launchQuestion.ts';
import { errorText } from '../errorText.ts';
import { oneLine, quoted } from '../text.ts';
import type { KeepFile } from '../wholeText.ts';

export interface TrialServices extends TrialParts {
  /** A gate that asks this consent, and finds inputs in this configuration. */
  readonly gate: (parts: {
    readonly consent: LaunchConsent;
    readonly config: () => { readonly inputs: ReadonlyMap<string, readonly InputDefinition[]> };
  }) => LaunchGate & LaunchInspector;
  readonly workspace: Pick<Workspace, 'isTrusted'>;
  readonly logs: ServerLogs;
  readonly clock: Clock;
  readonly keepFile: KeepFile;
}

export interface Trial {
  readonly server: ServerConfig;
  readonly inputs: ReadonlyMap<string, readonly InputDefinition[]>;
  /** Where the server comes from, in words; absent when the user has typed what would run. */
  readonly origin?: string;
}

/** `addOnly`: it was not tried, and is not to be started. */
export type TrialEnd = 'add' | 'addOnly' | 'back' | undefined;

/** How many lines of stderr a dialog shows. */
const maxStderr = 6;

export async function trial(about: Trial, services: TrialServices): Promise<TrialEnd> {
  const { server, inputs } = about;
  const output = new ServerOutput(services.logs.open(server), services.clock);
  for (;;) {
    let end: 'addOnly' | 'back' | 'closed' | undefined;
    const consent = consentBy(services.workspace, async (description) => {
      const answer = await confirm(about, description, services.keepFile);
      end = answer === 'try' ? undefined : answer;
      return answer === 'try';
    });
    let findings: TrialFindings;
    try {
      const gate = services.gate({ consent, config: () => ({ inputs }) });
      const resolution = await gate.prepare(server, neverAborted);
      findings = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('Trying "{0}"…', oneLine(server.name, 60)),
          cancellable: true,
        },
        (_progress, token) => tryServer(server, resolution, services, output, toSignal(token)),
      );
    } catch (error) {
      if (end !== undefined) {
        return end === 'closed' ? undefined : end;
      }
      const answer = await showFailure(server, output.toError(error), output.lastStderr);
      if (answer !== 'again') {
        return answer;
      }
      continue;
    }
    return showFindings(server, findings);
  }
}

/** Asks about what the user has not written; a window without trust starts nothing in any case. */
function consentBy(
  workspace: Pick<Workspace, 'isTrusted'>,
  ask: (description: LaunchDescription) => Promise<boolean>,
): LaunchConsent {
  const requireTrust = (server: ServerConfig): void => {
    if (!workspace.isTrusted) {
      throw new McpError(
        'denied',
        vscode.l10n.t(
          '{0} is not tried in Restricted Mode: trust this workspace first',
          server.name,
        ),
      );
    }
  };
  return {
    requireTrust,
    needsConsent: () => true,
    isGranted: () => false,
    require: async (server, description) => {
      requireTrust(server);
      if (description === undefined || !(await ask(description))) {
        throw new McpError('denied', vscode.l10n.t('{0} was not tried', server.name));
      }
    },
  };
}

async function confirm(
  { server, origin }: Trial,
  description: LaunchDescription,
  keep: KeepFile,
): Promise<'try' | 'addOnly' | 'back' | 'closed'> {
  if (origin === undefined) {
    return 'try';
  }
  const name = oneLine(server.name, 100);
  const rights =
    server.launch.kind === 'stdio'
      ? vscode.l10n.t(
          'The program runs on this machine with your rights: it can read and change what you can. Try it only if you trust whoever wrote it. Nothing has been started or saved yet.',
        )
      : vscode.l10n.t(
          'The server gets what is listed here. Try it only if you trust it. Nothing has been sent or saved yet.',
        );
  const answer = await askAboutLaunch(
    {
      name: server.name,
      from: origin,
      question: vscode.l10n.t('Try the MCP server "{0}"?', name),
      lines: [rights, '', ...launchLines(description)],
      buttons: [
        { title: vscode.l10n.t('Try It'), answer: 'try' },
        { title: vscode.l10n.t('Add Without Trying'), answer: 'addOnly' },
        { title: vscode.l10n.t('Back'), answer: 'back' },
      ],
    },
    keep,
    { signal: neverAborted, postponable: (show) => show(neverAborted) },
  );
  return answer === undefined || answer === 'later' ? 'closed' : answer;
}

async function showFindings(
  config: ServerConfig,
  { server, counts, failed }: TrialFindings,
): Promise<TrialEnd> {
  const { name, title, version } = server.info;
  const offers = listKinds.flatMap((kind) => {
    const count = counts.get(kind);
    return count === undefined ? [] : [countText(kind, count)];
  });
  const lines = [
    vscode.l10n.t('Server: {0}', oneLine(`${title ?? name} ${version}`, 120)),
    vscode.l10n.t('Protocol: {0} over {1}', server.revision, server.transport),
    offers.length === 0
      ? vscode.l10n.t('It offers nothing at the moment.')
      : vscode.l10n.t('Offers: {0}', offers.join(', ')),
    ...failed.map((kind) => `⚠ ${vscode.l10n.t('It did not give its {0}.', listText(kind))}`),
  ];
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('"{0}" works. Add it?', oneLine(config.name, 60)),
    { modal: true, detail: lines.join('\n') },
    { title: vscode.l10n.t('Add'), end: 'add' as const },
    { title: vscode.l10n.t('Back'), end: 'back' as const },
  );
  return answer?.end;
}

async function showFailure(
  server: ServerConfig,
  error: McpError,
  stderr: readonly string[],
): Promise<TrialEnd | 'again'> {
  const last = stderr.slice(-maxStderr).map((line) => quoted(oneLine(line, 300)));
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('"{0}" did not work.', oneLine(server.name, 60)),
    {
      modal: true,
      detail: [
        errorText(error),
        ...(last.length === 0 ? [] : ['', vscode.l10n.t('It wrote last:'), ...last]),
        '',
        vscode.l10n.t('Nothing has been saved.'),
      ].join('\n'),
    },
    { title: vscode.l10n.t('Try Again'), end: 'again' as const },
    { title: vscode.l10n.t('Add Anyway'), end: 'add' as const },
    { title: vscode.l10n.t('Back'), end: 'back' as const },
  );
  return answer?.end;
}

function countText(kind: ListKind, count: number): string {
  switch (kind) {
    case 'tools':
      return count === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', count);
    case 'prompts':
      return count === 1 ? vscode.l10n.t('1 prompt') : vscode.l10n.t('{0} prompts', count);
    case 'resources':
      return count === 1 ? vscode.l10n.t('1 resource') : vscode.l10n.t('{0} resources', count);
    case 'resourceTemplates':
      return count === 1
        ? vscode.l10n.t('1 resource template')
        : vscode.l10n.t('{0} resource templates', count);
  }
}

function listText(kind: ListKind): string {
  switch (kind) {
    case 'tools':
      return vscode.l10n.t('tools');
    case 'prompts':
      return vscode.l10n.t('prompts');
    case 'resources':
      return vscode.l10n.t('resources');
    case 'resourceTemplates':
      return vscode.l10n.t('resource templates');
  }
}
