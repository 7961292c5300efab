import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { httpErrorIn, isHttpError, isRpcError } from '../../../../../src/mcp/errors.ts';
import {
  isSessionLoss,
  networkError,
  refusalError,
  type Refusal,
  toRefusal,
} from '../../../../../src/mcp/transport/http/httpErrors.ts';

const url = new URL('https://example.test:8443/secret-path?key=secret-query');

function refusal(status: number, error?: { code: number; message: string }, id?: string | null) {
  const failure = error === undefined ? undefined : ({ jsonrpc: '2.0', id, error } as const);
  return { status, name: '', body: '', failure } satisfies Refusal;
}

describe('a refusal with a JSON-RPC error', () => {
  it('HTTP-03 (legacy), HTTP-09 (2026): is that error, whatever its status', () => {
    for (const status of [400, 403, 404, 500]) {
      const error = refusalError(
        url,
        refusal(status, { code: -32_602, message: 'no such tool' }),
        {},
      );
      assert.ok(isRpcError(error), String(status));
      assert.equal(error.rpcCode, -32_602);
      assert.equal(httpErrorIn(error)?.status, status);
    }
  });
});

describe('networkError', () => {
  for (const [code, expected, text] of [
    ['ECONNREFUSED', 'unreachable', /nothing listens there/u],
    ['ENOTFOUND', 'unreachable', /host name is unknown/u],
    ['EAI_AGAIN', 'unreachable', /is there a network/u],
    ['ETIMEDOUT', 'unreachable', /does not answer/u],
    ['EHOSTUNREACH', 'unreachable', /no network path leads/u],
    ['EPROTO', 'unreachable', /http and https mixed up/u],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'unreachable', /http and https mixed up/u],
    ['HPE_INVALID_CONSTANT', 'unreachable', /does not speak HTTP/u],
    ['HPE_HEADER_OVERFLOW', 'unreachable', /headers of its answer are larger than 16 KiB/u],
    ['ERR_INVALID_CHAR', 'invalidConfig', /Nothing was sent.*the value of a header/u],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unreachable', /certificate is not accepted \(the cause\)/u],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'unreachable', /certificate is not accepted/u],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unreachable', /certificate is not accepted/u],
    ['EWHATEVER', 'unreachable', /the cause/u],
    ['ECONNRESET', 'closed', /was cut before the answer.*unknown/u],
    ['EPIPE', 'closed', /was cut before the answer.*unknown/u],
  ] as const) {
    it(`${code} is \`${expected}\`, in words that name the origin alone`, () => {
      const cause = Object.assign(new Error('the cause'), { code });
      const error = networkError(url, cause, false);
      assert.equal(error.code, expected);
      assert.match(error.message, text);
      assert.ok(error.message.includes('https://example.test:8443'));
      assert.ok(!error.message.includes('secret'));
      assert.equal(error.cause, cause);
    });
  }

  it('a reset while TLS is agreed on sent nothing', () => {
    const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    assert.equal(networkError(url, cause, true).code, 'unreachable');
  });
});

describe('isSessionLoss', () => {
  const lost = { code: -32_000, message: 'Bad Request: No valid session ID provided' };
  for (const [what, given, expected] of [
    ['404', refusal(404), true],
    ['404 with an error', refusal(404, { code: -32_001, message: 'Session not found' }), true],
    ['404 for a method', refusal(404, { code: -32_601, message: 'Method not found' }), false],
    [
      '404 for a resource',
      refusal(404, { code: -32_002, message: 'Resource not found' }, '7'),
      false,
    ],
    ['400 with -32000, id null', refusal(400, lost, null), true],
    ['400 with -32000, no id', refusal(400, lost), true],
    ['400 with -32000 to the request', refusal(400, lost, '7'), false],
    ['400 with another error', refusal(400, { code: -32_600, message: 'x' }, null), false],
    [
      '400 for the version',
      refusal(400, { code: -32_000, message: 'Unsupported protocol version: 1' }, null),
      false,
    ],
    ['400 in text', refusal(400), false],
    ['400 in text for the session', { ...refusal(400), body: lost.message }, true],
    [
      '400 in text for the version of a session',
      { ...refusal(400), body: 'Session: unsupported MCP-Protocol-Version' },
      false,
    ],
    [
      '401 in text for the session',
      { ...refusal(401), body: 'Unauthorized: Session not found' },
      true,
    ],
    ['500 in text for the session', { ...refusal(500), body: lost.message }, false],
    ['403 with -32000', refusal(403, lost, null), false],
    ['500', refusal(500), false],
  ] as const) {
    it(`HTTP-22, HTTP-26: ${what}: ${expected ? 'lost' : 'not lost'}`, () => {
      assert.equal(isSessionLoss(given), expected);
    });
  }
});

describe('refusalError', () => {
  it('401 asks for authorization, whatever the body holds', () => {
    const error = refusalError(url, refusal(401, { code: -32_001, message: 'Unauthorized' }), {});
    assert.ok(isHttpError(error));
    assert.equal(error.code, 'unauthorized');
    assert.equal(error.status, 401);
    assert.match(error.message, /asks for authorization/u);
  });

  it('401 refuses the credentials of the entry, where it has some', () => {
    const { message } = refusalError(url, refusal(401), { 'X-Api-Key': 'mine' });
    assert.match(
      message,
      /does not accept the credentials in "headers" of the entry \(HTTP 401\)/u,
    );
    assert.match(refusalError(url, refusal(401), { Accept: '*' }).message, /asks for auth/u);
  });

  it('quotes no more than the beginning of the body', () => {
    const error = refusalError(
      url,
      { ...refusal(500), name: 'Oops', body: 'x'.repeat(50_000) },
      {},
    );
    assert.ok(isHttpError(error));
    assert.equal(error.bodyExcerpt.length, 2_000);
    assert.equal(error.message, 'https://example.test:8443 answered with HTTP 500 Oops');
  });
});

/** What becomes of a `Retry-After`. */
function toldTo(value?: string): number | undefined {
  const response = new IncomingMessage(new Socket());
  response.statusCode = 503;
  if (value !== undefined) {
    response.headers['retry-after'] = value;
  }
  const error = refusalError(url, toRefusal(response, ''), {});
  return isHttpError(error) ? error.retryAfterMs : undefined;
}

describe('toRefusal', () => {
  it('reads when to ask again: seconds or a date, nothing else', () => {
    assert.equal(toldTo('120'), 120_000);
    const inAnHour = toldTo(new Date(Date.now() + 3_600_000).toUTCString()) ?? 0;
    assert.ok(inAnHour > 3_500_000 && inAnHour <= 3_600_000, String(inAnHour));
    for (const odd of [undefined, '', '0', '-5', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      assert.equal(toldTo(odd), undefined, String(odd));
    }
  });
});
