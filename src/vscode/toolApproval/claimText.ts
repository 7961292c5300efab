/** What a server claims of a tool, in words for the question before a call. */
import * as vscode from 'vscode';
import type { ToolClaims } from '../../host/toolApproval/toolDefinition.ts';

/** What a call may do, in words that say who claims it. */
export function effectLines(claims: ToolClaims, isTrusted: boolean): readonly string[] {
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
