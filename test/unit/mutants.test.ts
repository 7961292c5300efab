/** The list of `npm run test:mutants`, which runs on request alone: code and rules must not leave it behind. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { misfitsIn } from '../mutants/mutants.ts';

describe('mutants', () => {
  it('each has its rule in the reference, and its text once in the code', async () => {
    assert.deepEqual(await misfitsIn(path.join(import.meta.dirname, '../..')), []);
  });
});
