import assert from 'node:assert/strict';
import { type AuthorizationHeaders, observed } from '../../../src/mcp/httpAuthorizer.ts';

const url = new URL('https://example.test/mcp');

describe('observed', () => {
  it('CACHE-08: tells of another token, before it is used, and of no other header', async () => {
    const asked: unknown[] = [];
    let headers: AuthorizationHeaders | undefined;
    let isLate = false;
    const authorizer = observed({
      headersFor: () => (isLate ? Promise.resolve(headers) : headers),
      onRefused: async (refusal) => {
        asked.push(refusal);
        return true;
      },
    });
    let changes = 0;
    authorizer.onDidChange(() => (changes += 1));
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
      assert.equal(await authorizer.headersFor('POST', url), next);
      told.push(changes);
    }
    assert.deepEqual(told, [0, 1, 1, 2, 3]);
    const refusal = { status: 401, sent: undefined, attempt: 0 };
    assert.equal(await authorizer.onRefused(refusal, new AbortController().signal), true);
    assert.deepEqual(asked, [refusal]);
  });
});
