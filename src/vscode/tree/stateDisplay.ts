/** How a server's state looks: icon, short words, and which actions make sense. No decisions. */
import * as vscode from 'vscode';
import type { ConnectionState } from '../../host/servers/connectionState.ts';
import { isHttpError } from '../../mcp/errors.ts';

interface StateDisplay {
  readonly icon: vscode.ThemeIcon;
  /** Shown behind the name. Empty when the icon says it all. */
  readonly words: string;
  readonly canStart: boolean;
  readonly canStop: boolean;
}

export function displayState(state: ConnectionState): StateDisplay {
  switch (state.kind) {
    case 'ready':
      return look('circle-filled', '', { canStop: true, color: 'testing.iconPassed' });
    case 'starting':
      return displayStarting(state.waitsFor);
    case 'stopping':
      return look('loading~spin', vscode.l10n.t('stopping…'), {});
    case 'waiting':
      return look(
        'history',
        vscode.l10n.t('restarting in {0} s', Math.ceil(state.delayMs / 1000)),
        { ...needed, canStop: true },
      );
    case 'failed':
      return look('error', vscode.l10n.t('failed'), {
        canStart: true,
        color: 'list.errorForeground',
      });
    case 'stopped':
      return displayStopped(state.because);
  }
}

/** The state in words, even where the tree shows only the icon. */
export function stateWords(state: ConnectionState): string {
  return state.kind === 'ready' ? vscode.l10n.t('ready') : displayState(state).words;
}

export function waitsForConsent({ state }: { readonly state: ConnectionState }): boolean {
  return state.kind === 'stopped' && state.because === 'consentNeeded';
}

export function needsSignIn({ state }: { readonly state: ConnectionState }): boolean {
  return state.kind === 'stopped' && state.because === 'signInNeeded';
}

/**
 * Whether a start means a sign-in: nobody is signed in, or a sign-in has failed. This excludes a refusal by the server
 * itself (HTTP 401 where nobody can sign in).
 */
export function canSignIn(connection: { readonly state: ConnectionState }): boolean {
  const { state } = connection;
  const hasFailed =
    state.kind === 'failed' && state.error.code === 'unauthorized' && !isHttpError(state.error);
  return hasFailed || needsSignIn(connection);
}

export function waitsForSignIn({ state }: { readonly state: ConnectionState }): boolean {
  return state.kind === 'starting' && state.waitsFor === 'signIn';
}

/** A dialog of ours for its start is open, or was postponed. */
export function waitsForAnswer({ state }: { readonly state: ConnectionState }): boolean {
  return state.kind === 'starting' && (state.waitsFor === 'consent' || state.waitsFor === 'input');
}

function displayStarting(
  waitsFor: Extract<ConnectionState, { kind: 'starting' }>['waitsFor'],
): StateDisplay {
  switch (waitsFor) {
    case undefined:
      return look('loading~spin', vscode.l10n.t('starting…'), { canStop: true });
    case 'consent':
    case 'input':
      return look('question', vscode.l10n.t('waits for your answer'), { canStop: true });
    case 'signIn':
      return look('loading~spin', vscode.l10n.t('signing in…'), { canStop: true });
  }
}

/** What waits for the user. */
const needed = { canStart: true, color: 'list.warningForeground' } as const;

function displayStopped(
  because: Extract<ConnectionState, { kind: 'stopped' }>['because'],
): StateDisplay {
  switch (because) {
    case undefined:
      return look('circle-outline', vscode.l10n.t('stopped'), { canStart: true });
    case 'disabled':
      return look('circle-slash', vscode.l10n.t('disabled'), {});
    case 'hidden':
      return look('eye-closed', vscode.l10n.t('hidden'), {});
    case 'consentNeeded':
      return look('shield', vscode.l10n.t('needs your consent'), needed);
    case 'inputNeeded':
      return look('edit', vscode.l10n.t('needs a value from you'), needed);
    case 'signInNeeded':
      return look('key', vscode.l10n.t('needs you to sign in'), needed);
    case 'forbidden':
      return look('lock', vscode.l10n.t('not allowed'), {});
    case 'restricted':
      return look('lock', vscode.l10n.t('Restricted Mode'), {});
  }
}

function look(
  icon: string,
  words: string,
  {
    canStart = false,
    canStop = false,
    color,
  }: { readonly canStart?: boolean; readonly canStop?: boolean; readonly color?: string },
): StateDisplay {
  const tint = color === undefined ? undefined : new vscode.ThemeColor(color);
  return { icon: new vscode.ThemeIcon(icon, tint), words, canStart, canStop };
}
