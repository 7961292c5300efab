/**
 * The modal that asks before a server of a workspace is started. It shows everything that would run; what
 * has no room there is said to be missing, and opens whole. What has to be said is decided in `host/consent`.
 */
import * as vscode from 'vscode';
import type {
  FactLabel,
  LaunchChanges,
  LaunchDescription,
  LaunchFact,
} from '../../host/consent/launchDescription.ts';
import type { ConfigScope } from '../../host/config/serverConfig.ts';
import { later, type Turn } from '../../host/asks/questionQueue.ts';
import type { ConsentPrompt } from '../../host/ports.ts';
import { oneLine } from '../text.ts';
import { type KeepFile, readWhole, textFile } from '../wholeText.ts';
import { riskText } from './riskText.ts';

/** More than a launch that was written by hand ever has. */
const maxLine = 1_000;
const maxLines = 80;

type Answer = 'allow' | 'whole' | 'later';

export function consentDialog(keep: KeepFile): ConsentPrompt {
  return { confirmStart: (description, turn) => confirm(description, keep, turn) };
}

async function confirm(
  description: LaunchDescription,
  keep: KeepFile,
  turn: Turn,
): Promise<boolean | typeof later> {
  for (;;) {
    const answer = await showModal(description);
    // A modal cannot be closed by code: an answer that comes after the start was given up counts for nothing.
    if (turn.signal.aborted) {
      return false;
    }
    if (answer !== 'whole') {
      return answer === 'later' ? later : answer === 'allow';
    }
    const name = oneLine(description.server.name, 60);
    const text = [question(description), '', ...detail(description)].join('\n');
    const end = await readWhole(
      {
        title: vscode.l10n.t('What the MCP server "{0}" would start', name),
        placeHolder: vscode.l10n.t('Nothing has been started yet'),
        file: textFile(`start-of-${name}`, text),
      },
      keep,
      turn,
    );
    if (end === 'later') {
      return later;
    }
    if (turn.signal.aborted) {
      return false;
    }
  }
}

async function showModal(description: LaunchDescription): Promise<Answer | undefined> {
  const lines = detail(description);
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line));
  const isWhole =
    shown.length === lines.length && shown.every((line, index) => line === lines[index]);
  const items: readonly (vscode.MessageItem & { readonly answer: Answer })[] = [
    {
      title: description.changes ? vscode.l10n.t('Allow the New Version') : vscode.l10n.t('Allow'),
      answer: 'allow',
    },
    ...(isWhole ? [] : [{ title: vscode.l10n.t('Show All…'), answer: 'whole' as const }]),
    { title: vscode.l10n.t('Later'), answer: 'later' },
  ];
  const missing = isWhole
    ? []
    : [
        `⚠ ${vscode.l10n.t('This is not all that would be started: Show All… opens the rest.')}`,
        '',
      ];
  const picked = await vscode.window.showWarningMessage(
    question(description),
    { modal: true, detail: [...missing, ...shown].join('\n') },
    ...items,
  );
  return picked?.answer;
}

function question({ server, changes }: LaunchDescription): string {
  const name = oneLine(server.name, 100);
  const from = originText(server.scope);
  if (changes !== undefined) {
    return vscode.l10n.t(
      'The MCP server "{0}" from {1} has changed since you allowed it. Start it?',
      name,
      from,
    );
  }
  return server.launch.kind === 'stdio'
    ? vscode.l10n.t('Start the MCP server "{0}" from {1}?', name, from)
    : vscode.l10n.t('Connect to the MCP server "{0}" from {1}?', name, from);
}

function originText(scope: ConfigScope): string {
  switch (scope.kind) {
    case 'folder':
      return vscode.l10n.t('the settings of the folder "{0}"', oneLine(scope.name, 100));
    case 'extension':
      return vscode.l10n.t('the extension "{0}" ({1})', oneLine(scope.name, 60), scope.id);
    case 'user':
    case 'workspace':
      return vscode.l10n.t('the settings of this workspace');
  }
}

/** A long dialog has to be scrolled: what it is about comes before what it lists. */
function detail(description: LaunchDescription): readonly string[] {
  const lines = [rights(description), '', ...changeLines(description.changes)];
  if (description.risks.length > 0) {
    lines.push(vscode.l10n.t('Look closely:'));
    lines.push(...description.risks.map((risk) => `⚠ ${riskText(risk)}`), '');
  }
  lines.push(...factLines(description.facts));
  return lines;
}

/** What the user has read before is not read again: what is different has to be said. */
function changeLines(changes: LaunchChanges | undefined): readonly string[] {
  if (changes === undefined) {
    return [];
  }
  const lines = [
    ...changes.added.map((fact) => `    + ${factLine(fact)}`),
    // What does not run any more need not be read to its end.
    ...changes.removed.map((fact) => `    − ${oneLine(factLine(fact), 120)}`),
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

function rights({ server }: LaunchDescription): string {
  return server.launch.kind === 'stdio'
    ? vscode.l10n.t(
        'The program runs on this machine with your rights: it can read and change what you can. Allow it only if you trust whoever wrote this. You are asked again when any of this changes.',
      )
    : vscode.l10n.t(
        'The server gets what is listed here, and later what you or the model send to it. Allow it only if you trust it. You are asked again when any of this changes.',
      );
}

/** Looked up when it is shown, not when this is loaded: the language of the editor is known then. */
function labelText(label: FactLabel, count: number): string {
  const isOne = count === 1;
  const texts: Readonly<Record<FactLabel, string>> = {
    command: vscode.l10n.t('Command'),
    argument: isOne ? vscode.l10n.t('Argument') : vscode.l10n.t('Arguments, in this order'),
    workingDirectory: vscode.l10n.t('Working directory'),
    environment: vscode.l10n.t('Environment'),
    environmentRemoved: vscode.l10n.t('Environment without'),
    environmentFile: vscode.l10n.t('Environment file'),
    url: vscode.l10n.t('URL'),
    socket: vscode.l10n.t('Socket'),
    header: isOne ? vscode.l10n.t('Header') : vscode.l10n.t('Headers'),
    signIn: vscode.l10n.t('Signing in'),
    variable: vscode.l10n.t('The program receives'),
    variableSent: vscode.l10n.t('Leaves this machine'),
    roots: vscode.l10n.t('Folders that the server is told of'),
  };
  return texts[label];
}
