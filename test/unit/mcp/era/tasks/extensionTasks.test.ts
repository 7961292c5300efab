import assert from 'node:assert/strict';
import { delay } from '../../../../../src/base/async.ts';
import type {
  CallOptions,
  ClientOptions,
  Session,
} from '../../../../../src/mcp/session/session.ts';
import { McpError, RpcError, isRpcError } from '../../../../../src/mcp/errors.ts';
import type { Progress } from '../../../../../src/mcp/rpc/peer.ts';
import { deferred } from '../../../../support/deferred.ts';
import { type FakeTransport, noReply } from '../../../../support/fakeTransport.ts';
import { openedModern } from '../../../../support/modernSession.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';

type Json = Readonly<Record<string, unknown>>;

const done = { content: [{ type: 'text', text: 'done' }] };
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};

function task(status: string, more: Json = {}): Json {
  const createdAt = '2026-07-28T10:30:00Z';
  return {
    resultType: 'complete',
    taskId: 't1',
    status,
    createdAt,
    lastUpdatedAt: createdAt,
    ttlMs: 60_000,
    pollIntervalMs: 1,
    ...more,
  };
}

/** A session with the extension; `states` are what `tasks/get` answers, the last one for ever. */
async function opened(states: readonly Json[], { features = {} }: Partial<ClientOptions> = {}) {
  const left = [...states];
  const { transport, session } = await openedModern({}, { features: { ...features, extensions } });
  transport
    .respond('tools/call', () => task('working', { resultType: 'task' }))
    .respond('tasks/get', () => (left.length > 1 ? left.shift() : left[0]))
    .respond('tasks/update', () => ({ resultType: 'complete' }))
    .respond('tasks/cancel', () => ({ resultType: 'complete' }));
  return { transport, session };
}

const extensions = { 'io.modelcontextprotocol/tasks': {} };

const call = (session: Session, options: CallOptions = {}): Promise<unknown> =>
  session.call('tools/call', { name: 'slow' }, options);

function paramsOf(transport: FakeTransport, method: string): readonly Json[] {
  return transport.sentOf(method).map(({ params = {} }) => {
    const { _meta, ...rest } = params;
    return rest;
  });
}

const decline = async () => ({ action: 'decline' as const });

const refuse = async () => {
  throw new RpcError(-1, 'User rejected sampling request');
};

