/** Words on the lists of a server: their names, and the rows that are no items: errors, omitted items, an incomplete list. */
import * as vscode from 'vscode';
import type { ListKind, ListState } from '../../host/catalog/catalog.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { errorText } from '../text/errorText.ts';
import type { GroupNode, NoteNode } from './nodes.ts';

export function listTitle(list: ListKind): string {
  switch (list) {
    case 'tools':
      return vscode.l10n.t('Tools');
    case 'prompts':
      return vscode.l10n.t('Prompts');
    case 'resources':
      return vscode.l10n.t('Resources');
    case 'resourceTemplates':
      return vscode.l10n.t('Templates');
    case 'skills':
      return vscode.l10n.t('Skills');
  }
}

/** Dropped items that are named; the rest is counted. */
const maxDroppedShown = 20;

export function note(group: GroupNode, key: string, icon: string, text: string): NoteNode {
  return {
    kind: 'note',
    serverId: group.serverId,
    key: `${group.list}/${key}`,
    icon,
    text,
    detail: '',
  };
}

export function noMatchNote(group: GroupNode, filter: string): NoteNode {
  return note(group, 'noMatch', 'search-stop', vscode.l10n.t('Nothing matches “{0}”', filter));
}

/** Notes on a list that has been read. */
export function readyNotes(
  group: GroupNode,
  { truncated, staleBecause, dropped }: Extract<ListState<unknown>, { kind: 'ready' }>,
): NoteNode[] {
  const notes: NoteNode[] = [];
  const warn = (key: string, text: string): unknown =>
    notes.push(note(group, key, 'warning', text));
  if (truncated !== undefined) {
    warn('truncated', vscode.l10n.t('There may be more: {0}', truncated));
  }
  if (staleBecause !== undefined) {
    warn('stale', vscode.l10n.t('May be out of date: {0}', errorText(staleBecause)));
  }
  for (const { index, name = `#${index + 1}`, reason } of dropped.slice(0, maxDroppedShown)) {
    warn(`dropped/${index}`, vscode.l10n.t('{0} is left out: {1}', name, reason));
  }
  const rest = dropped.length - maxDroppedShown;
  if (rest > 0) {
    warn('dropped/rest', vscode.l10n.t('{0} more are left out', rest));
  }
  return notes;
}

/** Why a server that should run does not. */
export function stateNotes(serverId: ServerId, { state }: ServerConnection): NoteNode[] {
  switch (state.kind) {
    case 'failed':
      return problemNotes(serverId, 'error', errorText(state.error), state.lastStderr);
    case 'waiting':
      return problemNotes(serverId, 'warning', errorText(state.cause), state.lastStderr);
    case 'stopped':
    case 'starting':
    case 'ready':
    case 'stopping':
      return [];
  }
}

/** The error, and the server's last stderr, which mostly names the cause. */
function problemNotes(
  serverId: ServerId,
  icon: string,
  text: string,
  lastStderr: readonly string[],
): NoteNode[] {
  const detail = lastStderr.join('\n');
  const notes: NoteNode[] = [{ kind: 'note', serverId, key: 'state', icon, text, detail }];
  const lastLine = lastStderr.findLast((line) => line.trim() !== '');
  if (lastLine !== undefined) {
    const more = lastStderr.length > 1 ? detail : '';
    notes.push({
      kind: 'note',
      serverId,
      key: 'stderr',
      icon: 'output',
      text: lastLine,
      detail: more,
    });
  }
  return notes;
}
