import assert from 'node:assert/strict';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import { Disruptions, disruptionRules } from '../../../../src/host/servers/disruptions.ts';
import {
  Liveness,
  livenessRules,
  type Reach,
  reachOf,
} from '../../../../src/host/servers/liveness.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeSession } from '../../../support/fakeSession.ts';
import { turns } from '../../../support/waitUntil.ts';

const { pingEveryMs } = livenessRules;
const { lookEveryMs, settleMs, sleptMs } = disruptionRules;
/** `busy`: silence, and a call begins. */
type Pong = 'answer' | 'refusal' | 'silence' | 'busy' | 'unreachable';

/** A server that answers pings as it is told, on a machine that sleeps and moves. */
class Setup {
  pong: Pong = 'answer';
  isBusy = false;
  pings = 0;
  network = 'home';
  readonly lost: McpError[] = [];
  readonly lines: string[] = [];
  readonly clock = new FakeClock();
  readonly watch: Disposable;

  constructor({
    reach = 'network',
    pingMs = pingEveryMs,
  }: { reach?: Reach; pingMs?: number } = {}) {
    this.watch = new Liveness(new FakeSession({}, { ping: () => this.#answer() }), {
      clock: this.clock,
      disruptions: new Disruptions(this.clock, () => this.network),
      reach,
      pingEveryMs: pingMs,
      log: createLog((_severity, line) => this.lines.push(line), new Redactor()),
      isBusy: () => this.isBusy,
      onLost: (error) => this.lost.push(error),
    });
  }

  get isWatching(): boolean {
    return this.clock.pending > 0;
  }

  async pass(ms: number = pingEveryMs): Promise<void> {
    this.clock.advance(ms);
    await turns();
  }

  async sleep(): Promise<void> {
    this.clock.sleep(lookEveryMs + sleptMs + 1);
    await turns();
  }

  /** Into another network, addresses one by one; until that is noticed. */
  async move(to = 'train'): Promise<void> {
    for (const network of [`${to} 1`, `${to} 1, ${to} 2`]) {
      this.network = network;
      await this.pass(lookEveryMs);
    }
    await this.pass(settleMs);
  }

  #answer(): object {
    this.pings += 1;
    switch (this.pong) {
      case 'answer':
        return {};
      case 'refusal':
        throw new RpcError(-32601, 'Method not found');
      case 'busy':
        this.isBusy = true;
        throw new McpError('timeout', 'no answer');
      case 'silence':
        throw new McpError('timeout', 'no answer');
      case 'unreachable':
        throw new McpError('unreachable', 'no network');
    }
  }
}

