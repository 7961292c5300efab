// The editors of a window: their tabs, the text of the active one, pages of extensions.
import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { plainBlanks } from './pageText.ts';
import { eventually, patienceMs, until } from './until.ts';
import { WindowPart } from './windowPart.ts';

export class Editors extends WindowPart {
  /** The titles of the open editors in the active group. */
  async titles(): Promise<readonly string[]> {
    return this.page
      .locator('.part.editor .tabs-container .tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-resource-name') ?? ''));
  }

  /** Waits until these editors are open, and no others. */
  async expect(expected: readonly string[]): Promise<void> {
    await eventually(
      () => this.titles(),
      (titles) => assert.deepEqual(titles, expected),
    );
  }

  /** Closes one that need not be in front. */
  async close(title: string): Promise<void> {
    const tab = this.page.locator('.part.editor .tabs-container .tab', { hasText: title });
    await tab.hover();
    await tab.locator('.tab-actions .action-label').click({ timeout: patienceMs });
    await tab.waitFor({ state: 'detached' });
  }

  async waitForTab(title: string): Promise<void> {
    await until(
      `the document ${title}`,
      () => this.titles(),
      (titles) => titles.includes(title),
    );
  }

  /** Clicks an action in the title bar of the active editor. */
  async clickAction(title: string): Promise<void> {
    await this.page
      .locator('.part.editor .editor-actions .action-label')
      .getByText(title, { exact: true })
      .click({ timeout: patienceMs });
  }

  /** Clicks an icon in the title bar of the active editor. */
  async clickIcon(title: string): Promise<void> {
    await this.#actions
      .locator(`.action-label[aria-label^="${title}"]`)
      .click({ timeout: patienceMs });
  }

  /** Chooses in the menu of the active editor's title bar. */
  async chooseInMenu(entry: string): Promise<void> {
    await this.chooseFromMenu(entry, () =>
      this.#actions.locator('.codicon-toolbar-more').click({ timeout: 5_000 }),
    );
  }

  get #actions(): Locator {
    return this.page.locator('.part.editor .editor-group-container.active .editor-actions');
  }

  /** The visible text of the active text editor, or of the pages of extensions where there is none. */
  async text(): Promise<string> {
    const editor = this.page
      .locator('.part.editor .editor-instance .view-lines')
      .filter({ visible: true })
      .first();
    if ((await editor.count()) === 0)
      return (await this.#pages()).map(({ text }) => text).join('\n');
    const lines = await editor.locator('.view-line').evaluateAll((elements) =>
      elements
        .map((e) => ({ top: e.getBoundingClientRect().top, text: e.textContent ?? '' }))
        .toSorted((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return plainBlanks(lines.join('\n'));
  }

  /**
   * Puts text into the active text editor in place of what is there. One that has just been shown puts the caret to its
   * beginning a moment later, in the middle of what is typed.
   */
  async fill(text: string): Promise<void> {
    const { keyboard } = this.page;
    // Pasted: brackets and quotes would be completed.
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await until(
      `"${text}" in the editor`,
      async () => {
        await this.page.locator('.part.editor .editor-instance .view-lines').first().click();
        await keyboard.press('Control+A');
        await keyboard.press('Control+V');
        return this.text();
      },
      (shown) => inOneLine(shown) === inOneLine(text),
    );
  }

  async waitForText(text: string): Promise<string> {
    return until(
      `an editor with "${text}"`,
      () => this.text(),
      (shown) => shown.includes(text),
    );
  }

  /** Waits for a page of an extension that has `text` in it. */
  async webview(text: string): Promise<Frame> {
    let found: Frame | undefined;
    await until(
      `a page with "${text}"`,
      async () => {
        found = (await this.#pages()).findLast((page) => page.text.includes(text))?.frame;
        return found !== undefined;
      },
      Boolean,
    );
    return found ?? assert.fail('no page');
  }

  /** The pages of extensions, with their visible texts. */
  async #pages(): Promise<readonly { readonly frame: Frame; readonly text: string }[]> {
    return Promise.all(
      this.page
        .frames()
        .slice(1)
        .map(async (frame) => ({
          frame,
          // A frame that is being replaced has no text.
          text: await frame
            .locator('body')
            .innerText({ timeout: 1_000 })
            .catch(() => ''),
        })),
    );
  }
}

/** A long line is shown in several. */
function inOneLine(text: string): string {
  return text.replaceAll('\n', '');
}
