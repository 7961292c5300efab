/**
 * Shows the events of a run as parts of a chat response. Server text is data: escaped, cut, and never a link or a
 * command; the whole result of a call is a document one click away.
 */
import * as vscode from 'vscode';
import { beginningOf } from '../../base/text.ts';
import type { AgentCall, AgentEvent, CallEnd } from '../../host/chat/agentEvents.ts';
import type { AppText } from '../../host/chat/modelContext.ts';
import { type KeptBlock, keptBlocks } from '../../host/chat/modelParts.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ToolInput } from '../../host/toolApproval/approvals.ts';
import { progressText } from '../../host/tools/resultView.ts';
import type { Progress } from '../../mcp/session/session.ts';
import type { ImageContent } from '../../mcp/types/content.ts';
import { fenced, plain } from '../text/contentMarkdown.ts';
import { errorText } from '../text/errorText.ts';
import { resourceUri } from '../text/resourceUri.ts';
import { commandId } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import { textFile } from '../text/wholeText.ts';
import { toFiles, type ToolRun } from '../tools/resultDocument.ts';
import type { ChatServices } from './chatServices.ts';
import { callName, isNote, isProgress, noteOf, progressOf, resultText } from './eventTexts.ts';

type Event = AgentEvent;
type Call = AgentCall;

/** Blocks of all results of one answer that are shown on their own. */
const maxKept = 10;
const maxInlineImageChars = 1_500_000;
const maxShownText = 2_000;
/** Omitted tools that are named; the model finds them by search. */
const maxLeftOut = 8;
/** A server may report progress more often than the user can read. */
const progressPauseMs = 250;

