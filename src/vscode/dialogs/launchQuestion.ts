/**
 * How a launch is shown before anything of it runs: everything in a modal; what has no room there is said to
 * be missing, and opens whole. Who asks, and what the answers are, is the caller's business.
 */
import * as vscode from 'vscode';
import { truncated } from '../../base/text.ts';
import type {
  FactLabel,
  LaunchChanges,
  LaunchDescription,
  LaunchFact,
} from '../../host/consent/launchDescription.ts';
import type { Turn } from '../../host/asks/questionQueue.ts';
import { oneLine } from '../text.ts';
import { type KeepFile, readWhole, textFile } from '../wholeText.ts';
import { riskText } from './riskText.ts';

/** More than a launch that was written by hand ever has. */
const maxLine = 1_000;
const maxLines = 80;

export interface LaunchQuestion<A extends string> {
  /** The server's name. */
  readonly name: string;
  /** Where the server is from, in words. */
  readonly from: string;
  /** Short: above a detail that has to be scrolled, the editor shows one line of it and cuts the others. */
  readonly question: string;
  readonly lines: readonly string[];
  readonly buttons: readonly { readonly title: string; readonly answer: A }[];
}

/** @returns undefined when the question was closed, or was withdrawn meanwhile */
export async function askAboutLaunch<A extends string>(
  asked: LaunchQuestion<A>,
  keep: KeepFile,
  turn: Turn,
): Promise<A | 'later' | undefined> {
  const about = { ...asked, lines: [...whose(asked), '', ...asked.lines] };
  for (;;) {
    const answer = await showModal(about);
    // A modal cannot be closed by code: an answer that comes after the start was given up counts for nothing.
    if (turn.signal.aborted) {
      return undefined;
    }
    if (answer !== 'whole') {
      return answer;
    }
    const name = oneLine(about.name, 60);
    const end = await readWhole(
      {
        title: vscode.l10n.t('What the MCP server "{0}" would start', name),
        placeHolder: vscode.l10n.t('Nothing has been started yet'),
        file: textFile(`start-of-${name}`, [about.question, '', ...about.lines].join('\n')),
      },
      keep,
      turn,
    );
    if (end === 'later') {
      return 'later';
    }
    if (turn.signal.aborted) {
      return undefined;
    }
  }
}

function whose({ name, from }: Pick<LaunchQuestion<string>, 'name' | 'from'>): readonly string[] {
  return [
    vscode.l10n.t('Server: {0}', oneLine(name, 100)),
    vscode.l10n.t('From: {0}', oneLine(from, 200)),
  ];
}

async function showModal<A extends string>({
  question,
  lines,
  buttons,
}: LaunchQuestion<A>): Promise<A | 'whole' | undefined> {
  const shown = lines.slice(0, maxLines).map((line) => truncated(line, maxLine));
  const isWhole =
    shown.length === lines.length && shown.every((line, index) => line === lines[index]);
  const [first, ...others] = buttons;
  const items: readonly (vscode.MessageItem & { readonly answer: A | 'whole' })[] = [
    ...(first === undefined ? [] : [first]),
    ...(isWhole ? [] : [{ title: vscode.l10n.t('Show All…'), answer: 'whole' as const }]),
    ...others,
  ];
  const missing = isWhole
    ? []
    : [
        `⚠ ${vscode.l10n.t('This is not all that would be started: Show All… opens the rest.')}`,
        '',
      ];
  const picked = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail: [...missing, ...shown].join('\n') },
    ...items,
  );
  return picked?.answer;
}

/** A long dialog has to be scrolled: what has to be looked at comes before what is listed. */
export function launchLines(description: LaunchDescription): readonly string[] {
  const lines = [...changeLines(description.changes)];
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
    connection: vscode.l10n.t('Connection'),
    variable: vscode.l10n.t('The program receives'),
    variableSent: vscode.l10n.t('Leaves this machine'),
    roots: vscode.l10n.t('Folders that the server is told of'),
  };
  return texts[label];
}
