// The Output panel of a window.
import { plainBlanks } from './pageText.ts';
import { until } from './until.ts';
import { WindowPart } from './windowPart.ts';

export class OutputPanel extends WindowPart {
  /** Waits for text in the Output panel. */
  async waitFor(text: string): Promise<string> {
    const lines = this.page.locator('.part.panel .output-view .view-line');
    return until(
      `output with "${text}"`,
      async () => plainBlanks((await lines.allTextContents()).join('\n')),
      (shown) => shown.includes(text),
    );
  }
}
