import assert from 'node:assert/strict';
import { HttpSession } from '../../../../../src/mcp/transport/http/httpSession.ts';
import { readSettings } from '../../../../../src/mcp/transport/http/httpSettings.ts';

describe('HttpSession', () => {
  it('HTTP-20, HTTP-24: carries the settings, the id and the version', () => {
    const session = new HttpSession(readSettings({ 'X-Key': 'k' }));
    assert.deepEqual(session.headers, { 'x-key': 'k' });
    assert.ok(session.take('abc'));
    session.agree('2025-06-18');
    assert.deepEqual(session.headers, {
      'x-key': 'k',
      'mcp-session-id': 'abc',
      'mcp-protocol-version': '2025-06-18',
    });
    session.forget();
    assert.deepEqual(session.headers, { 'x-key': 'k' });
    assert.equal(session.id, undefined);
  });

  for (const bad of ['', ' ', 'a b', 'a\u007f', 'ä', 'a\n']) {
    it(`HTTP-21: does not take ${JSON.stringify(bad)}`, () => {
      const session = new HttpSession({});
      assert.equal(session.take(bad), false);
      assert.equal(session.id, undefined);
      assert.deepEqual(session.headers, {});
    });
  }

  it('HTTP-21: strikes the id out of what a server wrote, unless it is too short to be one', () => {
    const session = new HttpSession({});
    assert.equal(session.redact('abc 12345678'), 'abc 12345678');
    session.take('12345678');
    assert.equal(session.redact('a 12345678, 12345678'), 'a …, …');
    session.take('1');
    assert.equal(session.redact('HTTP 1.1'), 'HTTP 1.1');
  });
});
