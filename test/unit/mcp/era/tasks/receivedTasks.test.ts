import assert from 'node:assert/strict';
import { delay } from '../../../../../src/base/async.ts';
import type { ClientFeatures, Session } from '../../../../../src/mcp/session/session.ts';
import { receivedTaskLimits } from '../../../../../src/mcp/era/tasks/receivedTasks.ts';
import { HttpError, McpError, RpcError } from '../../../../../src/mcp/errors.ts';
import type { ElicitResult } from '../../../../../src/mcp/types/clientFeatures.ts';
import { type Deferred, deferred } from '../../../../support/deferred.ts';
import { FakeTransport } from '../../../../support/fakeTransport.ts';
import { openedLegacy } from '../../../../support/legacySession.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';

type Json = Readonly<Record<string, unknown>>;

const form = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
const sampling = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
  maxTokens: 10,
};
const relatedKey = 'io.modelcontextprotocol/related-task';

const refuse = async () => {
  throw new RpcError(-1, 'User rejected sampling request');
};

const fail = async () => {
  throw new Error('/home/me/secret');
};

class Server {
  readonly transport = new FakeTransport();
  readonly answers: Deferred<ElicitResult>[] = [];
  withdrawn = 0;
  #lastId = 0;

  /** Answers with what the test gives, and counts what is withdrawn. */
  readonly elicit: NonNullable<ClientFeatures['elicit']> = (_request, { signal }) => {
    const answer = deferred<ElicitResult>();
    this.answers.push(answer);
    signal.addEventListener('abort', () => {
      this.withdrawn += 1;
      answer.reject(new McpError('cancelled', 'withdrawn'));
    });
    return answer.promise;
  };

  async open(revision: string, features: ClientFeatures): Promise<Session> {
    this.transport.respond('tools/call', () => ({ content: [] }));
    const overrides = { protocolVersion: revision };
    return (await openedLegacy(overrides, { features }, this.transport)).session;
  }

  /** Sends without waiting for the reply; returns the id. */
  send(method: string, params: Json = {}): string {
    const id = `s${++this.#lastId}`;
    this.transport.push({ id, method, params });
    return id;
  }

  async reply(id: string): Promise<Json> {
    const find = () => this.transport.replies.find((reply) => reply.id === id);
    await waitUntil(`the reply to ${id}`, () => find() !== undefined);
    const copy: Json = JSON.parse(JSON.stringify(find()));
    return copy;
  }

  async ask(method: string, params: Json = {}): Promise<Json> {
    const reply = await this.reply(this.send(method, params));
    const result: Json = JSON.parse(JSON.stringify(reply['result'] ?? { error: reply['error'] }));
    return result;
  }

  /** Elicits as a task; returns the task. */
  async begin(task: Json = {}): Promise<Json & { readonly taskId: string }> {
    const { task: begun } = await this.ask('elicitation/create', { ...form, task });
    const copy: Json & { readonly taskId: string } = JSON.parse(JSON.stringify(begun));
    return copy;
  }

  async question(count = 1): Promise<Deferred<ElicitResult>> {
    await waitUntil('the question', () => this.answers.length === count);
    const answer = this.answers[count - 1];
    assert.ok(answer);
    return answer;
  }
}

async function opened({
  revision = '2025-11-25',
  features,
}: { revision?: string; features?: ClientFeatures } = {}) {
  const server = new Server();
  const session = await server.open(revision, features ?? { elicit: server.elicit });
  return { server, session };
}

