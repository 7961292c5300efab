/**
 * Tries a server before it is saved: shows the launch unless the user typed it, runs the server once, and shows the
 * result. Writes only the values that the user gives for inputs.
 */
import { type ServerLogs, ServerOutput } from '../../host/servers/serverOutput.ts';
import type { Workspace } from '../../host/config/workspace.ts';
import * as vscode from 'vscode';
import {
  type HostConfig,
  type InputDefinition,
  scopeKey,
  type ServerConfig,
} from '../../host/config/serverConfig.ts';
import type { LaunchConsent, LaunchReviewer } from '../../host/launch/launchPreparation.ts';
import type { LaunchDescription } from '../../host/launch/launchDescription.ts';
import { suggestionFor } from '../../host/diagnosis/suggestion.ts';
import type { QuestionQueue, Turn } from '../../host/questions/questionQueue.ts';
import { systemClock } from '../../base/clock.ts';
import type { LaunchGate, LaunchInspector } from '../../host/launch/launchGate.ts';
import { type TrialFindings, type TrialParts, tryServer } from '../../host/servers/serverTrial.ts';
import { allowsTools, type ToolRule } from '../../host/toolApproval/toolRules.ts';
import type { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import { McpError } from '../../mcp/errors.ts';
import { neverAborted, cancellable } from '../text/cancellation.ts';
import {
  askAboutLaunch,
  launchLines,
  problemLines,
  rightsText,
  whoseLines,
} from '../launch/launchQuestion.ts';
import type { KeptInputs, WriteAnswer } from './settingsTarget.ts';
import { askModal, askReviewed } from '../questions/modal.ts';
import { scopeText } from '../config/scopeText.ts';
import { errorText } from '../text/errorText.ts';
import { oneLine, quoted } from '../text/labelText.ts';
import { type KeepFile, textFile } from '../text/wholeText.ts';
import { listTitle } from '../tree/listTexts.ts';

export interface TrialServices extends TrialParts {
  /** A gate with this consent, which finds inputs in this configuration. */
  readonly gate: (parts: {
    readonly consent: LaunchConsent;
    readonly config: () => { readonly inputs: ReadonlyMap<string, readonly InputDefinition[]> };
    /** Values of the entry that inputs have replaced, by input. */
    readonly given?: (input: string) => string | undefined;
  }) => LaunchGate & LaunchInspector & LaunchReviewer;
  readonly workspace: Pick<Workspace, 'isTrusted'>;
  readonly questions: Pick<QuestionQueue, 'expect'>;
  readonly inputs: () => KeptInputs;
  readonly logs: ServerLogs;
  readonly keepFile: KeepFile;
  readonly trusted: Pick<TrustedServers, 'isTrusted'>;
  readonly config: { readonly rules: readonly ToolRule[] };
}

export interface Trial {
  readonly server: ServerConfig;
  readonly inputs: ReadonlyMap<string, readonly InputDefinition[]>;
  readonly given: (input: string) => string | undefined;
  /** Where the server comes from, in words; absent when the user typed the command. */
  readonly origin?: string | undefined;
  /** What was left out or changed when the server was read. */
  readonly problems: readonly string[];
}

/** `elsewhere`: under another name, or for others. */
export type TrialEnd = WriteAnswer | 'back' | 'elsewhere' | undefined;

/** The turn of a step in a wizard: nobody withdraws it, and closing it postpones it. */
export const byHand: Turn = { signal: neverAborted, postponable: (show) => show(neverAborted) };

/** Lines of stderr in a dialog. */
const maxStderr = 6;

export async function trial(about: Trial, services: TrialServices): Promise<TrialEnd> {
  const { server, inputs, given } = about;
  const output = new ServerOutput(services.logs.open(server), systemClock);
  const config = (): Pick<Trial, 'inputs'> => ({ inputs });
  let allowed: string | undefined;
  const allow = async (review: Review): Promise<Answer> => {
    const answer = await confirm(about, review, services);
    allowed = answer === 'try' ? review.description.hash : undefined;
    return answer;
  };
  const consent = consentBy(
    services.workspace,
    // The launch may have changed since it was shown.
    async (description) =>
      description.hash === allowed || (await allow({ description, problems: [] })) === 'try',
  );
  const gate = services.gate({ consent, config, given });
  const answer = await allow(await gate.review(server));
  if (answer !== 'try') {
    return answer;
  }
  for (;;) {
    let findings: TrialFindings;
    try {
      services.questions.expect(server.id);
      const resolution = await gate.prepare(server, neverAborted);
      findings = await cancellable(
        vscode.l10n.t('Trying "{0}"…', oneLine(server.name, 60)),
        (signal) => tryServer(server, resolution, services, output, signal),
      );
    } catch (error) {
      const failure = { error: output.toError(error), lastStderr: output.lastStderr };
      const launch = await gate
        .inspect(server)
        .catch((problem: unknown) => output.toError(problem));
      const advice = suggestionFor({
        server,
        state: { kind: 'failed', ...failure },
        launch,
        strayOutput: output.strayOutput,
        isRemote: vscode.env.remoteName !== undefined,
      });
      let next: TrialEnd | 'again';
      do {
        next = await showFailure(server, failure, advice);
      } while (next === 'again' && !(await askAgain(about, services)));
      if (next !== 'again') {
        return next;
      }
      continue;
    }
    return showFindings(server, findings, services);
  }
}

/** Asks again for what the user was asked for: it may be wrong. Returns false when they closed a question. */
async function askAgain(
  { server, inputs, given }: Trial,
  { inputs: values }: TrialServices,
): Promise<boolean> {
  const asked = (inputs.get(scopeKey(server.scope)) ?? []).filter(
    ({ id }) => given(id) === undefined,
  );
  const have = await Promise.all(asked.map((input) => values().has(server, input)));
  return !have.includes(true) || values().change(server, asked, neverAborted);
}

/** The launch to save, and the problems that its start would have. */
type Review = Awaited<ReturnType<LaunchReviewer['review']>>;
type Answer = 'try' | 'only' | 'back' | 'elsewhere' | undefined;

/**
 * What the servers would run, as their starts would. Starts nothing.
 * @param from where a server comes from, in words
 */
export async function reviewLines(
  { servers, inputs }: Pick<HostConfig, 'servers' | 'inputs'>,
  given: Trial['given'],
  from: (name: string) => string,
  services: TrialServices,
): Promise<readonly string[]> {
  const consent = consentBy(services.workspace, async () => false);
  const gate = services.gate({ consent, config: () => ({ inputs }), given });
  const reviews = await Promise.all(servers.map((server) => gate.review(server)));
  return reviews.flatMap(({ description, problems }) => [
    ...whoseLines(description.server.name, from(description.server.name)),
    ...trustLines(description.server, services),
    ...problemLines(problems),
    ...launchLines(description),
    '',
  ]);
}

/** Asks about a launch that the user did not type; in Restricted Mode nothing starts anyway. */
function consentBy(
  workspace: Pick<Workspace, 'isTrusted'>,
  ask: (description: LaunchDescription) => Promise<boolean>,
): LaunchConsent {
  return {
    requireTrust: ({ name }) => {
      if (!workspace.isTrusted) {
        throw new McpError(
          'denied',
          vscode.l10n.t('{0} is not tried in Restricted Mode: trust this workspace first', name),
        );
      }
    },
    isAlwaysAsked: () => true,
    isGranted: () => false,
    isContentGranted: () => false,
    // Always resolves: the files were not opened before the user agreed, and the user was told so.
    requireContent: async () => undefined,
    require: async (server, description) => {
      if (description === undefined || !(await ask(description))) {
        throw new McpError('denied', vscode.l10n.t('{0} was not tried', server.name));
      }
    },
  };
}

async function confirm(
  { server, origin, problems: left }: Trial,
  { description, problems }: Review,
  services: TrialServices,
): Promise<Answer> {
  // The user knows a typed command, unless it has invisible characters or risks, or is not taken as it is.
  if (origin === undefined && left.length === 0 && !needsLook(description)) {
    return 'try';
  }
  const name = oneLine(server.name, 100);
  const answer = await askAboutLaunch(
    {
      question: vscode.l10n.t('Try the MCP server "{0}"?', name),
      title: vscode.l10n.t('What the MCP server "{0}" would start', oneLine(server.name, 60)),
      lines: [
        ...whoseLines(server.name, origin ?? vscode.l10n.t('what you have typed')),
        ...placeLines(server, services),
        '',
        vscode.l10n.t(
          '{0} Try it only if you trust it and whoever wrote this. Nothing has been started, sent or saved yet.',
          rightsText(server),
        ),
        '',
        ...problemLines(problems),
        ...leftLines(left),
        ...launchLines(description),
      ],
      buttons: [
        { title: vscode.l10n.t('Try It'), answer: 'try', commits: true },
        { title: vscode.l10n.t('Add Without Trying'), answer: 'only', commits: true },
        elsewhere(),
        { title: vscode.l10n.t('Back'), answer: 'back' },
      ],
    },
    services.keepFile,
    byHand,
  );
  return answer === 'later' ? undefined : answer;
}

export function leftLines(problems: readonly string[]): readonly string[] {
  return problems.length === 0
    ? []
    : [
        vscode.l10n.t('Left out or changed:'),
        ...problems.map((problem) => `⚠ ${oneLine(problem, 300)}`),
        '',
      ];
}

/** A path on the user's own machine needs no look; an escaped character does, since it was invisible before. */
function needsLook({ facts, risks }: LaunchDescription): boolean {
  return (
    risks.some(({ kind }) => kind !== 'pathOutsideFolder') ||
    facts.some(({ value }) => value.includes('\\u{'))
  );
}

function elsewhere(): { readonly title: string; readonly answer: 'elsewhere' } {
  return { title: vscode.l10n.t('Name and Scope…'), answer: 'elsewhere' };
}

/** Where it would be written, and what its name brings with it there. */
function placeLines(server: ServerConfig, services: TrialServices): readonly string[] {
  const place = vscode.l10n.t('Saved in: {0}', scopeText(server.scope));
  return [place, ...trustLines(server, services)];
}

/** Trust and rules count by name, also for a server that takes the name of an earlier one. */
function trustLines(
  server: ServerConfig,
  { trusted, config }: Pick<TrialServices, 'trusted' | 'config'>,
): readonly string[] {
  return trusted.isTrusted(server) || allowsTools(config.rules, server)
    ? [
        `⚠ ${vscode.l10n.t(
          'Your settings trust this name: tools of a server of this name may run in chat without a question ({0}).',
          'mcpHost.trustedServers, mcpHost.rules',
        )}`,
      ]
    : [];
}

async function showFindings(
  config: ServerConfig,
  { server, counts, failed }: TrialFindings,
  services: TrialServices,
): Promise<TrialEnd> {
  const { name, title, version } = server.info;
  const offers = [...counts].map(([kind, count]) => `${listTitle(kind)} ${count}`);
  const lines = [
    ...placeLines(config, services),
    vscode.l10n.t('Server: {0}', oneLine(`${title ?? name} ${version}`, 120)),
    vscode.l10n.t('Protocol: {0} over {1}', server.revision, server.transport),
    offers.length === 0
      ? vscode.l10n.t('It offers nothing at the moment.')
      : vscode.l10n.t('Offers: {0}', offers.join(', ')),
    ...failed.map((kind) => `⚠ ${vscode.l10n.t('It did not list: {0}', listTitle(kind))}`),
  ];
  const message = vscode.l10n.t('"{0}" works. Add it?', oneLine(config.name, 60));
  const answer = await askReviewed<'start' | 'back' | 'elsewhere'>(
    {
      message,
      lines,
      whole: {
        title: vscode.l10n.t('What the MCP server "{0}" says of itself', oneLine(config.name, 60)),
        placeHolder: vscode.l10n.t('Nothing has been saved yet'),
        file: textFile('trial', [message, '', ...lines].join('\n')),
      },
      buttons: [
        { title: vscode.l10n.t('Add'), answer: 'start', commits: true },
        elsewhere(),
        { title: vscode.l10n.t('Back'), answer: 'back' },
      ],
    },
    services.keepFile,
    byHand,
  );
  return answer === 'later' ? undefined : answer;
}

async function showFailure(
  server: ServerConfig,
  { error, lastStderr }: { readonly error: McpError; readonly lastStderr: readonly string[] },
  advice = '',
): Promise<TrialEnd | 'again'> {
  const last = lastStderr.slice(-maxStderr).map((line) => quoted(oneLine(line, 300)));
  return askModal<'start' | 'back' | 'again'>({
    message: vscode.l10n.t('"{0}" did not work.', oneLine(server.name, 60)),
    detail: [
      errorText(error),
      ...(last.length === 0 ? [] : ['', vscode.l10n.t('It wrote last:'), ...last]),
      ...(advice === '' ? [] : ['', `${vscode.l10n.t('Try this.')} ${advice}`]),
      '',
      vscode.l10n.t('Nothing has been saved.'),
    ].join('\n'),
    isWarning: true,
    first: { title: vscode.l10n.t('Back'), answer: 'back' },
    others: [
      { title: vscode.l10n.t('Try Again'), answer: 'again', commits: true },
      { title: vscode.l10n.t('Add Anyway'), answer: 'start', commits: true },
    ],
  });
}
