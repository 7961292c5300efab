import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'mocha';
import { delay } from '../../../../../src/base/async.ts';
import { IdleSockets } from '../../../../../src/mcp/transport/http/httpIdle.ts';

describe('IdleSockets', () => {
  it('closes what idles also while answers come over other connections, each with a lower `max`', async () => {
    const agent = new Agent();
    const socket = new Socket();
    Object.assign(agent.freeSockets, { 'server.test': [socket] });
    const idle = new IdleSockets(agent);
    const giveUpAt = performance.now() + 10_000;
    for (let max = 10_000; !socket.destroyed && performance.now() < giveUpAt; max -= 1) {
      idle.expect(`timeout=1, max=${max}`);
      await delay(10);
    }
    const isClosed = socket.destroyed;
    idle.dispose();
    agent.destroy();
    assert.ok(isClosed);
  });
});
