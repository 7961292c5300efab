// For every browser test: a picture of each open page when a test has failed, and no more tests of its group, since they
// share a window; no browser left at the end, and no secret in what it leaves behind. The end is that of each file where
// files run side by side.
import assert from 'node:assert/strict';
import path from 'node:path';
import { closeBrowsers, ground, openPages } from './ground.ts';
import { requireNoSecretLeft } from './leftBehind.ts';

let failures = 0;

/** Has the tests that come after this one in its group fail at once: they share a window. */
function failTheRest(test: Mocha.Test): void {
  let group = test.parent;
  while (group?.parent?.root === false) group = group.parent;
  group?.eachTest((other) => {
    if (other.state === undefined) {
      other.fn = () => assert.fail('An earlier test of this group has failed.');
    }
  });
}

export const mochaHooks: Mocha.RootHookObject = {
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    const name = test
      .fullTitle()
      .replaceAll(/[^\w-]+/g, '-')
      .slice(0, 80);
    failures += 1;
    failTheRest(test);
    const from = path.basename(test.file ?? '', '.e2e.ts');
    for (const [index, page] of openPages().entries()) {
      const file = path.join(
        ground().screenshots,
        `failed-${from}-${failures}-${name}-${index}.png`,
      );
      // The page may be what broke.
      await page.screenshot({ path: file }).catch(() => undefined);
    }
  },
  async afterAll() {
    await closeBrowsers();
    await requireNoSecretLeft();
  },
};
