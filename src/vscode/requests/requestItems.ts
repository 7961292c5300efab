/** What the rows of the view "Running Requests" look like. */
import * as vscode from 'vscode';
import {
  type RequestSubject,
  subjectOf,
  type ServerRequest,
} from '../../host/requests/runningRequests.ts';
import { durationText } from '../../host/tools/resultView.ts';
import { countText } from '../resources/annotationText.ts';
import { PlainTooltip } from '../text/plainTooltip.ts';
import {
  elapsedText,
  isNearLimit,
  originText,
  requestDetails,
  requestKind,
  requestTitle,
} from './requestLabel.ts';

export interface RequestNode {
  readonly kind: 'request';
  /** Unique for this row. */
  readonly id: string;
  /** The request when last seen. */
  entry: ServerRequest;
}

/** The requests without a row. */
export interface MoreRequestsNode {
  readonly kind: 'moreRequests';
  readonly count: number;
}

export type RequestsNode = RequestNode | MoreRequestsNode;

export function requestsItem(node: RequestsNode): vscode.TreeItem {
  return node.kind === 'request' ? requestItem(node) : moreItem(node);
}

function requestItem({ id, entry }: RequestNode): vscode.TreeItem {
  const { server, request } = entry;
  const subject = subjectOf(request);
  const item = new vscode.TreeItem(requestTitle(entry));
  item.id = id;
  item.description = requestDetails(entry);
  item.contextValue = Number.isFinite(request.dueAt) ? 'request hasLimit' : 'request';
  item.iconPath = isNearLimit(entry)
    ? new vscode.ThemeIcon('watch', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon(icons[subject.kind]);
  const { idleMs, totalMs } = request.times;
  item.tooltip = new PlainTooltip()
    .line(requestKind(subject), requestTitle(entry))
    .line(vscode.l10n.t('Server'), server.name)
    .line(vscode.l10n.t('Asked'), originText(request.origin) ?? '')
    .line(vscode.l10n.t('Progress'), request.progress?.message ?? '')
    .line(vscode.l10n.t('Limit without progress'), limitText(idleMs))
    .line(vscode.l10n.t('Limit in total'), limitText(totalMs))
    .build();
  // Without the running time, which would be read aloud each second.
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, {1}, running', requestTitle(entry), server.name),
  };
  return item;
}

/** A request in a pick. */
export function requestPick(
  entry: ServerRequest,
): vscode.QuickPickItem & { readonly entry: ServerRequest } {
  return {
    label: `$(${icons[subjectOf(entry.request).kind]}) ${requestTitle(entry)}`,
    description: requestDetails(entry),
    entry,
  };
}

/** A request in the status bar's tooltip. */
export function requestLine(entry: ServerRequest): string {
  return `${requestTitle(entry)} · ${entry.server.name} · ${elapsedText(entry)}`;
}

function moreItem({ count }: MoreRequestsNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('and {0} more', countText(count)));
  item.id = 'more';
  item.contextValue = 'moreRequests';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  return item;
}

function limitText(ms: number): string {
  return Number.isFinite(ms) ? durationText(ms) : '';
}

const icons: Readonly<Record<RequestSubject['kind'], string>> = {
  tool: 'symbol-method',
  task: 'symbol-method',
  prompt: 'comment',
  resource: 'file',
  completion: 'lightbulb',
  list: 'list-unordered',
  subscription: 'eye',
  other: 'arrow-swap',
};
