/**
 * The editor that shows the messages of one server: carries out what its page asks for. pageFeed.ts decides
 * what the page shows, rows.ts how a message reads.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import { toJsonLines } from '../../host/inspector/filterAndExport.ts';
import { maskedJson } from '../../host/inspector/maskedText.ts';
import {
  isMessage,
  type Replayable,
  replayable,
  type Seen,
} from '../../host/inspector/seenMessage.ts';
import { McpError } from '../../mcp/errors.ts';
import { report } from '../editor/registerCommands.ts';
import type { OutputLogs } from '../editor/logs.ts';
import { jsonLines, saveFile } from '../editor/saveFile.ts';
import { oneLine } from '../text/labelText.ts';
import { safeFileName } from '../text/resultFiles.ts';
import { inspectorPage } from './inspectorHtml.ts';
import { type ObservedParts, ObservedServer } from './observedServer.ts';
import { PageFeed } from './pageFeed.ts';
import { type FromPage, readFromPage, type ToPage } from './pageMessages.ts';
import { editParams, type ReplayParts, replayRequest } from './replayRequest.ts';
import { messageText } from './rows.ts';

/** What the page keeps over a reload of the window: the server itself may appear later. */
export interface InspectedServer {
  readonly id: ServerId;
  readonly name: string;
}

export function inspectorTitle(server: string): string {
  return vscode.l10n.t('Messages of {0}', oneLine(server, 60));
}

export interface PanelParts extends ObservedParts, ReplayParts {
  readonly logs: OutputLogs;
  /** The code of the page. */
  readonly script: string;
}

export class InspectorPanel {
  readonly panel: vscode.WebviewPanel;
  readonly #parts: PanelParts;
  readonly #name: string;
  readonly #store = new DisposableStore();
  readonly #observed: ObservedServer;
  readonly #feed: PageFeed;
  /** A disposed panel throws on every access, and work in progress has nothing to show any more. */
  #isDisposed = false;

  constructor(server: InspectedServer, panel: vscode.WebviewPanel, parts: PanelParts) {
    this.panel = panel;
    this.#parts = parts;
    this.#name = server.name;
    this.#observed = this.#store.add(new ObservedServer(server.id, parts));
    this.#feed = this.#store.add(new PageFeed(this.#observed, (message) => this.#post(message)));
    this.#store.add(
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = readFromPage(value);
        if (message !== undefined) {
          this.#onMessage(message).catch((error: unknown) => report(error, parts.logs));
        }
      }),
    );
    panel.title = inspectorTitle(this.#name);
    panel.webview.html = inspectorPage({
      server,
      nonce: randomBytes(16).toString('hex'),
      script: parts.script,
      language: vscode.env.language,
      t: vscode.l10n.t,
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
  }

  async #onMessage(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'filter':
        this.#feed.show(message.filter);
        break;
      case 'pause':
        this.#feed.pause(message.isPaused);
        break;
      case 'clear':
        this.#feed.clear();
        break;
      case 'select':
        this.#feed.select(message.n);
        break;
      case 'copy':
        await this.#copy(message.n);
        break;
      case 'export':
        await this.#export();
        break;
      case 'replay':
      case 'editAndReplay':
        await this.#replay(message.n, message.kind === 'editAndReplay');
        break;
    }
  }

  #at(n: number): Seen | undefined {
    return this.#observed.recorder.buffer.get(n);
  }

  /** A hidden page does not exist; it asks for everything when it is back. */
  #post(message: ToPage): void {
    if (!this.#isDisposed && this.panel.visible) {
      void this.panel.webview.postMessage(message);
    }
  }

  async #copy(n: number): Promise<void> {
    const seen = this.#at(n);
    if (seen === undefined || !isMessage(seen)) {
      throw new McpError(
        'invalidInput',
        vscode.l10n.t('This message is no longer stored: newer messages replaced it.'),
      );
    }
    await vscode.env.clipboard.writeText(messageText(seen, this.#observed.redactor));
    vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the message'), 3_000);
  }

  async #export(): Promise<void> {
    const { entries } = this.#feed;
    await saveFile(
      {
        title: vscode.l10n.t('Export the shown messages'),
        name: `${safeFileName(this.#name)}-messages.jsonl`,
        filters: jsonLines,
      },
      () => Buffer.from(toJsonLines(this.#name, entries, this.#observed.redactor)),
    );
  }

  async #replay(n: number, isEdited: boolean): Promise<void> {
    const request = replayable(this.#at(n));
    const { connection, recorder } = this.#observed;
    if (request === undefined || connection === undefined) {
      throw new McpError('invalidInput', vscode.l10n.t('This request cannot be sent again.'));
    }
    const params = isEdited ? await this.#edited(request) : request.params;
    if (params === undefined || this.#isDisposed) {
      return;
    }
    this.panel.reveal();
    await replayRequest(
      connection,
      {
        method: request.method,
        params,
        expected: async (sent, send) => {
          const { next } = recorder;
          const end = recorder.expect(n, request.method, sent);
          try {
            return await send();
          } finally {
            end();
            this.#showReplay(n, next);
          }
        },
      },
      this.#parts,
    );
  }

  /** @throws McpError if the parameters must not be written into a document, which the editor may keep on disk */
  #edited(request: Replayable): ReturnType<typeof editParams> {
    const { params } = request;
    if (maskedJson(params, this.#observed.redactor).text !== JSON.stringify(params)) {
      throw new McpError(
        'invalidInput',
        vscode.l10n.t(
          'The parameters contain a secret, or are too long to edit. Choose "Replay" to send them unchanged.',
        ),
      );
    }
    return editParams(request, this.#parts.editText);
  }

  /** Selects the replayed message. */
  #showReplay(of: number, from: number): void {
    const sent = this.#observed.recorder.buffer
      .all()
      .find((seen) => seen.n >= from && seen.replayOf === of);
    if (sent !== undefined) {
      this.#feed.reveal(sent.n);
    }
  }
}
