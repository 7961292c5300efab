/**
 * The HTML of the inspector's page, before it has any rows: its fields, its buttons, its list, its style. Its
 * code is in src/webview.
 */
import type * as vscode from 'vscode';
import { type Html, html } from '../text/html.ts';
import { oneLine } from '../text/labelText.ts';

type Translate = typeof vscode.l10n.t;

export function inspectorPage({
  server,
  nonce,
  script,
  language,
  t,
}: {
  readonly server: { readonly id: string; readonly name: string };
  readonly nonce: string;
  readonly script: string;
  /** Of the editor. */
  readonly language: string;
  readonly t: Translate;
}): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const name = oneLine(server.name, 60);
  const columns = [
    ['', ''],
    [t('Method'), 'method'],
    [t('ID'), 'id'],
    [t('Status'), 'status'],
    [t('Time'), 'time'],
    [t('Duration'), 'duration'],
    [t('Size'), 'size'],
    [t('Revision'), 'revision'],
  ] as const;
  return html`<!DOCTYPE html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <title>${t('Messages of {0}', name)}</title>
        <style nonce="${nonce}">
          ${{ markup: inspectorStyle }}
        </style>
      </head>
      <body data-server="${server.id}" data-name="${server.name}" ${words(t)}>
        <div class="bar" role="group" aria-label="${t('Filter and actions')}">
          <input
            id="text"
            type="search"
            placeholder="${t('Filter: text, method, id')}"
            aria-label="${t('Filter by text')}"
            spellcheck="false"
          />
          <select id="method" aria-label="${t('Method')}">
            <option value="">${t('All methods')}</option>
          </select>
          <select id="direction" aria-label="${t('Direction')}">
            <option value="any">${t('All directions')}</option>
            <option value="sent">${t('↑ To the server')}</option>
            <option value="received">${t('↓ From the server')}</option>
            <option value="app">${t('⇠⇢ Apps')}</option>
          </select>
          <label class="check"><input id="errors" type="checkbox" /> ${t('Errors only')}</label>
          <span class="gap"></span>
          ${button('pause', t('Pause'), pauseHint(t))}
          ${button('clear', t('Clear'), t('Delete all recorded messages'))}
          ${button('export', t('Export…'), t('Save the shown messages as JSON Lines'))}
        </div>
        <p id="counts" class="note"></p>
        <main>
          <div
            id="list"
            role="grid"
            tabindex="0"
            aria-label="${t('Messages of {0}', name)}"
            aria-colcount="${columns.length}"
          >
            <div role="rowgroup" class="top">
              <div role="row" class="row head">
                ${columns.map(
                  ([label, kind]) =>
                    html`<span role="columnheader" class="${kind === '' ? 'arrow' : kind}"
                      >${label === '' ? html`<span class="unseen">${t('Direction')}</span>` : label}</span
                    >`,
                )}
              </div>
            </div>
            <div id="rows" role="rowgroup"></div>
            <div id="empty" role="rowgroup"></div>
          </div>
          <section id="detail" aria-label="${t('The selected message')}">
            <p class="note">${t('Select a message to see all of it.')}</p>
          </section>
        </main>
        <script nonce="${nonce}">
          ${{ markup: script }};
        </script>
      </body>
    </html>`.markup;
}

function button(id: string, label: string, title: string): Html {
  return html`<button id="${id}" type="button" title="${title}">${label}</button>`;
}

function pauseHint(t: Translate): string {
  return t('Stop updating the list. Messages are still recorded');
}

/** The texts of the page's code; each is an attribute, whose name has no capitals. */
function words(t: Translate): Html {
  const all = {
    pause: t('Pause'),
    pausehint: pauseHint(t),
    resume: t('Resume'),
    resumehint: t('Update the list again'),
    copy: t('Copy'),
    replay: t('Replay'),
    edit: t('Edit and Replay…'),
    original: t('Show Original'),
    message: t('Message'),
    nothing: t('Select a message to see all of it.'),
    none: t('No headers.'),
    unfit: t('No message matches the filter.'),
    empty: t('No messages yet. They appear here as the server sends and receives them.'),
    mark: t('replay'),
  };
  return {
    markup: Object.entries(all)
      .map(([name, value]) => html`data-${name}="${value}"`.markup)
      .join(' '),
  };
}

