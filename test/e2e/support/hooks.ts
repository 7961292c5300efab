// For every browser test: a picture of each open page when a test has failed, in its first try, too, nothing left open in
// front of the window for the try after that, no browser left at the end, and no secret in what it leaves behind. The end is
// that of each file where files run side by side.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { closeBrowsers, ground, openPages } from './ground.ts';
import { requireNoSecretLeft } from './leftBehind.ts';

let failures = 0;

/** Dialogs and quick inputs, one after the other. */
async function closeWhatIsInFront(page: Page): Promise<void> {
  const front = page.locator('.monaco-dialog-box, .quick-input-widget:visible');
  for (let left = 10; left > 0 && (await front.count()) > 0; left -= 1) {
    await page.keyboard.press('Escape');
    await delay(200);
  }
}

export const mochaHooks: Mocha.RootHookObject = {
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    // A try that is followed by another one leaves no state.
    if (test === undefined || test.state === 'passed' || test.isPending()) return;
    const name = test
      .fullTitle()
      .replaceAll(/[^\w-]+/g, '-')
      .slice(0, 80);
    failures += 1;
    const from = path.basename(test.file ?? '', '.e2e.ts');
    for (const [index, page] of openPages().entries()) {
      const file = path.join(
        ground().screenshots,
        `failed-${from}-${failures}-${name}-${index}.png`,
      );
      // The page may be what broke.
      await page.screenshot({ path: file }).catch(() => undefined);
      await closeWhatIsInFront(page).catch(() => undefined);
    }
  },
  async afterAll() {
    await closeBrowsers();
    await requireNoSecretLeft();
  },
};
