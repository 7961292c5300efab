/**
 * The page of one app's tab: a line for notices, and the app's frame. Puts a view into it, and passes on what page and
 * view tell. Its code is src/webview/appPage.ts. The page may be made anew by the editor at any time, such as when its tab
 * moves to another window: then the view is gone, and asked for again.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { viewLimits } from '../../host/apps/appConversation.ts';
import { policyText } from '../../host/apps/contentPolicy.ts';
import type { UiResource } from '../../host/apps/uiResource.ts';
import { html } from '../text/html.ts';
import {
  type FromShell,
  type NoticeView,
  readFromShell,
  type Surroundings,
  type ToShell,
} from './shellMessages.ts';

/** What happens in the page; `lost`: the editor made it anew, without the view that was in it. */
export type PageEvent =
  | Exclude<FromShell, { readonly kind: 'ready' | 'surroundings' }>
  | { readonly kind: 'surroundings' | 'lost' };

interface PageParts {
  /** The code of the page. */
  readonly script: string;
  /** What the page keeps over a reload of the window. */
  readonly state: object;
  readonly onEvent: (event: PageEvent) => void;
}

export class AppPage implements Disposable {
  readonly #webview: vscode.Webview;
  readonly #parts: PageParts;
  readonly #listening: vscode.Disposable;
  #surroundings: Surroundings | undefined;
  #notice: NoticeView | undefined;
  #hasView = false;
  /** What goes into the page that is being made. */
  #pending: { readonly content: ToShell; readonly shown: () => void } | undefined;
  #isDisposed = false;

  constructor(webview: vscode.Webview, parts: PageParts) {
    this.#webview = webview;
    this.#parts = parts;
    this.#listening = webview.onDidReceiveMessage((value: unknown) => this.#onMessage(value));
  }

  /** Undefined before the page has told. */
  get surroundings(): Surroundings | undefined {
    return this.#surroundings;
  }

  /** Puts a view into the page, in place of the one before, and takes the notice away. Resolves when the page has it. */
  async show(resource: UiResource, title: string): Promise<void> {
    this.#notice = undefined;
    this.#hasView = true;
    const content: ToShell = {
      kind: 'load',
      messagesPerSecond: viewLimits.messagesPerSecond,
      html: resource.html,
      title,
      allow: resource.permissions.includes('clipboardWrite') ? 'clipboard-write' : '',
      border: resource.prefersBorder,
    };
    await this.#load(content, policyText(resource.policy));
  }

  /** Takes the view away; the notice stays. */
  async clear(): Promise<void> {
    this.#hasView = false;
    await this.#load({ kind: 'unload' }, noticePolicy);
  }

  /** A sentence with buttons above the view; undefined takes it away. */
  notify(notice: NoticeView | undefined): void {
    this.#notice = notice;
    this.post({ kind: 'notice', notice });
  }

  /** A disposed page throws on every access. */
  post(message: ToShell): void {
    if (!this.#isDisposed) {
      void this.#webview.postMessage(message);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listening.dispose();
    this.#pending?.shown();
  }

  /** A page has one policy, so each policy has a page of its own. Without a view, any will do. */
  #load(content: ToShell, policy: string): Promise<void> {
    const { script, state } = this.#parts;
    const page = shellPage({ policy, script, language: vscode.env.language, state });
    return new Promise((resolve) => {
      this.#pending?.shown();
      this.#pending = { content, shown: resolve };
      const isRight = content.kind === 'unload' || this.#webview.html === page;
      if (this.#surroundings !== undefined && isRight) {
        this.#fill();
      } else {
        this.#webview.html = page;
      }
    });
  }

  #fill(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.post({ kind: 'notice', notice: this.#notice });
    this.post(pending?.content ?? { kind: 'unload' });
    pending?.shown();
  }

  #onMessage(value: unknown): void {
    const message = readFromShell(value);
    if (message?.kind !== 'ready' && message?.kind !== 'surroundings') {
      if (message !== undefined) {
        this.#parts.onEvent(message);
      }
      return;
    }
    this.#surroundings = message.surroundings;
    if (message.kind === 'surroundings') {
      this.#parts.onEvent({ kind: 'surroundings' });
      return;
    }
    const isLost = this.#hasView && this.#pending === undefined;
    this.#fill();
    if (isLost) {
      this.#hasView = false;
      this.#parts.onEvent({ kind: 'lost' });
    }
  }
}

/** Nothing at all: for a page that shows a notice only. */
const noticePolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/**
 * A `srcdoc` frame takes over the policy of the page that it is in, so the page's policy is the app's, in force before the
 * first byte of the app is parsed (APP-26). That is why the page has a nonce neither for its script nor for its style:
 * with one the app's own scripts would not run.
 */
function shellPage({
  policy,
  script,
  language,
  state,
}: {
  /** The content security policy of the app. */
  readonly policy: string;
  readonly script: string;
  /** Of the editor. */
  readonly language: string;
  /** What the page keeps over a reload of the window. */
  readonly state: object;
}): string {
  return html`<!DOCTYPE html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <style>
          ${{ markup: shellStyle }}
        </style>
      </head>
      <body data-state="${JSON.stringify(state)}">
        <div id="notice" role="status" hidden></div>
        <main id="app"></main>
        <script>
          ${{ markup: script }};
        </script>
      </body>
    </html>`.markup;
}

const shellStyle = `
html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
body { display: flex; flex-direction: column; font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); color: var(--vscode-foreground); background: var(--vscode-editor-background); }
#notice:not([hidden]) { display: flex; flex-wrap: wrap; overflow-y: auto; gap: 8px 12px; padding: 10px 16px; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); background: var(--vscode-editorWidget-background); }
#notice p { flex: 1 0 100%; margin: 0; line-height: 1.5; overflow-wrap: anywhere; white-space: pre-line; }
#notice button { font: inherit; padding: 4px 12px; border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); border-radius: 2px; cursor: pointer; color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
#notice button + button { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
#notice button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
#app { flex: 1; min-height: 0; position: relative; }
#app iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: none; display: block; box-sizing: border-box; }
#app iframe.bordered { inset: 8px; width: calc(100% - 16px); height: calc(100% - 16px); border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border, var(--vscode-contrastBorder, #8888))); border-radius: 4px; }
body.vscode-dark iframe, body.vscode-high-contrast:not(.vscode-high-contrast-light) iframe { color-scheme: dark; }
body.vscode-light iframe, body.vscode-high-contrast-light iframe { color-scheme: light; }
`;
