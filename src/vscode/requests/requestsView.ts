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
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import { type Look, type LookedAt, lookAtRequests } from '../../host/requests/runningRequests.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { CommandHandlers, Registry } from '../editor/registerCommands.ts';
import { contextKeys, requestsViewId } from '../ids.ts';
import type { RequestBoard } from './requestBoard.ts';
import type { RequestsNode } from './requestItems.ts';

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
  addCommands(own(new RequestsView(host, bundles.workbench)).commands);
}

class RequestsView implements vscode.TreeDataProvider<RequestsNode>, Disposable {
  readonly #host: LookedAt & Pick<McpHost, 'onDidRequest'>;
  readonly #load: () => { readonly RequestBoard: typeof RequestBoard };
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(
    new vscode.EventEmitter<RequestsNode | RequestsNode[] | undefined>(),
  );
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #timer = this.#store.add(new MutableDisposable<Disposable>());
  readonly #view: vscode.TreeView<RequestsNode>;
  #board: RequestBoard | undefined;

  /** @param load the bundle */
  constructor(
    host: LookedAt & Pick<McpHost, 'onDidRequest'>,
    load: () => { readonly RequestBoard: typeof RequestBoard },
  ) {
    this.#host = host;
    this.#load = load;
    this.#view = this.#store.add(
      vscode.window.createTreeView(requestsViewId, { treeDataProvider: this }),
    );
    this.#store.add(this.#view.onDidChangeVisibility(() => this.#look()));
    this.#store.add(host.onDidRequest(() => this.#wake()));
  }

  get commands(): CommandHandlers {
    return {
      showRunningRequests: async () => {
        await vscode.commands.executeCommand('setContext', contextKeys.showsRequests, true);
        await vscode.commands.executeCommand(`${requestsViewId}.focus`);
      },
      cancelRequest: async (argument) => {
        await this.#loaded.cancel(argument);
        this.#look();
      },
      keepWaiting: async (argument) => {
        await this.#loaded.keepWaiting(argument);
        this.#look();
      },
    };
  }

  getTreeItem(node: RequestsNode): vscode.TreeItem {
    return this.#loaded.getTreeItem(node);
  }

  getChildren(node?: RequestsNode): RequestsNode[] {
    return node === undefined ? [...(this.#board?.rows ?? [])] : [];
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #loaded(): RequestBoard {
    if (this.#board === undefined) {
      const board = new (this.#load().RequestBoard)(this.#host);
      this.#store.add(board);
      this.#store.add(board.onDidChangeTreeData((nodes) => this.#changes.fire(nodes)));
      this.#board = board;
    }
    return this.#board;
  }

  /** Called for each request, so it does as little as possible. */
  #wake(isSoon?: boolean): void {
    if (this.#timer.value === undefined) {
      const { rowMs, hintMs } = requestTimes;
      const waitMs = (isSoon ?? this.#view.visible) ? rowMs : hintMs;
      this.#timer.value = after(waitMs, () => this.#look());
    }
  }

  #look(): void {
    this.#timer.value = undefined;
    const { visible } = this.#view;
    const look = lookAtRequests(this.#host, visible ? requestTimes.rowMs : requestTimes.hintMs);
    let isSoon = visible;
    if (look.requests.length > 0 || this.#board !== undefined) {
      if (visible) {
        this.#loaded.drawRows(look);
      }
      // A user who sees the rows needs no hint.
      isSoon = this.#loaded.drawHint(visible ? nothing : look) || visible;
    }
    if (look.isAny) {
      this.#wake(isSoon);
    }
  }
}
