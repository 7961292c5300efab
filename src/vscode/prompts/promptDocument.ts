/** The messages of a prompt, before they are used, as a Markdown document and as a page: roles, images, resources and links. */
import * as vscode from 'vscode';
import { type LeftOut, promptForModel } from '../../host/chat/modelParts.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { PromptArguments } from '../../host/prompts/prompts.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import type { Prompt } from '../../mcp/types/lists.ts';
import type { GetPromptResult } from '../../mcp/types/methods.ts';
import {
  documentFiles,
  type DocumentParts,
  fenced,
  inline,
  section,
} from '../text/contentMarkdown.ts';
import { blockHtml, code, type ContentParts, section as sectionHtml } from '../text/contentPage.ts';
import { type Html, html } from '../text/html.ts';
import { manyLines, oneLine } from '../text/labelText.ts';
import type { ResultFile } from '../text/resultFiles.ts';

export interface ResolvedPrompt {
  readonly server: string;
  readonly serverId: string;
  readonly prompt: Prompt;
  readonly args: PromptArguments;
  readonly result: GetPromptResult;
}

/** The first file is the document. */
export function promptFiles({
  server,
  serverId,
  prompt,
  args,
  result,
}: ResolvedPrompt): readonly ResultFile[] {
  const parts: DocumentParts = { files: [], links: [], serverId };
  const { leftOut } = promptForModel(result.messages);
  const messages = result.messages.flatMap(({ role, content }, index) => [
    `# ${roleText(role)}`,
    '',
    ...leftOut
      .filter((one) => one.index === index)
      .flatMap(({ why }) => [`> **${leftOutText(why)}**`, '']),
    messageText(content, index + 1, parts),
  ]);
  const lines = [
    `- ${vscode.l10n.t('Prompt')}: ${inline(displayLabel(prompt))}`,
    `- ${vscode.l10n.t('Server')}: ${inline(server)}`,
    ...Object.entries(args).map(([name, value]) => `- ${inline(name)}: ${inline(value)}`),
    '',
    ...(messages.length === 0 ? [vscode.l10n.t('The prompt has no messages.')] : messages),
  ];
  return documentFiles(prompt.name, lines, parts);
}

/** The body of the page. */
export function promptHtml(
  { server, serverId, prompt, args, result }: ResolvedPrompt,
  files: ContentParts['files'],
): Html {
  const { leftOut } = promptForModel(result.messages);
  const facts = [server, ...Object.entries(args).map(([name, value]) => `${name}: ${value}`)];
  const messages = result.messages.map(({ role, content }, index) => {
    const notes = leftOut
      .filter((one) => one.index === index)
      .map(({ why }) => html`<p class="wrong">${leftOutText(why)}</p>`);
    const body =
      content.type === 'text'
        ? code(content.text)
        : blockHtml(content, index + 1, { serverId, files });
    return sectionHtml(roleText(role), html`${notes}${body}`);
  });
  return html`<h1>${oneLine(displayLabel(prompt), 120)}</h1>
    <p>${facts.map((fact) => oneLine(fact, 300)).join(' · ')}</p>
    ${messages.length === 0 ? html`<p>${vscode.l10n.t('The prompt has no messages.')}</p>` : messages}`;
}

/** What "Copy" puts on the clipboard: the texts, and a line for each other content. */
export function promptText({ result }: ResolvedPrompt): string {
  const isOneVoice = result.messages.every(({ role }) => role === 'user');
  return result.messages
    .map(({ role, content }) =>
      isOneVoice ? plainText(content) : `${roleText(role)}:\n${plainText(content)}`,
    )
    .join('\n\n');
}

function roleText(role: GetPromptResult['messages'][number]['role']): string {
  return role === 'user' ? vscode.l10n.t('User') : vscode.l10n.t('Assistant');
}

function leftOutText(why: LeftOut['why']): string {
  return why === 'audience'
    ? vscode.l10n.t('Not for the model: the server means this message for you alone.')
    : vscode.l10n.t('In part for the model: there is no room for all of this message.');
}

/** A text needs no heading below the role's heading. */
function messageText(content: ContentBlock, number: number, parts: DocumentParts): string {
  return content.type === 'text'
    ? `${fenced(content.text, 'markdown')}\n`
    : section(content, number, parts);
}

function plainText(content: ContentBlock): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource':
      return 'text' in content.resource ? content.resource.text : `[${content.resource.uri}]`;
    case 'resource_link':
      return `[${content.uri}]`;
    case 'image':
    case 'audio':
      return `[${manyLines(content.mimeType, 100)}]`;
  }
}
