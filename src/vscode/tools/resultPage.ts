/**
 * The result of a tool call as a page: text, pictures, sounds, links, structured content as table and JSON. Server
 * content is passive: no script runs, nothing is fetched, all markup is ours, and the only links are commands that open
 * or save a part of this result.
 */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import {
  bytesText,
  type Cell,
  durationText,
  repeatsStructure,
  resultBytes,
  type ResultTable,
  tableOf,
} from '../../host/tools/resultView.ts';
import type { ContentBlock, ResourceContents, TextContent } from '../../mcp/types/content.ts';
import { commandId } from '../ids.ts';
import { manyLines, oneLine } from '../text/labelText.ts';
import { type Html, html, nothing } from './html.ts';
import type { ToolRun } from './resultDocument.ts';

/** The rest is in the linked documents. */
const maxText = 100_000;
/** Bytes of a picture or sound in the page; a larger one can be opened or saved. */
const maxMedia = 20_000_000;
const maxCell = 500;

interface PageParts {
  readonly run: ToolRun;
  /** Allows only the page's one style sheet. */
  readonly nonce: string;
  /** The whole result as a Markdown document. */
  readonly document: vscode.Uri | undefined;
  /** By the number of the block: the file with its bytes or text. */
  readonly files: ReadonlyMap<number | undefined, vscode.Uri | undefined>;
  /** The document URI of a server's resource. */
  readonly resource: (uri: string, mediaType?: string) => vscode.Uri;
}

/** The commands that the page may call. */
export const pageCommands = [commandId('openResultPart'), commandId('saveResultPart')] as const;

export function resultPage(parts: PageParts): string {
  const { run, nonce } = parts;
  const { content, structuredContent } = run.result;
  const policy = [
    "default-src 'none'",
    'img-src data:',
    'media-src data:',
    `style-src 'nonce-${nonce}'`,
  ].join('; ');
  return html`<!DOCTYPE html>
    <html lang="${vscode.env.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <style nonce="${nonce}">
          ${{ markup: pageStyle }}
        </style>
      </head>
      <body>
        <main>
          <h1>${oneLine(run.tool, 120)}</h1>
          ${summary(parts)} ${problems(run)}
          ${content.map((block, index) => blockSection(parts, block, index))}
          ${structuredContent === undefined ? nothing : structure(structuredContent)}
          ${content.length === 0 && structuredContent === undefined ? html`<p>${vscode.l10n.t('The tool returned no content.')}</p>` : nothing}
          <details>
            <summary>${vscode.l10n.t('Input')}</summary>
            ${code(JSON.stringify(run.input, undefined, 2))}
          </details>
        </main>
      </body>
    </html>`.markup;
}

function summary({ run, document }: PageParts): Html {
  const { result, outputProblems } = run;
  const isError = result.isError === true;
  const outcome = isError
    ? vscode.l10n.t('The tool reports an error')
    : outputProblems.length > 0
      ? vscode.l10n.t('The structured output breaks the schema that the server declared')
      : vscode.l10n.t('Success');
  const isWrong = isError || outputProblems.length > 0;
  const facts = [
    oneLine(run.server, 80),
    durationText(run.durationMs),
    bytesText(resultBytes(result)),
  ];
  return html`<p class="${isWrong ? 'outcome wrong' : 'outcome'}" role="status">
      <strong>${outcome}</strong> · ${facts.join(' · ')}
    </p>
    ${document === undefined ? nothing : html`<p>${command(commandId('openResultPart'), document, vscode.l10n.t('Open as Markdown'))}</p>`}`;
}

function problems({ outputProblems, unchecked }: ToolRun): Html {
  const items = [...outputProblems, ...unchecked].map(
    (problem) => html`<li>${oneLine(problem, 300)}</li>`,
  );
  if (items.length === 0) {
    return nothing;
  }
  const heading =
    outputProblems.length > 0
      ? vscode.l10n.t('The server’s output cannot be relied on:')
      : vscode.l10n.t('Not checked:');
  return html`<section class="wrong">
    <p>${heading}</p>
    <ul>
      ${items}
    </ul>
  </section>`;
}

function blockSection(parts: PageParts, block: ContentBlock, index: number): Html {
  const file = parts.files.get(index + 1);
  switch (block.type) {
    case 'text':
      return repeatsStructure(block.text, parts.run.result)
        ? html`<details>
            <summary>${vscode.l10n.t('Text (repeats the structured content)')}</summary>
            ${code(block.text)}
          </details>`
        : section(textHeading(block), code(block.text));
    case 'image':
    case 'audio':
      return media(block.mimeType, block.data, file);
    case 'resource_link': {
      const link = html`<p>
        ${command(commandId('openResultPart'), parts.resource(block.uri, block.mimeType), displayLabel(block))}
        <span class="note">${oneLine(block.uri, 300)}</span>
      </p>`;
      return section(
        vscode.l10n.t('Resource link'),
        html`${link}${block.description === undefined ? nothing : html`<p>${oneLine(block.description, 500)}</p>`}`,
      );
    }
    case 'resource':
      return embedded(parts, block.resource, file);
    default:
      return section(vscode.l10n.t('Content of an unknown kind'), code(JSON.stringify(block)));
  }
}

/** Names the server's intended reader (`audience`). */
function textHeading({ annotations }: TextContent): string {
  const audience = annotations?.audience ?? [];
  return audience.length === 1 && audience[0] === 'assistant'
    ? vscode.l10n.t('Text for the model')
    : vscode.l10n.t('Text');
}

