// For every browser test: a picture of each open page at its end (pictures.ts says when); once one has failed, no more tests
// of its group, since they share a window; no browser left at the end, and no secret in what it leaves behind. The end is that
// of each file where files run side by side.
import assert from 'node:assert/strict';
import { closeBrowsers, openPages } from './ground.ts';
import { requireNoSecretLeft } from './leftBehind.ts';
import { nameNextPictures, takePicture } from './pictures.ts';

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
  beforeEach(this: Mocha.Context) {
    nameNextPictures(this.currentTest);
  },
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    const hasFailed = test?.state === 'failed';
    if (hasFailed) failTheRest(test);
    for (const page of openPages()) await takePicture(page, hasFailed ? 'failed-' : '');
  },
  async afterAll() {
    await closeBrowsers();
    await requireNoSecretLeft();
  },
};
