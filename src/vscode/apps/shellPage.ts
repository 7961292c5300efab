/**
 * The page around an app: a line for notices, and the app's frame. Its code is src/webview/appPage.ts. A `srcdoc` frame
 * takes over the policy of the page that it is in, so the page's policy is the app's, in force before the first byte of
 * the app is parsed (APP-26). That is why the page has a nonce neither for its script nor for its style: with one
 * the app's own scripts would not run.
 */
import { html } from '../tools/html.ts';

export function shellPage({
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
#notice:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 10px 16px; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); background: var(--vscode-editorWidget-background); }
#notice p { flex: 1 1 20em; margin: 0; line-height: 1.5; overflow-wrap: anywhere; }
#notice button { font: inherit; padding: 4px 12px; border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); border-radius: 2px; cursor: pointer; color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
#notice button + button { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
#notice button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
#app { flex: 1; min-height: 0; position: relative; }
#app iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: none; display: block; box-sizing: border-box; }
#app iframe.bordered { inset: 8px; width: calc(100% - 16px); height: calc(100% - 16px); border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border, var(--vscode-contrastBorder, #8888))); border-radius: 4px; }
body.vscode-dark iframe, body.vscode-high-contrast:not(.vscode-high-contrast-light) iframe { color-scheme: dark; }
body.vscode-light iframe, body.vscode-high-contrast-light iframe { color-scheme: light; }
`;
