import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { exchangeSignedIn } from '../../../../../src/mcp/transport/http/httpSignedIn.ts';

/** How often the authorizer is asked to mend what is answered to such a request. */
async function refusalsOf(method: string, status: number): Promise<number> {
  let refusals = 0;
  const authorizer = {
    headersFor: () => undefined,
    onRefused: async () => {
      refusals += 1;
      return false;
    },
  };
  const response = new IncomingMessage(new Socket());
  response.statusCode = status;
  const way = {
    authorizer,
    url: new URL('https://h/mcp'),
    closing: new AbortController().signal,
    tries: { count: 0 },
  };
  assert.equal(
    await exchangeSignedIn(way, { method, headers: {} }, async () => response),
    response,
  );
  return refusals;
}

describe('exchangeSignedIn', () => {
  for (const [method, status, expected] of [
    ['POST', 401, 1],
    ['GET', 403, 1],
    ['POST', 400, 0],
    ['POST', 500, 0],
    ['DELETE', 401, 0],
  ] as const) {
    it(`AUTH-03 (legacy): ${status} to ${method} asks ${expected === 0 ? 'nobody' : 'for a sign-in'}`, async () => {
      assert.equal(await refusalsOf(method, status), expected);
    });
  }
});
