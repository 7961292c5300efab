import assert from 'node:assert/strict';
import {
  codesBelow,
  httpErrorIn,
  isAboutTls,
  HttpError,
  McpError,
} from '../../../src/mcp/errors.ts';
import { networkError } from '../../../src/mcp/transport/http/httpErrors.ts';

const url = new URL('https://example.com/mcp');

function refused(code: string): McpError {
  return networkError(url, Object.assign(new Error('no'), { code }), false);
}

describe('httpErrorIn', () => {
  it('finds the answer of HTTP at any depth, and none where there is none', () => {
    const answer = new HttpError('http', 410, 'gone', 'body');
    const lost = new McpError('closed', 'failed', { cause: answer });
    assert.equal(httpErrorIn(answer), answer);
    assert.equal(httpErrorIn(new McpError('closed', 'x', { cause: lost })), answer);
    assert.equal(httpErrorIn(refused('ECONNREFUSED')), undefined);
  });
});

describe('isAboutTls', () => {
  it('goes by the code of the error below, at any depth', () => {
    for (const code of [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ]) {
      assert.ok(isAboutTls(refused(code)), code);
      assert.ok(isAboutTls(new McpError('unreachable', 'x', { cause: refused(code) })), code);
    }
  });

  it('tells a proxy that does not want to from a certificate', () => {
    assert.ok(!isAboutTls(refused('ERR_PROXY_REFUSED')));
    assert.ok(codesBelow(refused('ERR_PROXY_REFUSED')).includes('ERR_PROXY_REFUSED'));
  });

  it('does not go by words', () => {
    assert.ok(!isAboutTls(refused('ECONNREFUSED')));
    assert.ok(!isAboutTls(new McpError('closed', 'The certificate of the TLS server')));
  });
});
