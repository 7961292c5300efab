import assert from 'node:assert/strict';
import { readOrigin } from '../../../../src/host/requestOrigin.ts';
import {
  subjectOf,
  lookAtRequests,
  mostShown,
} from '../../../../src/host/requests/runningRequests.ts';
import type { InFlight, RunningRequest } from '../../../../src/mcp/session/session.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

function running(
  method: string,
  ageMs: number,
  more: Partial<RunningRequest> = {},
): RunningRequest {
  return {
    key: {},
    method,
    params: {},
    origin: undefined,
    isTask: false,
    startedAt: performance.now() - ageMs,
    progress: undefined,
    dueAt: Infinity,
    times: { idleMs: Infinity, totalMs: Infinity },
    cancel: () => undefined,
    keepWaiting: () => undefined,
    ...more,
  };
}

function servers(all: Readonly<Record<string, readonly RunningRequest[] | undefined>>) {
  return {
    servers: new Map(
      Object.entries(all).map(([name, requests]) => {
        const inFlight: InFlight | undefined = requests && {
          running: () => requests,
          watch: () => ({ dispose: () => undefined }),
        };
        return [name, { config: stdioServer(name), inFlight: () => inFlight }] as const;
      }),
    ),
  };
}

describe('Running requests', () => {
  it('are those of all servers, the oldest first, without what is answered soon', () => {
    const look = lookAtRequests(
      servers({
        a: [running('tools/call', 10), running('tools/call', 3_000), running('tools/list', 5_000)],
        b: [running('resources/read', 4_000)],
        stopped: undefined,
      }),
      1_000,
    );
    assert.deepEqual(
      look.requests.map(({ server, request }) => `${server.name} ${request.method}`),
      ['a tools/list', 'b resources/read', 'a tools/call'],
    );
    assert.deepEqual([look.more, look.isAny], [0, true]);
  });

  it('include nothing that nobody asked for', () => {
    const kept = ['subscriptions/listen', 'server/discover', 'ping'];
    const look = lookAtRequests(servers({ a: kept.map((method) => running(method, 90_000)) }), 0);
    assert.deepEqual(look, { requests: [], more: 0, isAny: false });
  });

  it('are looked for again while something runs, however young', () => {
    const look = lookAtRequests(servers({ a: [running('tools/call', 1)] }), 60_000);
    assert.deepEqual(look, { requests: [], more: 0, isAny: true });
  });

  it('are bounded: the oldest are shown, the others counted', () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      running('tools/call', 5_000 + index, { params: { name: `t${index}` } }),
    );
    const look = lookAtRequests(servers({ a: many }), 1_000);
    assert.equal(look.requests.length, mostShown);
    assert.equal(look.more, 5_000 - mostShown);
    assert.deepEqual(look.requests[0]?.request.params, { name: 't4999' });
  });
});

const of = (method: string, params?: Readonly<Record<string, unknown>>, isTask = false) =>
  subjectOf({ method, params, isTask });

describe('What a request is about', () => {
  it('is said in terms of what a server offers', () => {
    assert.deepEqual(of('tools/call', { name: 'add' }), { kind: 'tool', name: 'add' });
    assert.deepEqual(of('tools/call', { name: 'add' }, true), { kind: 'task', name: 'add' });
    assert.deepEqual(of('prompts/get', { name: 'greet' }), { kind: 'prompt', name: 'greet' });
    assert.deepEqual(of('resources/read', { uri: 'a:b' }), { kind: 'resource', uri: 'a:b' });
    assert.deepEqual(of('resources/unsubscribe', { uri: 'a:b' }), {
      kind: 'subscription',
      uri: 'a:b',
      isEnd: true,
    });
    const argument = { name: 'city', value: 'Pa' };
    assert.deepEqual(
      of('completion/complete', { argument, ref: { type: 'ref/prompt', name: 'greet' } }),
      { kind: 'completion', argument: 'city', of: 'greet' },
    );
    assert.deepEqual(
      of('completion/complete', { argument, ref: { type: 'ref/resource', uri: 'a:{city}' } }),
      { kind: 'completion', argument: 'city', of: 'a:{city}' },
    );
    assert.deepEqual(of('resources/templates/list'), { kind: 'list', list: 'resourceTemplates' });
    assert.deepEqual(of('logging/setLevel', { level: 'info' }), {
      kind: 'other',
      method: 'logging/setLevel',
    });
  });

  it('survives parameters of any shape, which a client of the bridge may send', () => {
    assert.deepEqual(of('tools/call', { name: 3 }), { kind: 'tool', name: '' });
    assert.deepEqual(of('completion/complete', { argument: null, ref: [] }), {
      kind: 'completion',
      argument: '',
      of: '',
    });
  });

  it('who wants it is known where it was said', () => {
    assert.deepEqual(readOrigin({ kind: 'extension', id: 'a.b' }), {
      kind: 'extension',
      id: 'a.b',
    });
    assert.deepEqual(readOrigin({ kind: 'model' }), { kind: 'model' });
    assert.equal(readOrigin({ kind: 'extension' }), undefined);
    assert.equal(readOrigin({ kind: 'somebody' }), undefined);
    assert.equal(readOrigin(undefined), undefined);
  });
});
