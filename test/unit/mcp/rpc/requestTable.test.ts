import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RequestId } from '../../../../src/mcp/types/message.ts';
import { RequestTable } from '../../../../src/mcp/rpc/requestTable.ts';

interface Item {
  readonly id: RequestId;
}

describe('RequestTable', () => {
  it('gives what has the id until it is taken, once', () => {
    const table = new RequestTable<Item>();
    const items = [{ id: 1 }, { id: 'probe' }, { id: 2 }];
    for (const item of items) {
      table.add(item);
    }
    assert.equal(table.get('probe'), items[1]);
    assert.equal(table.take(2), items[2]);
    assert.equal(table.take(2), undefined);
    assert.equal(table.take('probe'), items[1]);
    assert.equal(table.get('probe'), undefined);
    assert.deepEqual(table.all(), [{ id: 1 }]);
  });

  it('knows nothing under an id that only looks like one', () => {
    const table = new RequestTable<Item>();
    table.add({ id: 1 });
    for (const id of ['1', 1.5, -1, 129, 2 ** 53, Number.NaN, null, undefined, {}]) {
      assert.equal(table.get(id), undefined);
      assert.equal(table.take(id), undefined);
    }
    assert.deepEqual(table.all(), [{ id: 1 }]);
  });

  it('keeps one that waits while thousands of others come and go', () => {
    const table = new RequestTable<Item>();
    const first = { id: 7 };
    table.add(first);
    for (let id = 8; id < 5_000; id++) {
      table.add({ id });
      assert.equal(table.take(id)?.id, id);
      assert.equal(table.get(7), first);
    }
    assert.deepEqual(table.all(), [first]);
    assert.equal(table.take(7), first);
    assert.deepEqual(table.all(), []);
  });

  it('holds very many at the same time', () => {
    const table = new RequestTable<Item>();
    const ids = Array.from({ length: 3_000 }, (_, index) => index + 1);
    for (const id of ids) {
      table.add({ id });
    }
    assert.deepEqual(
      table
        .all()
        .map(({ id }) => Number(id))
        .toSorted((a, b) => a - b),
      ids,
    );
    for (const id of ids.toReversed()) {
      assert.equal(table.take(id)?.id, id);
    }
    assert.deepEqual(table.all(), []);
  });
});
