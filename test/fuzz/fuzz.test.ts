/** 100,000 of the fuzz cases, always the same ones; `npm run test:fuzz` has more, and others each time. */
import assert from 'node:assert/strict';
import { runFuzz } from './fuzz.ts';
import { targets } from './targets.ts';

const cases = 100_000;
const seed = 8;

describe(`fuzz, seed ${seed}`, function () {
  this.timeout(400_000);

  it('the targets share all cases', () => {
    assert.equal(
      targets.reduce((sum, { share }) => sum + share, 0),
      100,
    );
  });

  for (const target of targets) {
    it(`${target.name}: ${(cases * target.share) / 100} cases find nothing`, async () => {
      const run = await runFuzz(target, { cases, seed });
      assert.equal(run.finding, undefined, run.finding);
      assert.equal(run.cases, (cases * target.share) / 100);
    });
  }
});
