import assert from 'node:assert/strict';
import type { Disposable } from '../../../../src/base/disposable.ts';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import type { Clock } from '../../../../src/host/servers/clock.ts';
import { livenessRules, watchLiveness } from '../../../../src/host/servers/liveness.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import { FakeSession } from '../../../support/fakeSession.ts';
import { turns } from '../../../support/waitUntil.ts';

const { pingEveryMs, sleptMs } = livenessRules;
type Pong = 'answer' | 'refusal' | 'silence' | 'unreachable';

/** A server that answers pings as it is told, and a clock whose timers can be late. */
class Setup {
  pong: Pong = 'answer';
  isBusy = false;
  pings = 0;
  readonly lost: McpError[] = [];
  readonly lines: string[] = [];
  #now = 0;
  #due: (() => void) | undefined;
  readonly #clock: Clock = {
    now: () => this.#now,
    after: (_ms, run) => {
      this.#due = run;
      return {
        dispose: () => {
          this.#due = this.#due === run ? undefined : this.#due;
        },
      };
    },
  };
  readonly watch: Disposable;

  constructor(transport = 'Streamable HTTP') {
    const session = new FakeSession({}, { ping: () => this.#answer() });
    session.server = { ...session.server, transport };
    this.watch = watchLiveness(session, {
      clock: this.#clock,
      log: createLog((_severity, line) => this.lines.push(line), new Redactor()),
      isBusy: () => this.isBusy,
      onLost: (error) => this.lost.push(error),
    });
  }

  get isWatching(): boolean {
    return this.#due !== undefined;
  }

  async pass(ms: number = pingEveryMs): Promise<void> {
    this.#now += ms;
    const due = this.#due;
    this.#due = undefined;
    due?.();
    await turns();
  }

  #answer(): object {
    this.pings += 1;
    switch (this.pong) {
      case 'answer':
        return {};
      case 'refusal':
        throw new RpcError(-32601, 'Method not found');
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

  it('PING-03: pings without an answer are logged, and after two the server counts as lost', async () => {
    const setup = new Setup();
    await setup.pass();
    setup.pong = 'silence';
    await setup.pass();
    assert.deepEqual(setup.lost, []);
    assert.match(setup.lines.join(), /No answer to a ping within 15 s/);
    await setup.pass();
    assert.equal(setup.lost.length, 1);
    assert.equal(setup.isWatching, false);
  });

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
    await setup.pass(pingEveryMs + sleptMs + 1);
    assert.equal(setup.lost.length, 1);
    assert.match(setup.lines.join(), /machine slept/);
  });

  it('PING-03: a process is given more time, also after a sleep', async () => {
    const setup = new Setup('stdio');
    await setup.pass();
    setup.pong = 'silence';
    await setup.pass(pingEveryMs + sleptMs + 1);
    for (let n = 2; n < livenessRules.maxMissesOfProcess; n++) {
      await setup.pass();
    }
    assert.deepEqual(setup.lost, []);
    await setup.pass();
    assert.equal(setup.lost.length, 1);
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
});
