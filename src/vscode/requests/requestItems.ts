/** What the rows of the view "Running Requests" look like. */
import * as vscode from 'vscode';
import {
  type RequestSubject,
  type ServerRequest,
  subjectOf,
} from '../../host/requests/runningRequests.ts';
import { durationText, progressText } from '../../host/tools/resultView.ts';
import { countText } from '../resources/annotationText.ts';
import { originText } from '../text/originText.ts';
import { PlainTooltip } from '../text/plainTooltip.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import { listTitle } from '../tree/listTexts.ts';

export interface RequestNode {
  readonly kind: 'request';
  /** Unique for this row. */
  readonly id: string;
  /** The request when last seen. */
  entry: ServerRequest;
}

/** The requests without a row. */
interface MoreRequestsNode {
  readonly kind: 'moreRequests';
  readonly count: number;
}

export type RequestsNode = RequestNode | MoreRequestsNode;

export function requestsItem(node: RequestsNode): vscode.TreeItem {
  return node.kind === 'request' ? requestItem(node) : moreItem(node);
}

function requestItem({ id, entry }: RequestNode): vscode.TreeItem {
  const { server, request } = entry;
  const [icon, about] = lookOf(subjectOf(request));
  const item = new vscode.TreeItem(requestTitle(entry));
  item.id = id;
  item.description = requestDetails(entry);
  item.contextValue = Number.isFinite(request.dueAt) ? 'request hasLimit' : 'request';
  item.iconPath = isNearLimit(entry)
    ? new vscode.ThemeIcon('watch', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon(icon);
  const { idleMs, totalMs } = request.times;
  item.tooltip = new PlainTooltip()
    .line(about, requestTitle(entry))
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
    label: `$(${lookOf(subjectOf(entry.request))[0]}) ${requestTitle(entry)}`,
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

/** Its icon, and what it is about: `Tool`, `Resource`. */
function lookOf({ kind, of = '' }: RequestSubject): readonly [icon: string, about: string] {
  const { t } = vscode.l10n;
  const looks: Readonly<Record<RequestSubject['kind'], readonly [string, string]>> = {
    tool: ['symbol-method', t('Tool')],
    task: ['symbol-method', t('Tool, as a task of the server')],
    prompt: ['comment', t('Prompt')],
    resource: ['file', t('Resource')],
    completion: ['lightbulb', t('Suggestions for "{0}"', oneLine(of, 100))],
    list: ['list-unordered', t('List')],
    subscription: ['eye', t('Notices of changes')],
    unsubscription: ['eye', t('End of the notices of changes')],
    other: ['arrow-swap', t('Message of the protocol')],
  };
  return looks[kind];
}

/** Milliseconds before its limit from which a request counts as near it. */
const nearMs = 20_000;

/** What the request is, in plain words: `add_note`, `List of Tools`. */
export function requestTitle({ request }: ServerRequest): string {
  const { kind, name, list } = subjectOf(request);
  if (list !== undefined) {
    return vscode.l10n.t('List of {0}', listTitle(list));
  }
  const shown = oneLine(name, 100);
  return kind === 'completion' ? vscode.l10n.t('Suggestions for {0}', shown) : shown;
}

/** `48 s`: whole seconds, since the value is updated every second. */
function elapsedText({ request }: ServerRequest): string {
  return wholeSeconds(performance.now() - request.startedAt);
}

/** Undefined unless the limit is near. */
export function timeLeftText(entry: ServerRequest): string | undefined {
  return isNearLimit(entry)
    ? vscode.l10n.t('{0} left', wholeSeconds(entry.request.dueAt - performance.now()))
    : undefined;
}

/** The limit is near: within {@link nearMs}, or in the second half of a short limit. */
function isNearLimit({ request }: ServerRequest): boolean {
  const { idleMs, totalMs } = request.times;
  const leftMs = request.dueAt - performance.now();
  return leftMs <= Math.min(nearMs, Math.min(idleMs, totalMs) / 2);
}

/** Everything but the title. What changes every second is first, so that it is not cut off. */
function requestDetails(entry: ServerRequest): string {
  const { server, request } = entry;
  return dotted(
    timeLeftText(entry),
    oneLine(server.name, 60),
    elapsedText(entry),
    request.progress && progressText(request.progress, (text) => oneLine(text, 100)),
    request.isTask ? vscode.l10n.t('task') : undefined,
    originText(request.origin),
  );
}

export function wholeSeconds(ms: number): string {
  return durationText(Math.max(1_000, Math.floor(ms / 1_000) * 1_000));
}
