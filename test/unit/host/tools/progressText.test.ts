import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { progressText } from '../../../../src/host/tools/progressText.ts';

const shown = (text: string): string => text.slice(0, 7);

describe('progressText', () => {
  it('PROG-03: shows the position with or without a total, and the message where there is one', () => {
    assert.equal(progressText({ progress: 1.5 }, shown), '1.5');
    assert.equal(progressText({ progress: 1, total: 4 }, shown), '1/4');
    assert.equal(progressText({ progress: 2, message: 'Reading files' }, shown), 'Reading (2)');
    assert.equal(progressText({ progress: 0, total: 4, message: 'Begin' }, shown), 'Begin (0/4)');
  });

  it('TASK-13: shows the status of a task alone while there is no position', () => {
    assert.equal(progressText({ progress: 0, message: 'Writing' }, shown), 'Writing');
    assert.equal(progressText({ progress: 0 }, shown), '0');
  });
});
