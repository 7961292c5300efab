import assert from 'node:assert/strict';
import { Reopening } from '../../../../src/mcp/era/reopening.ts';

describe('Reopening', () => {
  it('opens one session for all who lost the one before', async () => {
    let opened = 0;
    const reopening = new Reopening(async () => {
      opened += 1;
    });
    const { generation } = reopening;
    const first = reopening.replacing(generation);
    assert.equal(reopening.begin(), first);
    assert.equal(reopening.replacing(generation), first);
    assert.equal(reopening.current, first);
    await first;
    assert.equal(reopening.current, undefined);
    await reopening.replacing(generation);
    assert.equal(opened, 1, 'the loss of an earlier session is none');
    await reopening.replacing(reopening.generation);
    assert.equal(opened, 2);
  });

  it('tells all who wait that none could be opened, and tries again for the next loss', async () => {
    let opened = 0;
    const reopening = new Reopening(async () => {
      opened += 1;
      throw new Error('no more');
    });
    await Promise.all([
      assert.rejects(reopening.begin(), /no more/u),
      assert.rejects(reopening.begin(), /no more/u),
    ]);
    assert.equal(opened, 1);
    await assert.rejects(reopening.begin(), /no more/u);
    assert.equal(opened, 2);
  });
});
