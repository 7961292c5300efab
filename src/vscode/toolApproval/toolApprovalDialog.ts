/**
 * The question before a tool runs: who would run it, what the server says of it, and exactly what is sent. The call
 * sends what was shown last. host/toolApproval decides whether to ask.
 */
import type { RememberedScope } from '../../host/config/serverConfig.ts';
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
import { excerpt, oneLine } from '../text/labelText.ts';
import { askInputLine, inputInEditor, type WholeInput } from '../tools/askInput.ts';
import { toolFile } from '../tree/definitionDocument.ts';
import type { KeepFile } from '../text/wholeText.ts';
import {
  askReviewed,
  type ModalButton,
  pickRemembered,
  type ReviewedModal,
} from '../questions/modal.ts';
import {
  callLines,
  type CallParts,
  isGrave,
  maxNameLength,
  type Shown,
  shownBy,
  skillLines,
} from './callLines.ts';
import { confirmAll } from './jointDialog.ts';

/** A modal has no room for more. A longer input is cut there, with a note; Show All and Edit show all of it. */
const maxInputLength = 800;
const maxInputLines = 20;
/** A longer one is edited in an editor instead of on one line. */
const maxLineLength = 200;
const maxDescriptionLength = 500;
const maxDescriptionLines = 10;
const maxDifferenceLength = 600;
const maxDifferenceLines = 12;

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

const denied: ToolAnswer = { kind: 'deny' };

async function confirm(
  question: ToolQuestion,
  { checker, editText, keepFile: keep, watch }: ToolApprovalServices,
  turn: Turn,
): Promise<ToolAnswer> {
  const { signal } = turn;
  const shown = shownBy(question, watch);
  let { input } = question;
  for (;;) {
    const choice = await askReviewed(modalOf({ ...shown, input }), keep, turn);
    if (signal.aborted) {
      return denied;
    }
    switch (choice) {
      case 'run':
        return { kind: 'allow', input, scope: 'once' };
      case 'remember': {
        const scope = await pickScope(question, signal);
        if (scope !== undefined) {
          return { kind: 'allow', input, scope };
        }
        break;
      }
      case 'edit': {
        const how = { checker: checker(), editText, signal };
        input = (await edit(question, input, how)) ?? input;
        break;
      }
      case 'later':
        return { kind: 'later', input };
      case 'deny':
      case undefined:
        return denied;
    }
    if (signal.aborted) {
      return denied;
    }
  }
}

type Choice = 'run' | 'remember' | 'edit' | 'later' | 'deny';

function modalOf(shown: Shown): ReviewedModal<Choice> {
  const { server, tool, caller, input, difference } = shown;
  const parts = {
    input: excerpt(JSON.stringify(input, undefined, 2), maxInputLength, maxInputLines),
    difference: excerpt(difference.join('\n'), maxDifferenceLength, maxDifferenceLines),
    description: excerpt(tool.description ?? '', maxDescriptionLength, maxDescriptionLines),
  };
  return {
    message: headline(shown),
    lines: detail(shown, parts),
    isWarning: isGrave(shown),
    isCut: tool.name.length > maxNameLength || Object.values(parts).some(({ left }) => left > 0),
    whole: {
      title: `${oneLine(server.name, 60)}: ${oneLine(displayLabel(tool), 80)}`,
      placeHolder: vscode.l10n.t('Nothing has been run yet'),
      file: toolFile(server.name, tool, { input, difference }),
    },
    buttons: [
      ...(caller === 'app'
        ? [{ title: vscode.l10n.t('Allow This Tool'), answer: 'run', commits: true } as const]
        : runButtons(shown)),
      // A user who runs a tool by hand is not interrupted.
      ...(caller === 'user' ? [] : [{ title: vscode.l10n.t('Later'), answer: 'later' } as const]),
      { title: vscode.l10n.t('Deny'), answer: 'deny', isCloseAffordance: true },
    ],
  };
}

function runButtons({ scopes }: ToolQuestion): readonly ModalButton<Choice>[] {
  return [
    { title: vscode.l10n.t('Run'), answer: 'run', commits: true },
    ...(scopes.length === 0
      ? []
      : [
          {
            title: vscode.l10n.t('Run and Remember…'),
            answer: 'remember' as const,
            commits: true as const,
          },
        ]),
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

function pickScope(
  { tool, server, scopes }: ToolQuestion,
  signal: AbortSignal,
): Promise<RememberedScope | undefined> {
  return pickRemembered(
    scopes,
    {
      title: vscode.l10n.t(
        '{0}: for how long may "{1}" run without this question?',
        oneLine(server.name, 60),
        oneLine(displayLabel(tool), 60),
      ),
      placeHolder: vscode.l10n.t(
        'With any input. Manage Approvals… takes it back; a change of the tool asks again.',
      ),
    },
    signal,
  );
}

async function edit(
  { server, tool }: ToolQuestion,
  input: ToolInput,
  {
    checker,
    editText,
    signal,
  }: {
    readonly checker: SchemaChecker;
    readonly editText: EditText;
    readonly signal: AbortSignal;
  },
): Promise<ToolInput | undefined> {
  const title = `${oneLine(server.name, 60)}: ${oneLine(displayLabel(tool), 80)}`;
  const typed: WholeInput =
    JSON.stringify(input).length > maxLineLength
      ? { kind: 'editor', input }
      : await askInputLine(title, tool, input, { checker, signal });
  return typed.kind === 'input'
    ? typed.input
    : editText(
        {
          ...inputInEditor(tool, typed.input, checker),
          hint: (use) =>
            vscode.l10n.t(
              'Edit the input of "{0}", then choose "{1}". You are asked again before it runs.',
              oneLine(displayLabel(tool), 80),
              use,
            ),
        },
        signal,
      );
}
