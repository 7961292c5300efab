// A part of a window.
import type { Page } from 'playwright-core';

/** Its page is there once the window is open. */
export class WindowPart {
  readonly #window: { readonly page: Page };

  constructor(window: { readonly page: Page }) {
    this.#window = window;
  }

  get page(): Page {
    return this.#window.page;
  }
}
