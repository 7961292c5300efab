// The command palette of a window.
import type { Page } from 'playwright-core';
import { succeeds, until } from './until.ts';

/** Runs a command from the command palette by its full title, such as `MCP Host: Show Servers`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const box = page.locator('.quick-input-widget:visible .quick-input-box input');
  const text = async (): Promise<string> =>
    (await box.count()) === 0 ? '' : box.inputValue({ timeout: 1_000 }).catch(() => '');
  const row = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.getByText(title, { exact: true }) })
    .first();
  await until(`"${title}" to be run`, async () => {
    // A dialog that is about to close takes the key away, an input that is about to close the palette.
    if (!(await text()).startsWith('>')) await page.keyboard.press('F1');
    await page.waitForTimeout(100);
    if (!(await text()).startsWith('>')) return false;
    await box.fill(`>${title}`, { timeout: 2_000 }).catch(() => undefined);
    if (!(await succeeds(row.waitFor({ timeout: 5_000 })))) return false;
    // The palette closes on the click; while it is there, the command has not been run. A document that opens meanwhile
    // closes it, too: without a click nothing was run.
    if (!(await succeeds(row.click({ timeout: 5_000 })))) return false;
    // A second click would hit what the command shows in the place of the palette.
    return succeeds(until('the palette to close', text, (shown) => !shown.startsWith('>'), 5_000));
  });
}
