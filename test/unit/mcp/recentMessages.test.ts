import assert from 'node:assert/strict';
import { ServerMemory } from '../../../src/host/servers/serverMemory.ts';
import { RecentMessages, recentLimits } from '../../../src/mcp/recentMessages.ts';

function shown(recent: RecentMessages): readonly object[] {
  const all: object[] = [];
  const observer = {
    sent: (message: object) => all.push(message),
    received: (message: object) => all.push(message),
  };
  recent.replay(observer, (time) => assert.ok(Math.abs(time - Date.now()) < 60_000));
  return all;
}

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

describe('RecentMessages', () => {
  it('keeps the newest, in their order', () => {
    const recent = new RecentMessages();
    const many = recentLimits.messages + 5;
    for (let id = 1; id <= many; id += 1) recent.sent(ping(id));
    recent.received({ jsonrpc: '2.0', id: many, result: {} }, undefined);
    const all = shown(recent);
    assert.equal(all.length, recentLimits.messages);
    assert.deepEqual(all[0], ping(7));
    assert.deepEqual(all.at(-1), { jsonrpc: '2.0', id: many, result: {} });
  });

  it('keeps of a large one what it is, and says that the rest is not there', () => {
    const recent = new RecentMessages();
    recent.received({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(20_000) } }, undefined);
    assert.match(
      JSON.stringify(shown(recent)),
      /^\[\{"jsonrpc":"2.0","id":1,"result":\{"omitted":"longer than 16000/u,
    );
  });

  it('gives way to other data of the server', () => {
    const account = new ServerMemory().open(1_000_000);
    const recent = new RecentMessages(account);
    for (let id = 1; id <= 30; id += 1) recent.sent({ ...ping(id), text: 'x'.repeat(15_000) });
    assert.ok(account.used > 800_000, `${account.used}`);
    assert.equal(account.hold().set(500_000), true);
    assert.deepEqual(shown(recent), []);
    recent.sent(ping(31));
    assert.deepEqual(shown(recent), [ping(31)]);
  });
});
