/**
 * The editor that shows the messages of one server: posts them to its page, some at a time, and does what
 * the page is told to. What a message says of itself is rows.ts's matter.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { after } from '../../base/async.ts';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverConfig.ts';
import { toJsonLines } from '../../host/inspector/exportMessages.ts';
import { type MessageFilter, noFilter, toPredicate } from '../../host/inspector/filterMessages.ts';
import { maskedJson } from '../../host/inspector/maskedText.ts';
import { type Replayable, replayable } from '../../host/inspector/replay.ts';
import type { Seen } from '../../host/inspector/seenMessage.ts';
import { McpError } from '../../mcp/errors.ts';
import { countText } from '../annotationText.ts';
import { report } from '../commands/register.ts';
import type { OutputLogs } from '../logs.ts';
import { jsonLines, saveFile } from '../saveFile.ts';
import { oneLine } from '../text.ts';
import { safeFileName } from '../tools/resultFiles.ts';
import { inspectorPage } from './inspectorPage.ts';
import { type ObservedParts, ObservedServer } from './observedServer.ts';
import { type Counts, type FromPage, readFromPage, type ToPage } from './pageMessages.ts';
import { editParams, type ReplayParts, replayRequest } from './replayRequest.ts';
import { messageText, toDetail, toRow } from './rows.ts';

/** New rows go to the page together: a flood makes no more than ten posts a second. */
const batchMs = 100;

/** What the page keeps of it over a reload of the window: the server itself may come later. */
export interface InspectedServer {
  readonly id: ServerId;
  readonly name: string;
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
  readonly #batch = new MutableDisposable<Disposable>();
  readonly #changed = new Set<Seen>();
  readonly #methods = new Set<string>();
  #filter = noFilter;
  #isShown: (seen: Seen) => boolean = () => true;
  /** By number, those that the page has. */
  #shown = new Set<number>();
  #isPaused = false;
  /** The first entry that came while it is paused. */
  #pausedAt = 0;
  #selected: number | undefined;
  /** Then the panel throws at every touch, and what was under way has nothing to show any more. */
  #isDisposed = false;

