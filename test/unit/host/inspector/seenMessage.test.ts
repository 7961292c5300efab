import assert from 'node:assert/strict';
import { dayAndTime, timeOfDay } from '../../../../src/host/inspector/seenMessage.ts';

describe('Times of the inspector', () => {
  const zone = process.env['TZ'];

  afterEach(() => {
    if (zone === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = zone;
    }
  });

  it('are those of the place, in the list and in the detail, with the thousandths', () => {
    process.env['TZ'] = 'Asia/Kolkata';
    const at = Date.UTC(2026, 0, 4, 20, 5, 6, 7);
    assert.equal(timeOfDay(at), '01:35:06.007');
    assert.equal(dayAndTime(at), '2026-01-05 01:35:06.007');
  });
});
