import assert from 'node:assert/strict';
import { delay } from '../../../../../src/base/async.ts';
import type {
  CallOptions,
  ClientOptions,
  Session,
} from '../../../../../src/mcp/session/session.ts';
import { McpError, RpcError, isRpcError } from '../../../../../src/mcp/errors.ts';
import type { Progress } from '../../../../../src/mcp/rpc/peer.ts';
import type { Diagnostic } from '../../../../../src/mcp/transport/transport.ts';
import { deferred } from '../../../../support/deferred.ts';
import { FakeTransport, noReply } from '../../../../support/fakeTransport.ts';
import { openedLegacy } from '../../../../support/legacySession.ts';
import { withTimeJumps } from '../../../../support/timeJump.ts';
import { turns, waitUntil } from '../../../../support/waitUntil.ts';

type Json = Readonly<Record<string, unknown>>;

const allTasks = { cancel: {}, requests: { tools: { call: {} } } };
const tools = [
  { name: 'always', inputSchema: {}, execution: { taskSupport: 'required' } },
  { name: 'maybe', inputSchema: {}, execution: { taskSupport: 'optional' } },
  { name: 'never', inputSchema: {}, execution: { taskSupport: 'forbidden' } },
  { name: 'plain', inputSchema: {} },
];
const done = { content: [{ type: 'text', text: 'done' }] };

function task(status: string, more: Json = {}): Json {
  const createdAt = '2025-11-25T10:30:00Z';
  return { taskId: 't1', status, createdAt, lastUpdatedAt: createdAt, ttl: 60_000, ...more };
}

/** A session that knows the tools; `states` are what `tasks/get` answers, the last one for ever. */
async function opened({
  tasks = allTasks,
  revision = '2025-11-25',
  states = [task('completed')],
  greeting = {},
}: {
  readonly tasks?: unknown;
  readonly revision?: string;
  readonly states?: readonly Json[];
  readonly greeting?: Partial<ClientOptions>;
} = {}) {
  const left = [...states];
  const transport = new FakeTransport()
    .respond('tools/list', () => ({ tools }))
    .respond('tools/call', ({ task: asked }) =>
      asked === undefined ? done : { task: task('working') },
    )
    .respond('tasks/get', () => (left.length > 1 ? left.shift() : left[0]))
    .respond('tasks/result', () => done)
    .respond('tasks/cancel', () => task('cancelled'));
  const { session } = await openedLegacy(
    { protocolVersion: revision, capabilities: { tools: {}, tasks } },
    greeting,
    transport,
  );
  const diagnostics: Diagnostic[] = [];
  session.onDidDiagnose((diagnostic) => diagnostics.push(diagnostic));
  await session.call('tools/list', {});
  return { transport, session, diagnostics };
}

const call = (session: Session, name: string, options: CallOptions = {}): Promise<unknown> =>
  session.call('tools/call', { name, arguments: { a: 1 } }, options);

const ignore = (): void => undefined;

/** What the server asks of the user in the task. */
const question = {
  id: 'q',
  method: 'elicitation/create',
  params: {
    message: 'Which?',
    requestedSchema: { type: 'object', properties: {} },
    _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } },
  },
} as const;

const decline = async () => ({ action: 'decline' as const });

const methods = (transport: FakeTransport): readonly string[] =>
  transport.sent.flatMap((message) => ('method' in message ? [message.method] : []));

