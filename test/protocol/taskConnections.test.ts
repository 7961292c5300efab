/** Tool calls that run as tasks over Streamable HTTP, when what lies between does not hold. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Session } from '../../src/mcp/session/session.ts';
import { createConnector } from '../../src/host/servers/connector.ts';
import {
  type Exchange,
  type HttpScripted,
  type Script,
  initialize,
  legacyServer,
} from '../servers/httpScripted.ts';
import { textOf } from '../support/stdioSession.ts';
import { waitUntil } from '../support/waitUntil.ts';

const capabilities = { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };
const tools = [{ name: 'slow', inputSchema: {}, execution: { taskSupport: 'optional' } }];

function state(status: string): object {
  const createdAt = '2025-11-25T10:30:00Z';
  return { taskId: 't1', status, createdAt, lastUpdatedAt: createdAt, ttl: null, pollInterval: 1 };
}

async function withServer(
  script: Script,
  use: (session: Session, server: HttpScripted) => Promise<void>,
): Promise<void> {
  const server = await legacyServer(
    {
      'tools/list': (exchange) => exchange.json(exchange.resultOf({ tools })),
      'tools/call': (exchange) => exchange.json(exchange.resultOf({ task: state('working') })),
      'tasks/cancel': (exchange) => exchange.json(exchange.resultOf(state('cancelled'))),
      ...script,
    },
    { sessionId: 's1', capabilities },
  ).start();
  try {
    const session = await createConnector({ name: 'mcp-host-test', version: '1.0.0' }).connect({
      launch: { kind: 'http', url: server.url().href, headers: {} },
      features: {},
      timeouts: { startMs: 20_000, requestMs: 20_000, totalMs: 60_000 },
      onDiagnostic: () => undefined,
      signal: new AbortController().signal,
    });
    await session.call('tools/list', {});
    try {
      await use(session, server);
    } finally {
      await session.close();
    }
  } finally {
    await server.close();
  }
}

describe('tasks over a connection that breaks', function () {
  this.timeout(60_000);
  it('a lost answer and a server that is busy do not end the task', async () => {
    const failures: ((exchange: Exchange) => void)[] = [
      (exchange) => exchange.cut(),
      (exchange) => exchange.answer(503),
    ];
    await withServer(
      {
        'tasks/get': (exchange) => {
          const fail = failures.shift();
          return fail === undefined
            ? exchange.json(exchange.resultOf(state('completed')))
            : fail(exchange);
        },
      },
      async (session, server) => {
        assert.equal(await textOf(session, 'slow'), 'ok');
        assert.equal(server.of('tasks/get').length, 3);
        assert.equal(server.of('tools/call').length, 1);
      },
    );
  });

  it('a lost result is asked for again', async () => {
    let asked = 0;
    await withServer(
      {
        'tasks/get': (exchange) => exchange.json(exchange.resultOf(state('completed'))),
        'tasks/result': (exchange) => {
          asked += 1;
          return asked === 1
            ? exchange.cut()
            : exchange.json(exchange.resultOf({ content: [{ type: 'text', text: 'late' }] }));
        },
      },
      async (session) => {
        assert.equal(await textOf(session, 'slow'), 'late');
      },
    );
  });

  it('HTTP-22: a session that the server forgot is replaced; what it forgot with it leaves the outcome open', async () => {
    let sessions = 0;
    await withServer(
      {
        initialize: (exchange) => {
          sessions += 1;
          initialize(exchange, { sessionId: `s${sessions}`, capabilities });
        },
        'tasks/get': (exchange) =>
          exchange.received.headers['mcp-session-id'] === 's1'
            ? exchange.answer(404)
            : exchange.json(exchange.errorOf(-32602, 'Task not found')),
      },
      async (session, server) => {
        await assert.rejects(textOf(session, 'slow'), {
          code: 'closed',
          message: /no longer knows the task of "slow".*took effect is unknown/,
        });
        assert.equal(sessions, 2);
        assert.equal(server.of('tools/call').length, 1);
      },
    );
  });

  it('CANC-07, TIME-03: a task is one request for who looks on, who can prolong and cancel it', async () => {
    await withServer(
      { 'tasks/get': (exchange) => exchange.json(exchange.resultOf(state('working'))) },
      async (session, server) => {
        const ended = assert.rejects(textOf(session, 'slow'), {
          code: 'cancelled',
          message: '"tools/call" was cancelled by the user',
        });
        await waitUntil('a poll', () => server.of('tasks/get').length > 0);
        const [request, ...others] = [...session.inFlight.running()];
        assert.deepEqual(others, []);
        assert.deepEqual([request?.isTask, request?.params?.['name']], [true, 'slow']);
        const before = request?.dueAt ?? 0;
        request?.keepWaiting();
        assert.ok((request?.dueAt ?? 0) > before);
        request?.cancel();
        await ended;
        await waitUntil('the cancellation', () => server.of('tasks/cancel').length === 1);
        assert.deepEqual(server.of('tasks/cancel')[0]?.message.params, { taskId: 't1' });
        assert.equal(server.of('notifications/cancelled').length, 0);
      },
    );
  });

  it('no task is left behind when the session is closed', async () => {
    await withServer(
      { 'tasks/get': (exchange) => exchange.json(exchange.resultOf(state('working'))) },
      async (session, server) => {
        const call = textOf(session, 'slow');
        await waitUntil('a poll', () => server.of('tasks/get').length > 0);
        const [closed] = await Promise.allSettled([session.close(), call]);
        assert.equal(closed.status, 'fulfilled');
        await assert.rejects(call, { code: 'closed' });
        assert.deepEqual(server.of('tasks/cancel')[0]?.message.params, { taskId: 't1' });
        assert.equal(server.of('notifications/cancelled').length, 0);
      },
    );
  });
});
