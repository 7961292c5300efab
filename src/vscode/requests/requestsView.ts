/**
 * The view "Running Requests" as the extension holds it: decides when to look at what runs. The rows are a bundle of
 * their own, loaded when there is something to show.
 *
 * There is no timer while nothing runs, and only one every few seconds, for the status bar's hint, while the view is
 * hidden. The view appears once the user asks for it: a view that comes and goes with the requests would move what the
 * user is about to click.
 */
import * as vscode from 'vscode';
import { after } from '../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import { type Look, lookAtRequests } from '../../host/requests/runningRequests.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { contextKeys, requestsViewId } from '../ids.ts';
import { lazyTree } from '../tree/lazyTree.ts';
import type { RequestBoard } from './requestBoard.ts';

const requestTimes = {
  /** Milliseconds before a request gets a row: one that is answered at once is never shown. */
  rowMs: 1_000,
  /** Milliseconds before the status bar shows that something runs. */
  hintMs: 5_000,
} as const;

const nothing: Look = { requests: [], more: 0, isAny: false };

export function registerRequests({
  own,
  addCommands,
  bundles,
  host,
}: Registry & {
  readonly bundles: { readonly workbench: () => { readonly RequestBoard: typeof RequestBoard } };
  readonly host: McpHost;
}): void {
  const load = (): RequestBoard => new (bundles.workbench().RequestBoard)(host);
  const { view, rows: board, loaded } = lazyTree(requestsViewId, own, load);
  const timer = own(new MutableDisposable<Disposable>());
  /** Called for each request, so it does as little as possible. */
  const wake = (isSoon = view.visible): void => {
    const { rowMs, hintMs } = requestTimes;
    timer.value ??= after(isSoon ? rowMs : hintMs, look);
  };
  const look = (): void => {
    timer.value = undefined;
    const { visible } = view;
    const found = lookAtRequests(host, visible ? requestTimes.rowMs : requestTimes.hintMs);
    let isSoon = visible;
    if (found.requests.length > 0 || loaded() !== undefined) {
      if (visible) {
        board().drawRows(found);
      }
      // A user who sees the rows needs no hint.
      isSoon = board().drawHint(visible ? nothing : found) || visible;
    }
    if (found.isAny) {
      wake(isSoon);
    }
  };
  own(view.onDidChangeVisibility(look));
  own(host.onDidRequest(() => wake()));
  addCommands({
    showRunningRequests: async () => {
      await vscode.commands.executeCommand('setContext', contextKeys.showsRequests, true);
      await vscode.commands.executeCommand(`${requestsViewId}.focus`);
    },
    cancelRequest: async (argument) => {
      await board().cancel(argument);
      look();
    },
    keepWaiting: async (argument) => {
      await board().keepWaiting(argument);
      look();
    },
  });
}
