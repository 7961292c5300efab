import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Redactor, createLog } from '../../../src/base/log.ts';

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
