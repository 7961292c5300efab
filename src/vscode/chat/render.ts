/**
 * What happens in a run as parts of a chat response. Text of servers is data: escaped, cut, and never
 * a link or a command; the whole result of a call is a document one click away.
 */
import * as vscode from 'vscode';
import type { AgentCall, AgentEvent, CallEnd } from '../../host/agent/agentEvents.ts';
import { shownBlocks } from '../../host/agent/toolResult.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import { fileNameFor } from '../../host/catalog/mediaTypes.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import { progressText } from '../../host/tools/progressText.ts';
import type { Progress } from '../../mcp/era/session.ts';
import type { ContentBlock, ImageContent, ResourceLink } from '../../mcp/types/content.ts';
import { fenced, plain } from '../contentMarkdown.ts';
import { errorText } from '../errorText.ts';
import { toEditorUri } from '../resources/resourceUri.ts';
import { oneLine } from '../text.ts';
import { toFiles } from '../tools/resultDocument.ts';
import type { ChatServices } from './chatServices.ts';

type Event = AgentEvent<ServerConnection>;
type Call = AgentCall<ServerConnection>;

const maxLinks = 10;
const maxImages = 6;
/** Larger ones are links: the response is kept with the editor's history. */
const maxInlineImageChars = 1_500_000;
const maxShownText = 2_000;
/** A server may report progress more often than anybody reads. */
const progressPauseMs = 250;

export class ResponseRenderer {
  readonly #response: vscode.ChatResponseStream;
  readonly #keepFiles: ChatServices['keepFiles'];
  #progressAt = 0;

  constructor(response: vscode.ChatResponseStream, keepFiles: ChatServices['keepFiles']) {
    this.#response = response;
    this.#keepFiles = keepFiles;
  }