describe('ToolTasks: which calls become tasks', () => {
  for (const [name, isTask] of [
    ['always', true],
    ['maybe', true],
    ['never', false],
    ['plain', false],
    ['unlisted', false],
  ] as const) {
    it(`TASK-03: the tool "${name}" ${isTask ? 'is' : 'is not'} called as a task`, async () => {
      const { transport, session } = await opened();
      assert.deepEqual(await call(session, name), done);
      const [sent] = transport.sentOf('tools/call');
      // The limit in all, and a minute to fetch the result.
      assert.deepEqual(sent?.params?.['task'], isTask ? { ttl: 100_000 } : undefined);
      assert.equal(transport.sentOf('tasks/get').length, isTask ? 1 : 0);
    });
  }

  for (const tasks of [undefined, {}, { requests: {} }, { requests: { tools: {} } }, null, true]) {
    it(`TASK-02: never without tasks.requests.tools.call: ${JSON.stringify(tasks)}`, async () => {
      const { transport, session } = await opened({ tasks: tasks ?? 0 });
      await call(session, 'always');
      assert.equal(transport.sentOf('tools/call')[0]?.params?.['task'], undefined);
    });
  }

  it('CAP-03: never in a revision before tasks, whatever the server declares', async () => {
    const { transport, session } = await opened({ revision: '2025-06-18' });
    await call(session, 'always');
    assert.equal(transport.sentOf('tools/call')[0]?.params?.['task'], undefined);
  });

  it('a later list replaces what an earlier one said, page by page', async () => {
    const { transport, session } = await opened();
    transport.respond('tools/list', ({ cursor }) =>
      cursor === undefined
        ? { tools: [{ name: 'maybe', inputSchema: {} }], nextCursor: '2' }
        : { tools: [{ ...tools[0], name: 'plain' }] },
    );
    await session.call('tools/list', {});
    await session.call('tools/list', { cursor: '2' });
    await call(session, 'maybe');
    await call(session, 'plain');
    assert.deepEqual(
      transport.sentOf('tools/call').map(({ params }) => params?.['task'] !== undefined),
      [false, true],
    );
  });

  it('TASK-04: a result at once is the result, although a task was asked for', async () => {
    const { transport, session } = await opened();
    for (const result of [done, { ...done, task: task('working') }]) {
      transport.respond('tools/call', () => result);
      assert.deepEqual(await call(session, 'always'), result);
    }
    assert.equal(transport.sentOf('tasks/get').length, 0);
  });

  it('META-09: a trace context goes with the request for the task', async () => {
    const { transport, session } = await opened();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const params = { name: 'always', _meta: { traceparent } };
    await session.call('tools/call', params, { onProgress: ignore });
    const [sent] = transport.sentOf('tools/call');
    assert.deepEqual(sent?.params?.['_meta'], { progressToken: 'task-1', traceparent });
  });

  it('a handle that nobody asked for is followed, and reported', async () => {
    const { transport, session, diagnostics } = await opened();
    transport.respond('tools/call', () => ({ task: task('working') }));
    assert.deepEqual(await call(session, 'plain'), done);
    assert.ok(diagnostics.some(({ text }) => /as a task that it was not asked for/.test(text)));
  });

  it('a tool that is refused as a task is called plainly where it may be', async () => {
    const { transport, session } = await opened();
    transport.respond('tools/call', ({ task: asked }) => {
      if (asked !== undefined) {
        throw new RpcError(-32601, 'no tasks for this tool');
      }
      return done;
    });
    assert.deepEqual(await call(session, 'maybe'), done);
    await assert.rejects(call(session, 'always'), { code: 'rpc', message: /no tasks/ });
  });

  it('TASK-06: one that is refused for another reason, or was given up before, is not', async () => {
    const { transport, session } = await opened();
    transport.respond('tools/call', () => {
      throw new RpcError(-32603, 'broken');
    });
    await assert.rejects(call(session, 'maybe'), { rpcCode: -32603 });
    await assert.rejects(call(session, 'maybe', { signal: AbortSignal.abort() }), {
      code: 'cancelled',
    });
    assert.equal(transport.sentOf('tools/call').length, 1);
  });
});

