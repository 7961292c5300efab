import assert from 'node:assert/strict';
import { MessageBuffer } from '../../../../src/host/inspector/messageBuffer.ts';
import { blankEntry, type Seen } from '../../../../src/host/inspector/seenMessage.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';

describe('MessageBuffer', () => {
  it('counts a message and its parameters without writing them as JSON again', () => {
    const memory = new ServerMemory().open(10_000_000);
    const buffer = new MessageBuffer(memory, () => undefined);
    const entry: Seen = {
      ...blankEntry,
      kind: 'request',
      n: 1,
      at: 0,
      direction: 'sent',
      method: 'tools/call',
      id: 1,
      bytes: 1_000_000,
      text: 'x'.repeat(1_000_000),
      params: { toJSON: () => assert.fail('was written as JSON') },
    };
    buffer.add(entry);
    const { used } = memory;
    assert.ok(used > 4_000_000 && used < 4_010_000, `${used}`);
    entry.exchanges = [{ method: 'POST', url: 'x'.repeat(10_000), sent: [] }];
    assert.ok(buffer.grown(entry));
    assert.ok(memory.used > used + 20_000, `${memory.used}`);
  });
});
