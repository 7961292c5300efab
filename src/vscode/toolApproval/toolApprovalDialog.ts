/**
 * The question before a tool runs: who would run it, what the server says of it, and exactly what is sent. The call
 * sends what was shown last. host/toolApproval decides whether to ask.
 */
import type { RememberedScope } from '../../host/config/serverConfig.ts';
import type { SchemaChecker } from '../../host/schemas/schemaChecker.ts';
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { DefinitionPart, ToolClaims } from '../../host/toolApproval/toolDefinition.ts';
import type {
  ToolAnswer,
  ToolInput,
  ToolQuestion,
  ApprovalPrompt,
} from '../../host/toolApproval/approvals.ts';
import type { Turn } from '../../host/questions/questionQueue.ts';
import { argumentHeaders } from '../../mcp/types/lists.ts';
import type { ToolWatch } from '../toolFlags/toolWatch.ts';
import type { EditText } from '../text/textEditing.ts';
import { claimNote, claimedName } from '../extensions/accessDialog.ts';
import { scopeText } from '../config/scopeText.ts';
import { type Excerpt, excerpt, oneLine, quoted } from '../text/labelText.ts';
import { askInputLine, inputInEditor, type WholeInput } from '../tools/askInput.ts';
import { toolFile } from '../tree/definitionDocument.ts';
import { pickRemembered } from '../questions/pickRemembered.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { askReviewed, type ModalButton, type ReviewedModal } from '../questions/modal.ts';

/** A modal has no room for more. A longer input is cut there, with a note; Show All and Edit show all of it. */
const maxInputLength = 800;
const maxInputLines = 20;
/** A longer one is edited in an editor instead of on one line. */
const maxLineLength = 200;
const maxDescriptionLength = 500;
const maxDescriptionLines = 10;
const maxNameLength = 130;
const maxDifferenceLength = 600;
const maxDifferenceLines = 12;

export interface ToolApprovalServices {
  readonly checker: () => SchemaChecker;
  readonly editText: EditText;
  readonly keepFile: KeepFile;
  readonly watch: ToolWatch;
}

export function toolApprovalDialog(services: ToolApprovalServices): ApprovalPrompt {
  return { confirmTool: (question, turn) => confirm(question, services, turn) };
}

const denied: ToolAnswer = { kind: 'deny' };

