// For every browser test: a picture of each open page when a test has failed, and no browser left at the end.
import path from 'node:path';
import { closeBrowsers, ground, openPages } from './ground.ts';

export const mochaHooks: Mocha.RootHookObject = {
  async afterEach(this: Mocha.Context) {
    if (this.currentTest?.state !== 'failed') return;
    const name = this.currentTest
      .fullTitle()
      .replaceAll(/[^\w-]+/g, '-')
      .slice(0, 80);
    for (const [index, page] of openPages().entries()) {
      const file = path.join(ground().screenshots, `failed-${name}-${index}.png`);
      // The page may be what broke.
      await page.screenshot({ path: file }).catch(() => undefined);
    }
  },
  async afterAll() {
    await closeBrowsers();
  },
};
