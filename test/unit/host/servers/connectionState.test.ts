import assert from 'node:assert/strict';
import {
  type ConnectionEvent,
  type ConnectionState,
  restartRules,
  transition,
} from '../../../../src/host/servers/connectionState.ts';
import { type ErrorCode, HttpError, McpError } from '../../../../src/mcp/errors.ts';
import type { ServerDescription } from '../../../../src/mcp/session/session.ts';

const server: ServerDescription = {
  revision: '2025-11-25',
  era: 'legacy',
  transport: 'stdio',
  info: { name: 's', version: '1' },
  capabilities: {},
};
const other: ServerDescription = { ...server, info: { name: 's', version: '2' } };
const closed = new McpError('closed', 'exit code 1');
const invalid = new McpError('invalidConfig', 'no such program');
const lastStderr = ['boom'];

const states = {
  stopped: { kind: 'stopped' },
  blocked: { kind: 'stopped', because: 'restricted' },
  starting: { kind: 'starting', attempt: 0, wasReady: false },
  restarting: { kind: 'starting', attempt: 2, wasReady: true },
  ready: { kind: 'ready', server, attempt: 0 },
  waiting: {
    kind: 'waiting',
    attempt: 2,
    wasReady: true,
    delayMs: 2000,
    cause: closed,
    lastStderr,
  },
  stopping: { kind: 'stopping' },
  failed: { kind: 'failed', error: closed, lastStderr },
} as const satisfies Record<string, ConnectionState>;

const events = {
  start: { kind: 'start' },
  retry: { kind: 'retry' },
  opened: { kind: 'opened', server: other },
  startFailed: { kind: 'startFailed', error: invalid, lastStderr },
  lost: { kind: 'lost', error: closed, lastStderr, readyMs: 10 },
  stop: { kind: 'stop' },
  disable: { kind: 'stop', because: 'disabled' },
  stopped: { kind: 'stopped' },
} as const satisfies Record<string, ConnectionEvent>;

const fresh: ConnectionState = { kind: 'starting', attempt: 0, wasReady: false };
const invalidFailure: ConnectionState = { kind: 'failed', error: invalid, lastStderr };
const toStop: Changes = {
  stop: { kind: 'stopping' },
  disable: { kind: 'stopping', because: 'disabled' },
};
const toStopped: Changes = {
  stop: { kind: 'stopped' },
  disable: { kind: 'stopped', because: 'disabled' },
};

/** By event. Every other event leaves a state as it is. */
type Changes = Readonly<Partial<Record<keyof typeof events, ConnectionState>>>;

const changes: Readonly<Record<keyof typeof states, Changes>> = {
  stopped: { ...toStopped, start: fresh },
  blocked: { ...toStopped, start: fresh },
  failed: { ...toStopped, start: fresh },
  waiting: {
    ...toStopped,
    start: fresh,
    retry: { kind: 'starting', attempt: 2, wasReady: true },
  },
  starting: {
    ...toStop,
    opened: { kind: 'ready', server: other, attempt: 0 },
    startFailed: invalidFailure,
  },
  restarting: {
    ...toStop,
    opened: { kind: 'ready', server: other, attempt: 2 },
    startFailed: invalidFailure,
  },
  ready: {
    ...toStop,
    opened: { kind: 'ready', server: other, attempt: 0 },
    lost: {
      kind: 'waiting',
      attempt: 1,
      wasReady: true,
      delayMs: 1000,
      cause: closed,
      lastStderr,
    },
  },
  stopping: { ...toStop, stopped: { kind: 'stopped' } },
};

/** After a start that was put off for this long. */
function after(ms: number, state: ConnectionState): ConnectionState {
  const error = new HttpError('http', 503, 'busy', '', ms);
  return transition(state, { kind: 'startFailed', error, lastStderr });
}

const delayOf = (state: ConnectionState): unknown => state.kind === 'waiting' && state.delayMs;

