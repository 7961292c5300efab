/** A call that waits for approval, as lines of the question: what is odd, who runs it, the claims, the input. */
import * as vscode from 'vscode';
import type { ToolInput, ToolQuestion } from '../../host/toolApproval/approvals.ts';
import type { DefinitionPart, ToolClaims } from '../../host/toolApproval/toolDefinition.ts';
import { argumentHeaders } from '../../mcp/types/lists.ts';
import { scopeText } from '../config/scopeText.ts';
import { type Excerpt, excerpt, oneLine, quoted } from '../text/labelText.ts';
import type { ToolWatch } from '../toolFlags/toolWatch.ts';

const maxNameLength = 130;

/** A question with the input as it is now. */
export interface Shown extends ToolQuestion {
  /** What is odd about the tool, one sentence each. */
  readonly flags: readonly string[];
  /** Its changes, line by line. */
  readonly difference: readonly string[];
}

export function shownBy(question: ToolQuestion, watch: ToolWatch): Shown {
  return {
    ...question,
    flags: watch.flagsOf(question.server, question.tool),
    difference: question.changes.length === 0 ? [] : watch.differenceOf(question),
  };
}

/** A destructive or a stated open-world effect needs a graver tone. */
export function isGrave({ flags, claims }: Shown): boolean {
  return (
    flags.length > 0 ||
    claims.effect === 'destructive' ||
    (claims.isOpenWorld && claims.isOpenWorldStated)
  );
}

type Part = 'input' | 'difference' | 'description';
export type CallParts = Readonly<Record<Part, Excerpt>>;
/** Characters and lines of each part. */
export type CallRoom = Readonly<Record<Part, readonly [length: number, lines: number]>>;

export function partsOf({ input, difference, tool }: Shown, room: CallRoom): CallParts {
  return {
    input: excerpt(JSON.stringify(input, undefined, 2), ...room.input),
    difference: excerpt(difference.join('\n'), ...room.difference),
    description: excerpt(tool.description ?? '', ...room.description),
  };
}

export function isCut({ tool }: Shown, parts: CallParts): boolean {
  return tool.name.length > maxNameLength || Object.values(parts).some(({ left }) => left > 0);
}

export function skillLines(skills: readonly string[] = []): readonly string[] {
  return skills.length === 0
    ? []
    : [
        vscode.l10n.t(
          'The model follows instructions of a server here, so each call is asked about: {0}',
          oneLine(skills.join(', '), 200),
        ),
        '',
      ];
}

export function callLines(
  { tool, server, claims, isTrusted, input, changes, flags }: Shown,
  { input: inputPart, difference, description }: CallParts,
): readonly string[] {
  return [
    ...(changes.length === 0 ? [] : [changesText(changes), ...quotedPart(difference), '']),
    ...(flags.length === 0 ? [] : [...flags.map((flag) => `⚠ ${flag}`), '']),
    vscode.l10n.t('Server: {0} ({1})', oneLine(server.name, 100), scopeText(server.scope)),
    vscode.l10n.t('Tool: {0}', oneLine(tool.name, maxNameLength)),
    ...effectLines(claims, isTrusted),
    '',
    ...inputLines(input, inputPart),
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

/** HTTP headers are seen, and logged, in more places than the message (HDR-17). */
function headerLines({ [argumentHeaders]: paths = [] }: ToolQuestion['tool']): readonly string[] {
  const names = oneLine(paths.join(', '), maxNameLength);
  return names === ''
    ? []
    : [vscode.l10n.t('Also sent as HTTP headers, which proxies on the way can read: {0}', names)];
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
