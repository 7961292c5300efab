/**
 * Content of servers as a page in a tab of its own: text, pictures, sounds, links. It is passive: no script runs, nothing is
 * fetched, all markup is ours, and the only links are commands that open or save a part of it.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import { bytesText } from '../../host/tools/resultView.ts';
import type { ContentBlock, ResourceContents, TextContent } from '../../mcp/types/content.ts';
import { commandId } from '../ids.ts';
import { type Html, html, nothing } from './html.ts';
import { dotted, manyLines, oneLine } from './labelText.ts';
import { resourceUri } from './resourceUri.ts';
import type { ResultFile } from './resultFiles.ts';

/** Bytes of a picture or sound in the page; a larger one can be opened or saved. */
const maxMedia = 20_000_000;

/** How much of the content is shown, and where its parts can be opened. */
export interface ContentParts {
  /** Characters of a text; absent: all. */
  readonly maxText?: number;
  /** The server that the content comes from. */
  readonly serverId: string;
  /** By the number of the block, from 1: the file with its bytes or text. */
  readonly files: ReadonlyMap<number | undefined, vscode.Uri | undefined>;
}

/** @param uris of the files, in their order */
export function fileUris(
  files: readonly ResultFile[],
  uris: readonly vscode.Uri[],
): ContentParts['files'] {
  return new Map(files.map(({ block }, index) => [block, uris[index]]));
}

/** The commands that a page may call. */
const pageCommands = [commandId('openResultPart'), commandId('saveResultPart')] as const;

interface Page {
  readonly viewType: string;
  /** Of the tab. */
  readonly title: string;
  readonly body: Html;
  /** A pick stands above it: its beginning is below that, and the focus stays where it is. */
  readonly isBelowPick?: boolean;
}

export function showPage({
  viewType,
  title,
  body,
  isBelowPick = false,
}: Page): vscode.WebviewPanel {
  const panel = vscode.window.createWebviewPanel(
    viewType,
    title,
    { viewColumn: vscode.ViewColumn.Active, preserveFocus: isBelowPick },
    {
      enableScripts: false,
      enableForms: false,
      enableCommandUris: [...pageCommands],
      enableFindWidget: true,
      localResourceRoots: [],
    },
  );
  panel.webview.html = contentPage(body, isBelowPick);
  return panel;
}

export function contentPage(body: Html, isBelowPick = false): string {
  // Allows only the page's one style sheet.
  const nonce = randomBytes(16).toString('hex');
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
      <body class="${isBelowPick ? 'belowPick' : ''}">
        <main>${body}</main>
      </body>
    </html>`.markup;
}

/** @param number of the block, from 1 */
export function blockHtml(block: ContentBlock, number: number, parts: ContentParts): Html {
  const file = parts.files.get(number);
  switch (block.type) {
    case 'text':
      return section(textHeading(block), code(block.text, parts.maxText));
    case 'image':
    case 'audio':
      return media(block.mimeType, block.data, file);
    case 'resource_link': {
      const link = html`<p>
        ${command(commandId('openResultPart'), resourceUri(parts.serverId, block), displayLabel(block))}
        <span class="note">${oneLine(dotted(block.uri, block.mimeType), Infinity)}</span>
      </p>`;
      return section(
        vscode.l10n.t('Resource link'),
        html`${link}${block.description === undefined ? nothing : code(block.description, parts.maxText)}`,
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
  parts: ContentParts,
  resource: ResourceContents,
  file: vscode.Uri | undefined,
): Html {
  const name = html`<p>
    ${command(commandId('openResultPart'), resourceUri(parts.serverId, resource), resource.uri)}
  </p>`;
  const body =
    'text' in resource
      ? html`${code(resource.text, parts.maxText)}${actions(file)}`
      : media(resource.mimeType ?? '', resource.blob, file);
  return section(vscode.l10n.t('Embedded resource'), html`${name}${body}`);
}

/** Encodes the data again, so that the URL in the page is base64 and nothing else. */
export function media(mediaType: string, data: string, file: vscode.Uri | undefined): Html {
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
          html`<img src="${address}" alt="${vscode.l10n.t('image from the server')}" />`,
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

export function section(heading: string, body: Html): Html {
  return html`<section>
    <h2>${heading}</h2>
    ${body}
  </section>`;
}

/** Characters that hide are visible. */
export function code(text: string, maxLength = Infinity): Html {
  return html`<pre dir="ltr" tabindex="0">${manyLines(text, maxLength)}</pre>`;
}

export function command(id: (typeof pageCommands)[number], uri: vscode.Uri, label: string): Html {
  const address = `command:${id}?${encodeURIComponent(JSON.stringify([uri.toString()]))}`;
  return html`<a href="${address}">${oneLine(label, Infinity)}</a>`;
}

const pageStyle = `
body { font-family: var(--vscode-font-family); color: var(--vscode-foreground); padding: 0 1.5em 2em; line-height: 1.5; }
main { max-width: 70em; }
.belowPick { padding-top: 14em; }
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
