/**
 * The question before a tool runs: who would run it, what the server says of it, and exactly what is
 * sent. What runs is what was shown last. Whether it is asked at all is decided in host/consent.
 */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ToolClaims } from '../../host/consent/toolClaims.ts';
import type {
  ApprovalScope,
  DefinitionPart,
  RememberedScope,
  ToolAnswer,
  ToolInput,
  ToolQuestion,
} from '../../host/consent/toolQuestion.ts';
import type { ApprovalPrompt, SchemaChecker } from '../../host/ports.ts';
import type { EditText } from '../asks/textEditing.ts';
import { toToken } from '../cancellation.ts';
import { scopeText } from '../scopeText.ts';
import { manyLines, oneLine } from '../text.ts';
import { editInput, readInput } from '../tools/askInput.ts';
import { safeFileName } from '../tools/resultFiles.ts';

/** A modal has no room for more: a longer input is cut there, said so, and opened whole by Edit. */
const maxInputLength = 800;
const maxInputLines = 20;
/** A longer one is edited in an editor instead of on one line. */
const maxLineLength = 200;
const maxDescriptionLength = 500;

export function toolApprovalDialog(
  checker: () => SchemaChecker,
  editText: EditText,
): ApprovalPrompt {
  return {
    confirmTool: (question, signal) =>
      confirm(
        question,
        (input) => edit(question, input, { checker: checker(), editText, signal }),
        signal,
      ),
  };
}

const denied: ToolAnswer = { kind: 'deny' };

async function confirm(
  question: ToolQuestion,
  changed: (input: ToolInput) => Promise<ToolInput | undefined>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  let { input } = question;
  for (;;) {
    const choice = await showModal(question, input);
    if (signal.aborted) {
      tellTooLate(question, choice);
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
      case 'edit':
        input = (await changed(input)) ?? input;
        break;
      case 'deny':
        return denied;
    }
    if (signal.aborted) {
      return denied;
    }
  }
}

type Choice = 'run' | 'remember' | 'edit' | 'deny';

async function showModal(question: ToolQuestion, input: ToolInput): Promise<Choice> {
  const options = { modal: true, detail: detail(question, input) };
  const items: readonly (vscode.MessageItem & { readonly choice: Choice })[] = [
    { title: vscode.l10n.t('Run'), choice: 'run' },
    { title: vscode.l10n.t('Run and Remember…'), choice: 'remember' },
    { title: vscode.l10n.t('Edit Input…'), choice: 'edit' },
    { title: vscode.l10n.t('Deny'), choice: 'deny', isCloseAffordance: true },
  ];
  const answer = isGrave(question)
    ? await vscode.window.showWarningMessage(headline(question), options, ...items)
    : await vscode.window.showInformationMessage(headline(question), options, ...items);
  return answer?.choice ?? 'deny';
}

/** What the server admits or does not deny raises the tone; what it denies never lowers it below a question. */
function isGrave({ claims }: ToolQuestion): boolean {
  return claims.effect === 'destructive' || (claims.isOpenWorld && claims.isOpenWorldStated);
}

function headline({ tool, server, caller }: ToolQuestion): string {
  const label = oneLine(displayLabel(tool), 100);
  const name = oneLine(server.name, 100);
  return caller === 'model'
    ? vscode.l10n.t('The model wants to run "{0}" on the MCP server "{1}".', label, name)
    : vscode.l10n.t('Run "{0}" on the MCP server "{1}"?', label, name);
}

function detail(question: ToolQuestion, input: ToolInput): string {
  const { tool, server, isTrusted, changes } = question;
  const description = manyLines(tool.description ?? '', maxDescriptionLength);
  return [
    ...(changes.length === 0 ? [] : [changesText(changes), '']),
    vscode.l10n.t('Server: {0} ({1})', oneLine(server.name, 100), scopeText(server.scope)),
    vscode.l10n.t('Tool: {0}', oneLine(tool.name, 130)),
    ...effectLines(question.claims, isTrusted),
    '',
    ...inputLines(input),
    ...(description === '' ? [] : ['', vscode.l10n.t('Description by the server:'), description]),
  ].join('\n');
}

