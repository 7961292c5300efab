import assert from 'node:assert/strict';
import {
  decodeContents,
  readAnnotations,
} from '../../../../src/host/resources/resourceContents.ts';

describe('decodeContents', () => {
  it('RES-03: takes several items, text and binary, with URIs of their own, and no broken ones', () => {
    assert.deepEqual(
      decodeContents('d:/', [
        { uri: 'd:/a', text: 'ä', mimeType: 'text/plain' },
        { uri: 'd:/b', blob: 'AAEC\n/w==\r\n ' },
        { blob: '!' },
        { text: '' },
        1,
      ]),
      [
        { uri: 'd:/a', kind: 'text', text: 'ä', mimeType: 'text/plain' },
        { uri: 'd:/b', kind: 'binary', bytes: Buffer.from([0, 1, 2, 255]) },
        { uri: 'd:/', kind: 'text', text: '' },
      ],
    );
  });

  for (const [what, contents, message] of [
    ['no contents', [], /no contents/u],
    ['an item without data', [{ uri: 'a' }, 7, null], /neither text nor base64/u],
    ['what is no base64', [{ uri: 'a', blob: '{"not":"base64"}' }], /not base64/u],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => decodeContents('a', contents), { code: 'protocol', message });
    });
  }
});

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