  constructor(server: InspectedServer, panel: vscode.WebviewPanel, parts: PanelParts) {
    this.panel = panel;
    this.#parts = parts;
    this.#name = server.name;
    this.#observed = this.#store.add(
      new ObservedServer(server.id, parts, (seen) => this.#onChanged(seen)),
    );
    this.#store.add(this.#batch);
    this.#store.add(
      panel.webview.onDidReceiveMessage((value: unknown) => {
        const message = readFromPage(value);
        if (message !== undefined) {
          this.#onMessage(message).catch((error: unknown) => report(error, parts.logs));
        }
      }),
    );
    panel.title = vscode.l10n.t('Messages of {0}', oneLine(this.#name, 60));
    panel.webview.html = inspectorPage({
      server,
      nonce: randomBytes(16).toString('hex'),
      script: parts.script,
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
  }

  async #onMessage(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.#setFilter(message.filter ?? this.#filter);
        break;
      case 'filter':
        this.#setFilter(message.filter);
        break;
      case 'pause':
        this.#isPaused = message.isPaused;
        this.#pausedAt = this.#next;
        this.#postAll();
        break;
      case 'clear':
        this.#observed.recorder.clear();
        this.#methods.clear();
        this.#select(undefined);
        this.#postAll();
        break;
      case 'select':
        this.#select(message.n);
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

  /** The number that the next entry gets. */
  get #next(): number {
    const { buffer, first } = this.#observed.recorder;
    return first + buffer.size;
  }

  #onChanged(seen: Seen): void {
    this.#changed.add(seen);
    this.#batch.value ??= after(batchMs, () => {
      this.#batch.value = undefined;
      this.#postChanged();
    });
  }

  #setFilter(filter: MessageFilter): void {
    this.#filter = filter;
    this.#isShown = toPredicate(filter);
    this.#postAll();
  }

  /** Without those that came since it was paused. */
  #entries(): readonly Seen[] {
    return this.#observed.recorder.buffer
      .all()
      .filter((seen) => (!this.#isPaused || seen.n < this.#pausedAt) && this.#isShown(seen));
  }

  #postAll(): void {
    this.#changed.clear();
    const entries = this.#entries();
    this.#shown = new Set(entries.map(({ n }) => n));
    this.#noteMethods(this.#observed.recorder.buffer.all());
    this.#post({
      kind: 'rows',
      rows: entries.map(toRow),
      counts: this.#counts(),
      methods: this.#sortedMethods(),
      filter: this.#filter,
      isPaused: this.#isPaused,
      selected: this.#selected,
    });
    this.#postDetail();
  }

  #postChanged(): void {
    const { buffer, first } = this.#observed.recorder;
    const changed = [...this.#changed].filter((seen) => buffer.get(seen.n) === seen);
    this.#changed.clear();
    for (const n of this.#shown) {
      if (n >= first) {
        break; // they rise
      }
      this.#shown.delete(n);
    }
    this.#noteMethods(changed);
    // A row that is there stays, also when it no longer fits: it would vanish before somebody's eyes.
    const rows = changed.filter(
      (seen) => this.#shown.has(seen.n) || (!this.#isHeldBack(seen) && this.#isShown(seen)),
    );
    for (const { n } of rows) {
      this.#shown.add(n);
    }
    this.#post({
      kind: 'changed',
      rows: rows.toSorted((a, b) => a.n - b.n).map(toRow),
      first,
      counts: this.#counts(),
      methods: this.#sortedMethods(),
    });
    if (changed.some(({ n }) => n === this.#selected)) {
      this.#postDetail();
    }
  }

  #isHeldBack({ n }: Seen): boolean {
    return this.#isPaused && n >= this.#pausedAt;
  }

  #counts(): Counts {
    const all = this.#observed.recorder.buffer.size;
    const waiting = this.#isPaused
      ? this.#next - Math.max(this.#pausedAt, this.#observed.recorder.first)
      : 0;
    const texts = [
      entriesText(this.#shown.size, all - waiting),
      ...(this.#isPaused ? [vscode.l10n.t('paused, {0} new', countText(waiting))] : []),
    ];
    return { text: texts.join(' · ') };
  }

  #noteMethods(entries: readonly Seen[]): void {
    for (const seen of entries) {
      if (seen.kind === 'message' && seen.method !== '' && this.#methods.size < maxMethods) {
        this.#methods.add(seen.method);
      }
    }
  }

  #sortedMethods(): readonly string[] {
    return [...this.#methods].toSorted();
  }

  #select(n: number | undefined): void {
    this.#selected = n;
    this.#postDetail();
  }

  #postDetail(): void {
    const seen = this.#selected === undefined ? undefined : this.#at(this.#selected);
    this.#post({ kind: 'detail', detail: seen && toDetail(seen, this.#observed.redactor) });
  }

  #at(n: number): Seen | undefined {
    return this.#observed.recorder.buffer.get(n);
  }

  /** A page that is hidden is not there: it asks for all when it is back. */
  #post(message: ToPage): void {
    if (!this.#isDisposed && this.panel.visible) {
      void this.panel.webview.postMessage(message);
    }
  }

  async #copy(n: number): Promise<void> {
    const seen = this.#at(n);
    if (seen?.kind !== 'message') {
      throw new McpError(
        'invalidInput',
        'This message is no longer kept: newer ones took its room',
      );
    }
    await vscode.env.clipboard.writeText(messageText(seen, this.#observed.redactor));
    vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the message'), 3_000);
  }

  async #export(): Promise<void> {
    const entries = this.#entries();
    await saveFile(
      {
        title: vscode.l10n.t('Export the messages that are shown'),
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
      throw new McpError('invalidInput', 'This request cannot be sent again');
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
        expect: (sent) => {
          const next = this.#next;
          const end = recorder.expect(n, request.method, sent);
          return () => {
            end();
            this.#showReplay(n, next);
          };
        },
      },
      this.#parts,
    );
  }

  /** @throws McpError for what must not be written into a document, which the editor may keep on disk */
  #edited(request: Replayable): ReturnType<typeof editParams> {
    const { params } = request;
    if (maskedJson(params, this.#observed.redactor).text !== JSON.stringify(params)) {
      throw new McpError(
        'invalidInput',
        'The parameters hold a secret, or are too long to be edited: choose Replay to send them as they were',
      );
    }
    return editParams(request, this.#parts.editText);
  }

  /** Leads the user to what came of it. */
  #showReplay(of: number, from: number): void {
    const sent = this.#observed.recorder.buffer
      .all()
      .find((seen) => seen.n >= from && seen.kind === 'message' && seen.replayOf === of);
    if (sent !== undefined) {
      // A page that is only being opened again asks for it by itself.
      this.#selected = sent.n;
      this.#postChanged();
      this.#postDetail();
      this.#post({ kind: 'reveal', n: sent.n });
    }
  }
}

/** Methods that the filter offers. A server may send what it likes. */
const maxMethods = 100;

function entriesText(shown: number, all: number): string {
  if (shown !== all) {
    return vscode.l10n.t('{0} of {1} entries', countText(shown), countText(all));
  }
  return all === 1 ? vscode.l10n.t('1 entry') : vscode.l10n.t('{0} entries', countText(all));
}
