import assert from 'node:assert/strict';
import { BearerToken, isForUs, randomWord } from '../../../src/bridge/guard.ts';

describe('BearerToken', () => {
  it('knows its own header, the scheme in any case', () => {
    const token = new BearerToken('secret');
    assert.equal(token.header, 'Bearer secret');
    for (const authorization of ['Bearer secret', 'bearer secret', 'BEARER  secret ']) {
      assert.equal(token.isIn({ authorization }), true, authorization);
    }
  });

  it('takes nothing else', () => {
    const token = new BearerToken('secret');
    const others = [undefined, '', 'secret', 'Bearer', 'Bearer ', 'Basic secret', 'Bearer Secret'];
    for (const authorization of [...others, 'Bearer secret x', 'Bearer secre', 'Bearer secrets']) {
      assert.equal(token.isIn({ authorization }), false, authorization);
    }
  });

  it('is another one each time, of 256 bits', () => {
    const words = Array.from({ length: 100 }, randomWord);
    assert.equal(new Set(words).size, 100);
    assert.ok(words.every((word) => /^[\w-]{43}$/u.test(word)));
    assert.notEqual(new BearerToken().header, new BearerToken().header);
  });
});

describe('isForUs', () => {
  it('knows the names of the listener', () => {
    assert.equal(isForUs({ host: '127.0.0.1:4711' }, 4711), true);
    assert.equal(isForUs({ host: 'LOCALHOST:4711' }, 4711), true);
    assert.equal(isForUs({ host: 'localhost:4711', origin: 'http://127.0.0.1:4711' }, 4711), true);
  });

  it('refuses another host, another port and none', () => {
    const hosts = ['127.0.0.1', '127.0.0.1:4712', 'evil.example:4711', '[::1]:4711', undefined, ''];
    for (const host of hosts) {
      assert.equal(isForUs({ host }, 4711), false, host);
    }
  });

  it('refuses an origin that is not the listener itself', () => {
    const origins = [
      'null',
      '',
      'http://evil.example',
      'https://localhost:4711',
      'http://localhost',
    ];
    for (const origin of [...origins, 'http://127.0.0.1:4711.evil.example', 'file://']) {
      assert.equal(isForUs({ host: '127.0.0.1:4711', origin }, 4711), false, origin);
    }
  });
});
