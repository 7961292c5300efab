// The open quick pick or input box of a window, as the browser tests see it. Whatever is asserted about it is waited for: the
// editor shows the box first and fills it in afterwards, and the box of the step before is there for a moment.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually, patienceMs, succeeds, until } from './until.ts';
import { WindowPart } from './windowPart.ts';

/** How long a text has to stay in the box to be taken for typed. */
const settleMs = 100;

/** A quick pick or an input box. */
export class QuickInput extends WindowPart {
  get #widget(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  async waitFor(timeoutMs = patienceMs): Promise<void> {
    await this.#widget.waitFor({ timeout: timeoutMs });
  }

  /** Waits until no quick input is shown. */
  async waitForEnd(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden', timeout: patienceMs });
  }

  async title(): Promise<string> {
    await this.waitFor();
    return this.#widget.locator('.quick-input-title').innerText();
  }

  /** Waits for a title like this. @returns the whole title */
  async expectTitle(expected: RegExp): Promise<string> {
    return eventually(
      () => this.title(),
      (title) => assert.match(title, expected),
    );
  }

  /** The line below an input box: its prompt or what is wrong with the input. */
  async message(): Promise<string> {
    await this.waitFor();
    return this.#widget.locator('.quick-input-message').innerText();
  }

  /** Waits for a message like this. @returns the whole message */
  async expectMessage(expected: RegExp): Promise<string> {
    return eventually(
      () => this.message(),
      (message) => assert.match(message, expected),
    );
  }

  /** The labels of the items on the screen. */
  async items(): Promise<readonly string[]> {
    await this.waitFor();
    const labels = await this.#widget
      .locator('.monaco-list-row .quick-input-list-row:first-child .label-name')
      .allTextContents();
    // An icon leaves the blank that stands behind it.
    return labels.map((label) => label.trim());
  }

  async waitForItems(
    what: string,
    accept: (items: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    return until(what, () => this.items(), accept);
  }

  /** Waits for exactly these labels. */
  async expectItems(expected: readonly string[]): Promise<void> {
    await eventually(
      () => this.items(),
      (items) => assert.deepEqual(items, expected),
    );
  }

  /** Waits for an item with this label, among others. */
  async expectItem(label: string): Promise<readonly string[]> {
    return this.waitForItems(`the item "${label}"`, (items) => items.includes(label));
  }

  /** Waits until Enter would take the item with this label. */
  async expectActive(label: string): Promise<void> {
    const active = this.#widget.locator('.monaco-list-row.focused .label-name').first();
    await until(
      `"${label}" as the active item`,
      () => active.innerText({ timeout: patienceMs }),
      (text) => text.trim() === label,
    );
  }

  /** Everything in it. */
  async text(): Promise<string> {
    return this.#widget.innerText();
  }

  async expectText(text: string): Promise<string> {
    return until(
      `a quick input with "${text}"`,
      () => this.text(),
      (shown) => shown.includes(text),
    );
  }

  /** Puts text into the box in place of what is there. */
  async fill(text: string, timeoutMs = patienceMs): Promise<void> {
    await this.waitFor(timeoutMs);
    const box = this.#widget.locator('.quick-input-box input');
    // A box that has just been shown gets its own value a moment later, over what was typed.
    await until(
      `"${text}" in the box`,
      async () => {
        await box.fill(text, { timeout: timeoutMs });
        await this.page.waitForTimeout(settleMs);
        return box.inputValue({ timeout: timeoutMs });
      },
      (value) => value === text,
      timeoutMs,
    );
  }

  /** Puts text into the box, and goes on with it. */
  async enter(text: string): Promise<void> {
    await this.fill(text);
    await this.accept();
  }

  async value(): Promise<string> {
    await this.waitFor();
    return this.#widget.locator('.quick-input-box input').inputValue();
  }

  /** Waits for this value in the box. */
  async expectValue(expected: string): Promise<void> {
    await eventually(
      () => this.value(),
      (value) => assert.equal(value, expected),
    );
  }

  /**
   * Clicks the item with this label and waits until that shows: the next step is there, the list has another content, an
   * item is ticked, a dialog is open. What is typed next would go into this list otherwise.
   */
  async pick(label: string): Promise<void> {
    await this.expectItem(label);
    const before = await this.#picture();
    await this.click(label);
    await until(
      `what comes after "${label}"`,
      () => this.#picture(),
      (picture) => picture !== before,
    );
  }

  /** Clicks a row, and waits for nothing. */
  async click(label: string): Promise<void> {
    const name = this.page.locator('.label-name').getByText(label, { exact: true });
    const row = this.#widget.locator('.monaco-list-row').filter({ has: name }).first();
    await row.click({ timeout: patienceMs });
  }

  /** All of it that a choice can change, as text. */
  async #picture(): Promise<string> {
    return this.page
      .locator('.quick-input-widget:visible, .monaco-dialog-box')
      .evaluateAll((all) =>
        all
          .map((element) => [
            element.className,
            String(Reflect.get(element, 'innerText')),
            ...[...element.querySelectorAll('input')].map((input) =>
              [input.type, input.value, input.placeholder, input.checked].join(),
            ),
            ...[...element.querySelectorAll('[aria-checked]')].map((box) =>
              box.getAttribute('aria-checked'),
            ),
          ])
          .join('\n'),
      );
  }

  /** Clicks the button of the title bar whose tooltip begins so. */
  async clickButton(tooltip: string): Promise<void> {
    // The hover of what the mouse rests on covers the title bar.
    await this.page.mouse.move(700, 700);
    await this.#widget
      .locator(`.quick-input-titlebar .action-label[aria-label^="${tooltip}"]`)
      .first()
      .click({ timeout: patienceMs });
  }

  async accept(): Promise<void> {
    await this.#widget.locator('.quick-input-box input').press('Enter');
  }

  /** Leaves the input, once it is there: for good, or for the list that it was opened from. */
  async cancel(): Promise<void> {
    await this.waitFor();
    const before = await this.#picture();
    await until('the quick input to close on Escape', async () => {
      await this.#widget
        .locator('.quick-input-box input')
        .press('Escape', { timeout: 2_000 })
        .catch(() => undefined);
      return succeeds(
        until(
          'something else',
          () => this.#picture(),
          (picture) => picture !== before,
          3_000,
        ),
      );
    });
  }
}