describe('ExtensionTasks', () => {
  it('TASK-01, TASK-02, TASK-07, TASK-08: a handle is followed to the result; every request declares the extension', async () => {
    const { transport, session } = await opened([
      task('working'),
      task('completed', { result: done }),
    ]);
    assert.deepEqual(await call(session), done);
    assert.deepEqual(paramsOf(transport, 'tools/call'), [{ name: 'slow' }]);
    assert.deepEqual(paramsOf(transport, 'tasks/get'), [{ taskId: 't1' }, { taskId: 't1' }]);
    for (const { params } of [
      ...transport.sentOf('tools/call'),
      ...transport.sentOf('tasks/get'),
    ]) {
      assert.match(
        JSON.stringify(params),
        /"extensions":\{"io.modelcontextprotocol\/tasks":\{\}\}/,
      );
    }
  });

  it('VER-05: a server that does not know the extension is used as the core protocol says', async () => {
    const { transport, session } = await openedModern(
      { capabilities: { tools: {} } },
      { features: { extensions } },
    );
    const result = { resultType: 'complete', ...done };
    transport.respond('tools/call', () => result);
    try {
      assert.deepEqual(await call(session), result);
      assert.deepEqual(
        transport.sent.map((message) => 'method' in message && message.method),
        ['server/discover', 'tools/call'],
      );
    } finally {
      await session.close();
    }
  });

  it('TASK-10: accepts a state that calls itself a task, and a handle that is over already', async () => {
    const state = task('completed', { resultType: 'task', result: { ...done, isError: true } });
    const { transport, session } = await opened([state]);
    assert.deepEqual(await call(session), { ...done, isError: true });
    transport.respond('tools/call', () => task('completed', { resultType: 'task', result: done }));
    assert.deepEqual(await call(session), done);
    assert.equal(transport.sentOf('tasks/get').length, 1);
  });

  it('TASK-21: its status message is shown as progress', async () => {
    const seen: Progress[] = [];
    const { session } = await opened([
      task('working', { statusMessage: 'Half' }),
      task('completed', { result: done }),
    ]);
    await call(session, { onProgress: (progress) => seen.push(progress) });
    assert.deepEqual(seen, [{ progress: 0, message: 'Half' }]);
  });

  it('TASK-11, TASK-12, TASK-13, TASK-14: each question is asked once and answered under its key', async () => {
    const asked: string[] = [];
    const answer = deferred<{ readonly action: 'decline' }>();
    const elicit: ClientOptions['features']['elicit'] = (request) => {
      asked.push(request.message);
      return answer.promise;
    };
    const { transport, session } = await opened(
      [
        task('input_required', { inputRequests: { who: question } }),
        task('input_required', { inputRequests: { who: question } }),
      ],
      { features: { elicit } },
    );
    const result = call(session);
    await waitUntil('several polls', () => transport.sentOf('tasks/get').length > 2);
    answer.resolve({ action: 'decline' });
    await waitUntil('the answer', () => transport.sentOf('tasks/update').length === 1);
    const polls = transport.sentOf('tasks/get').length;
    // It may still show the question.
    await waitUntil('another poll', () => transport.sentOf('tasks/get').length > polls);
    transport.respond('tasks/get', () => task('completed', { result: done }));
    assert.deepEqual(await result, done);
    assert.deepEqual(asked, ['Who?']);
    assert.deepEqual(paramsOf(transport, 'tasks/update'), [
      { taskId: 't1', inputResponses: { who: { action: 'decline' } } },
    ]);
  });

  it('an answer that did not arrive is sent again', async () => {
    const elicit = async () => {
      transport.failNext(new McpError('unreachable', 'no route'));
      return decline();
    };
    const { transport, session } = await opened(
      [task('input_required', { inputRequests: { who: question } })],
      { features: { elicit } },
    );
    transport.respond('tasks/update', () => {
      transport.respond('tasks/get', () => task('completed', { result: done }));
      return {};
    });
    assert.deepEqual(await call(session), done);
  });

  it('answers that the server did not take are sent again, unless the task is gone', async () => {
    for (const [rpcCode, sent] of [
      [-32603, 3],
      [-32602, 1],
    ] as const) {
      const state = task('input_required', { inputRequests: { who: question } });
      const { transport, session } = await opened([state], { features: { elicit: decline } });
      transport.respond('tasks/update', () => {
        throw new RpcError(rpcCode, 'not now');
      });
      await assert.rejects(call(session), { code: 'protocol', message: /answers.*: not now$/u });
      assert.equal(transport.sentOf('tasks/update').length, sent);
    }
  });

  it('TASK-12, MRTR-16: a question that is refused, or may not be asked, ends the call and the task', async () => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] };
    for (const [inputRequests, code] of [
      [{ a: { method: 'sampling/createMessage', params: { ...params, maxTokens: 1 } } }, 'denied'],
      [{ a: question }, 'protocol'],
    ] as const) {
      const { transport, session } = await opened([task('input_required', { inputRequests })], {
        features: { sample: refuse },
      });
      await assert.rejects(call(session), { code });
      assert.deepEqual(paramsOf(transport, 'tasks/cancel'), [{ taskId: 't1' }]);
      assert.equal(transport.sentOf('tasks/update').length, 0);
    }
  });

  it('TASK-10: a failed task fails with the error of the request', async () => {
    const error = { code: -32000, message: 'No disk', data: { free: 0 } };
    const { session } = await opened([
      task('failed', { error, result: done, statusMessage: 'gave up' }),
    ]);
    await assert.rejects(call(session), (failure) => {
      assert.ok(isRpcError(failure));
      assert.deepEqual([failure.rpcCode, failure.data], [-32000, { free: 0 }]);
      assert.equal(failure.message, 'No disk: gave up');
      return true;
    });
  });

  it('EXT-05: a task that ends without a result, or cannot be read, is a breach of the protocol', async () => {
    for (const state of [task('completed'), task('failed'), {}]) {
      const { session } = await opened([state]);
      await assert.rejects(call(session), { code: 'protocol' });
    }
  });

  it('TASK-19: what the server cancelled or no longer knows leaves the outcome open', async () => {
    const { transport, session } = await opened([task('cancelled', { statusMessage: 'quota' })]);
    await assert.rejects(call(session), { code: 'closed', message: /cancelled.*: quota/ });
    transport.respond('tasks/get', () => {
      throw new RpcError(-32602, 'unknown task');
    });
    await assert.rejects(call(session), { code: 'closed', message: /no longer knows/ });
    assert.equal(transport.sentOf('tools/call').length, 2);
    assert.equal(transport.sentOf('tasks/cancel').length, 0);
  });

  it('TASK-11: what is asked for in another state is not answered', async () => {
    const asking = task('working', { inputRequests: { who: question } });
    const features = { elicit: decline };
    const states = [asking, task('completed', { result: done })];
    const { transport, session } = await opened(states, { features });
    assert.deepEqual(await call(session), done);
    assert.deepEqual(paramsOf(transport, 'tasks/update'), []);
  });

  it('CAN-12: a poll is no request of its own: none is listed, or cancelled with its task', async () => {
    const { transport, session } = await opened([]);
    transport.respond('tasks/get', () => noReply);
    const controller = new AbortController();
    const result = call(session, { signal: controller.signal });
    await waitUntil('a poll', () => transport.sentOf('tasks/get').length === 1);
    const running = [...session.inFlight.running()].map(({ method }) => method);
    assert.ok(!running.includes('tasks/get'), running.join());
    controller.abort();
    await assert.rejects(result, { code: 'cancelled' });
    const cancelled = transport.sentOf('notifications/cancelled').map(({ params }) => params);
    const [poll] = transport.sentOf('tasks/get');
    assert.ok(cancelled.every((params) => params?.['requestId'] !== poll?.id));
  });

  it('TASK-15: one that is left is told of once, and runs on when its caller gives up', async () => {
    const { transport, session } = await opened([task('working')]);
    const ids: string[] = [];
    const kept = { began: (id: string) => void ids.push(id), isLeft: () => true };
    const controller = new AbortController();
    const result = call(session, { signal: controller.signal, kept });
    await waitUntil('polls', () => transport.sentOf('tasks/get').length > 1);
    controller.abort();
    await assert.rejects(result, { code: 'cancelled' });
    await session.close();
    assert.deepEqual([ids, paramsOf(transport, 'tasks/cancel')], [['t1'], []]);
  });

  it('TASK-08: a status that is unknown is no end, and its pace is kept', async () => {
    const states = [task('paused'), task('paused'), task('completed', { result: done })];
    const { session } = await opened(states);
    const startedAt = performance.now();
    assert.deepEqual(await call(session), done);
    assert.ok(performance.now() - startedAt < 5_000); // without its wish it would be longer
  });

  it('TASK-15: the end of the session cancels what runs, and waits for that', async () => {
    const { transport, session } = await opened([task('working')]);
    const isClosed: boolean[] = [];
    transport.respond('tasks/cancel', async () => {
      await delay(10);
      isClosed.push(transport.isClosed);
      return { resultType: 'complete' };
    });
    const ends = assert.rejects(call(session), { code: 'closed' });
    await waitUntil('a poll', () => transport.sentOf('tasks/get').length > 0);
    await session.close();
    await ends;
    assert.deepEqual(paramsOf(transport, 'tasks/cancel'), [{ taskId: 't1' }]);
    assert.deepEqual(isClosed, [false]);
  });

  it('TASK-15, CAN-12: giving up sends tasks/cancel and withdraws the question', async () => {
    let wasWithdrawn = false;
    const elicit: ClientOptions['features']['elicit'] = (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          wasWithdrawn = true;
          reject(new McpError('cancelled', 'withdrawn'));
        });
      });
    const { transport, session } = await opened(
      [task('input_required', { inputRequests: { who: question } })],
      { features: { elicit } },
    );
    const controller = new AbortController();
    const result = call(session, { signal: controller.signal });
    await waitUntil('polls', () => transport.sentOf('tasks/get').length > 1);
    controller.abort();
    await assert.rejects(result, { code: 'cancelled' });
    assert.equal(wasWithdrawn, true);
    assert.deepEqual(paramsOf(transport, 'tasks/cancel'), [{ taskId: 't1' }]);
    assert.equal(transport.sentOf('notifications/cancelled').length, 0);
  });

  it('TASK-23: round trips come first', async () => {
    const { transport, session } = await opened([task('completed', { result: done })], {
      features: { elicit: decline },
    });
    transport.respond('tools/call', ({ inputResponses }) =>
      inputResponses === undefined
        ? { resultType: 'input_required', inputRequests: { who: question } }
        : task('working', { resultType: 'task' }),
    );
    assert.deepEqual(await call(session), done);
    assert.equal(transport.sentOf('tools/call').length, 2);
  });
});
