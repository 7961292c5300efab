// The notifications of a window, on the screen and behind its bell.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { runCommand } from './commandPalette.ts';
import { eventually, until } from './until.ts';
import { WindowPart } from './windowPart.ts';

/** How long a notification is waited for on the screen before the list of all is opened. */
const toastMs = 8_000;

export class Notifications extends WindowPart {
  /** The notifications on the screen, newest first. */
  async shown(): Promise<readonly string[]> {
    return this.page
      .locator('.notifications-toasts .notification-list-item-message')
      .allInnerTexts();
  }

  /** Waits until these notifications are on the screen, and no others. */
  async expect(expected: readonly string[]): Promise<void> {
    await eventually(
      () => this.shown(),
      (shown) => assert.deepEqual(shown, expected),
    );
  }

  /** Waits for a notification that has `text` in it and gives it whole. */
  async waitFor(text: string): Promise<string> {
    const started = Date.now();
    const read = async () => {
      const all = await this.#all.locator('.notification-list-item-message').allInnerTexts();
      const found = all.find((message) => message.includes(text));
      if (found === undefined && Date.now() - started > toastMs) await this.#showOld();
      return found;
    };
    const found = await until(
      `a notification with "${text}"`,
      read,
      (message) => message !== undefined,
    );
    return found ?? assert.fail('no notification');
  }

  /** Clicks a button of the notification that has `text` in it. */
  async answer(text: string, button: string): Promise<void> {
    const notice = this.#all.filter({ hasText: text }).first();
    const offered = notice.locator('.monaco-button').getByText(button, { exact: true });
    let wasThere = false;
    await until(
      `a click on "${button}" of "${text}"`,
      async () => {
        try {
          if ((await notice.count()) === 0) await this.#showOld();
          // A click that took effect can still have come too late for its time limit.
          if (wasThere && (await notice.count()) === 0) return 'done';
          await offered.waitFor({ timeout: 2_000 });
          wasThere = true;
          await offered.click({ timeout: 2_000 });
          return 'done';
        } catch (error) {
          return String(error);
        }
      },
      (outcome) => outcome === 'done',
    );
  }

  get #all(): Locator {
    return this.page.locator(
      ['.notifications-toasts', '.notifications-center.visible']
        .map((place) => `${place} .notification-list-item`)
        .join(', '),
    );
  }

  /** Most notifications leave the screen after some seconds, which pass quickly on a busy machine; the bell has them. */
  async #showOld(): Promise<void> {
    if ((await this.page.locator('.notifications-center.visible').count()) > 0) return;
    await this.page
      .locator('[id="status.notifications"] a')
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    // The tooltip of the bell would cover what is clicked next.
    await this.page.mouse.move(700, 400, { steps: 3 });
  }

  async clear(): Promise<void> {
    await runCommand(this.page, 'Notifications: Clear All Notifications');
  }
}
