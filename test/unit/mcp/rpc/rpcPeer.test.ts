import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { type ServerAccount, ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { Notification, Progress, RequestOptions } from '../../../../src/mcp/rpc/peer.ts';
import { maxRunning } from '../../../../src/mcp/rpc/inboundRequests.ts';
import { Peer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import type { Diagnostic } from '../../../../src/mcp/transport/transport.ts';
import { deferred } from '../../../support/deferred.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { FakeTransport, noReply } from '../../../support/fakeTransport.ts';
import { expectNoListeners } from '../../../support/leaks.ts';
import { withTimeJumps } from '../../../support/timeJump.ts';

const patient: RequestOptions = { idleMs: 30_000, totalMs: 60_000 };

function setUp(memory?: ServerAccount) {
  const transport = new FakeTransport();
  const peer = closedAfterTest(new Peer(transport, undefined, memory));
  const diagnostics: Diagnostic[] = [];
  const notifications: Notification[] = [];
  peer.onDidDiagnose((diagnostic) => diagnostics.push(diagnostic));
  peer.onDidReceiveNotification((notification) => notifications.push(notification));
  return { transport, peer, diagnostics, notifications };
}

/** Lets everything that is ready run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('RpcPeer: requests', () => {
  it('BASE-01, BASE-02: stamps the version and an integer id', async () => {
    const { transport, peer } = setUp();
    transport.respond('tools/list', () => ({ tools: [] }));
    assert.deepEqual(await peer.request('tools/list', { cursor: 'x' }, patient), { tools: [] });
    const [sent] = transport.sent;
    assert.deepEqual(sent, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { cursor: 'x' },
    });
  });

  it('BASE-03: never uses an id twice, also across sessions', async () => {
    const { transport, peer } = setUp();
    transport.respond('x', () => ({}));
    await peer.request('x', undefined, patient);
    peer.beginSession();
    await peer.request('x', undefined, patient);
    assert.deepEqual(
      transport.sentOf('x').map(({ id }) => id),
      [1, 2],
    );
  });

  it('BASE-12: matches replies by id, not by order', async () => {
    const { transport, peer } = setUp();
    const first = peer.request('a', {}, patient);
    const second = peer.request('b', {}, patient);
    transport.push({ id: 2, result: 'second' });
    transport.push({ id: 1, result: 'first' });
    assert.deepEqual(await Promise.all([first, second]), ['first', 'second']);
  });

  it('rejects with the error of the server, its code and data', async () => {
    const { transport, peer } = setUp();
    transport.respond('a', () => {
      throw new RpcError(-32002, 'no such resource', { uri: 'x:y' });
    });
    await assert.rejects(peer.request('a', {}, patient), {
      code: 'rpc',
      rpcCode: -32002,
      message: 'no such resource',
      data: { uri: 'x:y' },
    });
  });

  it('a message that cannot be sent costs its own request alone', async () => {
    const { transport, peer } = setUp();
    transport.respond('b', () => 'fine');
    transport.failNext(new McpError('http', 'the server answered 500'));
    const failed = peer.request('a', {}, patient);
    const fine = peer.request('b', {}, patient);
    await assert.rejects(failed, { code: 'http' });
    assert.equal(await fine, 'fine');
  });

  it('arguments that JSON cannot hold are the fault of the caller', async () => {
    const { transport, peer } = setUp();
    transport.respond('b', () => 'fine');
    await assert.rejects(peer.request('a', { n: 1n }, patient), { code: 'invalidInput' });
    assert.equal(await peer.request('b', {}, patient), 'fine');
  });
});

describe('RpcPeer: replies that match nothing', () => {
  const cases: readonly [string, object, Diagnostic['level'], RegExp][] = [
    ['CANC-05: to an id that was answered', { id: 1, result: 2 }, 'debug', /late or second/],
    ['to an unknown id', { id: 99, result: {} }, 'warn', /99, a request that was never/],
    ['to an id as text', { id: '1', result: {} }, 'warn', /"1", a request that was never/],
    [
      'BASE-07: an error without id',
      { error: { code: 1, message: 'hm' } },
      'warn',
      /without an id: hm/,
    ],
  ];
  for (const [name, reply, level, text] of cases) {
    it(`${name} are diagnosed, and nothing else`, async () => {
      const { transport, peer, diagnostics } = setUp();
      const first = peer.request('a', {}, patient);
      transport.push({ id: 1, result: 1 });
      transport.push({ ...reply });
      assert.equal(await first, 1);
      assert.equal(diagnostics.length, 1);
      assert.equal(diagnostics[0]?.level, level);
      assert.match(diagnostics[0].text, text);
      transport.respond('b', () => 'alive');
      assert.equal(await peer.request('b', {}, patient), 'alive');
    });
  }

  it('BASE-07: an error without id belongs to the exchange that carried it', async () => {
    const { transport, peer } = setUp();
    const first = peer.request('a', {}, patient);
    transport.push({ error: { code: -32600, message: 'unreadable' } }, 1);
    await assert.rejects(first, { rpcCode: -32600 });
  });
});

describe('RpcPeer: progress', () => {
  it('META-04, PROG-01: the token is inside _meta, only if wanted, beside what was there', async () => {
    const { transport, peer } = setUp();
    transport.respond('a', () => ({}));
    const own = { 'org.example/trace': 7 };
    await peer.request('a', { name: 'x', _meta: own }, { ...patient, onProgress: () => undefined });
    await peer.request('a', { name: 'x', _meta: own }, patient);
    await peer.request('a', undefined, { ...patient, onProgress: () => undefined });
    assert.deepEqual(
      transport.sentOf('a').map(({ params }) => params),
      [
        { name: 'x', _meta: { ...own, progressToken: 1 } },
        { name: 'x', _meta: own },
        { _meta: { progressToken: 3 } },
      ],
    );
  });

  it('arrives before the reply that shares its chunk', async () => {
    const { transport, peer } = setUp();
    const seen: unknown[] = [];
    const result = peer
      .request('a', {}, { ...patient, onProgress: ({ progress }) => seen.push(progress) })
      .then((value) => seen.push(value));
    for (let progress = 1; progress <= 150; progress++) {
      transport.push({
        method: 'notifications/progress',
        params: { progressToken: 1, progress, total: 150 },
      });
    }
    transport.push({ id: 1, result: 'done' });
    await result;
    assert.equal(seen.length, 151);
    assert.equal(seen.at(-1), 'done');
  });

  it('PROG-03: passes fractions and messages on, and nothing that does not rise', async () => {
    const { transport, peer } = setUp();
    const seen: Progress[] = [];
    const onProgress = (progress: Progress): unknown => seen.push(progress);
    const done = peer.request('a', {}, { ...patient, onProgress });
    const push = (params: object): void =>
      transport.push({ method: 'notifications/progress', params: { progressToken: 1, ...params } });
    push({ progress: 0.5, total: 1.5, message: 'half', _meta: { note: 1 } });
    push({ progress: 0.5 });
    push({ progress: 0.25 });
    push({ progress: '3' });
    push({ progress: 1, total: null, message: 3 });
    transport.push({ id: 1, result: {} });
    await done;
    assert.deepEqual(seen, [
      { progress: 0.5, total: 1.5, message: 'half', _meta: { note: 1 } },
      { progress: 1, total: undefined, message: undefined },
    ]);
  });

  it('PROG-04: for unknown or finished requests is dropped', async () => {
    const { transport, peer, notifications } = setUp();
    let count = 0;
    const done = peer.request('a', {}, { ...patient, onProgress: () => count++ });
    transport.push({ id: 1, result: {} });
    await done;
    for (const progressToken of [1, 7, 'x', null]) {
      transport.push({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    transport.push({ method: 'notifications/progress' });
    assert.equal(count, 0);
    assert.deepEqual(notifications, []);
  });
});

describe('RpcPeer: deadlines', () => {
  it('TIME-01, CAN-07: a silent request is given up and cancelled at the server', async () => {
    const { transport, peer } = setUp();
    const waiting = peer.request('a', {}, { idleMs: 20, totalMs: 10_000 });
    transport.push({ id: 'q', method: 'ask' }); // nobody works on it yet
    await assert.rejects(waiting, { code: 'timeout', message: /no sign of progress for 0 s/ });
    const [cancel] = transport.sentOf('notifications/cancelled');
    assert.deepEqual(cancel?.params, { requestId: 1, reason: 'The request timed out' });
    assert.equal(transport.sendOptions[0]?.signal?.aborted, true);
  });

  it('TIME-02: each request has its own limit', async () => {
    const { peer } = setUp();
    let isLongSettled = false;
    const long = peer.request('long', {}, patient).finally(() => {
      isLongSettled = true;
    });
    await assert.rejects(peer.request('short', {}, { ...patient, idleMs: 10 }), {
      code: 'timeout',
    });
    assert.equal(isLongSettled, false);
    const closed = assert.rejects(long, { code: 'closed' });
    await peer.close();
    await closed;
  });

  it('TIME-03, CAN-09: progress renews the idle limit, never the limit in all', async () => {
    const { transport, peer } = setUp();
    let progress = 0;
    const startedAt = performance.now();
    const beat = setInterval(() => {
      progress += 1;
      transport.push({ method: 'notifications/progress', params: { progressToken: 1, progress } });
    }, 20);
    const waiting = peer.request(
      'a',
      {},
      { idleMs: 400, totalMs: 1200, onProgress: () => undefined },
    );
    await assert.rejects(waiting, { code: 'timeout', message: /limit of 1.2 s in all/ });
    clearInterval(beat);
    assert.ok(performance.now() - startedAt >= 1190);
  });

  it('TIME-03: progress without a number renews no limit', async () => {
    const { transport, peer } = setUp();
    await withTimeJumps(async (pass) => {
      const call = peer.request('a', {}, { ...patient, onProgress: () => undefined });
      pass(20_000);
      const params = { progressToken: 1, progress: 'x' };
      transport.push({ method: 'notifications/progress', params });
      pass(20_000);
      pass(60_000);
      await assert.rejects(call, { code: 'timeout', message: /no sign of progress/ });
    });
  });

  it('TIME-04: an idle limit does not run out while the server waits for us', async () => {
    const { transport, peer } = setUp();
    const question = deferred<unknown>();
    peer.acceptRequests(new Map([['ask', () => question.promise]]));
    let isSettled = false;
    const call = peer.request('a', {}, { idleMs: 60, totalMs: 10_000 }).finally(() => {
      isSettled = true;
    });
    transport.push({ id: 'q', method: 'ask' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(isSettled, false);
    question.resolve({});
    await assert.rejects(call, { code: 'timeout' });
  });

  it('TIME-04: after that its idle limit begins anew', async () => {
    const { transport, peer } = setUp();
    const question = deferred<unknown>();
    peer.acceptRequests(new Map([['ask', () => question.promise]]));
    let isSettled = false;
    await withTimeJumps(async (pass) => {
      const call = peer.request('a', {}, { idleMs: 10_000, totalMs: 60_000 }).finally(() => {
        isSettled = true;
      });
      transport.push({ id: 'q', method: 'ask' });
      pass(20_000);
      question.resolve({});
      await settled();
      pass(5_000);
      await settled();
      assert.equal(isSettled, false);
      pass(6_000);
      await assert.rejects(call, { code: 'timeout' });
    });
  });

  it('TIME-04: the limit in all goes on meanwhile', async () => {
    const { transport, peer } = setUp();
    peer.acceptRequests(new Map([['ask', () => new Promise(() => undefined)]]));
    const call = peer.request('a', {}, { idleMs: 10_000, totalMs: 50 });
    transport.push({ id: 'q', method: 'ask' });
    await assert.rejects(call, { code: 'timeout' });
  });
});

describe('RpcPeer: cancellation by the caller', () => {
  it('CANC-01, CAN-01, CAN-05: rejects at once and tells the server; a late reply is discarded', async () => {
    const { transport, peer, diagnostics } = setUp();
    const controller = new AbortController();
    const call = peer.request('a', {}, { ...patient, signal: controller.signal });
    controller.abort(new Error('private reason'));
    await assert.rejects(call, { code: 'cancelled' });
    const [cancel] = transport.sentOf('notifications/cancelled');
    assert.equal(cancel?.params?.['requestId'], 1);
    assert.doesNotMatch(JSON.stringify(cancel), /private/);
    transport.push({ id: 1, result: {} });
    assert.match(diagnostics.at(-1)?.text ?? '', /late or second/);
  });

  it('CANC-01, CAN-04, CAN-06: nothing is cancelled that was answered, and nothing sent that was cancelled before', async () => {
    const { transport, peer } = setUp();
    transport.respond('a', () => ({}));
    const controller = new AbortController();
    await peer.request('a', {}, { ...patient, signal: controller.signal });
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
    controller.abort();
    await assert.rejects(peer.request('b', {}, { ...patient, signal: controller.signal }), {
      code: 'cancelled',
    });
    assert.deepEqual(transport.events, ['a']);
  });

  it('CANC-02: what must not be cancelled is only given up', async () => {
    const { transport, peer } = setUp();
    const controller = new AbortController();
    const options = { ...patient, signal: controller.signal, isCancellable: false };
    const call = peer.request('initialize', {}, options);
    controller.abort();
    await assert.rejects(call, { code: 'cancelled' });
    assert.deepEqual(transport.events, ['initialize']);
  });

  it('keeps the reason when it is an error of ours', async () => {
    const { peer } = setUp();
    const controller = new AbortController();
    const call = peer.request('a', {}, { ...patient, signal: controller.signal });
    controller.abort(new McpError('timeout', 'the whole took too long'));
    await assert.rejects(call, { code: 'timeout' });
  });

  it('tells the transport only after the server has been told', async () => {
    const { transport, peer } = setUp();
    const controller = new AbortController();
    const call = peer.request('a', {}, { ...patient, signal: controller.signal });
    let cancelsAtAbort = -1;
    transport.sendOptions[0]?.signal?.addEventListener('abort', () => {
      cancelsAtAbort = transport.sentOf('notifications/cancelled').length;
    });
    controller.abort();
    await assert.rejects(call);
    assert.equal(cancelsAtAbort, 1);
  });
});

describe('RpcPeer: requests of the server', () => {
  it('PING-01: answers ping at once, also before it accepts requests', async () => {
    const { transport } = setUp();
    transport.push({ id: 'p', method: 'ping' });
    assert.deepEqual(transport.sent, [{ jsonrpc: '2.0', id: 'p', result: {} }]);
  });

  it('BASE-04: echoes ids with their JSON type', async () => {
    const { transport, peer } = setUp();
    peer.acceptRequests(new Map([['ask', async () => ({ ok: true })]]));
    transport.push({ id: 7, method: 'ask' });
    transport.push({ id: '7', method: 'ask', params: null });
    await settled();
    assert.deepEqual(transport.sent, [
      { jsonrpc: '2.0', id: 7, result: { ok: true } },
      { jsonrpc: '2.0', id: '7', result: { ok: true } },
    ]);
  });

  it('BASE-03: a second request with the id of one under way is ignored', async () => {
    const { transport, peer } = setUp();
    const answer = Promise.withResolvers<object>();
    let asked = 0;
    const handler = (): Promise<object> => {
      asked += 1;
      return answer.promise;
    };
    peer.acceptRequests(new Map([['ask', handler]]));
    transport.push({ id: 'q', method: 'ask' });
    transport.push({ id: 'q', method: 'ask' });
    answer.resolve({});
    await settled();
    assert.equal(asked, 1);
    assert.deepEqual(transport.sent, [{ jsonrpc: '2.0', id: 'q', result: {} }]);
  });

  it('BASE-03: an id of the server may equal one of ours', async () => {
    const { transport, peer } = setUp();
    peer.acceptRequests(new Map([['ask', async () => 'ours']]));
    const call = peer.request('a', {}, patient);
    transport.push({ id: 1, method: 'ask' });
    await settled();
    transport.push({ id: 1, result: 'theirs' });
    assert.equal(await call, 'theirs');
    assert.deepEqual(transport.replies, [{ jsonrpc: '2.0', id: 1, result: 'ours' }]);
  });

  it('BASE-06: never replies to a notification, known or not', async () => {
    const { transport, peer, notifications } = setUp();
    peer.acceptRequests(new Map([['ask', async () => ({})]]));
    transport.push({ method: 'ask' });
    transport.push({ method: 'notifications/unknown', params: { a: 1 } }, 5);
    await settled();
    assert.deepEqual(transport.sent, []);
    assert.deepEqual(notifications, [
      { method: 'ask', params: {}, during: undefined },
      { method: 'notifications/unknown', params: { a: 1 }, during: 5 },
    ]);
  });

  it('LIFE-05: holds what comes before it accepts requests, in order and not without end', async () => {
    const { transport, peer } = setUp();
    const served: unknown[] = [];
    for (let id = 0; id < maxRunning + 6; id++) {
      transport.push({ id, method: 'ask', params: { id } });
    }
    assert.equal(transport.replies.length, 6);
    peer.acceptRequests(new Map([['ask', async (params) => void served.push(params['id'])]]));
    await settled();
    assert.deepEqual(
      served,
      Array.from({ length: maxRunning }, (_, index) => index),
    );
    assert.equal(transport.replies.length, maxRunning + 6);
  });

  it('PING-01: works on a bounded number of requests at the same time, and refuses the others by name, but no ping', async () => {
    const { transport, peer, diagnostics } = setUp();
    const answers: (() => void)[] = [];
    const wait = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
    peer.acceptRequests(new Map([['ask', wait]]));
    for (let id = 0; id < maxRunning + 5; id++) {
      transport.push({ id, method: 'ask' });
    }
    assert.equal(answers.length, maxRunning);
    assert.equal(transport.replies.length, 5);
    assert.match(JSON.stringify(transport.replies[0]), /-32603.*more than 100/);
    assert.match(
      diagnostics.map(({ text }) => text).join(),
      /"ask" was refused: the server waits for 100 answers already. .*stop the server/u,
    );
    transport.push({ id: 'p', method: 'ping' });
    assert.deepEqual(transport.replies.slice(5), [{ jsonrpc: '2.0', id: 'p', result: {} }]);
    answers.forEach((answer) => answer());
    await settled();
    transport.push({ id: 'again', method: 'ask' });
    assert.equal(transport.replies.length, 6 + maxRunning);
    assert.equal(answers.length, maxRunning + 1);
  });

  it('refuses requests that there is no memory for, held or worked on', async () => {
    const memory = new ServerMemory().open(64 * 2 ** 20);
    const { transport, peer } = setUp(memory);
    const answers: (() => void)[] = [];
    const ask = (id: number, text: string): void => {
      transport.emit({ jsonrpc: '2.0', id, method: 'ask', params: { text } });
    };
    const large = 'x'.repeat(40_000_000);
    ask(1, large);
    ask(2, large);
    assert.match(
      JSON.stringify(transport.replies),
      /"id":2.*-32603.*The request would take more memory than the 64 MiB/u,
    );
    peer.acceptRequests(
      new Map([['ask', () => new Promise<void>((resolve) => answers.push(resolve))]]),
    );
    ask(3, large);
    ask(4, 'small');
    const refused = transport.replies.map(({ id }) => id);
    assert.deepEqual(refused, [2, 3]);
    await settled();
    answers.forEach((answer) => answer());
    await settled();
    ask(5, large);
    assert.equal(answers.length, 3);
    await peer.close();
    assert.equal(memory.used, 0);
  });

  it('answers no more while the server does not take the answers, in arrays or not', async () => {
    const { transport, peer, diagnostics } = setUp();
    const taken = deferred<void>();
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      void send(message, options);
      return 'method' in message ? undefined : taken.promise;
    };
    let asked = 0;
    peer.acceptRequests(new Map([['ask', async () => void (asked += 1)]]));
    peer.sessionReady({ revision: '2025-03-26', sendsVersionHeader: false, answersBatches: true });
    for (let id = 0; id < maxRunning - 1; id++) {
      transport.push({ id, method: 'ping' });
    }
    transport.pushBatch({ id: 'a', method: 'ping' }, { id: 'b', method: 'unknown' });
    transport.push({ id: 'c', method: 'ping' });
    transport.push({ id: 'd', method: 'unknown' });
    transport.push({ id: 'e', method: 'ask' });
    transport.pushBatch({ id: 'f', method: 'ping' });
    assert.equal(transport.replies.length, maxRunning - 1);
    assert.equal(transport.sentBatches.length, 1);
    assert.equal(asked, 0);
    taken.resolve();
    await settled();
    const texts = diagnostics.map(({ text }) => text).join('\n');
    assert.match(texts, /^The server has not accepted 100 replies.* first "ping"$/u);
    transport.push({ id: 'e', method: 'ask' });
    await settled();
    assert.equal(asked, 1);
  });

  it('CAP-05, ERR-01: -32601 for what is not served, -32603 without internals for what fails', async () => {
    const { transport, peer, diagnostics } = setUp();
    const refusal = new RpcError(-1, 'the user said no', { by: 'user' });
    const failure = new Error('cannot read /home/someone/secret');
    peer.acceptRequests(
      new Map([
        ['refuse', () => Promise.reject(refusal)],
        ['fail', () => Promise.reject(failure)],
      ]),
    );
    for (const [id, method] of ['toString', 'refuse', 'fail'].entries()) {
      transport.push({ id, method });
    }
    await settled();
    assert.deepEqual(transport.sent, [
      { jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'Method not found: toString' } },
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -1, message: 'the user said no', data: { by: 'user' } },
      },
      { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'Internal error' } },
    ]);
    assert.match(diagnostics.at(-1)?.text ?? '', /"fail" from the server failed/);
  });

  it('CANC-03: a cancelled request is stopped and gets no reply', async () => {
    const { transport, peer } = setUp();
    let stopped: AbortSignal | undefined;
    const handler = (_params: unknown, context: { signal: AbortSignal }): Promise<unknown> => {
      stopped = context.signal;
      return new Promise((resolve) => {
        context.signal.addEventListener('abort', () => resolve({}), { once: true });
      });
    };
    peer.acceptRequests(new Map([['ask', handler]]));
    transport.push({ id: 'q', method: 'ask' });
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'q' } });
    await settled();
    assert.equal(stopped?.aborted, true);
    assert.deepEqual(transport.sent, []);
  });

  it('CANC-03: also while it waits to be accepted', async () => {
    const { transport, peer } = setUp();
    transport.push({ id: 'q', method: 'ask' });
    transport.push({ method: 'notifications/cancelled', params: { requestId: 'q' } });
    let runs = 0;
    peer.acceptRequests(new Map([['ask', async () => (runs += 1)]]));
    await settled();
    assert.deepEqual([runs, transport.sent], [0, []]);
  });

  it('CANC-04: cancellations that are malformed or name nothing are ignored', async () => {
    const { transport, peer } = setUp();
    peer.acceptRequests(new Map([['ask', async () => ({})]]));
    const call = peer.request('a', {}, patient);
    for (const params of [
      undefined,
      {},
      { requestId: null },
      { requestId: 1 },
      { requestId: 'x' },
    ]) {
      transport.push({ method: 'notifications/cancelled', params });
    }
    transport.push({ id: 1, result: 'ours goes on' });
    assert.equal(await call, 'ours goes on');
    assert.equal(transport.sent.length, 1);
  });

  it('a new session ends what the old one asked', async () => {
    const { transport, peer } = setUp();
    let stopped: AbortSignal | undefined;
    peer.acceptRequests(
      new Map([
        [
          'ask',
          (_params, context) => {
            stopped = context.signal;
            return Promise.resolve({});
          },
        ],
      ]),
    );
    transport.push({ id: 'q', method: 'ask' });
    peer.beginSession();
    transport.push({ id: 'r', method: 'ask' });
    await settled();
    assert.equal(stopped?.aborted, true);
    assert.deepEqual(transport.sent, []);
  });
});

describe('RpcPeer: the end', () => {
  it('STDIO-08: everything pending fails with the reason and the doubt', async () => {
    const { transport, peer } = setUp();
    const calls = [peer.request('a', {}, patient), peer.request('b', {}, patient)];
    transport.end({ kind: 'ended', detail: 'the process exited with code 3' });
    for (const call of calls) {
      await assert.rejects(call, {
        code: 'closed',
        message: /the process exited with code 3.*unknown/,
      });
    }
    await assert.rejects(peer.request('c', {}, patient), { code: 'closed' });
    await assert.rejects(peer.notify('n'), { code: 'closed' });
  });

  it('tells it once, lets go of the transport and stops what the server asked', async () => {
    const { transport, peer } = setUp();
    const reasons: string[] = [];
    let stopped: AbortSignal | undefined;
    peer.onDidClose((reason) => reasons.push(reason.kind));
    const handler = (_params: unknown, context: { signal: AbortSignal }): Promise<unknown> => {
      stopped = context.signal;
      return Promise.resolve({});
    };
    peer.acceptRequests(new Map([['ask', handler]]));
    transport.push({ id: 'q', method: 'ask' });
    await peer.close();
    await peer.close();
    assert.deepEqual(reasons, ['requested']);
    assert.equal(stopped?.aborted, true);
    assert.deepEqual(transport.sent, []);
    expectNoListeners(transport);
  });

  it('close rejects what is pending, hears nothing more, and is over when the channel has gone', async () => {
    const transport = new FakeTransport().respond('a', () => noReply);
    const peer = new Peer(transport);
    const call = peer.request('a', {}, patient);
    const gone = Promise.withResolvers<void>();
    transport.close = () => gone.promise;
    let isOver = false;
    const closing = peer.close().then(() => (isOver = true));
    await assert.rejects(call, { code: 'closed' });
    transport.push({ id: 'q', method: 'ping' });
    await settled();
    assert.deepEqual([isOver, transport.replies], [false, []]);
    transport.end();
    gone.resolve();
    await closing;
  });

  it('passes on what the transport and the layers above observe', async () => {
    const { transport, peer, diagnostics } = setUp();
    let losses = 0;
    peer.onDidLoseSession(() => losses++);
    const line: Diagnostic = { level: 'info', source: 'stderr', text: 'hello' };
    transport.diagnose(line);
    peer.diagnose('warn', 'from above');
    transport.loseSession();
    assert.deepEqual(diagnostics, [
      line,
      { level: 'warn', source: 'transport', text: 'from above' },
    ]);
    assert.equal(losses, 1);
  });
});

describe('RpcPeer: what the modern era needs', () => {
  describe('ERA-03: an error whose id is none of ours', () => {
    const ids = [null, undefined, '1', 'x', -32_603, 1.5, 7];
    const error = { code: -32_601, message: 'Method not found' };
    const isProbe = true;

    for (const id of ids) {
      it(`refuses a probe that waits alone: ${JSON.stringify(id) ?? 'none'}`, async () => {
        const { transport, peer } = setUp();
        const probe = peer.request('probe', {}, { ...patient, isProbe });
        transport.push({ ...(id !== undefined && { id }), error });
        await assert.rejects(probe, { rpcCode: -32_601, message: 'Method not found' });
      });
    }

    it('refuses nothing else, and no probe that does not wait alone', async () => {
      const { transport, peer, diagnostics } = setUp();
      transport.respond('first', () => 1);
      await peer.request('first', {}, patient);
      const answers = new Set<string>();
      const ask = (method: string, options: object): void =>
        void peer
          .request(method, {}, { ...patient, ...options })
          .finally(() => answers.add(method))
          .catch(() => undefined);
      ask('probe', { isProbe });
      transport.push({ id: 1, error }); // a second reply to the first request
      ask('call', {});
      for (const id of ids) {
        transport.push({ ...(id !== undefined && { id }), error });
      }
      await settled();
      assert.deepEqual([...answers], []);
      assert.equal(diagnostics.length, ids.length + 1);
    });

    it('refuses no other request, even if that waits alone', async () => {
      const { transport, peer } = setUp();
      const call = peer.request('call', {}, patient);
      for (const id of ids) {
        transport.push({ ...(id !== undefined && { id }), error });
      }
      transport.push({ id: 1, result: 'ours' });
      assert.equal(await call, 'ours');
    });

    it('is no result: one without our id is nobody’s', async () => {
      const { transport, peer } = setUp();
      const probe = peer.request('probe', {}, { ...patient, isProbe });
      transport.push({ id: 'x', result: 'theirs' });
      transport.push({ id: 1, result: 'ours' });
      assert.equal(await probe, 'ours');
    });
  });

  it('SUB-13: a request may have no limit of time, and still be given up', async () => {
    const { peer, transport } = setUp();
    const controller = new AbortController();
    const { signal } = controller;
    const call = peer.request('listen', {}, { idleMs: Infinity, totalMs: Infinity, signal });
    transport.respond('a', () => ({}));
    await peer.request('a', {}, patient);
    controller.abort();
    await assert.rejects(call, { code: 'cancelled' });
  });

  it('BASE-04 (2026), BASE-05 (2026), CAN-11: requests are dropped without a reply, cancellations handed on', async () => {
    const { transport, peer, diagnostics, notifications } = setUp();
    peer.dropRequests();
    transport.push({ id: 7, method: 'ping' });
    transport.push({ id: 8, method: 'roots/list' });
    transport.push({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await settled();
    assert.deepEqual(transport.sent, []);
    assert.deepEqual(
      diagnostics.map(({ text }) => text),
      ['ping', 'roots/list'].map((m) => `The server may not send requests: "${m}" was ignored`),
    );
    assert.deepEqual(
      notifications.map(({ method, params }) => [method, params]),
      [['notifications/cancelled', { requestId: 1 }]],
    );
    peer.beginSession();
    transport.push({ id: 9, method: 'ping' });
    assert.deepEqual(transport.replies, [{ jsonrpc: '2.0', id: 9, result: {} }]);
  });
});

describe('RpcPeer: what outlives a request', () => {
  it('PROG-01, PROG-06: progress for a token of the caller reaches it after the reply, and rises', async () => {
    const { transport, peer } = setUp();
    transport.respond('tools/call', () => ({}));
    const seen: (Progress | string)[] = [];
    const followed = peer.followProgress('task-1', (progress) => seen.push(progress));
    const sendProgress = (progress: unknown, message?: string): void =>
      transport.push({
        method: 'notifications/progress',
        params: { progressToken: 'task-1', progress, message },
      });
    sendProgress(1);
    await peer.request('tools/call', { _meta: { progressToken: 'task-1' } }, patient);
    seen.push('reply');
    sendProgress(2, 'half');
    sendProgress(2, 'no rise');
    sendProgress('3');
    followed.dispose();
    sendProgress(4);
    assert.deepEqual(seen, [
      { progress: 1, total: undefined, message: undefined },
      'reply',
      { progress: 2, total: undefined, message: 'half' },
    ]);
  });

  it('TIME-04: a pause counts like a question under way, and several of them add up', async () => {
    const { transport, peer } = setUp();
    let isSettled = false;
    const first = peer.pauseIdleLimits();
    const second = peer.pauseIdleLimits();
    const call = peer.request('a', {}, { idleMs: 60, totalMs: 10_000 }).finally(() => {
      isSettled = true;
    });
    peer.acceptRequests(new Map([['ask', async () => ({})]]));
    transport.push({ id: 'q', method: 'ask' });
    first.dispose();
    first.dispose();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(isSettled, false);
    second.dispose();
    await assert.rejects(call, { code: 'timeout' });
  });
});

describe('RpcPeer: what is told of requests', () => {
  it('CANC-06, CAN-10: the reason of a cancellation is logged, whoever cancels', async () => {
    const { transport, peer, diagnostics } = setUp();
    peer.acceptRequests(new Map([['ask', () => new Promise(() => undefined)]]));
    transport.push({ id: 'q', method: 'ask' });
    const params = { requestId: 'q', reason: 'no longer needed' };
    transport.push({ method: 'notifications/cancelled', params });
    const controller = new AbortController();
    const call = peer.request('a', {}, { ...patient, signal: controller.signal });
    controller.abort();
    await assert.rejects(call, { code: 'cancelled' });
    assert.deepEqual(
      diagnostics.map(({ level, text }) => [level, text]),
      [
        ['info', 'The server cancelled a request: "no longer needed"'],
        ['debug', '"a" was given up: The user or the client gave up'],
      ],
    );
  });
});
