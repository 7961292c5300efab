/** A call of the history as a row, in a pick, and as a document. */
import * as vscode from 'vscode';
import type { KeptCall } from '../../host/history/callHistory.ts';
import { jsonText, resultText } from '../../host/history/callTexts.ts';
import { dayAndTime } from '../../host/inspector/seenMessage.ts';
import { durationText } from '../../host/tools/resultView.ts';
import { commandId } from '../ids.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';
import { dotted, excerpt, oneLine } from '../text/labelText.ts';
import { originText } from '../text/originText.ts';
import { PlainTooltip } from '../text/plainTooltip.ts';

function lookOf({ outcome }: KeptCall): readonly [icon: string, color: string, words: string] {
  const { t } = vscode.l10n;
  const looks = {
    done: ['pass', 'testing.iconPassed', t('success')],
    toolError: ['warning', 'list.warningForeground', t('the tool reports an error')],
    failed: ['error', 'list.errorForeground', t('the call failed')],
    cancelled: ['circle-slash', 'disabledForeground', t('cancelled')],
  } as const;
  return looks[outcome];
}

/** A row. */
export interface CallNode {
  readonly call: KeptCall;
  readonly item: vscode.TreeItem;
}

export function callNode(call: KeptCall): CallNode {
  const item = new vscode.TreeItem(oneLine(call.tool, 100));
  const [icon, color, outcome] = lookOf(call);
  item.id = call.id;
  item.contextValue = 'call';
  item.description = details(call);
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.tooltip = new PlainTooltip()
    .line(vscode.l10n.t('Tool'), call.tool)
    .line(vscode.l10n.t('Server'), call.server)
    .line(vscode.l10n.t('Asked'), originText(call.origin) ?? '')
    .line(vscode.l10n.t('Time'), wholeTime(call))
    .line(vscode.l10n.t('Outcome'), outcome)
    .paragraph(excerpt(call.input.json, 400, 10).text)
    .paragraph(excerpt(resultText(call), 800, 15).text)
    .build();
  item.accessibilityInformation = {
    label: [call.tool, call.server, outcome, timeText(call)]
      .map((text) => oneLine(text, 100))
      .join(', '),
  };
  const node = { call, item };
  item.command = {
    command: commandId('openHistoryResult'),
    title: vscode.l10n.t('Open Result'),
    arguments: [node],
  };
  return node;
}

export function callPick(call: KeptCall): vscode.QuickPickItem & { readonly call: KeptCall } {
  return {
    label: `$(${lookOf(call)[0]}) ${oneLine(call.tool, 100)}`,
    description: details(call),
    call,
  };
}

function details(call: KeptCall): string {
  return dotted(
    oneLine(call.server, 60),
    timeText(call),
    durationText(call.durationMs),
    originText(call.origin),
  );
}

/** `14:02:09` of today, with the date for other days. */
export function timeText(call: KeptCall): string {
  const whole = wholeTime(call);
  const [day = '', time = ''] = whole.split(' ');
  return dayAndTime(Date.now()).startsWith(day) ? time : whole;
}

function wholeTime({ at }: KeptCall): string {
  return dayAndTime(at).slice(0, -'.000'.length);
}

/** As Markdown. */
export function callDocument(call: KeptCall): string {
  const { t } = vscode.l10n;
  const { input, result } = call;
  const isMasked = !input.isCut && !input.isWhole;
  const lines = [
    `# ${inline(call.tool)}`,
    '',
    `- ${t('Server')}: ${inline(call.server)}`,
    `- ${t('Who')}: ${originText(call.origin) ?? ''}`,
    `- ${t('Time')}: ${wholeTime(call)}`,
    `- ${t('Outcome')}: ${lookOf(call)[2]}`,
    `- ${t('Duration')}: ${durationText(call.durationMs)}`,
    '',
    `## ${t('Input')}`,
    '',
    ...(isMasked ? [t('Something in it is masked, or left out.'), ''] : []),
    ...(input.isCut ? [t('It is too long: the end was not kept.'), ''] : []),
    fenced(jsonText(input), 'json'),
    '',
    `## ${result === undefined ? t('Error') : t('Result')}`,
    '',
    ...(result?.isCut === true ? [t('It is too long: the end was not kept.'), ''] : []),
    fenced(resultText(call)),
  ];
  return `${lines.join('\n')}\n`;
}
