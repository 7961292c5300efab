/**
 * The page of one app's tab: puts a view into it, shows notices, and is the channel to the view. The page may be made
 * anew by the editor at any time, such as when its tab moves to another window: then the view is gone, and asked for again.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { viewLimits } from '../../host/apps/appConversation.ts';
import type { AppPort } from '../../host/apps/appPort.ts';
import {
  type NoticeAction,
  type NoticeView,
  readFromShell,
  type Surroundings,
  type ToShell,
} from './shellMessages.ts';
import { shellPage } from './shellPage.ts';

/** What is put into the frame. */
export interface PageView {
  readonly html: string;
  /** The content security policy. */
  readonly policy: string;
  /** The `allow` attribute of the frame. */
  readonly allow: string;
  readonly border: boolean | undefined;
}

/** Nothing at all: for a page that shows a notice only. */
const noticePolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

interface PageParts {
  /** The code of the page. */
  readonly script: string;
  /** What the page keeps over a reload of the window. */
  readonly state: object;
  /** A line for the log of the server. */
  readonly onTrouble: (text: string) => void;
}

export class AppPage implements Disposable {
  readonly #webview: vscode.Webview;
  readonly #parts: PageParts;
  readonly #store = new DisposableStore();
  readonly #acted = this.#store.add(new Emitter<NoticeAction>());
  readonly #surrounded = this.#store.add(new Emitter<void>());
  readonly #lost = this.#store.add(new Emitter<void>());
  #surroundings: Surroundings | undefined;
  #notice: NoticeView | undefined;
  #port: ViewPort | undefined;
  /** The view to put into the page that is being made. */
  #pending: { readonly view: PageView | undefined; readonly shown: () => void } | undefined;
  #isDisposed = false;
  /** The user chose a button of the notice. */
  readonly onDidAct = this.#acted.event;
  readonly onDidChangeSurroundings = this.#surrounded.event;
  /** The editor made the page anew, without the view that was in it. */
  readonly onDidLose = this.#lost.event;

  constructor(webview: vscode.Webview, parts: PageParts) {
    this.#webview = webview;
    this.#parts = parts;
    this.#store.add(webview.onDidReceiveMessage((value: unknown) => this.#onMessage(value)));
  }

  /** Undefined before the page has told. */
  get surroundings(): Surroundings | undefined {
    return this.#surroundings;
  }

  /** Puts a view into the page, in place of the one before, and takes the notice away. Resolves when the page has it. */
  async show(view: PageView): Promise<AppPort> {
    this.#notice = undefined;
    await this.#load(view);
    this.#port?.close();
    const port = new ViewPort((message) => this.#post({ kind: 'message', message }));
    this.#port = port;
    return port;
  }

  /** Takes the view away; the notice stays. */
  async clear(): Promise<void> {
    this.#port?.close();
    this.#port = undefined;
    await this.#load(undefined);
  }

  /** A sentence with buttons above the view; undefined takes it away. */
  notify(notice: NoticeView | undefined): void {
    this.#notice = notice;
    this.#post({ kind: 'notice', notice });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#port?.close();
    this.#pending?.shown();
    this.#store.dispose();
  }

  /** A page has one policy, so each policy has a page of its own. Without a view, any will do. */
  #load(view: PageView | undefined): Promise<void> {
    const { script, state } = this.#parts;
    const policy = view?.policy ?? noticePolicy;
    const page = shellPage({ policy, script, language: vscode.env.language, state });
    return new Promise((resolve) => {
      this.#pending?.shown();
      this.#pending = { view, shown: resolve };
      const isThere = this.#surroundings !== undefined;
      if (isThere && (view === undefined || this.#webview.html === page)) {
        this.#fill();
      } else {
        this.#webview.html = page;
      }
    });
  }

  #fill(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    const { view } = pending ?? {};
    this.#post({ kind: 'notice', notice: this.#notice });
    this.#post(
      view === undefined
        ? { kind: 'unload' }
        : {
            kind: 'load',
            messagesPerSecond: viewLimits.messagesPerSecond,
            html: view.html,
            allow: view.allow,
            border: view.border,
          },
    );
    pending?.shown();
  }

  #onMessage(value: unknown): void {
    const message = readFromShell(value);
    switch (message?.kind) {
      case 'ready':
        this.#surroundings = message.surroundings;
        this.#onReady();
        break;
      case 'surroundings':
        this.#surroundings = message.surroundings;
        this.#surrounded.fire();
        break;
      case 'message':
        this.#port?.receive(message.message);
        break;
      case 'flood':
        this.#port?.flooded();
        break;
      case 'trouble':
        this.#parts.onTrouble(message.text);
        break;
      case 'action':
        this.#acted.fire(message.action);
        break;
      case undefined:
        break;
    }
  }

  #onReady(): void {
    const isNew = this.#pending === undefined;
    const hadView = this.#port !== undefined;
    this.#fill();
    if (isNew && hadView) {
      this.#port?.close();
      this.#port = undefined;
      this.#lost.fire();
    }
  }

  /** A disposed page throws on every access. */
  #post(message: ToShell): void {
    if (!this.#isDisposed) {
      void this.#webview.postMessage(message);
    }
  }
}

class ViewPort implements AppPort {
  readonly #send: (message: object) => void;
  readonly #received = new Emitter<unknown>();
  readonly #flooded = new Emitter<void>();
  readonly #closed = new Emitter<void>();
  #isClosed = false;
  readonly onDidReceive = this.#received.event;
  readonly onDidFlood = this.#flooded.event;
  readonly onDidClose = this.#closed.event;

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  post(message: object): void {
    if (!this.#isClosed) {
      this.#send(message);
    }
  }

  receive(message: unknown): void {
    if (!this.#isClosed) {
      this.#received.fire(message);
    }
  }

  flooded(): void {
    this.#flooded.fire();
  }

  close(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#closed.fire();
      this.#received.dispose();
      this.#flooded.dispose();
      this.#closed.dispose();
    }
  }
}
