import assert from 'node:assert/strict';
import { ObservedAuthorizer } from '../../../../src/mcp/client/observedAuthorizer.ts';
import type { AuthorizationHeaders } from '../../../../src/mcp/httpAuthorizer.ts';

const url = new URL('https://example.test/mcp');

describe('ObservedAuthorizer', () => {
  it('CACHE-08: tells of another token, before it is used, and of no other header', async () => {
    const asked: unknown[] = [];
    let headers: AuthorizationHeaders | undefined;
    let isLate = false;
    const observed = new ObservedAuthorizer({
      headersFor: () => (isLate ? Promise.resolve(headers) : headers),
      onRefused: async (refusal) => {
        asked.push(refusal);
        return true;
      },
    });
    let changes = 0;
    observed.onDidChange(() => (changes += 1));
    const told: number[] = [];
    for (const [next, late] of [
      [undefined, false],
      [{ authorization: 'Bearer a' }, false],
      [{ authorization: 'Bearer a', dpop: 'proof' }, true],
      [{ authorization: 'Bearer b' }, true],
      [undefined, false],
    ] as const) {
      headers = next;
      isLate = late;
      assert.equal(await observed.headersFor('POST', url), next);
      told.push(changes);
    }
    assert.deepEqual(told, [0, 1, 1, 2, 3]);
    const refusal = { status: 401, sent: undefined, attempt: 0 };
    assert.equal(await observed.onRefused(refusal, new AbortController().signal), true);
    assert.deepEqual(asked, [refusal]);
  });
});
