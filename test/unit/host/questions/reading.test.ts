import assert from 'node:assert/strict';
import { askedAt, shareLastDialog } from '../../../../src/host/questions/reading.ts';

describe('The time to read a question', () => {
  /** Of the window; all bundles share it. */
  const last = { goneAt: 0 };

  beforeEach(() => {
    last.goneAt = 0;
    shareLastDialog(last);
  });

  it('SEC-01: is a second from when it is asked', () => {
    assert.equal(askedAt(10_000)(10_999), false);
    assert.equal(askedAt(20_000)(21_000), true);
  });

  it('SEC-01: begins when the dialog before it has gone, however long it has waited', () => {
    const first = askedAt(10_000);
    const second = askedAt(10_000);
    assert.equal(first(60_000), true);
    assert.equal(second(60_200), false, 'the second click of a double-click');
    assert.equal(askedAt(60_200)(61_200), true, 'asked again');
  });

  it('SEC-01: begins when a link has been opened, which the editor asks about', () => {
    const isRead = askedAt(10_000);
    last.goneAt = 60_000;
    assert.equal(isRead(60_200), false);
  });

  it('SEC-01: counts for the next question again when the clock was set back', () => {
    last.goneAt = 90_000;
    assert.equal(askedAt(50_000)(55_000), false);
    assert.equal(askedAt(55_000)(56_000), true);
  });
});
