// A part of a window.
import type { Page } from 'playwright-core';
import { until } from './until.ts';

/** Its page is there once the window is open. */
export class WindowPart {
  readonly #window: { readonly page: Page };

  constructor(window: { readonly page: Page }) {
    this.#window = window;
  }

  get page(): Page {
    return this.#window.page;
  }

  /** @param open opens the menu */
  protected async chooseFromMenu(entry: string, open: () => Promise<void>): Promise<void> {
    const menu = this.page.locator('.context-view .monaco-menu');
    let isChosen = false;
    await until(
      `"${entry}" in a menu`,
      async () => {
        try {
          if (!(await menu.isVisible())) {
            if (isChosen) return 'done';
            await open();
          }
          const item = menu.locator('.action-label').getByText(entry, { exact: true });
          // A menu takes no click in its first moments: it is there until it has taken one.
          await item.first().click({ timeout: 5_000 });
          isChosen = true;
          await menu.waitFor({ state: 'detached', timeout: 2_000 });
          return 'done';
        } catch (error) {
          return String(error);
        }
      },
      (outcome) => outcome === 'done',
    );
  }
}
