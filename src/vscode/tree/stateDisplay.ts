/** How a server's state looks: icon, short words, and which actions make sense. No decisions. */
import * as vscode from 'vscode';
import type { StoppedBecause } from '../../host/launch/launchGate.ts';
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
  const [icon, words, can, color] = lookOf(state);
  return {
    icon: new vscode.ThemeIcon(icon, color === undefined ? color : new vscode.ThemeColor(color)),
    words,
    canStart: can.includes('start'),
    canStop: can.includes('stop'),
  };
}

type Look = readonly [
  icon: string,
  words: string,
  can: 'start' | 'stop' | 'start or stop' | '',
  color?: string,
];

const warning = 'list.warningForeground';

function lookOf(state: ConnectionState): Look {
  const { t } = vscode.l10n;
  switch (state.kind) {
    case 'ready':
      return ['circle-filled', '', 'stop', 'testing.iconPassed'];
    case 'starting':
      return waitsForAnswer({ state })
        ? ['question', t('waits for your answer'), 'stop']
        : ['loading~spin', state.waitsFor ? t('signing in…') : t('starting…'), 'stop'];
    case 'stopping':
      return ['loading~spin', t('stopping…'), ''];
    case 'waiting': {
      const words = t('restarting in {0} s', Math.ceil(state.delayMs / 1000));
      return ['history', words, 'start or stop', warning];
    }
    case 'failed':
      return ['error', t('failed'), 'start', 'list.errorForeground'];
    case 'stopped':
      return stoppedLooks()[state.because ?? 'byHand'];
  }
}

function stoppedLooks(): Readonly<Record<StoppedBecause | 'byHand', Look>> {
  const { t } = vscode.l10n;
  return {
    byHand: ['circle-outline', t('stopped'), 'start'],
    disabled: ['circle-slash', t('switched off'), ''],
    hidden: ['eye-closed', t('hidden'), ''],
    consentNeeded: ['shield', t('needs your consent'), 'start', warning],
    inputNeeded: ['edit', t('needs a value from you'), 'start', warning],
    signInNeeded: ['key', t('needs you to sign in'), 'start', warning],
    forbidden: ['lock', t('not allowed'), ''],
    restricted: ['lock', t('Restricted Mode'), ''],
  };
}

/** The state in words, even where the tree shows only the icon. */
export function stateWords(state: ConnectionState): string {
  return state.kind === 'ready' ? vscode.l10n.t('ready') : displayState(state).words;
}

/** Nothing of it runs, whatever the reason. */
export function isDown({ state }: { readonly state: ConnectionState }): boolean {
  return state.kind === 'stopped' || state.kind === 'failed' || state.kind === 'waiting';
}

export function waitsForConsent({ state }: { readonly state: ConnectionState }): boolean {
  return state.kind === 'stopped' && state.because === 'consentNeeded';
}

export function waitsForValue({ state }: { readonly state: ConnectionState }): boolean {
  return state.kind === 'stopped' && state.because === 'inputNeeded';
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
