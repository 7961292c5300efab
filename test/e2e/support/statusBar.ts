// The status bar of a window.
import { foreground } from './pageText.ts';
import { patienceMs, succeeds, until } from './until.ts';
import { WindowPart } from './windowPart.ts';

export class StatusBar extends WindowPart {
  /** The texts of the status bar's items, left to right. */
  async texts(): Promise<readonly string[]> {
    const texts = await this.page.locator('.part.statusbar .statusbar-item').allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  /** Waits for an item of the status bar with `text` in it. */
  async expect(text: string): Promise<void> {
    await until(
      `"${text}" in the status bar`,
      () => this.texts(),
      (texts) => texts.some((shown) => shown.includes(text)),
    );
  }

  /** Waits until no item of the status bar has `text` in it. */
  async expectNot(text: string): Promise<void> {
    await until(
      `no "${text}" in the status bar`,
      () => this.texts(),
      (texts) => !texts.some((shown) => shown.includes(text)),
    );
  }

  /** Clicks an item of the status bar, for a list or a dialog. */
  async click(text: string): Promise<void> {
    const item = this.page
      .locator('.part.statusbar .statusbar-item')
      .filter({ hasText: text })
      .first();
    const before = await foreground(this.page);
    await until(`what comes after "${text}" of the status bar`, async () => {
      await item.click({ timeout: patienceMs });
      // An item that is drawn anew at this moment loses the click.
      return succeeds(
        until(
          'something else in front',
          () => foreground(this.page),
          (shown) => shown !== before,
          10_000,
        ),
      );
    });
  }
}