  show(event: Event): void {
    switch (event.kind) {
      case 'text':
        this.#response.markdown(event.text);
        break;
      case 'callRequested':
        this.#response.progress(vscode.l10n.t('Next: {0}', callName(event.call)));
        break;
      case 'callStarted':
        this.#response.progress(vscode.l10n.t('Running {0}', callName(event.call)));
        break;
      case 'callProgress':
        this.#progress(event.call, event.progress);
        break;
      case 'callEnded':
        this.#ended(event.call, event.end);
        break;
      case 'resourceRead':
        this.#line('book', vscode.l10n.t('Read'));
        this.#response.anchor(editorUri(event.server, event.uri));
        this.#response.markdown('\n\n');
        break;
      case 'toolsFound':
        this.#response.progress(
          vscode.l10n.t('Found {0} tools for "{1}"', event.tools.length, oneLine(event.query, 80)),
        );
        break;
      case 'toolsAdded':
        this.#note(
          'sparkle',
          vscode.l10n.t(
            'New tools that the model can use from now on: {0}',
            event.tools.map((tool) => callName(tool)).join(', '),
          ),
        );
        break;
      case 'historyCut':
        this.#note(
          'fold',
          vscode.l10n.t(
            'The conversation is too long for this model: its oldest part was left out.',
          ),
        );
        break;
      case 'imagesLeftOut':
        this.#note('eye-closed', vscode.l10n.t('This model takes no images: it gets their names.'));
        break;
    }
  }

  /** A sentence of this extension on a line of its own. */
  #note(icon: string, sentence: string): void {
    this.#line(icon, sentence);
    this.#response.markdown('\n\n');
  }

  /** Texts are shown as they are, whatever characters they have. */
  #line(icon: string, text: string): void {
    this.#response.markdown(new vscode.MarkdownString(`\n\n$(${icon}) ${plain(text, 600)} `, true));
  }

  #progress(call: Call, progress: Progress): void {
    const now = Date.now();
    if (now - this.#progressAt < progressPauseMs) {
      return;
    }
    this.#progressAt = now;
    this.#response.progress(
      `${callName(call)}: ${progressText(progress, (text) => oneLine(text, 120))}`,
    );
  }

  #ended(call: Call, end: CallEnd): void {
    switch (end.kind) {
      case 'result':
        this.#result(call, end);
        break;
      case 'denied':
        this.#note(
          'circle-slash',
          vscode.l10n.t('You did not allow {0}. Nothing was sent.', callName(call)),
        );
        break;
      case 'invalidInput':
        this.#note(
          'warning',
          vscode.l10n.t(
            'The model’s input for {0} does not fit, so nothing was sent: {1}',
            callName(call),
            oneLine(end.problems.join('; '), 300),
          ),
        );
        break;
      case 'failed':
        this.#note('error', vscode.l10n.t('{0} failed: {1}', callName(call), errorText(end.error)));
        break;
    }
  }

  #result(call: Call, end: Extract<CallEnd, { kind: 'result' }>): void {
    const { result, outputProblems, unchecked } = end.outcome;
    const [document] = this.#keepFiles(
      toFiles({
        server: call.server.config.name,
        tool: call.tool.name,
        input: end.input,
        result,
        outputProblems,
        unchecked,
        durationMs: end.durationMs,
      }),
    );
    const isWrong = result.isError === true || outputProblems.length > 0;
    this.#line(isWrong ? 'warning' : 'tools', resultText(call, end));
    if (document !== undefined) {
      this.#response.anchor(document);
    }
    this.#response.markdown('\n\n');
    this.#blocks(call, shownBlocks(result));
  }

  /** What the model may not repeat: images, links, and texts that are for the user alone. */
  #blocks(call: Call, blocks: readonly ContentBlock[]): void {
    const images = blocks.filter((block) => block.type === 'image');
    for (const image of images.slice(0, maxImages)) {
      this.#image(image);
    }
    const links = blocks.filter((block) => block.type === 'resource_link');
    this.#links(call, links.slice(0, maxLinks));
    const left = Math.max(0, images.length - maxImages) + Math.max(0, links.length - maxLinks);
    if (left > 0) {
      this.#note('ellipsis', vscode.l10n.t('{0} more images and links are in the result.', left));
    }
    for (const block of blocks) {
      const audience = block.annotations?.audience;
      if (block.type === 'text' && audience?.includes('assistant') === false) {
        this.#response.markdown(`\n\n${fenced(block.text.slice(0, maxShownText))}\n\n`);
      }
    }
  }

  #image({ data, mimeType }: ImageContent): void {
    const type = /^image\/[\w.+-]+$/u.exec(mimeType)?.[0];
    const base64 = data.replaceAll(/\s/gu, '');
    if (
      type !== undefined &&
      base64.length <= maxInlineImageChars &&
      /^[\w+/-]*={0,2}$/u.test(base64)
    ) {
      this.#response.markdown(
        `\n\n![${vscode.l10n.t('image')}](data:${type};base64,${base64})\n\n`,
      );
    }
  }

  #links({ server }: Call, links: readonly ResourceLink[]): void {
    for (const link of links) {
      // The editor shows the name of the file, whatever the title of the anchor.
      this.#response.markdown(`\n- ${plain(displayLabel(link), 100)} `);
      this.#response.anchor(editorUri(server, link.uri, link.mimeType));
    }
    if (links.length > 0) {
      this.#response.markdown('\n\n');
    }
  }
}

/** "Echo Tool" (everything) */
function callName({ tool, server }: Call): string {
  return `"${oneLine(displayLabel(tool), 80)}" (${oneLine(server.config.name, 60)})`;
}

function resultText(call: Call, end: Extract<CallEnd, { kind: 'result' }>): string {
  const name = callName(call);
  const { result, outputProblems } = end.outcome;
  if (result.isError === true) {
    return vscode.l10n.t('{0} reports an error:', name);
  }
  if (outputProblems.length > 0) {
    return vscode.l10n.t('{0} ran, and its output breaks the schema of the server:', name);
  }
  return end.cutChars > 0
    ? vscode.l10n.t('Ran {0}; the model got a part of a long result:', name)
    : vscode.l10n.t('Ran {0}:', name);
}

export function editorUri(
  { id }: { readonly id: string },
  uri: string,
  mimeType?: string,
): vscode.Uri {
  return toEditorUri({ serverId: id, uri }, fileNameFor(uri, mimeType));
}
