import assert from 'node:assert/strict';
import { runningServers, startNeeded } from '../../../../src/host/chat/agentServer.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import { FakeAgentServer } from '../../../support/fakeAgent.ts';

const never = new AbortController().signal;

function stopped(
  name: string,
  startup: 'auto' | 'onDemand' | 'manual',
  because?: 'consentNeeded',
): FakeAgentServer {
  const server = new FakeAgentServer(name, [], { startup });
  server.state = { kind: 'stopped', ...(because === undefined ? {} : { because }) };
  return server;
}

describe('startNeeded', () => {
  it('starts what starts on demand, waits for what is starting, and leaves the rest alone', async () => {
    const onDemand = stopped('a', 'onDemand');
    const waits = stopped('b', 'onDemand', 'consentNeeded');
    const manual = stopped('c', 'manual');
    const starting = new FakeAgentServer('d', []);
    starting.state = { kind: 'starting', attempt: 0, wasReady: false };
    const ready = new FakeAgentServer('e', []);
    const heldUp = new FakeAgentServer('f', []);
    heldUp.state = { ...starting.state, waitsFor: 'consent' };
    const all = [onDemand, waits, manual, starting, ready, heldUp];
    const told: string[] = [];
    const failures = await startNeeded(
      all,
      (servers) => told.push(...servers.map(({ config }) => config.name)),
      never,
    );
    assert.deepEqual(failures, []);
    assert.deepEqual(told, ['a', 'd']);
    assert.deepEqual(
      all.map(({ starts }) => starts),
      [1, 0, 0, 1, 0, 0],
    );
    assert.deepEqual(
      runningServers(all).map(({ config }) => config.name),
      ['a', 'd', 'e'],
    );
  });

  it('tells which servers did not start, and why', async () => {
    const broken = stopped('a', 'onDemand');
    const error = new McpError('unreachable', 'not found');
    broken.start = async () => {
      throw error;
    };
    const failures = await startNeeded([broken], () => undefined, never);
    assert.deepEqual(failures, [{ server: broken, error }]);
  });

  it('ends at once when it is cancelled', async () => {
    const slow = stopped('a', 'onDemand');
    const start = Promise.withResolvers<void>();
    slow.start = () => start.promise;
    const controller = new AbortController();
    const starting = startNeeded(
      [slow],
      () => controller.abort(new Error('stopped')),
      controller.signal,
    );
    await assert.rejects(starting, /stopped/u);
    start.resolve();
  });
});
