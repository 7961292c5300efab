/**
 * The rows of the view "Running Requests" and the hint in the status bar, redrawn while somebody looks; and the
 * commands on a request. The view decides when to look (requestsView.ts).
 */
import * as vscode from 'vscode';
import { pickOne } from '../editor/pickOne.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import {
  type Look,
  type LookedAt,
  type ServerRequest,
  lookAtRequests,
} from '../../host/requests/runningRequests.ts';
import { countText } from '../resources/annotationText.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import {
  requestLine,
  type RequestNode,
  requestPick,
  requestsItem,
  type RequestsNode,
  requestTitle,
  timeLeftText,
  wholeSeconds,
} from './requestItems.ts';

/** Requests that the status bar names. */
const maxLines = 8;

export class RequestBoard extends DisposableOwner implements vscode.TreeDataProvider<RequestsNode> {
  readonly #host: LookedAt;
  readonly #changed = this.store.add(new vscode.EventEmitter<RequestsNode[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #hint: vscode.StatusBarItem;
  /** Kept as long as a request has a row: the editor knows rows by identity. */
  #nodes: ReadonlyMap<object, RequestNode> = new Map();
  #rows: readonly RequestsNode[] = [];
  #lastId = 0;

  constructor(host: LookedAt) {
    super();
    this.#host = host;
    this.#hint = this.store.add(
      vscode.window.createStatusBarItem('mcpHost.requests', vscode.StatusBarAlignment.Right, 49),
    );
    this.#hint.name = vscode.l10n.t('Running MCP Requests');
    this.#hint.command = commandId('showRunningRequests');
  }

  getTreeItem(node: RequestsNode): vscode.TreeItem {
    return requestsItem(node);
  }

  getChildren(node?: RequestsNode): RequestsNode[] {
    return node === undefined ? [...this.#rows] : [];
  }

  /** Redraws rows that stay one by one: the list itself changes only when one comes or goes. */
  drawRows({ requests, more }: Look): void {
    const before = this.#rows;
    const nodes = new Map<object, RequestNode>();
    for (const entry of requests) {
      const { key } = entry.request;
      const node = this.#nodes.get(key) ?? this.#newNode(entry);
      node.entry = entry;
      nodes.set(key, node);
    }
    const rows: RequestsNode[] = [...nodes.values()];
    if (more > 0) {
      rows.push({ kind: 'moreRequests', count: more });
    }
    this.#nodes = nodes;
    this.#rows = rows;
    const isSame = rows.length === before.length && rows.every((row, at) => row === before[at]);
    if (!isSame) {
      this.#changed.fire(undefined);
    } else if (rows.length > 0) {
      this.#changed.fire(rows);
    }
  }

  /** @returns whether it must be redrawn soon, since time is short */
  drawHint({ requests, more }: Look): boolean {
    if (requests.length === 0) {
      this.#hint.hide();
      return false;
    }
    const count = requests.length + more;
    const next = requests.toSorted((a, b) => a.request.dueAt - b.request.dueAt)[0];
    const left = next && timeLeftText(next);
    const text =
      count === 1
        ? vscode.l10n.t('1 MCP request')
        : vscode.l10n.t('{0} MCP requests', countText(count));
    this.#hint.text = left === undefined ? `$(loading~spin) ${text}` : `$(watch) ${text}, ${left}`;
    this.#hint.backgroundColor =
      left === undefined ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    const lines = requests.slice(0, maxLines).map((entry) => oneLine(requestLine(entry), 200));
    const others = count - lines.length;
    this.#hint.tooltip = [
      ...lines,
      ...(others > 0 ? [vscode.l10n.t('and {0} more', countText(others))] : []),
    ].join('\n');
    this.#hint.accessibilityInformation = { label: vscode.l10n.t('{0} running', text) };
    this.#hint.show();
    return left !== undefined;
  }

  async cancel(argument: unknown): Promise<void> {
    const entry = await this.#requestOf(
      argument,
      vscode.l10n.t('Which request should be cancelled?'),
    );
    entry?.request.cancel();
  }

  async keepWaiting(argument: unknown): Promise<void> {
    const entry = await this.#requestOf(argument, vscode.l10n.t('Which request may take longer?'));
    if (entry === undefined) {
      return;
    }
    entry.request.keepWaiting();
    const { idleMs, totalMs } = entry.request.times;
    const more = Math.min(idleMs, totalMs);
    const text = Number.isFinite(more)
      ? vscode.l10n.t('Waiting for {0} up to {1} more', requestTitle(entry), wholeSeconds(more))
      : vscode.l10n.t('{0} has no time limit', requestTitle(entry));
    vscode.window.setStatusBarMessage(text, 5_000);
  }

  /** The request of the row, else the one that the user picks. */
  async #requestOf(argument: unknown, placeHolder: string): Promise<ServerRequest | undefined> {
    const node = isObject(argument)
      ? this.#rows.find(
          (row): row is RequestNode => row.kind === 'request' && row.id === argument['id'],
        )
      : undefined;
    if (node !== undefined || isObject(argument)) {
      return node?.entry;
    }
    const { requests } = lookAtRequests(this.#host, 0);
    const none = vscode.l10n.t('No request to an MCP server is running.');
    const picked = await pickOne(requests.map(requestPick), none, {
      title: vscode.l10n.t('Running requests'),
      placeHolder,
      matchOnDescription: true,
    });
    return picked?.entry;
  }

  #newNode(entry: ServerRequest): RequestNode {
    this.#lastId += 1;
    return { kind: 'request', id: `request/${this.#lastId}`, entry };
  }
}
