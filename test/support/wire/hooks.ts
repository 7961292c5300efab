/** For mocha's `--require`: a test that sends a message against the official schema fails. */
import assert from 'node:assert/strict';
import { WireTap } from './wireTap.ts';

/** For the test of the tap itself. */
export const tap = new WireTap();
tap.install();

export const mochaHooks = {
  afterEach(): void {
    assert.deepEqual(tap.takeProblems(), [], 'sent against the official schema');
  },
};