describe('ReceivedTasks', () => {
  it('TASK-16, TASK-17: acknowledges at once, blocks tasks/result, tells the end, gives the answer', async () => {
    const { server } = await opened();
    const task = await server.begin({ ttl: 60_000 });
    assert.match(task.taskId, /^[0-9a-f-]{36}$/);
    assert.equal(task['status'], 'working');
    assert.deepEqual([task['ttl'], task['pollInterval']], [60_000, 1_000]);
    assert.equal(task['createdAt'], task['lastUpdatedAt']);
    assert.ok(!Number.isNaN(Date.parse(String(task['createdAt']))));
    const { taskId } = task;
    const answer = await server.question();
    const result = server.send('tasks/result', { taskId });
    assert.deepEqual(await server.ask('tasks/get', { taskId }), task);
    assert.equal(
      server.transport.replies.some(({ id }) => id === result),
      false,
    );
    await delay(2);
    answer.resolve({ action: 'decline' });
    const related = { [relatedKey]: { taskId } };
    assert.deepEqual((await server.reply(result))['result'], {
      action: 'decline',
      _meta: related,
    });
    const { status, createdAt, lastUpdatedAt } = await server.ask('tasks/get', { taskId });
    assert.equal(status, 'completed');
    assert.ok(String(lastUpdatedAt) > String(createdAt));
    const [notice] = server.transport.sentOf('notifications/tasks/status');
    assert.equal(notice?.params?.['taskId'], taskId);
    assert.equal(notice?.params?.['status'], 'completed');
    assert.equal(notice?.params?.['_meta'], undefined);
    // As often as the server likes, until its time to live is over.
    assert.deepEqual(await server.ask('tasks/result', { taskId }), {
      action: 'decline',
      _meta: related,
    });
  });

  it('TASK-09: a result keeps its metadata beside its task', async () => {
    const answer = {
      role: 'assistant',
      content: { type: 'text', text: 'Hi' },
      model: 'm',
    } as const;
    const sample = async () => ({ ...answer, _meta: { a: 1 } });
    const { server } = await opened({ features: { sample } });
    const { task } = await server.ask('sampling/createMessage', { ...sampling, task: {} });
    const { taskId } = JSON.parse(JSON.stringify(task));
    const { _meta } = await server.ask('tasks/result', { taskId });
    assert.deepEqual(_meta, { a: 1, [relatedKey]: { taskId } });
  });

  it('TASK-17: a failure is the error of the request, also when it comes at once', async () => {
    const { server } = await opened({ features: { sample: refuse } });
    const params = { ...sampling, task: {} };
    const { task } = await server.ask('sampling/createMessage', params);
    const { taskId, ttl }: Json = JSON.parse(JSON.stringify(task));
    assert.equal(ttl, receivedTaskLimits.mostTtl);
    assert.deepEqual(await server.ask('tasks/result', { taskId }), {
      error: { code: -1, message: 'User rejected sampling request' },
    });
    const { status, statusMessage } = await server.ask('tasks/get', { taskId });
    assert.deepEqual([status, statusMessage], ['failed', 'User rejected sampling request']);
    // The handle goes out before the news of the end.
    const kinds = server.transport.sent.map((message) =>
      'method' in message ? message.method : String(message.id),
    );
    assert.ok(kinds.indexOf('s1') < kinds.indexOf('notifications/tasks/status'));
  });

  it('TASK-17: an unexpected failure gives its text away to nobody', async () => {
    const { server } = await opened({ features: { sample: fail } });
    const params = { ...sampling, task: {} };
    const { task } = await server.ask('sampling/createMessage', params);
    const { taskId }: Json = JSON.parse(JSON.stringify(task));
    assert.deepEqual(await server.ask('tasks/result', { taskId }), {
      error: { code: -32603, message: 'Internal error' },
    });
    assert.doesNotMatch(JSON.stringify(server.transport.sent), /secret/);
  });

  it('TASK-16: tasks/cancel withdraws the question; what is over stays as it is', async () => {
    const { server } = await opened();
    const { taskId } = await server.begin();
    const answer = await server.question();
    const result = server.send('tasks/result', { taskId });
    assert.equal((await server.ask('tasks/cancel', { taskId }))['status'], 'cancelled');
    assert.equal(server.withdrawn, 1);
    answer.resolve({ action: 'decline' });
    assert.match(JSON.stringify(await server.reply(result)), /The task was cancelled/);
    assert.equal((await server.ask('tasks/get', { taskId }))['status'], 'cancelled');
    assert.match(JSON.stringify(await server.ask('tasks/cancel', { taskId })), /-32602.*is over/);
  });

  it('TASK-17: -32602 for ids and cursors that are none', async () => {
    const { server } = await opened();
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      for (const taskId of ['unknown', 7, undefined]) {
        const reply = await server.ask(method, { taskId });
        assert.match(JSON.stringify(reply), /-32602/);
      }
    }
    assert.match(JSON.stringify(await server.ask('tasks/list', { cursor: 'x' })), /-32602/);
  });

  it('TASK-18: lists what it keeps, which is no more than its bound', async () => {
    const { server } = await opened();
    const ids: string[] = [];
    for (let n = 0; n < receivedTaskLimits.tasks; n++) {
      ids.push((await server.begin()).taskId);
    }
    const refused = await server.ask('elicitation/create', { ...form, task: {} });
    assert.match(JSON.stringify(refused), /-32603.*Too many tasks at the same time: more than 64/);
    const { tasks }: { tasks: { taskId: string }[] } = JSON.parse(
      JSON.stringify(await server.ask('tasks/list')),
    );
    assert.deepEqual(
      tasks.map(({ taskId }) => taskId),
      ids,
    );
    assert.equal(new Set(ids).size, receivedTaskLimits.tasks);
  });

  it('TASK-18: times to live are bounded, and end the task with its question', async () => {
    const { server } = await opened();
    for (const [wanted, ttl] of [
      [1e12, receivedTaskLimits.mostTtl],
      ['soon', receivedTaskLimits.mostTtl],
      [-5, receivedTaskLimits.leastTtl],
    ]) {
      assert.equal((await server.begin({ ttl: wanted }))['ttl'], ttl);
    }
    await waitUntil('the end', () => server.withdrawn === 1);
    const { tasks } = await server.ask('tasks/list');
    assert.equal(Array.isArray(tasks) && tasks.length, 2);
    assert.deepEqual(server.transport.sentOf('notifications/tasks/status'), []);
  });

  it('TASK-18: nothing of a session is seen by the next one, and its questions are withdrawn', async () => {
    const { server, session } = await opened();
    const { taskId } = await server.begin();
    await server.question();
    server.transport.failNext(new HttpError('sessionExpired', 404, 'unknown session'));
    await session.call('tools/call', { name: 'x' }, { isRepeatable: true });
    assert.equal(server.withdrawn, 1);
    assert.match(JSON.stringify(await server.ask('tasks/get', { taskId })), /-32602/);
    assert.deepEqual(await server.ask('tasks/list'), { tasks: [] });
  });

  it('TASK-18: the end of the connection withdraws what is asked', async () => {
    const { server, session } = await opened();
    await server.begin();
    await server.question();
    await session.close();
    assert.equal(server.withdrawn, 1);
  });

  it('CANC-03: a tasks/result that the server takes back costs the task nothing', async () => {
    const { server } = await opened();
    const { taskId } = await server.begin();
    await server.question();
    const requestId = server.send('tasks/result', { taskId });
    server.transport.push({ method: 'notifications/cancelled', params: { requestId } });
    assert.equal((await server.ask('tasks/get', { taskId }))['status'], 'working');
    assert.equal(server.withdrawn, 0);
  });

  it('TIME-04: a call of ours does not run out of time while the server waits for a task', async () => {
    const { server, session } = await opened();
    server.transport.respond('tools/call', () => new Promise(() => undefined));
    const times = { idleMs: 60, totalMs: 20_000 };
    const result = session.call('tools/call', { name: 'x' }, { times });
    let isSettled = false;
    void result.catch(() => undefined).finally(() => (isSettled = true));
    await server.begin();
    const answer = await server.question();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(isSettled, false);
    answer.resolve({ action: 'cancel' });
    await assert.rejects(result, { code: 'timeout' });
  });

  it('TASK-19, CAP-03: in an earlier revision the request is answered as if it were none', async () => {
    const { server } = await opened({ revision: '2025-06-18' });
    const id = server.send('elicitation/create', { ...form, task: { ttl: 1 } });
    (await server.question()).resolve({ action: 'decline' });
    assert.deepEqual((await server.reply(id))['result'], { action: 'decline' });
    assert.match(JSON.stringify(await server.ask('tasks/list')), /-32601/);
  });

  it('TASK-01, CAP-05: without anything to ask there are no tasks', async () => {
    const { server } = await opened({ features: { listRoots: async () => [] } });
    const [initialize] = server.transport.sentOf('initialize');
    assert.deepEqual(initialize?.params?.['capabilities'], { roots: { listChanged: true } });
    assert.match(JSON.stringify(await server.ask('tasks/list')), /-32601/);
    assert.deepEqual(await server.ask('roots/list', { task: {} }), { roots: [] });
  });
});
