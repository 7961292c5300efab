/**
 * Sampling requests, answers of models and notices in words: short for dialogs, whole for documents. Server and model
 * text stays data.
 */
import * as vscode from 'vscode';
import { contentOf } from '../../host/chat/modelContext.ts';
import type { ModelChoice } from '../../host/sampling/modelChoice.ts';
import { type SampledAnswer, stopReasonOf } from '../../host/sampling/askModel.ts';
import { resultParts, toModelRequest } from '../../host/sampling/modelRequest.ts';
import type { Model } from '../../host/models/model.ts';
import { blocksOf } from '../../mcp/samplingParams.ts';
import type {
  CreateMessageRequest,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
} from '../../mcp/types/clientFeatures.ts';
import { isString } from '../../base/json.ts';
import { countText, sizeText } from '../resources/annotationText.ts';
import { code, media, section } from '../text/contentPage.ts';
import { type Html, html, nothing } from '../text/html.ts';
import { excerpt, manyLines, oneLine, quoted } from '../text/labelText.ts';
import type { SamplingNotice } from '../../host/sampling/samplingUi.ts';

/** A modal does not scroll well, so longer text is cut there, with a note. */
const maxTextInDialog = 500;
const maxLinesInDialog = 12;
const maxMessagesInDialog = 6;
const maxNamesInDialog = 10;
const maxAnswerInDialog = 2_000;
const maxAnswerLinesInDialog = 30;

/** The request, for the modal. Review shows cut text whole. */
export function requestLines(request: CreateMessageRequest): readonly string[] {
  const { systemPrompt = '', messages } = request;
  const shown = messages.slice(-maxMessagesInDialog);
  const left = messages.length - shown.length;
  return [
    ...parameterLines(request),
    '',
    ...(systemPrompt === '' ? [] : [vscode.l10n.t('System prompt:'), ...passage(systemPrompt), '']),
    vscode.l10n.t('Messages:'),
    ...(left === 0 ? [] : [vscode.l10n.t('({0} earlier ones are not shown: see Review)', left)]),
    ...shown.flatMap((message) => [
      `${roleText(message.role)}:`,
      ...passage(blocksOf(message).map(blockText).join('\n')),
    ]),
  ];
}

function parameterLines(request: CreateMessageRequest): readonly string[] {
  const { maxTokens, temperature, stopSequences = [], includeContext = 'none' } = request;
  const stops = stopSequences
    .slice(0, maxNamesInDialog)
    .map((stop) => oneLine(JSON.stringify(stop), 40));
  return [
    [
      vscode.l10n.t('Answer: at most {0} tokens', countText(maxTokens)),
      ...(temperature === undefined ? [] : [vscode.l10n.t('temperature {0}', temperature)]),
      ...(stops.length === 0 ? [] : [vscode.l10n.t('stops at {0}', listed(stops, stopSequences))]),
    ].join(', '),
    ...contextLines(includeContext),
    ...pictureLines(request),
    ...toolLines(request),
  ];
}

/** The stable API does not tell which models take pictures. */
function pictureLines({ messages, maxTokens }: CreateMessageRequest): readonly string[] {
  const { images } = contentOf(toModelRequest({ messages, maxTokens }, '').forModel.messages);
  return images > 0 ? [`⚠ ${vscode.l10n.t('It has pictures, which not every model can see')}`] : [];
}

function contextLines(
  context: NonNullable<CreateMessageRequest['includeContext']>,
): readonly string[] {
  switch (context) {
    case 'none':
      return [];
    case 'thisServer':
      return [vscode.l10n.t('Context: the server asks for its own context; none is added')];
    case 'allServers':
      return [
        vscode.l10n.t('Context: the server asks for the context of all servers; none is added'),
      ];
  }
}

function toolLines({ tools = [], toolChoice }: CreateMessageRequest): readonly string[] {
  if (tools.length === 0) {
    return [];
  }
  const names = tools.slice(0, maxNamesInDialog).map(({ name }) => oneLine(name, 40));
  const text = listed(names, tools);
  switch (toolChoice?.mode ?? 'auto') {
    case 'none':
      return [vscode.l10n.t('Tools: {0} (the model may not call them)', text)];
    case 'required':
      return [vscode.l10n.t('Tools: {0} (the model must call one; the server runs it)', text)];
    case 'auto':
      return [vscode.l10n.t('Tools: {0} (the model may call them; the server runs them)', text)];
  }
}

function listed(shown: readonly string[], all: readonly unknown[]): string {
  const left = all.length - shown.length;
  const text = shown.join(', ');
  return left === 0 ? text : vscode.l10n.t('{0}, and {1} more', text, left);
}

/** Foreign text in quotes, and how much of it is missing. */
function passage(text: string): readonly string[] {
  const { text: shown, left } = excerpt(text, maxTextInDialog, maxLinesInDialog);
  return [
    quoted(shown),
    ...(left === 0 ? [] : [vscode.l10n.t('({0} more characters: see Review)', countText(left))]),
  ];
}

function roleText(role: SamplingMessage['role']): string {
  return role === 'user' ? vscode.l10n.t('User') : vscode.l10n.t('Assistant');
}

/** Images and sounds as type and size. */
function blockText(block: SamplingContent): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return vscode.l10n.t('[image, {0}, {1}]', block.mimeType, mediaSize(block));
    case 'audio':
      return vscode.l10n.t('[audio, {0}, {1}]', block.mimeType, mediaSize(block));
    case 'tool_use':
      return vscode.l10n.t('[calls {0} with {1}]', block.name, JSON.stringify(block.input));
    case 'tool_result':
      return vscode.l10n.t('[result: {0}]', sentBlocks(block).map(blockText).join(' '));
  }
}