/** The style of the inspector, in the colours of the editor's theme. The row height must match messageList.ts. */
const inspectorStyle = `
html, body { height: 100%; }
body { font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); color: var(--vscode-foreground); margin: 0; padding: 0; display: flex; flex-direction: column; box-sizing: border-box; overflow: hidden; }
.bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 8px 12px 4px; }
.gap { flex: 1; }
.note { color: var(--vscode-descriptionForeground); }
#counts { margin: 0; padding: 0 12px 6px; font-size: 0.92em; }
input[type="search"], select { font: inherit; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-widget-border, transparent)); border-radius: 2px; height: 26px; box-sizing: border-box; padding: 0 6px; }
input[type="search"] { flex: 0 1 240px; min-width: 120px; }
input::placeholder { color: var(--vscode-input-placeholderForeground); }
select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); border-color: var(--vscode-dropdown-border, transparent); max-width: 200px; }
.check { display: inline-flex; align-items: center; gap: 4px; }
.check input { accent-color: var(--vscode-button-background); }
button { font: inherit; height: 26px; padding: 0 10px; border: 1px solid var(--vscode-button-secondaryBorder, var(--vscode-contrastBorder, transparent)); border-radius: 2px; cursor: pointer; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
button.on { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
main { flex: 1; min-height: 0; display: flex; flex-direction: column; border-top: 1px solid var(--vscode-panel-border, var(--vscode-widget-border, transparent)); }
#list { flex: 1 1 55%; min-height: 120px; overflow: auto; overflow-anchor: none; scroll-padding-top: 24px; }
#detail { flex: 1 1 45%; min-height: 80px; overflow: auto; padding: 8px 12px; box-sizing: border-box; border-top: 1px solid var(--vscode-panel-border, var(--vscode-widget-border, var(--vscode-contrastBorder, transparent))); }
@media (min-width: 1100px) {
  main { flex-direction: row; }
  #list { flex: 1 1 60%; }
  #detail { flex: 1 1 40%; border-top: none; border-inline-start: 1px solid var(--vscode-panel-border, var(--vscode-widget-border, var(--vscode-contrastBorder, transparent))); }
}
#empty { padding: 8px 12px; }
.row { display: grid; grid-template-columns: 22px minmax(150px, 2fr) minmax(30px, 60px) minmax(70px, 1.2fr) 92px 72px 82px 84px; height: 24px; line-height: 24px; column-gap: 8px; padding: 0 12px; box-sizing: border-box; white-space: nowrap; min-width: 680px; }
.row > * { overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; }
#rows > .row { content-visibility: auto; cursor: default; }
#rows > .row:hover { background: var(--vscode-list-hoverBackground); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
#rows > .row[aria-selected="true"] { background: var(--vscode-list-inactiveSelectionBackground); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
#list:focus > #rows > .row[aria-selected="true"] { background: var(--vscode-list-activeSelectionBackground); color: var(--vscode-list-activeSelectionForeground); }
.top { position: sticky; top: 0; z-index: 1; }
.head { font-weight: 600; background: var(--vscode-editor-background); border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-widget-border, transparent)); }
.time, .duration, .size, .id { font-variant-numeric: tabular-nums; }
.duration, .size { text-align: end; }
.arrow { text-align: center; }
.sent .arrow { color: var(--vscode-charts-blue); }
.received .arrow { color: var(--vscode-charts-green); }
.event > .method { grid-column: 2 / 5; font-style: italic; }
.event, .stream { color: var(--vscode-descriptionForeground); }
.event { border-top: 1px solid var(--vscode-panel-border, var(--vscode-widget-border, transparent)); }
.wrong > .status, .wrong > .method { color: var(--vscode-errorForeground); }
.waiting > .status { color: var(--vscode-descriptionForeground); }
#list:focus > #rows > .row[aria-selected="true"] span:not(.mark) { color: inherit; }
.mark { font-size: 0.85em; padding: 0 4px; margin-inline-start: 6px; border-radius: 3px; color: var(--vscode-badge-foreground); background: var(--vscode-badge-background); }
.kind { color: var(--vscode-descriptionForeground); margin-inline-start: 6px; font-size: 0.9em; }
h1 { font-size: 1.1em; font-weight: 600; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 1em; font-weight: 600; margin: 12px 0 4px; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 6px; margin: 0 0 8px; }
dl { margin: 0; }
dl.facts { display: flex; flex-wrap: wrap; gap: 2px 24px; }
dl > div { display: flex; gap: 8px; min-width: 0; }
dl.headers > div { display: grid; grid-template-columns: minmax(120px, 220px) 1fr; padding-block: 1px; }
dl.headers { margin: 4px 0 8px 16px; }
summary { cursor: pointer; padding: 3px 0; overflow-wrap: anywhere; }
dl.facts + details { margin-top: 8px; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; font-family: var(--vscode-editor-font-family); }
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); background: var(--vscode-textCodeBlock-background); padding: 8px 10px; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; border: 1px solid var(--vscode-contrastBorder, transparent); }
.name { color: var(--vscode-symbolIcon-propertyForeground, var(--vscode-textLink-foreground)); }
.string { color: var(--vscode-debugTokenExpression-string, inherit); }
.number { color: var(--vscode-debugTokenExpression-number, inherit); }
.word { color: var(--vscode-debugTokenExpression-boolean, inherit); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;
