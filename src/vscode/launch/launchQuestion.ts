/**
 * Shows a launch before anything of it runs, wherever it comes from. A modal shows everything; it says what does not
 * fit, and a document shows it whole. The caller decides who asks, and what the answers are.
 */
import * as vscode from 'vscode';
import type {
  FactLabel,
  LaunchChanges,
  LaunchDescription,
  LaunchFact,
  PathField,
  Risk,
  RiskKind,
  VariableOrigin,
} from '../../host/launch/launchDescription.ts';
import { visible } from '../../base/visible.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import { oneLine } from '../text/labelText.ts';
import { type KeepFile, textFile } from '../text/wholeText.ts';
import { askReviewed, type ModalButton } from '../questions/modal.ts';

export interface LaunchQuestion<A extends string> {
  readonly question: string;
  /** The title of the document. */
  readonly title: string;
  readonly lines: readonly string[];
  readonly buttons: readonly ModalButton<A>[];
}

/** @returns undefined when the question was closed or withdrawn */
export function askAboutLaunch<A extends string>(
  { question, title, lines, buttons }: LaunchQuestion<A>,
  keep: KeepFile,
  turn: Turn,
): Promise<A | 'later' | undefined> {
  return askReviewed(
    {
      message: question,
      lines,
      isWarning: true,
      whole: {
        title,
        placeHolder: vscode.l10n.t('Nothing has been started yet'),
        file: textFile('start', [question, '', ...lines].join('\n')),
      },
      buttons,
    },
    keep,
    turn,
  );
}

/** About a launch in place of another one. */
export function updateQuestion(
  server: string,
  runs: string,
  wouldRun: string,
): Pick<LaunchQuestion<string>, 'question' | 'title' | 'lines'> {
  return {
    question: vscode.l10n.t('Update the MCP server "{0}"?', oneLine(server, 80)),
    title: vscode.l10n.t('What the MCP server "{0}" would start', oneLine(server, 60)),
    lines: [
      vscode.l10n.t('It runs: {0}', visible(runs)),
      '',
      vscode.l10n.t('It would run: {0}', visible(wouldRun)),
    ],
  };
}

/** The server, and where it comes from, in words. */
export function whoseLines(name: string, from: string): readonly string[] {
  return [
    vscode.l10n.t('Server: {0}', oneLine(name, 100)),
    vscode.l10n.t('From: {0}', oneLine(from, 200)),
  ];
}

/** What a server may do that is started, or what it gets. */
export function rightsText({ launch, sandbox }: ServerConfig): string {
  if (launch.kind !== 'stdio') {
    return vscode.l10n.t(
      'The server gets what is listed here, and later what you or the model send to it.',
    );
  }
  return sandbox === undefined
    ? vscode.l10n.t('The program runs with your rights: it can read and change what you can.')
    : vscode.l10n.t(
        'The program runs with your rights, within the sandbox below: it can read what you can.',
      );
}

/** The known reasons why a start would fail. */
export function problemLines(problems: readonly Error[]): readonly string[] {
  return problems.length === 0
    ? []
    : [
        vscode.l10n.t('It would not start as it is:'),
        ...problems.map(({ message }) => `⚠ ${visible(message)}`),
        '',
      ];
}

/** Puts what the user must check before plain lists: a long dialog has to be scrolled. */
export function launchLines(description: LaunchDescription): readonly string[] {
  const lines = [...changeLines(description.changes)];
  if (description.risks.length > 0) {
    lines.push(vscode.l10n.t('Look closely:'));
    lines.push(...description.risks.map((risk) => `⚠ ${riskText(risk)}`), '');
  }
  lines.push(...factLines(description.facts), ...unreadLines(description.unread));
  return lines;
}

/**
 * Files that were not read: a path may be on another machine, or contain the user's values, so opening it would
 * disclose them.
 */
function unreadLines(unread: readonly string[]): readonly string[] {
  return unread.length === 0
    ? []
    : ['', vscode.l10n.t('Not opened yet, so its content is not known: {0}', unread.join(', '))];
}

/** What has changed: the user does not read again what was read before. */
function changeLines(changes: LaunchChanges | undefined): readonly string[] {
  if (changes === undefined) {
    return [];
  }
  const lines = [
    ...changes.added.map((fact) => `    + ${factLine(fact)}`),
    ...changes.removed.map((fact) => `    − ${factLine(fact)}`),
  ];
  return lines.length === 0
    ? [vscode.l10n.t('Changed: the content of a file, or the order of what is listed.'), '']
    : [vscode.l10n.t('Changed since you allowed it:'), ...lines, ''];
}

function factLine({ label, value }: LaunchFact): string {
  return `${labelText(label, 1)}: ${value}`;
}

/** One line for a single fact, a list for several of the same kind. */
function factLines(facts: readonly LaunchFact[]): readonly string[] {
  const groups = new Map<FactLabel, string[]>();
  for (const { label, value } of facts) {
    groups.set(label, [...(groups.get(label) ?? []), value]);
  }
  return [...groups].flatMap(([label, values]) => {
    const [value, ...more] = values;
    const text = labelText(label, values.length);
    return more.length === 0
      ? [`${text}: ${value}`]
      : [`${text}:`, ...values.map((each) => `    • ${each}`)];
  });
}

