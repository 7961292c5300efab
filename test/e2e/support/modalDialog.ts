// The modal dialog in front of a window: read it, answer it.
import assert from 'node:assert/strict';
import { takePicture } from './pictures.ts';
import { patienceMs, until } from './until.ts';
import { WindowPart } from './windowPart.ts';

export interface Dialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** Milliseconds in which an answer that commits something is taken for a slip. */
const readingMs = 1_000;
/** Buttons whose click counts at once. */
const grantsNothing =
  /^(?:Cancel|Deny|Deny All|Decline|Discard|Back|Later|Review…|Review or Edit…|Show All…|Edit Input…|Decide One by One…|Name and Scope…)$/u;

export class ModalDialog extends WindowPart {
  /** Waits for a modal dialog, with `expected` in its message, and reads it. */
  async expect(expected: RegExp | string = ''): Promise<Dialog> {
    const dialog = await until(
      `a dialog with "${String(expected)}"`,
      () => this.#read(),
      (shown) =>
        shown !== undefined &&
        shown.message !== '' &&
        (typeof expected === 'string'
          ? shown.message.includes(expected)
          : expected.test(shown.message)),
    );
    return dialog ?? assert.fail('no dialog');
  }

  /** At one moment: another dialog may follow at once. */
  async #read(): Promise<Dialog | undefined> {
    const shown = await this.page.locator('.monaco-dialog-box').evaluateAll((boxes) =>
      boxes.map((box) => {
        box.setAttribute('data-seen', box.getAttribute('data-seen') ?? String(Date.now()));
        const text = (part: string): string => {
          const element = box.querySelector(part);
          return element === null ? '' : String(Reflect.get(element, 'innerText'));
        };
        return {
          message: text('.dialog-message-text'),
          detail: text('.dialog-message-detail'),
          buttons: [...box.querySelectorAll('.dialog-buttons .monaco-button')].map(
            (button) => button.textContent ?? '',
          ),
        };
      }),
    );
    return shown.at(-1);
  }

  async isOpen(): Promise<boolean> {
    return (await this.page.locator('.monaco-dialog-box').count()) > 0;
  }

  /**
   * Waits for a modal dialog, with `message` in its message, clicks a button of it and waits until it is gone; another one
   * may follow at once.
   */
  async answer(button: string, message: RegExp | string = ''): Promise<void> {
    // The editor's own questions may have no headline.
    if (message !== '') await this.expect(message);
    const box = this.page
      .locator('.monaco-dialog-box')
      .filter({ has: this.page.locator('.monaco-button').getByText(button, { exact: true }) });
    const dialog = await box.elementHandle({ timeout: patienceMs });
    assert.ok(dialog);
    if (!grantsNothing.test(button)) {
      await until(
        'somebody to have read the dialog',
        () =>
          dialog.evaluate((element) => {
            const seen = element.getAttribute('data-seen') ?? String(Date.now());
            element.setAttribute('data-seen', seen);
            return Date.now() - Number(seen);
          }),
        (age) => age > readingMs,
      );
    }
    await takePicture(this.page);
    // Only ever in this dialog: what is there after it may have a button of the same name.
    await until(
      `the dialog to close on "${button}"`,
      async () => {
        for (const element of await dialog.$$('.monaco-button')) {
          if ((await element.textContent()) !== button) continue;
          await element.click({ timeout: 2_000 }).catch(() => undefined);
        }
        return dialog.evaluate((element) => element.isConnected);
      },
      (isThere) => !isThere,
    );
  }
}
