/** The progress of a call in its notification: the server's words, its position, and the running time. */
import type * as vscode from 'vscode';
import { after } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { durationText, progressText } from '../../host/tools/resultView.ts';
import type { Progress } from '../../mcp/session/session.ts';
import { oneLine } from '../text/text.ts';

const tickMs = 1_000;

/** The editor wants increments that add up to 100; servers send positions on their own scale. */
export class CallProgress implements Disposable {
  readonly #report: vscode.Progress<{ message?: string; increment?: number }>;
  readonly #startedAt = Date.now();
  #text = '';
  #percent = 0;
  #tick: Disposable;

  constructor(report: vscode.Progress<{ message?: string; increment?: number }>) {
    this.#report = report;
    this.#tick = this.#nextTick();
  }

  show(position: Progress): void {
    const { progress, total } = position;
    const percent = total === undefined || total <= 0 ? 0 : Math.min(100, (100 * progress) / total);
    const increment = Math.max(0, percent - this.#percent);
    this.#percent += increment;
    this.#text = progressText(position, (text) => oneLine(text, 100));
    this.#draw(increment);
  }

  dispose(): void {
    this.#tick.dispose();
  }

  #nextTick(): Disposable {
    return after(tickMs, () => {
      this.#draw(0);
      this.#tick = this.#nextTick();
    });
  }

  #draw(increment: number): void {
    const elapsed = Date.now() - this.#startedAt;
    const time = elapsed < tickMs ? '' : durationText(Math.floor(elapsed / 1_000) * 1_000);
    this.#report.report({
      message: [this.#text, time].filter((part) => part !== '').join(' · '),
      ...(increment > 0 ? { increment } : {}),
    });
  }
}
