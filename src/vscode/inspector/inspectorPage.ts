/**
 * The HTML of the inspector's page, before it has any rows: its fields, its buttons, its list. Its code is in
 * src/webview.
 */
import * as vscode from 'vscode';
import { type Html, html } from '../tools/html.ts';
import { oneLine } from '../text/text.ts';
import { inspectorStyle } from './inspectorStyle.ts';

export function inspectorPage({
  server,
  nonce,
  script,
}: {
  readonly server: { readonly id: string; readonly name: string };
  readonly nonce: string;
  readonly script: string;
}): string {
  const { t } = vscode.l10n;
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
    <html lang="${vscode.env.language}">
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
            <option value="any">${t('Both directions')}</option>
            <option value="sent">${t('↑ To the server')}</option>
            <option value="received">${t('↓ From the server')}</option>
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
              <div role="row" class="row head" aria-rowindex="1">
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

function pauseHint(t: typeof vscode.l10n.t): string {
  return t('Stop updating the list. Messages are still recorded');
}

/** The texts of the page's code; each is an attribute, whose name has no capitals. */
function words(t: typeof vscode.l10n.t): Html {
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