/** Is a function, since the editor's language is not known yet when this module loads. */
function labelText(label: FactLabel, count: number): string {
  const isOne = count === 1;
  const texts: Readonly<Record<FactLabel, string>> = {
    command: vscode.l10n.t('Command'),
    argument: isOne ? vscode.l10n.t('Argument') : vscode.l10n.t('Arguments, in this order'),
    workingDirectory: vscode.l10n.t('Working directory'),
    environment: vscode.l10n.t('Environment'),
    environmentRemoved: vscode.l10n.t('Removed from the environment'),
    environmentFile: vscode.l10n.t('Environment file'),
    link: isOne ? vscode.l10n.t('Link') : vscode.l10n.t('Links'),
    pinnedFile: vscode.l10n.t('You are asked again when this changes'),
    sandbox: vscode.l10n.t('Sandbox'),
    url: vscode.l10n.t('URL'),
    transport: vscode.l10n.t('Transport'),
    socket: vscode.l10n.t('Socket'),
    header: isOne ? vscode.l10n.t('Header') : vscode.l10n.t('Headers'),
    signIn: vscode.l10n.t('Signing in'),
    connection: vscode.l10n.t('Connection'),
    variable: vscode.l10n.t('The program receives'),
    variableSent: vscode.l10n.t('Leaves this machine'),
    stored: vscode.l10n.t('Moved to the secret storage, as shown above'),
    roots: vscode.l10n.t('Folders that the server is told about'),
  };
  return texts[label];
}

/** Functions, since the editor's language is not known yet when this module loads. */
const riskTexts: { readonly [K in RiskKind]: (risk: Risk<K>) => string } = {
  elevation: ({ text }) => vscode.l10n.t('Asks for more rights than yours: {0}', text),
  recursiveDelete: ({ text }) =>
    vscode.l10n.t('Deletes folders with everything in them: {0}', text),
  downloadToShell: ({ text }) => vscode.l10n.t('Runs what it downloads: {0}', text),
  networkFetch: ({ text }) => vscode.l10n.t('Is a script that downloads something: {0}', text),
  containerEscape: ({ text }) => vscode.l10n.t('The container can reach this machine: {0}', text),
  encodedCommand: ({ text, decoded }) =>
    decoded === undefined
      ? vscode.l10n.t('Hides its script in an encoding: {0}', text)
      : vscode.l10n.t('Hides its script in an encoding; it says: {0}', decoded),
  loaderVariable: ({ name, origin }) =>
    vscode.l10n.t(
      'The variable {0} ({1}) can make programs load other code',
      name,
      originText(origin),
    ),
  pathInsideFolder: ({ name, origin, entry }) =>
    vscode.l10n.t(
      '{0} ({1}) finds programs inside the workspace: {2}',
      name,
      originText(origin),
      entry,
    ),
  workspace: ({ what, text }) =>
    what === 'changeable'
      ? vscode.l10n.t(
          'Runs with files of the workspace, which may change without another question ("pinFiles" in the entry asks again): {0}',
          text,
        )
      : vscode.l10n.t('Takes {0} from this workspace, whose authors may change it', text),
  pathOutsideFolder: ({ field, path }) =>
    vscode.l10n.t('{0} outside the workspace: {1}', fieldText(field), path),
  fileSent: ({ path }) => vscode.l10n.t('Sends the content of a file: {0}', path),
  connection: ({ by, text }) => connectionText(by, text),
  plainHttp: ({ origin }) =>
    vscode.l10n.t('Not encrypted: others on the way to {0} can read and change it', origin),
  secretOverPlainHttp: ({ field }) =>
    vscode.l10n.t('Sends a secret without encryption: {0}', field),
};

function riskText<K extends RiskKind>(risk: Risk<K>): string {
  return riskTexts[risk.kind](risk);
}

function connectionText(by: Risk<'connection'>['by'], text: string): string {
  return {
    authority: vscode.l10n.t('Accepts certificates of authorities of its own choice: {0}', text),
    proxy: vscode.l10n.t('Everything goes through a proxy: {0}', text),
    unchecked: vscode.l10n.t('Does not check the certificate of the server'),
  }[by];
}

function originText(origin: VariableOrigin): string {
  return {
    env: vscode.l10n.t('set in the entry'),
    envFile: vscode.l10n.t('set in the environment file'),
    command: vscode.l10n.t('set by the command line'),
  }[origin];
}

function fieldText(field: PathField): string {
  return {
    command: vscode.l10n.t('A command'),
    argument: vscode.l10n.t('An argument names a path'),
    workingDirectory: vscode.l10n.t('A working directory'),
    environmentFile: vscode.l10n.t('An environment file'),
    sandbox: vscode.l10n.t('The sandbox lets it write a path'),
  }[field];
}