function changesText(changes: readonly DefinitionPart[]): string {
  const parts = changes.map(partText).join(', ');
  return `⚠ ${vscode.l10n.t('Changed since you allowed it: {0}', parts)}`;
}

function partText(part: DefinitionPart): string {
  switch (part) {
    case 'server':
      return vscode.l10n.t('the entry of the server in the settings');
    case 'title':
      return vscode.l10n.t('the title of the tool');
    case 'description':
      return vscode.l10n.t('the description of the tool');
    case 'inputSchema':
      return vscode.l10n.t('what the tool takes as input');
    case 'annotations':
      return vscode.l10n.t('what the server says of its effect');
  }
}

/** What a call may do, in words that say whose word it is. */
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
    ? vscode.l10n.t('Repeated: the server says that a second call of the same changes nothing more')
    : '';
}

/** That a part is missing is said before it: what stands below a long text is easily missed. */
function inputLines(input: ToolInput): readonly string[] {
  const json = JSON.stringify(input, undefined, 2);
  const shown = json.split('\n').slice(0, maxInputLines).join('\n').slice(0, maxInputLength);
  return shown.length === json.length
    ? [vscode.l10n.t('Input, exactly as it would be sent:'), manyLines(json, json.length)]
    : [
        `⚠ ${vscode.l10n.t('Input, {0} of {1} characters (Edit Input… opens all):', shown.length, json.length)}`,
        `${manyLines(shown, shown.length)}…`,
      ];
}

async function pickScope(
  { tool, server, scopes }: ToolQuestion,
  signal: AbortSignal,
): Promise<ApprovalScope | undefined> {
  const { token, dispose } = toToken(signal);
  try {
    const picked = await vscode.window.showQuickPick(
      scopes.map((scope) => ({ ...rememberedText(scope), scope })),
      {
        title: vscode.l10n.t(
          '{0}: for how long may "{1}" run without this question?',
          oneLine(server.name, 60),
          oneLine(displayLabel(tool), 60),
        ),
        placeHolder: vscode.l10n.t(
          'With any input. Manage Approvals… takes it back; a change of the tool asks again.',
        ),
        ignoreFocusOut: true,
      },
      token,
    );
    return picked?.scope;
  } finally {
    dispose();
  }
}

export function rememberedText(scope: RememberedScope): {
  readonly label: string;
  readonly description: string;
} {
  switch (scope) {
    case 'session':
      return {
        label: vscode.l10n.t('This Session'),
        description: vscode.l10n.t('until this window closes'),
      };
    case 'workspace':
      return {
        label: vscode.l10n.t('This Workspace'),
        description: vscode.l10n.t('whenever this workspace is open'),
      };
    case 'always':
      return { label: vscode.l10n.t('Always'), description: vscode.l10n.t('in every workspace') };
  }
}

async function edit(
  { server, tool }: ToolQuestion,
  input: ToolInput,
  how: {
    readonly checker: SchemaChecker;
    readonly editText: EditText;
    readonly signal: AbortSignal;
  },
): Promise<ToolInput | undefined> {
  const { checker, editText, signal } = how;
  if (JSON.stringify(input).length > maxLineLength) {
    return editText(
      {
        name: safeFileName(tool.name),
        language: 'json',
        text: `${JSON.stringify(input, undefined, 2)}\n`,
        hint: (use) =>
          vscode.l10n.t(
            'Edit the input of "{0}", then choose "{1}". You are asked again before it runs.',
            oneLine(displayLabel(tool), 80),
            use,
          ),
        read: (text) => readInput(text, tool, checker),
      },
      signal,
    );
  }
  const { token, dispose } = toToken(signal);
  try {
    return await editInput(server.name, tool, input, checker, token);
  } finally {
    dispose();
  }
}

/** A modal cannot be closed by code: it may still be answered when nobody waits for the answer. */
function tellTooLate({ tool }: ToolQuestion, choice: Choice): void {
  if (choice !== 'deny') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        '"{0}" was not run: the request was cancelled before you answered. Nothing is remembered.',
        oneLine(displayLabel(tool), 100),
      ),
    );
  }
}