describe('ToolTasks: from the handle to the result', () => {
  it('TASK-05, TASK-06, TASK-10: polls until the end, then fetches the result, naming the task', async () => {
    const { transport, session } = await opened({
      states: [task('working', { pollInterval: 1 }), task('completed')],
    });
    assert.deepEqual(await call(session, 'always'), done);
    const about = transport.sent.filter(
      (message) => 'method' in message && message.method.startsWith('tasks/'),
    );
    assert.deepEqual(
      about.map((message) => 'method' in message && [message.method, message.params]),
      [
        ['tasks/get', { taskId: 't1' }],
        ['tasks/get', { taskId: 't1' }],
        ['tasks/result', { taskId: 't1' }],
      ],
    );
  });

  it('TASK-05: leaves the server alone for as long as it wants', async () => {
    const times: number[] = [];
    const { transport, session } = await opened({});
    transport.respond('tasks/get', () => {
      times.push(performance.now());
      return task(times.length < 3 ? 'working' : 'completed', { pollInterval: 400 });
    });
    await call(session, 'always');
    const [first = 0, second = 0, third = 0] = times;
    assert.ok(second - first >= 395 && third - second >= 395, times.join());
    assert.ok(third - first < 3_500, 'and no longer'); // without a wish it would be 5 s
  });

  it('TASK-05: but asks it each minute at least', async () => {
    await withTimeJumps(async (pass) => {
      const { transport, session } = await opened({
        states: [task('working', { pollInterval: 3_600_000 }), task('completed')],
        greeting: { times: { idleMs: 3_600_000, totalMs: 3_600_000 } },
      });
      const result = call(session, 'always');
      for (let seconds = 0; seconds < 160; seconds += 20) {
        pass(20_000);
        await turns();
        await turns();
      }
      assert.deepEqual(await result, done);
      assert.equal(transport.sentOf('tasks/get').length, 2);
    });
  });

  it('TASK-08, TASK-14: polling goes on, whatever states come unasked', async () => {
    const { transport, session } = await opened({
      states: [task('working', { pollInterval: 1 }), task('completed')],
    });
    const result = call(session, 'always');
    await waitUntil('the first poll', () => transport.sentOf('tasks/get').length === 1);
    transport.push({ method: 'notifications/tasks/status', params: task('failed') });
    assert.deepEqual(await result, done);
    assert.equal(transport.sentOf('tasks/get').length, 2);
  });

  it('TASK-14: another status that comes unasked brings the next poll forward; one of a stranger does not', async () => {
    const { transport, session, diagnostics } = await opened({
      states: [task('working', { pollInterval: 60_000 }), task('completed')],
    });
    const seen: unknown[] = [];
    const result = call(session, 'always', { onProgress: ({ message }) => seen.push(message) });
    await waitUntil('the first poll', () => transport.sentOf('tasks/get').length === 1);
    const method = 'notifications/tasks/status';
    transport.push({ method, params: task('completed', { taskId: 'other' }) });
    transport.push({ method, params: task('working', { statusMessage: 'Half' }) });
    await delay(300);
    assert.equal(transport.sentOf('tasks/get').length, 1);
    transport.push({ method, params: task('completed') });
    assert.deepEqual(await result, done);
    assert.deepEqual(seen, ['Half']);
    assert.deepEqual(
      diagnostics.map(({ text }) => text).filter((text) => text.includes('ignored')),
      [],
    );
  });

  it('TASK-13: what the state says is shown as progress, with the value that the server reported', async () => {
    const seen: Progress[] = [];
    const { transport, session } = await opened({
      states: [
        task('working', { statusMessage: 'Gathering' }),
        task('working', { statusMessage: 'Writing', pollInterval: 1 }),
        task('completed'),
      ],
    });
    transport.respond('tools/call', ({ _meta }) => {
      assert.deepEqual(_meta, { progressToken: 'task-1' });
      return { task: task('working', { statusMessage: 'Gathering' }) };
    });
    const result = call(session, 'always', { onProgress: (progress) => seen.push(progress) });
    await waitUntil('the first status', () => seen.length === 1);
    // PROG-06: the token of the request that has been answered.
    const params = { progressToken: 'task-1', progress: 3, total: 4 };
    transport.push({ method: 'notifications/progress', params });
    await result;
    transport.push({ method: 'notifications/progress', params: { ...params, progress: 4 } });
    assert.deepEqual(seen, [
      { progress: 0, message: 'Gathering' },
      { progress: 3, total: 4, message: undefined },
      { progress: 3, total: 4, message: 'Writing' },
    ]);
  });

  it('PROG-01: each call has a token of its own', async () => {
    const { transport, session } = await opened();
    await Promise.all(
      ['always', 'always'].map((name) => call(session, name, { onProgress: ignore })),
    );
    assert.deepEqual(
      transport.sentOf('tools/call').map(({ params }) => params?.['_meta']),
      [{ progressToken: 'task-1' }, { progressToken: 'task-2' }],
    );
  });

  it('TASK-15: what may be told at once is told at once', async () => {
    const seen: Progress[] = [];
    const { transport, session } = await opened();
    transport.respond('tools/call', () => ({
      task: task('working'),
      _meta: { 'io.modelcontextprotocol/model-immediate-response': 'On its way' },
    }));
    await call(session, 'always', { onProgress: (progress) => seen.push(progress) });
    assert.deepEqual(seen, [{ progress: 0, message: 'On its way' }]);
  });

  it('TASK-07, TASK-09: asks for the result while input is required; the answer names the task', async () => {
    const { transport, session } = await opened({
      states: [task('input_required', { pollInterval: 1 })],
      greeting: { features: { elicit: decline } },
    });
    transport.respond('tasks/result', () => {
      transport.push(question);
      return noReply;
    });
    const result = call(session, 'always');
    await waitUntil('the answer', () => transport.replies.length === 1);
    assert.deepEqual(transport.replies[0], {
      jsonrpc: '2.0',
      id: 'q',
      result: {
        action: 'decline',
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } },
      },
    });
    await waitUntil('more polls', () => transport.sentOf('tasks/get').length === 3);
    const [request] = transport.sentOf('tasks/result');
    transport.push({ id: request?.id, result: done });
    assert.deepEqual(await result, done);
    assert.equal(transport.sentOf('tasks/result').length, 1);
  });

  it('TASK-07: a server that refuses to block is asked again when the task is over', async () => {
    let isOver = false;
    const { transport, session } = await opened({
      states: [task('input_required', { pollInterval: 1 }), task('completed')],
    });
    transport.respond('tasks/result', () => {
      if (!isOver) {
        isOver = true;
        throw new RpcError(-32602, 'Task not completed yet');
      }
      return done;
    });
    assert.deepEqual(await call(session, 'always'), done);
  });

  it('TASK-13, TRAP-54: a failed task has a result of the tool, or the error of the request and why', async () => {
    const { transport, session } = await opened({
      states: [task('failed', { statusMessage: 'the disk is full' })],
    });
    const failed = { content: [], isError: true };
    transport.respond('tasks/result', () => failed);
    assert.deepEqual(await call(session, 'always'), failed);
    transport.respond('tasks/result', () => {
      throw new RpcError(-32603, 'Broken', { a: 1 });
    });
    await assert.rejects(call(session, 'always'), (error) => {
      assert.ok(isRpcError(error));
      assert.deepEqual([error.rpcCode, error.data], [-32603, { a: 1 }]);
      assert.equal(error.message, 'Broken: the disk is full');
      return true;
    });
    assert.equal(transport.sentOf('tasks/result').length, 2, 'once each');
  });

  it('TASK-06: a tool that has run as a task is not called again, whatever its error is', async () => {
    const { transport, session } = await opened({ states: [task('failed')] });
    transport.respond('tasks/result', () => {
      throw new RpcError(-32601, 'Method not found: sampling/createMessage');
    });
    await assert.rejects(call(session, 'maybe'), { rpcCode: -32601 });
    assert.equal(transport.sentOf('tools/call').length, 1);
  });

  it('a task that the server cancelled, or no longer knows, leaves the outcome open', async () => {
    const { transport, session } = await opened({
      states: [task('cancelled', { statusMessage: 'maintenance' })],
    });
    await assert.rejects(call(session, 'always', { isRepeatable: true }), {
      code: 'closed',
      message: 'The server cancelled the task of "always": maintenance',
    });
    for (const code of [-32602, -32601]) {
      transport.respond('tasks/get', () => {
        throw new RpcError(code, 'Task has expired');
      });
      await assert.rejects(call(session, 'always', { isRepeatable: true }), {
        code: 'closed',
        message: /no longer knows the task of "always" \(Task has expired\).*is unknown/,
      });
    }
    assert.equal(transport.sentOf('tasks/cancel').length, 0);
    assert.equal(transport.sentOf('tools/call').length, 3, 'none is called again');
  });

  it('an answer that is no task ends the call', async () => {
    const { session } = await opened({ states: [{}] });
    await assert.rejects(call(session, 'always'), { code: 'protocol' });
  });

  it('a failure that may pass does not end the task', async () => {
    const { transport, session } = await opened();
    const result = call(session, 'always');
    await waitUntil('the task', () => transport.sentOf('tools/call').length === 1);
    await turns();
    transport.failNext(new McpError('unreachable', 'no route'), new McpError('http', '503'));
    assert.deepEqual(await result, done);
  });

  it('TASK-08: failures count from the last answer, not from the start', async () => {
    await withTimeJumps(async (pass) => {
      const times = { idleMs: 80_000, totalMs: 3_600_000 };
      const { transport, session } = await opened({ greeting: { times } });
      const error = new McpError('unreachable', 'no route');
      let answers = 0;
      transport.respond('tasks/get', () => {
        answers += 1;
        if (answers === 2) {
          transport.failNext(error, error, error);
        }
        return task(answers > 2 ? 'completed' : 'working', { pollInterval: 25_000 });
      });
      const result = call(session, 'always');
      for (let polls = 0; polls < 6; polls++) {
        await turns();
        pass(250);
        await turns();
        pass(25_000);
      }
      assert.deepEqual(await result, done);
      assert.equal(answers, 3);
    });
  });
});

