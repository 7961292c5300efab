// What stands on a page, as text.
import type { Page } from 'playwright-core';

/** The text of what stands in front of the window: quick inputs and dialogs. */
export async function foreground(page: Page): Promise<string> {
  const front = page.locator('.quick-input-widget:visible, .monaco-dialog-box');
  return (await front.allInnerTexts()).join('\n');
}

/** The editor draws many a blank as a no-break space. */
export function plainBlanks(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}
