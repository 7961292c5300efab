import assert from 'node:assert/strict';
import { readAnnotations } from '../../../../src/host/resources/resourceContents.ts';

describe('readAnnotations', () => {
  it('gives audience, priority and time as they are', () => {
    assert.deepEqual(
      readAnnotations({
        audience: ['assistant', 'user'],
        priority: 0,
        lastModified: '2025-01-12T15:00:58Z',
      }),
      { audience: ['user', 'assistant'], priority: 0, lastModified: '2025-01-12T15:00:58Z' },
    );
  });

  it('leaves out what is malformed', () => {
    for (const value of [
      undefined,
      null,
      'user',
      { audience: 'user', priority: '1', lastModified: 7 },
      { audience: ['admin', 3], priority: 1.5, lastModified: ' ' },
      { audience: {}, priority: Number.NaN },
    ]) {
      assert.deepEqual(readAnnotations(value), { audience: [] });
    }
  });
});