async function confirm(
  question: ToolQuestion,
  { checker, editText, keepFile: keep, watch }: ToolApprovalServices,
  turn: Turn,
): Promise<ToolAnswer> {
  const { signal } = turn;
  const flags = watch.flagsOf(question.server, question.tool);
  const difference = question.changes.length === 0 ? [] : watch.differenceOf(question);
  let { input } = question;
  for (;;) {
    const choice = await askReviewed(
      modalOf({ ...question, input, flags, difference }),
      keep,
      turn,
    );
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

/** A question with the input as it is now. */
interface Shown extends ToolQuestion {
  /** What is odd about the tool, one sentence each. */
  readonly flags: readonly string[];
  /** Its changes, line by line. */
  readonly difference: readonly string[];
}

type Choice = 'run' | 'remember' | 'edit' | 'later' | 'deny';

function modalOf(shown: Shown): ReviewedModal<Choice> {
  const { server, tool, caller, input, flags, difference, claims } = shown;
  const parts = {
    input: excerpt(JSON.stringify(input, undefined, 2), maxInputLength, maxInputLines),
    difference: excerpt(difference.join('\n'), maxDifferenceLength, maxDifferenceLines),
    description: excerpt(tool.description ?? '', maxDescriptionLength, maxDescriptionLines),
  };
  return {
    message: headline(shown),
    lines: detail(shown, parts),
    // A destructive or a stated open-world effect needs a graver tone.
    isWarning:
      flags.length > 0 ||
      claims.effect === 'destructive' ||
      (claims.isOpenWorld && claims.isOpenWorldStated),
    isCut: tool.name.length > maxNameLength || Object.values(parts).some(({ left }) => left > 0),
    whole: {
      title: `${oneLine(server.name, 60)}: ${oneLine(displayLabel(tool), 80)}`,
      placeHolder: vscode.l10n.t('Nothing has been run yet'),
      file: toolFile(server.name, tool, { input, difference }),
    },
    buttons: [
      ...(caller === 'app'
        ? [{ title: vscode.l10n.t('Allow This Tool'), answer: 'run', commits: true } as const]
        : runButtons()),
      // A user who runs a tool by hand is not interrupted.
      ...(caller === 'user' ? [] : [{ title: vscode.l10n.t('Later'), answer: 'later' } as const]),
      { title: vscode.l10n.t('Deny'), answer: 'deny', isCloseAffordance: true },
    ],
  };
}

function runButtons(): readonly ModalButton<Choice>[] {
  return [
    { title: vscode.l10n.t('Run'), answer: 'run', commits: true },
    { title: vscode.l10n.t('Run and Remember…'), answer: 'remember', commits: true },
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

type Parts = Readonly<Record<'input' | 'difference' | 'description', Excerpt>>;

function detail(
  { tool, server, caller, extension, claims, isTrusted, input, changes, flags }: Shown,
  parts: Parts,
): readonly string[] {
  const { difference, description } = parts;
  return [
    ...(extension === undefined ? [] : [claimNote(), '']),
    ...(caller === 'app'
      ? [
          vscode.l10n.t(
            'An interface that the server shows asks for it. Apps call a tool over and over: your answer, yes or no, counts for this tool with any input until this window closes.',
          ),
          '',
        ]
      : []),
    ...(changes.length === 0 ? [] : [changesText(changes), ...quotedPart(difference), '']),
    ...(flags.length === 0 ? [] : [...flags.map((flag) => `⚠ ${flag}`), '']),
    vscode.l10n.t('Server: {0} ({1})', oneLine(server.name, 100), scopeText(server.scope)),
    vscode.l10n.t('Tool: {0}', oneLine(tool.name, maxNameLength)),
    ...effectLines(claims, isTrusted),
    '',
    ...inputLines(input, parts.input),
    ...headerLines(tool),
    ...(description.text === ''
      ? []
      : ['', vscode.l10n.t('Description by the server:'), ...quotedPart(description)]),
  ];
}

function quotedPart({ text, left }: Excerpt): readonly string[] {
  return [
    ...(text === '' ? [] : [quoted(text)]),
    ...(left === 0 ? [] : [vscode.l10n.t('({0} more characters: see Show All)', left)]),
  ];
}

/** Puts the note on a missing part before the text: below a long text it is easily missed. */
function inputLines(input: ToolInput, { text, left }: Excerpt): readonly string[] {
  const length = JSON.stringify(input, undefined, 2).length;
  return left === 0
    ? [vscode.l10n.t('Input, exactly as it would be sent:'), text]
    : [
        `⚠ ${vscode.l10n.t('Input, {0} of {1} characters (Show All… opens all):', length - left, length)}`,
        `${text}…`,
      ];
}

/** HTTP headers are seen, and logged, in more places than the message (HDR-17). */
function headerLines({ [argumentHeaders]: paths = [] }: ToolQuestion['tool']): readonly string[] {
  const names = oneLine(paths.join(', '), maxNameLength);
  return names === ''
    ? []
    : [vscode.l10n.t('Also sent as HTTP headers, which proxies on the way can read: {0}', names)];
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

/** What a call may do, in words that say who claims it. */
function effectLines(claims: ToolClaims, isTrusted: boolean): readonly string[] {
  const lines = [effectText(claims), worldText(claims), repeatText(claims)].filter(
    (line) => line !== '',
  );
  const isAnyStated = claims.isEffectStated || claims.isOpenWorldStated;
  return isAnyStated && !isTrusted
    ? [
        ...lines,
        vscode.l10n.t('(These are claims of a server that you have not marked as trusted.)'),
      ]
    : lines;
}

function effectText({ effect, isEffectStated }: ToolClaims): string {
  switch (effect) {
    case 'readOnly':
      return vscode.l10n.t('Effect: the server says that it only reads');
    case 'additive':
      return vscode.l10n.t(
        'Effect: the server says that it adds data, and changes or deletes none',
      );
    case 'destructive':
      return isEffectStated
        ? `⚠ ${vscode.l10n.t('Effect: the server says that it can change or delete data')}`
        : `⚠ ${vscode.l10n.t('Effect: the server does not say; it may change or delete data')}`;
  }
}

function worldText({ effect, isOpenWorld, isOpenWorldStated }: ToolClaims): string {
  if (!isOpenWorld) {
    return '';
  }
  if (isOpenWorldStated) {
    return `⚠ ${vscode.l10n.t('Reach: the server says that it talks to systems outside, such as the web')}`;
  }
  return effect === 'destructive'
    ? `⚠ ${vscode.l10n.t('Reach: the server does not say; it may talk to systems outside')}`
    : '';
}

function repeatText({ effect, isIdempotent }: ToolClaims): string {
  return effect !== 'readOnly' && isIdempotent === true
    ? vscode.l10n.t('Repetition: the server says that repeating a call changes nothing more')
    : '';
}

function changesText(changes: readonly DefinitionPart[]): string {
  const parts = changes.map((part) => partTexts[part]).join(', ');
  return `⚠ ${vscode.l10n.t('Changed since you allowed it: {0}', parts)}`;
}

const partTexts: Readonly<Record<DefinitionPart, string>> = {
  server: vscode.l10n.t('the entry of the server in the settings'),
  title: vscode.l10n.t('the title of the tool'),
  description: vscode.l10n.t('the description of the tool'),
  inputSchema: vscode.l10n.t('what the tool takes as input'),
  annotations: vscode.l10n.t('what the server says of its effect'),
};