describe('transition', () => {
  for (const [stateName, state] of Object.entries<ConnectionState>(states)) {
    const rows: Readonly<Record<string, Changes>> = changes;
    const row: Readonly<Record<string, ConnectionState>> = rows[stateName] ?? {};
    for (const [eventName, event] of Object.entries<ConnectionEvent>(events)) {
      it(`${stateName} + ${eventName}`, () => {
        assert.deepEqual(transition(state, event), row[eventName] ?? state);
      });
    }
  }

  it('says what a start waits for the user to do, until that is done', () => {
    const asks = transition(states.restarting, { kind: 'asks', waitsFor: 'signIn' });
    assert.deepEqual(asks, { ...states.restarting, waitsFor: 'signIn' });
    assert.deepEqual(transition(asks, { kind: 'asks', waitsFor: 'input' }), {
      ...states.restarting,
      waitsFor: 'input',
    });
    assert.deepEqual(transition(asks, { kind: 'asks', waitsFor: undefined }), states.restarting);
    assert.equal(transition(states.ready, { kind: 'asks', waitsFor: 'signIn' }), states.ready);
    assert.deepEqual(transition(asks, events.stop), { kind: 'stopping' });
  });

  it('remembers while stopping why it will be stopped', () => {
    const stopping = transition(states.ready, events.disable);
    assert.deepEqual(transition(stopping, events.stopped), {
      kind: 'stopped',
      because: 'disabled',
    });
  });

  it('a server that breaks the protocol is not started again', () => {
    const error = new McpError('protocol', 'it sends binary frames');
    const state = transition(states.ready, { ...events.lost, error });
    assert.deepEqual(state, { kind: 'failed', error, lastStderr });
  });

  it('restarts a crashing server 1, 2, 4, 8, 16 and 30 s apart, then gives up', () => {
    const delays: number[] = [];
    let state: ConnectionState = states.ready;
    for (;;) {
      state = transition(state, events.lost);
      if (state.kind !== 'waiting') {
        break;
      }
      delays.push(state.delayMs);
      state = transition(transition(state, events.retry), events.opened);
    }
    assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 30_000]);
    assert.deepEqual(state, { kind: 'failed', error: closed, lastStderr });
  });

  it('forgets earlier restarts of a server that ran for a minute', () => {
    const state = transition(
      { kind: 'ready', server, attempt: restartRules.maxRestarts },
      { ...events.lost, readyMs: restartRules.stableMs },
    );
    assert.equal(state.kind === 'waiting' && state.attempt, 1);
  });

  it('restarts a server that ended in its first handshakes twice, then gives up', () => {
    let state: ConnectionState = states.starting;
    let starts = 0;
    while (state.kind === 'starting') {
      starts += 1;
      const next = transition(state, { kind: 'startFailed', error: closed, lastStderr });
      state = next.kind === 'waiting' ? transition(next, events.retry) : next;
    }
    assert.equal(starts, 3);
    assert.equal(state.kind, 'failed');
  });

  const outcomes: readonly (readonly [ErrorCode, string, string])[] = [
    ['cancelled', 'stopped', 'stopped'],
    ['denied', 'consentNeeded', 'consentNeeded'],
    ['forbidden', 'failed', 'failed'],
    ['signInNeeded', 'signInNeeded', 'signInNeeded'],
    ['closed', 'waiting', 'waiting'],
    ['unreachable', 'failed', 'waiting'],
    ['timeout', 'failed', 'waiting'],
    ['http', 'failed', 'waiting'],
    ['sessionExpired', 'failed', 'waiting'],
    ['unauthorized', 'failed', 'failed'],
    ['rpc', 'failed', 'failed'],
    ['protocol', 'failed', 'failed'],
    ['unsupported', 'failed', 'failed'],
    ['invalidConfig', 'failed', 'failed'],
    ['invalidInput', 'failed', 'failed'],
  ];
  for (const [code, first, again] of outcomes) {
    it(`a start that fails with "${code}": ${first} at first, ${again} after having been ready`, () => {
      const error = new McpError(code, 'x');
      const event = { kind: 'startFailed', error, lastStderr } as const;
      const kinds = [states.starting, states.restarting].map((state) => {
        const next = transition(state, event);
        return next.kind === 'stopped' ? (next.because ?? next.kind) : next.kind;
      });
      assert.deepEqual(kinds, [first, again]);
    });
  }

  it('starts a busy server when it wishes, unless that is too late for anybody to wait', () => {
    assert.equal(delayOf(after(45_000, states.starting)), 45_000);
    assert.equal(delayOf(after(45_000, states.restarting)), 45_000);
    assert.equal(delayOf(after(1, states.restarting)), 4_000);
    assert.equal(after(3_600_000, states.starting).kind, 'failed');
    const last = { ...states.starting, attempt: restartRules.maxStartRetries };
    assert.equal(after(1_000, last).kind, 'failed');
  });
});
