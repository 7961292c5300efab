import assert from 'node:assert/strict';
import { Redactor, createLog } from '../../../src/base/log.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

describe('Log', () => {
  it('replaces every known secret before a line reaches the sink', () => {
    const lines: string[] = [];
    const redactor = new Redactor();
    redactor.add('s3cret$&');
    redactor.add('abc');
    const log = createLog((severity, line) => lines.push(`${severity} ${line}`), redactor);
    log.warn('token s3cret$& twice s3cret$&, but abc stays');
    log.trace('t');
    log.debug('d');
    log.info('i');
    log.error('e');
    assert.deepEqual(lines, [
      'warn token *** twice ***, but abc stays',
      'trace t',
      'debug d',
      'info i',
      'error e',
    ]);
  });

  it('leaves nothing of a secret that begins with another one', () => {
    const redactor = new Redactor();
    redactor.add('abcd');
    redactor.add('abcdefgh');
    assert.equal(redactor.redact('key abcdefgh'), 'key ***');
  });

  it('leaves nothing of the beginning of a secret where a text was cut', () => {
    const redactor = new Redactor();
    redactor.add('hunter2-and-more');
    redactor.add('hunter2');
    redactor.add('aaaa-aaab-secret');
    assert.equal(redactor.redact('is hunter2-an…'), 'is ***…');
    assert.equal(
      redactor.redact('"is hunt…", or hunter2-and-m… and hunter…'),
      '"is ***…", or ***… and ***…',
    );
    assert.equal(redactor.redact('aaaa-aaaa-aaa…'), 'aaaa-***…');
    assert.equal(redactor.redact('on the hun… for it'), 'on the hun… for it', 'too little of it');
    assert.equal(redactor.redact('hunter of words…'), 'hunter of words…');
  });

  it('leaves nothing of secrets that overlap', () => {
    const redactor = new Redactor();
    redactor.add('abcdef');
    redactor.add('defghijkl');
    assert.equal(redactor.redact('is abcdefghijkl, abcdefabcdef'), 'is ***, ******');
    redactor.add('fghi');
    assert.equal(redactor.redact('is defghijkl'), 'is ***', 'one inside of another');
  });

  describe('finds a secret in every form in which programs write texts:', () => {
    const secret = `p4ss "w/o&r<d>'s é+?=\``;
    const forms: Readonly<Record<string, string>> = {
      JSON: JSON.stringify(secret).slice(1, -1),
      'a URL': encodeURIComponent(secret),
      'a URL in lower case': encodeURIComponent(secret).replaceAll(/%../gu, (code) =>
        code.toLowerCase(),
      ),
      'a form': new URLSearchParams([[secret, '']]).toString().slice(0, -1),
      'the path of a URL': new URL(`http://h/${secret}`).href.slice('http://h/'.length),
      'the query of a URL': new URL(`http://h/?${secret}`).href.slice('http://h/?'.length),
      'JSON of PHP': 'p4ss \\"w\\/o&r<d>\'s \\u00e9+?=`',
      'JSON of Python': 'p4ss \\"w/o&r<d>\'s \\u00e9+?=`',
      'JSON of Go': 'p4ss \\"w/o\\u0026r\\u003cd\\u003e\'s é+?=`',
      'JSON of Gson': 'p4ss \\"w/o\\u0026r\\u003cd\\u003e\\u0027s é+?\\u003d`',
      'JSON of .NET': 'p4ss \\u0022w/o\\u0026r\\u003Cd\\u003E\\u0027s \\u00E9\\u002B?=\\u0060',
      HTML: 'p4ss &quot;w/o&amp;r&lt;d&gt;&#39;s é+?=`',
      'HTML of Go': 'p4ss &#34;w/o&amp;r&lt;d&gt;&#39;s é&#43;?=`',
      'HTML of Python': 'p4ss &quot;w/o&amp;r&lt;d&gt;&#x27;s é+?=`',
      'HTML of Mustache': 'p4ss &quot;w&#x2F;o&amp;r&lt;d&gt;&#39;s é+?&#x3D;&#x60;',
      'HTML of Handlebars': 'p4ss &quot;w/o&amp;r&lt;d&gt;&#x27;s é+?&#x3D;&#x60;',
      'HTML in lower case': 'p4ss &quot;w&#x2f;o&amp;r&lt;d&gt;&#39;s é+?&#x3d;&#x60;',
      'HTML between tags': `p4ss "w/o&amp;r&lt;d&gt;'s é+?=\``,
      hexadecimal: Buffer.from(secret).toString('hex'),
      'hexadecimal in upper case': Buffer.from(secret).toString('hex').toUpperCase(),
    };
    for (const [what, form] of Object.entries(forms)) {
      it(what, () => {
        const redactor = new Redactor();
        redactor.add(secret);
        assert.equal(redactor.redact(`a ${form} b`), 'a *** b');
        assert.equal(redactor.redact(`a ${form.slice(0, 12)}… b`), 'a ***… b');
      });
    }
    for (const encoding of ['base64', 'base64url'] as const) {
      it(`${encoding}, wherever it stands in what is encoded`, () => {
        const redactor = new Redactor();
        redactor.add('k?e>y-of-ann~~');
        for (const before of ['', 'a', 'an', 'ann', 'ann:', 'user@example.com:']) {
          for (const after of ['', 'x', 'yz', ', and much more']) {
            const text = Buffer.from(`${before}k?e>y-of-ann~~${after}`).toString(encoding);
            const [left = '', right = '', ...more] = redactor.redact(text).split('***');
            // What of it shares a character with its neighbours is the most that stays.
            assert.ok(more.length === 0 && text.startsWith(left) && text.endsWith(right));
            assert.ok(left.length <= Math.ceil((before.length * 4) / 3) + 1, text);
            assert.ok(right.length <= Math.ceil((after.length * 4) / 3) + 3, text);
          }
        }
      });
    }
  });

  it('finds a secret of several lines with the ends of lines of another system', () => {
    const redactor = new Redactor();
    redactor.add('one\ntwo\nend');
    for (const form of ['one\r\ntwo\r\nend', 'one\\r\\ntwo\\r\\nend', 'one%0D%0Atwo%0D%0Aend']) {
      assert.equal(redactor.redact(`a ${form} b`), 'a *** b');
    }
    redactor.add('six\r\nten');
    assert.equal(redactor.redact('a six\nten b'), 'a *** b');
  });

  it('takes no path for a form of another path', () => {
    const redactor = new Redactor();
    redactor.add('../../data');
    assert.equal(redactor.redact('data of ../../data'), 'data of ***');
  });

  it('takes no ordinary word for a form of a short secret', () => {
    const redactor = new Redactor();
    for (const short of ['true', '1234', 'root', 'a&b"c']) {
      redactor.add(short);
    }
    assert.equal(redactor.redact('a\\u0026 a&b\\"c'), 'a\\u0026 ***');
    const text = 'A word such as cm9v, dHJ1Z, MTIzN, YSZi, 3132 or 313 stays; so does &amp;.';
    assert.equal(redactor.redact(text), text);
  });

  it('looks for many of them in a time that the length of a text bounds', () => {
    const redactor = new Redactor();
    for (let index = 0; index < 1_000; index += 1) {
      redactor.add(`sk-proj-${index}-abcdefgh`);
    }
    const text = 'sk-proj with words, "names" and 12345 numbers '.repeat(5_000);
    assert.ok(cpuMsOf(() => redactor.redact(text)) < 1_000);
  });

  it('looks for them in a time that the length of a text bounds', () => {
    const redactor = new Redactor();
    redactor.add(`Bear${'x'.repeat(5_000)}`);
    const text = `${'Bear'.repeat(200_000)}${'…'.repeat(200_000)}`;
    const before = performance.now();
    redactor.redact(text);
    assert.ok(performance.now() - before < 2_000);
  });

  it('knows what redactors below it learn, and keeps it when they are gone', () => {
    const host = new Redactor();
    const [one, other] = [new Redactor(host), new Redactor(host)];
    one.add('hunter22');
    assert.equal(host.redact('no hunter22'), 'no ***');
    assert.equal(other.redact('no hunter22'), 'no hunter22', 'a neighbour has its own');
  });

  it('costs a line, not whoever logs, when its channel has been closed', () => {
    const log = createLog(() => {
      throw new Error('Channel has been closed');
    }, new Redactor());
    assert.doesNotThrow(() => log.info('x'));
  });
});