function embedded(
  parts: PageParts,
  resource: ResourceContents,
  file: vscode.Uri | undefined,
): Html {
  const name = html`<p>
    ${command(commandId('openResultPart'), parts.resource(resource.uri, resource.mimeType), resource.uri)}
  </p>`;
  const body =
    'text' in resource
      ? html`${code(resource.text)}${actions(file)}`
      : media(resource.mimeType ?? '', resource.blob, file);
  return section(vscode.l10n.t('Embedded resource'), html`${name}${body}`);
}

/** Encodes the data again, so that the URL in the page is base64 and nothing else. */
function media(mediaType: string, data: string, file: vscode.Uri | undefined): Html {
  const bytes = Buffer.from(data, 'base64');
  const [, kind] = /^(image|audio)\/[\w.+-]+$/u.exec(mediaType) ?? [];
  const address = `data:${mediaType};base64,${bytes.toString('base64')}`;
  const note = `${oneLine(mediaType, 80)} · ${bytesText(bytes.length)}`;
  if (kind === undefined || bytes.length > maxMedia) {
    return section(vscode.l10n.t('File'), actions(file, note));
  }
  const [heading, element] =
    kind === 'image'
      ? [
          vscode.l10n.t('Image'),
          html`<img src="${address}" alt="${vscode.l10n.t('image of the result')}" />`,
        ]
      : [vscode.l10n.t('Audio'), html`<audio controls src="${address}"></audio>`];
  return section(
    heading,
    html`<p>${element}</p>
      ${actions(file, note)}`,
  );
}

function actions(file: vscode.Uri | undefined, note = ''): Html {
  const links =
    file === undefined
      ? nothing
      : html`${command(commandId('openResultPart'), file, vscode.l10n.t('Open'))}
        ${command(commandId('saveResultPart'), file, vscode.l10n.t('Save…'))}`;
  return html`<p class="actions"><span class="note">${note}</span> ${links}</p>`;
}

function structure(value: unknown): Html {
  const table = tableOf(value);
  const json = code(JSON.stringify(value, undefined, 2));
  return section(
    vscode.l10n.t('Structured content'),
    table === undefined
      ? json
      : html`${tableHtml(table)}
          <details>
            <summary>${vscode.l10n.t('As JSON')}</summary>
            ${json}
          </details>`,
  );
}

function tableHtml({ name, columns, rows, moreRows, moreColumns }: ResultTable): Html {
  const caption =
    name === undefined
      ? nothing
      : html`<caption>
          ${oneLine(name, 120)}
        </caption>`;
  const head = columns.map((column) => html`<th scope="col">${oneLine(column, 120)}</th>`);
  const body = rows.map(
    (row) =>
      html`<tr>
        ${row.map(cell)}
      </tr>`,
  );
  const more = [
    ...(moreRows > 0 ? [vscode.l10n.t('and {0} more rows', moreRows)] : []),
    ...(moreColumns > 0 ? [vscode.l10n.t('and {0} more columns', moreColumns)] : []),
  ].join(', ');
  return html`<div class="wide">
      <table>
        ${caption}
        <thead>
          <tr>
            ${head}
          </tr>
        </thead>
        <tbody>
          ${body}
        </tbody>
      </table>
    </div>
    ${more === '' ? nothing : html`<p class="note">${more}</p>`}`;
}

function cell(value: Cell): Html {
  if (value === undefined || value === null) {
    return html`<td class="note">${value === null ? 'null' : ''}</td>`;
  }
  return typeof value === 'number'
    ? html`<td class="number">${value}</td>`
    : html`<td>${oneLine(String(value), maxCell)}</td>`;
}

function section(heading: string, body: Html): Html {
  return html`<section>
    <h2>${heading}</h2>
    ${body}
  </section>`;
}

function code(text: string): Html {
  return html`<pre dir="ltr" tabindex="0">${manyLines(text, maxText)}</pre>`;
}

function command(id: (typeof pageCommands)[number], uri: vscode.Uri, label: string): Html {
  const address = `command:${id}?${encodeURIComponent(JSON.stringify([uri.toString()]))}`;
  return html`<a href="${address}">${oneLine(label, 200)}</a>`;
}

const pageStyle = `
body { font-family: var(--vscode-font-family); color: var(--vscode-foreground); padding: 0 1.5em 2em; line-height: 1.5; }
main { max-width: 70em; }
h1 { font-size: 1.4em; font-weight: 600; }
h2 { font-size: 1.05em; font-weight: 600; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); background: var(--vscode-textCodeBlock-background); padding: 0.6em 0.8em; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; max-height: 40em; overflow: auto; border: 1px solid var(--vscode-contrastBorder, transparent); }
img { max-width: 100%; background: repeating-conic-gradient(#8883 0% 25%, transparent 0% 50%) 0 / 16px 16px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
caption { text-align: start; padding-bottom: 0.4em; font-weight: 600; }
th, td { border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); padding: 0.25em 0.7em; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--vscode-textCodeBlock-background); }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.note { color: var(--vscode-descriptionForeground); }
.outcome { border-inline-start: 3px solid var(--vscode-testing-iconPassed); padding-inline-start: 0.7em; }
.outcome.wrong strong { color: var(--vscode-errorForeground); }
.wrong, .outcome.wrong { border-inline-start: 3px solid var(--vscode-errorForeground); padding-inline-start: 0.7em; }
a { color: var(--vscode-textLink-foreground); }
a:focus-visible, pre:focus-visible, summary:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
.actions > * { margin-inline-end: 1em; }
.actions > :empty { display: none; }
summary { cursor: pointer; padding: 0.4em 0; }
`;