export class ResponseRenderer {
  readonly #response: vscode.ChatResponseStream;
  readonly #services: Pick<ChatServices, 'results' | 'offerApp'>;
  #progressAt = 0;
  #overLimit: Extract<Event, { kind: 'toolsOverLimit' }> | undefined;
  /** What the model may not repeat, kept until the end: the editor folds away everything before a progress. */
  readonly #kept: {
    readonly call: Call;
    readonly document: vscode.Uri | undefined;
    readonly blocks: readonly KeptBlock[];
    /** The argument of the button that opens the app. */
    readonly app: object | undefined;
  }[] = [];

  constructor(
    response: vscode.ChatResponseStream,
    services: Pick<ChatServices, 'results' | 'offerApp'>,
  ) {
    this.#response = response;
    this.#services = services;
  }

  show(event: Event): void {
    if (isProgress(event)) {
      this.#response.progress(progressOf(event));
      return;
    }
    if (isNote(event)) {
      const { icon, text } = noteOf(event);
      this.#note(icon, text);
      return;
    }
    switch (event.kind) {
      case 'text':
        this.#response.markdown(event.text);
        break;
      case 'callProgress':
        this.#progress(event.call, event.progress);
        break;
      case 'callEnded':
        this.#ended(event);
        break;
      case 'resourceRead':
        this.#line('book', vscode.l10n.t('Read'));
        this.#response.anchor(resourceUri(event.server.id, event));
        this.#response.markdown('\n\n');
        break;
      case 'toolsOverLimit':
        this.#overLimit = event;
        break;
      case 'summarized':
        this.#summary(event.text);
        break;
    }
  }

  /**
   * Shows images, links, texts for the user alone, and buttons for apps below the answer, where they stay visible.
   * @param apps whose words the model got
   */
  finish(apps: readonly AppText[]): void {
    let room = maxKept;
    let left = 0;
    for (const { call, document, blocks, app } of this.#kept.splice(0)) {
      const shown = blocks.filter(isShowable).slice(0, room);
      room -= shown.length;
      left += blocks.length - shown.length;
      if (shown.length > 0 || app !== undefined) {
        this.#line('tools', vscode.l10n.t('From {0}:', callName(call)));
        this.#anchor(document);
        this.#blocks(call, shown);
      }
      if (app !== undefined) {
        this.#response.button({
          command: commandId('openApp'),
          title: vscode.l10n.t('Open App'),
          arguments: [app],
        });
      }
    }
    if (left > 0) {
      this.#note(
        'ellipsis',
        vscode.l10n.t('{0} more images, links or texts are in the results.', left),
      );
    }
    apps.forEach((app) => this.#context(app));
    if (this.#overLimit !== undefined) {
      this.#tellLimit(this.#overLimit);
    }
  }

  #summary(text: string): void {
    const [document] = this.#services.results.add([textFile('summary', text)]);
    this.#line(
      'fold',
      vscode.l10n.t(
        'The conversation is too long for this model. In place of its oldest part the model gets its own summary:',
      ),
    );
    this.#anchor(document);
  }

  /** Names what the model got of an app, with the text itself, and lets the user end it. */
  #context({ call, server, text }: AppText): void {
    const name = oneLine(server, 60);
    const [document] = this.#services.results.add([textFile(`app-of-${server}`, text)]);
    this.#line('window', vscode.l10n.t('With what the app of “{0}” says', name));
    this.#anchor(document);
    this.#response.button({
      command: commandId('leaveOutApp'),
      title: vscode.l10n.t('Leave Out from Now On'),
      arguments: [call],
    });
  }

  /** Below the answer, so that it does not interrupt it. */
  #tellLimit({ count, limit, leftOut }: Extract<Event, { kind: 'toolsOverLimit' }>): void {
    const names = leftOut.slice(0, maxLeftOut).map(({ tool }) => oneLine(displayLabel(tool), 40));
    const more = leftOut.length - names.length;
    this.#note(
      'filter',
      vscode.l10n.t(
        '{0} tools are on, but a request can offer only {1}. The model can search for the others: {2}',
        count,
        limit,
        more > 0 ? vscode.l10n.t('{0}, and {1} more', names.join(', '), more) : names.join(', '),
      ),
    );
    this.#response.button({
      command: commandId('chooseTools'),
      title: vscode.l10n.t('Select Tools…'),
    });
  }

  /** A sentence of this extension on its own line. */
  #note(icon: string, sentence: string): void {
    this.#line(icon, sentence);
    this.#response.markdown('\n\n');
  }

  /** Shows any text as it is, with all characters escaped. */
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

  #ended({ call, input, end }: Extract<Event, { kind: 'callEnded' }>): void {
    switch (end.kind) {
      case 'result':
        this.#result(call, input, end);
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
            'The model’s input for {0} is invalid, so nothing was sent: {1}',
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

  #result(call: Call, input: ToolInput, end: Extract<CallEnd, { kind: 'result' }>): void {
    const { result, outputProblems, unchecked } = end.outcome;
    const run: ToolRun = {
      server: call.server.config.name,
      serverId: call.server.id,
      tool: call.tool.name,
      input,
      result,
      outputProblems,
      unchecked,
      durationMs: end.durationMs,
    };
    const [document] = this.#services.results.add(toFiles(run));
    const app = end.isDrawn ? undefined : this.#services.offerApp(call.tool, run);
    const isWrong = result.isError === true || outputProblems.length > 0;
    this.#line(isWrong ? 'warning' : 'tools', resultText(call, end));
    this.#anchor(document);
    this.#kept.push({ call, document, blocks: keptBlocks(result), app });
  }

  #anchor(document: vscode.Uri | undefined): void {
    if (document !== undefined) {
      this.#response.anchor(document);
    }
    this.#response.markdown('\n\n');
  }

  #blocks({ server }: Call, blocks: readonly KeptBlock[]): void {
    for (const block of blocks) {
      switch (block.type) {
        case 'image':
          this.#response.markdown(
            `\n\n![${vscode.l10n.t('image')}](data:${block.mimeType};base64,${base64Of(block)})\n\n`,
          );
          break;
        case 'resource_link':
          // The editor shows the file's name, whatever the anchor's title is.
          this.#response.markdown(`\n- ${plain(displayLabel(block), 100)} `);
          this.#response.anchor(resourceUri(server.id, block));
          break;
        case 'text':
          this.#response.markdown(`\n\n${fenced(beginningOf(block.text, maxShownText))}\n\n`);
          break;
      }
    }
    this.#response.markdown('\n\n');
  }
}

/** A larger image is shown only as a document: the editor's history keeps the response. */
function isShowable(block: KeptBlock): boolean {
  return (
    block.type !== 'image' ||
    (/^image\/[\w.+-]+$/u.test(block.mimeType) &&
      base64Of(block).length <= maxInlineImageChars &&
      /^[\w+/-]*={0,2}$/u.test(base64Of(block)))
  );
}

function base64Of({ data }: ImageContent): string {
  return data.replaceAll(/\s/gu, '');
}