describe('ToolTasks: giving up', () => {
  const working = { states: [task('working', { pollInterval: 1 })] };

  it('CANC-07: a task is cancelled by tasks/cancel, and by nothing else', async () => {
    const { transport, session } = await opened(working);
    const controller = new AbortController();
    const result = call(session, 'always', { signal: controller.signal });
    await waitUntil('the first poll', () => transport.sentOf('tasks/get').length === 1);
    controller.abort();
    await assert.rejects(result, { code: 'cancelled' });
    assert.deepEqual(transport.sentOf('tasks/cancel')[0]?.params, { taskId: 't1' });
    assert.ok(!methods(transport).includes('notifications/cancelled'));
  });

  it('CANC-07: also one that comes into being after its caller gave up', async () => {
    const { transport, session } = await opened(working);
    const handle = deferred<Json>();
    transport.respond('tools/call', () => handle.promise);
    const controller = new AbortController();
    const result = call(session, 'always', { signal: controller.signal });
    await turns();
    controller.abort();
    await assert.rejects(result, { code: 'cancelled' });
    handle.resolve({ task: task('working') });
    await waitUntil('the cancellation', () => transport.sentOf('tasks/cancel').length === 1);
    assert.ok(!methods(transport).includes('notifications/cancelled'));
  });

  it('TIME-03: a task over its limit in all is cancelled', async () => {
    const { transport, session } = await opened(working);
    const times = { idleMs: 10_000, totalMs: 400 };
    await assert.rejects(call(session, 'always', { times }), {
      code: 'timeout',
      message: /limit of 0.4 s in all/,
    });
    assert.equal(transport.sentOf('tasks/cancel').length, 1);
  });

  it('CANC-07: one that is cancelled by who looks on is cancelled as a task, also before there is one', async () => {
    const { transport, session } = await opened(working);
    const origin = { kind: 'chat' };
    const running = () => [...session.inFlight.running()];
    const message = '"tools/call" was cancelled by the user';
    const first = assert.rejects(call(session, 'always', { origin }), { message });
    const [request, ...others] = running();
    assert.deepEqual(others, [], 'what follows the task is no request of its own');
    assert.deepEqual([request?.isTask, request?.origin], [true, origin]);
    assert.deepEqual(request?.params, { name: 'always', arguments: { a: 1 } });
    request?.cancel();
    await first;
    await waitUntil('the end', () => transport.sentOf('tasks/cancel').length === 1);
    const second = assert.rejects(call(session, 'always'), { code: 'cancelled', message });
    await waitUntil('the first poll', () => transport.sentOf('tasks/get').length > 0);
    running()[0]?.cancel();
    await second;
    await waitUntil('the end', () => transport.sentOf('tasks/cancel').length === 2);
    assert.deepEqual(transport.sentOf('notifications/cancelled'), []);
    assert.deepEqual(running(), []);
  });

  it('TIME-03: who keeps waiting for a task starts its limit afresh; progress is seen', async () => {
    const { transport, session } = await opened({
      states: [task('working', { statusMessage: 'Halfway', pollInterval: 100 })],
    });
    const times = { idleMs: 10_000, totalMs: 2_000 };
    const startedAt = performance.now();
    const result = call(session, 'always', { times });
    const running = () => [...session.inFlight.running()][0];
    await waitUntil('half of the time', () => performance.now() > startedAt + 1_000);
    assert.equal(running()?.progress?.message, 'Halfway');
    const before = running()?.dueAt ?? 0;
    running()?.keepWaiting();
    assert.ok((running()?.dueAt ?? 0) > before);
    await waitUntil('the old limit', () => performance.now() > startedAt + 2_050);
    transport.respond('tasks/get', () => task('completed'));
    assert.deepEqual(await result, done);
  });

  it('TIME-03: progress is a sign of life of a call that the server answers itself, not as a task', async () => {
    const { transport, session } = await opened();
    transport.respond('tools/call', () => noReply);
    const times = { idleMs: 3_000, totalMs: 60_000 };
    const startedAt = performance.now();
    const result = call(session, 'always', { times, onProgress: ignore });
    await waitUntil('the call', () => transport.sentOf('tools/call').length === 1);
    const [sent] = transport.sentOf('tools/call');
    assert.deepEqual(sent?.params?.['_meta'], { progressToken: 'task-1' });
    for (let progress = 1; performance.now() < startedAt + 4_000; progress += 1) {
      const params = { progressToken: 'task-1', progress };
      transport.push({ method: 'notifications/progress', params });
      await delay(20);
    }
    transport.push({ id: sent?.id, result: done });
    assert.deepEqual(await result, done);
  });

  it('TIME-01, TIME-02: the shorter limit counts until there is a task, and who keeps waiting starts it afresh', async () => {
    const { transport, session } = await opened(working);
    transport.respond('tools/call', () => noReply);
    const times = { idleMs: 3_000, totalMs: 60_000 };
    const running = () => [...session.inFlight.running()][0];
    const startedAt = performance.now();
    const result = call(session, 'always', { times });
    await waitUntil('half of the time', () => performance.now() > startedAt + 1_500);
    const before = running()?.dueAt ?? Infinity;
    assert.ok(before <= performance.now() + times.idleMs, 'the shorter limit');
    assert.equal(running()?.times.idleMs, 3_000);
    running()?.keepWaiting();
    assert.ok((running()?.dueAt ?? 0) > before);
    await waitUntil('the old limit', () => performance.now() > startedAt + 3_050);
    const [sent] = transport.sentOf('tools/call');
    transport.push({ id: sent?.id, result: { task: task('working') } });
    await waitUntil('the first poll', () => transport.sentOf('tasks/get').length === 1);
    assert.equal(running()?.times.idleMs, Infinity);
    assert.ok((running()?.dueAt ?? 0) > performance.now() + 30_000);
    transport.respond('tasks/get', () => task('completed'));
    assert.deepEqual(await result, done);
  });

  it('TASK-11: without the capability nothing is cancelled, and the log says so', async () => {
    const { transport, session, diagnostics } = await opened({
      ...working,
      tasks: { requests: { tools: { call: {} } } },
    });
    const controller = new AbortController();
    const result = call(session, 'always', { signal: controller.signal });
    await waitUntil('the first poll', () => transport.sentOf('tasks/get').length === 1);
    controller.abort();
    await assert.rejects(result, { code: 'cancelled' });
    assert.equal(transport.sentOf('tasks/cancel').length, 0);
    assert.ok(diagnostics.some(({ text }) => /"always" continues there/.test(text)));
  });

  for (const how of ['the session is closed', 'its caller gives up']) {
    it(`no task is left behind when ${how}, and the question of it goes`, async () => {
      let wasAsked = false;
      let wasWithdrawn = false;
      const elicit: ClientOptions['features']['elicit'] = (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          wasAsked = true;
          signal.addEventListener('abort', () => {
            wasWithdrawn = true;
            reject(new McpError('cancelled', 'withdrawn'));
          });
        });
      const { transport, session } = await opened({
        ...working,
        greeting: { features: { elicit } },
      });
      const controller = new AbortController();
      const result = call(session, 'always', { signal: controller.signal });
      await waitUntil('the first poll', () => transport.sentOf('tasks/get').length === 1);
      transport.push(question);
      await waitUntil('the question', () => wasAsked);
      if (how === 'the session is closed') {
        const [closed] = await Promise.allSettled([session.close(), result]);
        assert.equal(closed.status, 'fulfilled');
        await assert.rejects(result, { code: 'closed', message: /whether it took effect/ });
      } else {
        controller.abort();
        await assert.rejects(result, { code: 'cancelled' });
      }
      assert.equal(transport.sentOf('tasks/cancel').length, 1);
      assert.equal(wasWithdrawn, true);
    });
  }

  it('a connection that ends leaves the outcome open', async () => {
    const { transport, session } = await opened(working);
    const result = call(session, 'always');
    await waitUntil('the first poll', () => transport.sentOf('tasks/get').length === 1);
    transport.end();
    await assert.rejects(result, { code: 'closed', message: /took effect is unknown/ });
  });
});
