/** The one question about several calls that run side by side. What is allowed is what it lists, once. */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type { JointAnswer, ToolQuestion } from '../../host/toolApproval/approvals.ts';
import { askReviewed, maxModalLines, type ReviewedModal } from '../questions/modal.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import type { ToolWatch } from '../toolFlags/toolWatch.ts';
import { toolFile, toolFiles } from '../tree/definitionDocument.ts';
import {
  callLines,
  type CallRoom,
  isCut,
  isGrave,
  partsOf,
  type Shown,
  shownBy,
  skillLines,
} from './callLines.ts';

/** Of each call; what is longer is cut, with a note. */
const room: CallRoom = { input: [300, 8], difference: [200, 4], description: [200, 3] };

export async function confirmAll(
  questions: readonly ToolQuestion[],
  { keepFile, watch }: { readonly keepFile: KeepFile; readonly watch: ToolWatch },
  turn: Turn,
): Promise<JointAnswer> {
  const shown = questions.map((question) => shownBy(question, watch));
  return (await askReviewed(jointModalOf(shown), keepFile, turn)) ?? 'deny';
}

/** Calls of the model only: nobody else makes several at once. */
function jointModalOf(all: readonly Shown[]): ReviewedModal<JointAnswer> {
  const calls = all.map((shown) => {
    const parts = partsOf(shown, room);
    return { shown, parts, lines: callLines(shown, parts) };
  });
  const lines = [
    ...skillLines(all[0]?.skills),
    ...calls.flatMap(({ shown: { tool }, lines: own }, index) => [
      ...(index === 0 ? [] : ['']),
      `${index + 1}. "${oneLine(displayLabel(tool), 100)}"`,
      ...own,
    ]),
  ];
  return {
    message: vscode.l10n.t('The model wants to make {0} calls side by side.', all.length),
    lines,
    isWarning: all.some(isGrave),
    isCut: calls.some(({ shown, parts }) => isCut(shown, parts)),
    whole: {
      title: vscode.l10n.t('{0} calls', all.length),
      placeHolder: vscode.l10n.t('Nothing has been run yet'),
      file: toolFiles(
        all.map(({ server, tool, input, difference }) =>
          toolFile(server.name, tool, { input, difference }),
        ),
      ),
    },
    buttons: [
      // What the dialog has no room to name is not allowed with the rest.
      ...(lines.join('\n').split('\n').length > maxModalLines
        ? []
        : [{ title: vscode.l10n.t('Run All'), answer: 'run', commits: true } as const]),
      { title: vscode.l10n.t('Decide One by One…'), answer: 'each' },
      { title: vscode.l10n.t('Later'), answer: 'later' },
      { title: vscode.l10n.t('Deny All'), answer: 'deny', isCloseAffordance: true },
    ],
  };
}