/** What the model gets of a result: texts and pictures. */
function sentBlocks(result: ToolResultContent): readonly SamplingContent[] {
  return resultParts(result).map((part) =>
    part.kind === 'text'
      ? { type: 'text', text: part.text }
      : {
          type: 'image',
          mimeType: part.mimeType,
          data: Buffer.from(part.bytes).toString('base64'),
        },
  );
}

function mediaSize({ data }: { readonly data: string }): string {
  return sizeText(Buffer.byteLength(data, 'base64'));
}

export function modelText({ model, because }: ModelChoice): string {
  const name = nameOf(model);
  switch (because.kind) {
    case 'user':
      return vscode.l10n.t('{0}, your choice', name);
    case 'hint':
      return vscode.l10n.t('{0}, the server asked for "{1}"', name, oneLine(because.hint, 60));
    case 'priorities':
      return vscode.l10n.t('{0}, by the server’s priorities', name);
    case 'default':
      return name;
  }
}

export function nameOf({ name, vendor }: Model): string {
  return `${oneLine(name, 80)} (${oneLine(vendor, 40)})`;
}

/** The answer, for the modal. Edit shows cut text whole. */
export function answerLines(answer: SampledAnswer): readonly string[] {
  const { content } = answer;
  const stopReason = stopReasonOf(answer);
  const whole = content.map(blockText).join('\n');
  const { text, left } = excerpt(whole, maxAnswerInDialog, maxAnswerLinesInDialog);
  return [
    ...(stopReason === 'maxTokens' ? [vscode.l10n.t('Cut at the token limit of the server.')] : []),
    ...(stopReason === 'stopSequence'
      ? [vscode.l10n.t('Ended at a stop sequence of the server.')]
      : []),
    ...(stopReason === 'toolUse'
      ? [vscode.l10n.t('The model asks the server to run a tool. Nothing has run here.')]
      : []),
    '',
    text === '' ? vscode.l10n.t('The model gave no answer.') : quoted(text),
    ...(left === 0 ? [] : [vscode.l10n.t('({0} more characters: see Edit)', countText(left))]),
  ];
}

/** The whole request: the body of a page. */
export function requestHtml(request: CreateMessageRequest, server: string, model: string): Html {
  const { systemPrompt = '', messages, tools = [], ...parameters } = request;
  const facts = [
    `${vscode.l10n.t('Server')}: ${oneLine(server, 80)}`,
    `${vscode.l10n.t('Model')}: ${oneLine(model, 200)}`,
    ...Object.entries(parameters).map(
      ([name, value]) =>
        `${name}: ${manyLines(isString(value) ? value : JSON.stringify(value), Infinity)}`,
    ),
  ];
  const described = tools.map(
    ({ name, title = '', description = title, inputSchema }) =>
      html`<h3>${manyLines(name, Infinity)}</h3>
        ${description === '' ? nothing : code(description)}
        ${code(JSON.stringify(inputSchema, undefined, 2))}`,
  );
  return html`<h1>${vscode.l10n.t('Sampling request')}</h1>
    <ul>
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    ${systemPrompt === '' ? nothing : section(vscode.l10n.t('System prompt'), code(systemPrompt))}
    ${messages.map((message) => section(roleText(message.role), html`${blocksOf(message).map(sampledHtml)}`))}
    ${described.length === 0 ? nothing : section(vscode.l10n.t('Tools'), html`${described}`)}`;
}

/** Pictures and sounds are seen and heard. */
function sampledHtml(block: SamplingContent): Html {
  switch (block.type) {
    case 'image':
    case 'audio':
      return media(block.mimeType, block.data, undefined);
    case 'tool_use':
      return code(JSON.stringify(block, undefined, 2));
    case 'text':
      return code(block.text);
    case 'tool_result':
      return section(vscode.l10n.t('Result'), html`${sentBlocks(block).map(sampledHtml)}`);
  }
}

/** @param asker the server, as dialogs name it */
export function noticeText(asker: string, notice: SamplingNotice): string {
  switch (notice.kind) {
    case 'withdrawn':
      return vscode.l10n.t(
        '{0} withdrew its request before you answered. Nothing was sent, and nothing is remembered.',
        asker,
      );
    case 'tooMany':
      return vscode.l10n.t(
        '{0} wants to use language models more than {1} times a minute. Further requests are refused for now. In its entry, "limits": {"samplingPerMinute": …} allows more, and "sampling": false refuses all.',
        asker,
        notice.perMinute,
      );
    case 'tooManyOpen':
      return vscode.l10n.t(
        '{0} already has {1} open requests to language models, so another one was refused. Answer its questions, or wait for the model. In its entry, "sampling": false refuses all.',
        asker,
        notice.open,
      );
    case 'spent':
      return vscode.l10n.t(
        '{0} has used {1} tokens of your language models since this window opened. Its further requests are refused.',
        asker,
        countText(notice.tokens),
      );
    case 'noModel':
      return vscode.l10n.t(
        '{0} wants to use a language model, but the editor has none. An extension such as GitHub Copilot provides some.',
        asker,
      );
    case 'failed':
      return vscode.l10n.t(
        'The language model failed for {0}: {1}',
        asker,
        oneLine(notice.reason, 300),
      );
  }
}
