/**
 * The modal that asks before a server of a workspace is started. It shows everything that would run,
 * untruncated; what has to be said is decided in `host/consent`.
 */
import * as vscode from 'vscode';
import type {
  FactLabel,
  LaunchChanges,
  LaunchDescription,
  LaunchFact,
} from '../../host/consent/launchDescription.ts';
import type { ConsentPrompt } from '../../host/ports.ts';
import { oneLine } from '../text.ts';
import { riskText } from './riskText.ts';

export const consentDialog: ConsentPrompt = {
  confirmStart: async (description, signal) => {
    const allow = description.changes
      ? vscode.l10n.t('Allow the New Version')
      : vscode.l10n.t('Allow');
    const answer = await vscode.window.showWarningMessage(
      question(description),
      { modal: true, detail: detail(description) },
      allow,
    );
    // A modal cannot be closed by code: an answer that comes after the start was given up counts for nothing.
    return answer === allow && !signal.aborted;
  },
};

function question({ server, changes }: LaunchDescription): string {
  const name = oneLine(server.name, 100);
  const from =
    server.scope.kind === 'folder'
      ? vscode.l10n.t('the settings of the folder "{0}"', oneLine(server.scope.name, 100))
      : vscode.l10n.t('the settings of this workspace');
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

/** A long dialog has to be scrolled: what it is about comes before what it lists. */
function detail(description: LaunchDescription): string {
  const lines = [rights(description), '', ...changeLines(description.changes)];
  if (description.risks.length > 0) {
    lines.push(vscode.l10n.t('Look closely:'));
    lines.push(...description.risks.map((risk) => `⚠ ${riskText(risk)}`), '');
  }
  lines.push(...factLines(description.facts));
  return lines.join('\n');
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
        'The program runs on this machine with your rights: it can read and change what you can. Allow it only if you trust whoever wrote these settings. You are asked again when any of this changes.',
      )
    : vscode.l10n.t(
        'The server gets what is listed here, and later what you or the model send to it. Allow it only if you trust it. You are asked again when any of this changes.',
      );
}

function labelText(label: FactLabel, count: number): string {
  switch (label) {
    case 'command':
      return vscode.l10n.t('Command');
    case 'argument':
      return count === 1 ? vscode.l10n.t('Argument') : vscode.l10n.t('Arguments, in this order');
    case 'workingDirectory':
      return vscode.l10n.t('Working directory');
    case 'environment':
      return vscode.l10n.t('Environment');
    case 'environmentRemoved':
      return vscode.l10n.t('Environment without');
    case 'environmentFile':
      return vscode.l10n.t('Environment file');
    case 'url':
      return vscode.l10n.t('URL');
    case 'socket':
      return vscode.l10n.t('Socket');
    case 'header':
      return count === 1 ? vscode.l10n.t('Header') : vscode.l10n.t('Headers');
    case 'variable':
      return vscode.l10n.t('The program receives');
    case 'variableSent':
      return vscode.l10n.t('Leaves this machine');
    case 'roots':
      return vscode.l10n.t('Folders that the server is told of');
  }
}
