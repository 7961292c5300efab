import assert from 'node:assert/strict';
import { readOrigin } from '../../../../src/host/requestOrigin.ts';
import {
  subjectOf,
  lookAtRequests,
  mostShown,
} from '../../../../src/host/requests/runningRequests.ts';
import type { InFlight, RunningRequest } from '../../../../src/mcp/session/session.ts';
import { running } from '../../../support/fakeSession.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

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
    const argument = { name: 'city', value: 'Pa' };
    const ref = { type: 'ref/prompt', name: 'greet' };
    const template = { type: 'ref/resource', uri: 'a:{city}' };
    assert.deepEqual(
      [
        of('tools/call', { name: 'add' }),
        of('tools/call', { name: 'add' }, true),
        of('prompts/get', { name: 'greet' }),
        of('resources/read', { uri: 'a:b' }),
        of('resources/unsubscribe', { uri: 'a:b' }),
        of('completion/complete', { argument, ref }),
        of('completion/complete', { argument, ref: template }),
        of('resources/templates/list'),
        of('logging/setLevel', { level: 'info' }),
      ],
      [
        { kind: 'tool', name: 'add' },
        { kind: 'task', name: 'add' },
        { kind: 'prompt', name: 'greet' },
        { kind: 'resource', name: 'a:b' },
        { kind: 'unsubscription', name: 'a:b' },
        { kind: 'completion', name: 'city', of: 'greet' },
        { kind: 'completion', name: 'city', of: 'a:{city}' },
        { kind: 'list', name: 'resources/templates/list', list: 'resourceTemplates' },
        { kind: 'other', name: 'logging/setLevel' },
      ],
    );
  });

  it('survives parameters of any shape, which a client of the bridge may send', () => {
    assert.deepEqual(of('tools/call', { name: 3 }), { kind: 'tool', name: 'tools/call' });
    assert.deepEqual(of('completion/complete', { argument: null, ref: [] }), {
      kind: 'completion',
      name: 'completion/complete',
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