describe('liveness', () => {
  it('PING-02: pings a server that nobody uses, at a modest rate', async () => {
    const setup = new Setup();
    for (let n = 0; n < 10; n++) {
      await setup.pass();
    }
    assert.equal(setup.pings, 10);
    assert.deepEqual(setup.lost, []);
    setup.watch.dispose();
    assert.equal(setup.isWatching, false);
  });

  for (const [reach, misses] of [
    ['network', livenessRules.maxMisses],
    ['process', livenessRules.maxMissesOfProcess],
  ] as const) {
    it(`PING-03: pings without an answer are logged, and after ${misses} a ${reach} counts as lost`, async () => {
      const setup = new Setup({ reach });
      await setup.pass();
      setup.pong = 'silence';
      for (let n = 1; n < misses; n++) {
        await setup.pass();
      }
      assert.deepEqual(setup.lost, []);
      assert.match(setup.lines.join(), /No answer to a ping within 15 s/);
      await setup.pass();
      assert.equal(setup.lost.length, 1);
      assert.equal(setup.isWatching, false);
    });
  }

  it('PING-03: an answer in between counts, and so does an error', async () => {
    for (const between of ['answer', 'refusal'] as const) {
      const setup = new Setup();
      for (const pong of ['answer', 'silence', between, 'silence', between] as const) {
        setup.pong = pong;
        await setup.pass();
      }
      assert.deepEqual(setup.lost, []);
    }
  });

  it('PING-03: after the machine slept, one ping without an answer is enough', async () => {
    const setup = new Setup();
    await setup.pass();
    setup.pong = 'silence';
    await setup.sleep();
    assert.equal(setup.lost.length, 1);
    assert.match(setup.lines.join(), /machine slept/);
  });

  it('PING-03: in another network, one ping without an answer is enough, and one with an answer is all', async () => {
    const setup = new Setup();
    await setup.pass();
    await setup.move();
    assert.deepEqual([setup.pings, setup.lost], [2, []]);
    assert.match(setup.lines.join(), /network of this machine changed/);
    setup.pong = 'silence';
    await setup.pass();
    assert.deepEqual(setup.lost, []);
    setup.pong = 'answer';
    await setup.pass();
    setup.pong = 'silence';
    await setup.move('office');
    assert.equal(setup.lost.length, 1);
  });

  it('PING-03: a server that works for somebody is asked when it is done', async () => {
    const setup = new Setup();
    await setup.pass();
    setup.isBusy = true;
    setup.pong = 'silence';
    await setup.move();
    assert.deepEqual([setup.pings, setup.lost], [1, []]);
    setup.isBusy = false;
    await setup.pass();
    assert.equal(setup.lost.length, 1);
  });

  it('PING-03: a ping is no sign of silence when somebody called the server meanwhile', async () => {
    const setup = new Setup();
    await setup.pass();
    setup.pong = 'busy';
    await setup.move();
    assert.deepEqual([setup.pings, setup.lost], [2, []]);
  });

  it('PING-03: another network is nothing to servers of this machine, and a sleep nothing to processes', async () => {
    for (const reach of ['process', 'machine'] as const) {
      const setup = new Setup({ reach });
      await setup.pass();
      await setup.move();
      await setup.move('office');
      assert.equal(setup.pings, 1, reach);
    }
    const asleep = new Setup({ reach: 'process' });
    await asleep.sleep();
    assert.equal(asleep.pings, 0);
  });

  it('PING-02: pings as often as its entry says, 0: never', async () => {
    const often = new Setup({ pingMs: 5_000 });
    for (let n = 0; n < 12; n++) {
      await often.pass(5_000);
    }
    assert.equal(often.pings, 12);
    const never = new Setup({ pingMs: 0 });
    await never.pass();
    await never.sleep();
    await never.move();
    assert.deepEqual([never.pings, never.isWatching], [0, false]);
  });

  it('silence of a server that never answers pings, of one at work, and a missing network say nothing', async () => {
    const mute = new Setup();
    mute.pong = 'silence';
    const busy = new Setup();
    await busy.pass();
    busy.pong = 'silence';
    busy.isBusy = true;
    const offline = new Setup();
    await offline.pass();
    offline.pong = 'unreachable';
    for (let n = 0; n < 5; n++) {
      await Promise.all([mute.pass(), busy.pass(), offline.pass()]);
    }
    assert.deepEqual([mute.lost, busy.lost, offline.lost], [[], [], []]);
    assert.equal(busy.pings, 1);
  });

  it('knows how far away a server is', () => {
    const here = ['http://localhost:1/mcp', 'http://127.0.0.2/', 'https://[::1]/'];
    for (const url of here) {
      assert.equal(reachOf({ kind: 'http', url, headers: {} }), 'machine', url);
    }
    const socketPath = '/run/mcp.sock';
    const url = 'http://x.example/mcp';
    assert.equal(reachOf({ kind: 'http', url, socketPath, headers: {} }), 'machine');
    assert.equal(reachOf({ kind: 'http', url, headers: {} }), 'network');
    assert.equal(reachOf({ kind: 'webSocket', url: 'wss://10.0.0.1/', headers: {} }), 'network');
    const program = { command: 'x', args: [], env: {}, cwd: '/' };
    assert.equal(reachOf({ kind: 'stdio', ...program }), 'process');
  });
});
