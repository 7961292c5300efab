/** The result of a tool call as a page: its content, structured content as table and JSON, what is wrong with it. */
import * as vscode from 'vscode';
import {
  bytesText,
  type Cell,
  durationText,
  repeatsStructure,
  resultBytes,
  type ResultTable,
  tableOf,
} from '../../host/tools/resultView.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import { commandId } from '../ids.ts';
import { blockHtml, code, command, type ContentParts, section } from '../text/contentPage.ts';
import { type Html, html, nothing } from '../text/html.ts';
import { oneLine } from '../text/labelText.ts';
import type { ToolRun } from './resultDocument.ts';

/** The rest is in the linked documents. */
const maxText = 100_000;
const maxCell = 500;

interface PageParts extends ContentParts {
  readonly run: ToolRun;
  /** The whole result as a Markdown document. */
  readonly document: vscode.Uri | undefined;
}

/** The body of the page. */
export function resultHtml(parts: PageParts): Html {
  const { run } = parts;
  const { content, structuredContent } = run.result;
  return html`<h1>${oneLine(run.title ?? run.tool, 120)}</h1>
    ${summary(parts)} ${problems(run)}
    ${content.map((block, index) => blockSection(parts, block, index + 1))}
    ${structuredContent === undefined ? nothing : structure(structuredContent)}
    ${content.length === 0 && structuredContent === undefined ? html`<p>${vscode.l10n.t('The tool returned no content.')}</p>` : nothing}
    <details>
      <summary>${vscode.l10n.t('Input')}</summary>
      ${code(JSON.stringify(run.input, undefined, 2), maxText)}
    </details>`;
}

function blockSection(parts: PageParts, block: ContentBlock, number: number): Html {
  return block.type === 'text' && repeatsStructure(block.text, parts.run.result)
    ? html`<details>
        <summary>${vscode.l10n.t('Text (repeats the structured content)')}</summary>
        ${code(block.text, maxText)}
      </details>`
    : blockHtml(block, number, { ...parts, maxText });
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

function structure(value: unknown): Html {
  const table = tableOf(value);
  const json = code(JSON.stringify(value, undefined, 2), maxText);
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
