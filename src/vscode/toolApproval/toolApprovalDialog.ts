/**
 * The question before a tool runs: who would run it, what the server says of it, and exactly what is sent. The call
 * sends what was shown last. host/toolApproval decides whether to ask.
 */
import type { ApprovalScope } from '../../host/config/serverConfig.ts';
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type {
  ToolAnswer,
  ToolInput,
  ToolQuestion,
  ApprovalPrompt,
} from '../../host/toolApproval/approvals.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import type { ToolWatch } from '../toolFlags/toolWatch.ts';
import type { EditText } from '../text/textEditing.ts';
import { claimNote, claimedName } from '../extensions/accessDialog.ts';
import { oneLine } from '../text/labelText.ts';
import { askInput, editInput, type InputEdit } from '../tools/askInput.ts';
import { toolFile } from '../tree/definitionDocument.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { askReviewed, type ModalButton, type ReviewedModal } from '../questions/modal.ts';
import {
  callLines,
  type CallParts,
  type CallRoom,
  isCut,
  isGrave,
  partsOf,
  type Shown,
  shownBy,
  skillLines,
} from './callLines.ts';
import { confirmAll } from './jointDialog.ts';

/** A modal has no room for more. A longer input is cut there, with a note; Show All and Edit show all of it. */
const room: CallRoom = { input: [800, 20], difference: [600, 12], description: [500, 10] };
/** A longer one is edited in an editor instead of on one line. */
const maxLineLength = 200;

export interface ToolApprovalServices {
  readonly checker: () => SchemaChecker;
  readonly editText: EditText;
  readonly keepFile: KeepFile;
  readonly watch: ToolWatch;
}

export function toolApprovalDialog(services: ToolApprovalServices): ApprovalPrompt {
  return {
    confirmTool: (question, turn) => confirm(question, services, turn),
    confirmTools: (questions, turn) => confirmAll(questions, services, turn),
  };
}

async function confirm(
  question: ToolQuestion,
  { checker, editText, keepFile: keep, watch }: ToolApprovalServices,
  turn: Turn,
): Promise<ToolAnswer> {
  const { signal } = turn;
  const shown = shownBy(question, watch);
  let { input } = question;
  while (!signal.aborted) {
    const choice = await askReviewed(modalOf({ ...shown, input }), keep, turn);
    if (signal.aborted || choice === 'deny' || choice === undefined) {
      break;
    }
    if (choice === 'later') {
      return { kind: 'later', input };
    }
    if (choice !== 'edit') {
      return { kind: 'allow', input, scope: choice };
    }
    input = (await edit(question, input, { checker: checker(), editText, signal })) ?? input;
  }
  return { kind: 'deny' };
}

type Choice = ApprovalScope | 'edit' | 'later' | 'deny';

function modalOf(shown: Shown): ReviewedModal<Choice> {
  const { server, tool, caller, input, difference, scopes } = shown;
  const parts = partsOf(shown, room);
  return {
    message: headline(shown),
    lines: detail(shown, parts),
    isWarning: isGrave(shown),
    isCut: isCut(shown, parts),
    whole: {
      title: `${oneLine(server.name, 60)}: ${oneLine(displayLabel(tool), 80)}`,
      placeHolder: vscode.l10n.t('Nothing has been run yet'),
      file: toolFile(server.name, tool, { input, difference }),
    },
    buttons: [
      ...runButtons(shown),
      // A user who runs a tool by hand is not interrupted.
      ...(caller === 'user' ? [] : [{ title: vscode.l10n.t('Later'), answer: 'later' } as const]),
      { title: vscode.l10n.t('Deny'), answer: 'deny', isCloseAffordance: true },
    ],
    // What an app asks for is remembered by the first button.
    ...(caller !== 'app' && {
      remember: {
        button: vscode.l10n.t('Run and Remember…'),
        scopes,
        title: vscode.l10n.t(
          '{0}: for how long may "{1}" run without this question?',
          oneLine(server.name, 60),
          oneLine(displayLabel(tool), 60),
        ),
        placeHolder: vscode.l10n.t(
          'With any input. Manage Approvals… takes it back; a change of the tool asks again.',
        ),
      },
    }),
  };
}

function runButtons({ caller }: ToolQuestion): readonly ModalButton<Choice>[] {
  return caller === 'app'
    ? [{ title: vscode.l10n.t('Allow This Tool'), answer: 'once', commits: true }]
    : [
        { title: vscode.l10n.t('Run'), answer: 'once', commits: true },
        { title: vscode.l10n.t('Edit Input…'), answer: 'edit' },
      ];
}

function headline({ tool, server, caller, extension }: ToolQuestion): string {
  const label = oneLine(displayLabel(tool), 100);
  const name = oneLine(server.name, 100);
  if (extension !== undefined) {
    const who = claimedName(extension);
    return vscode.l10n.t('{0} wants to run "{1}" on the MCP server "{2}".', who, label, name);
  }
  if (caller === 'app') {
    return vscode.l10n.t('An app of the MCP server "{0}" wants to run "{1}".', name, label);
  }
  return caller === 'model'
    ? vscode.l10n.t('The model wants to run "{0}" on the MCP server "{1}".', label, name)
    : vscode.l10n.t('Run "{0}" on the MCP server "{1}"?', label, name);
}

function detail(shown: Shown, parts: CallParts): readonly string[] {
  const { caller, extension, skills, scopes } = shown;
  return [
    ...(extension === undefined ? [] : [claimNote(), '']),
    ...(caller === 'app'
      ? [
          scopes.length > 0
            ? vscode.l10n.t(
                'An interface that the server shows asks for it. Apps call a tool over and over: your answer, yes or no, counts for this tool with any input until this window closes.',
              )
            : vscode.l10n.t(
                'An interface that the server shows asks for it. A rule wants each call asked about: your answer counts for this one.',
              ),
          '',
        ]
      : []),
    ...skillLines(skills),
    ...callLines(shown, parts),
  ];
}

function edit(
  { server, tool }: ToolQuestion,
  input: ToolInput,
  how: Pick<InputEdit, 'checker' | 'editText' | 'signal'>,
): Promise<ToolInput | undefined> {
  const label = oneLine(displayLabel(tool), 80);
  const ask = JSON.stringify(input).length > maxLineLength ? editInput : askInput;
  return ask(input, {
    ...how,
    title: `${oneLine(server.name, 60)}: ${label}`,
    tool,
    hint: (use) =>
      vscode.l10n.t(
        'Edit the input of "{0}", then choose "{1}". You are asked again before it runs.',
        label,
        use,
      ),
  });
}
