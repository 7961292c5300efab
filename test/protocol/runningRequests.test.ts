/** What runs on real servers, as it is looked at: who asked, how far it is; cancelled, and given more time. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { lookAtRequests } from '../../src/host/requests/runningRequests.ts';
import { toBindings } from '../../src/host/servers/bindings.ts';
import { fromUser } from '../../src/host/requestOrigin.ts';
import { callTool } from '../../src/host/tools/callTool.ts';
import { connect } from '../../src/mcp/client/connect.ts';
import type { ClientFeatures, RunningRequest, Session } from '../../src/mcp/session/session.ts';
import type { Tool } from '../../src/mcp/types/lists.ts';
import { createSchemaChecker } from '../../src/entries/schemas.ts';
import { closedAfterTest } from '../support/closing.ts';
import { hello } from '../support/hello.ts';
import { nodeLaunch } from '../support/realHost.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import {
  type Opened,
  openStdio,
  receivedBy,
  stdioBinding,
  textOf,
} from '../support/stdioSession.ts';
import { waitUntil } from '../support/waitUntil.ts';

const never = new AbortController().signal;
const message = '"tools/call" was cancelled by the user';

/** What runs, as a host with this one server sees it. */
function look(session: Session, afterMs = 0) {
  const server = { config: stdioServer('notes'), inFlight: () => session.inFlight };
  return lookAtRequests({ servers: new Map([['notes', server]]) }, afterMs);
}

async function theOne(session: Session): Promise<RunningRequest> {
  await waitUntil('one request', () => look(session).requests.length === 1);
  const request = look(session).requests[0]?.request;
  assert.ok(request);
  return request;
}

const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object' } });

const onProgress = (): void => undefined;

function call(session: Session, name: string): ReturnType<typeof callTool> {
  const target = {
    withSession: <T>(use: (session: Session, signal: AbortSignal) => Promise<T>) =>
      use(session, never),
  };
  const more = { signal: never, origin: fromUser, onProgress } as const;
  const input = name === 'steady' ? { everyMs: 50, times: 20 } : {};
  return callTool(target, createSchemaChecker(), { tool: tool(name), input, ...more });
}

async function openTools(): Promise<Opened> {
  const opened = await openStdio(stdioBinding('tools.mjs'));
  closedAfterTest(opened.session);
  return opened;
}

describe('Running requests of a server of the handshake era', function () {
  this.timeout(60_000);
  it('PROG-03: who asked for what is seen, and how far it is', async () => {
    const { session } = await openTools();
    const ended = call(session, 'steady');
    await waitUntil('progress', () => look(session).requests[0]?.request.progress !== undefined);
    const request = await theOne(session);
    assert.equal(request.method, 'tools/call');
    assert.equal(request.params?.['name'], 'steady');
    assert.deepEqual(request.origin, { kind: 'user' });
    assert.equal(request.progress?.total, 150);
    assert.equal((await ended).kind, 'result');
    assert.deepEqual(look(session), { requests: [], more: 0, isAny: false });
  });

  it('CANC-01: one that is cancelled is cancelled at the server, and its caller told by whom', async () => {
    const { session } = await openTools();
    const ended = assert.rejects(call(session, 'silent'), { code: 'cancelled', message });
    (await theOne(session)).cancel();
    await ended;
    const messages = await receivedBy(session);
    const request = messages.find(({ params }) => params?.['name'] === 'silent');
    const cancels = messages.filter(({ method }) => method === 'notifications/cancelled');
    assert.deepEqual(
      cancels.map(({ params }) => params?.['requestId']),
      [request?.id],
    );
    assert.deepEqual(look(session).requests, []);
  });

  it('TIME-02, TIME-03: who keeps waiting gets what comes after the old limit', async () => {
    const { session } = await openTools();
    const startedAt = performance.now();
    const times = { idleMs: 3_000, totalMs: 3_000 };
    const late = textOf(session, 'late', { afterMs: 3_600 }, { times });
    const request = await theOne(session);
    await waitUntil('half of the time', () => performance.now() > startedAt + 1_500);
    request.keepWaiting();
    assert.equal(await late, 'too late');
    assert.ok(performance.now() - startedAt > 3_000);
  });

  it('very many are counted and not all shown; one of them is cancelled alone', async () => {
    const { session } = await openTools();
    const ends = Array.from({ length: 300 }, () =>
      session.call('tools/call', { name: 'silent' }).then(
        () => 'answered',
        (error: Error) => error.message,
      ),
    );
    await waitUntil('all', () => look(session).requests.length + look(session).more === 300);
    assert.equal(look(session).requests.length, 100);
    look(session).requests[0]?.request.cancel();
    assert.equal(await Promise.race(ends), message);
    assert.equal(look(session).more, 199);
    await session.close();
    const all = await Promise.all(ends);
    assert.equal(all.filter((end) => end === message).length, 1);
  });
});

const features: ClientFeatures = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

async function openModern(script: string): Promise<Opened> {
  const path = fileURLToPath(new URL(`../servers/${script}`, import.meta.url));
  const diagnostics: Opened['diagnostics'][number][] = [];
  const session = closedAfterTest(
    await connect(toBindings(nodeLaunch([path])), hello({ features }), never),
  );
  session.onDidDiagnose((diagnostic) => diagnostics.push(diagnostic));
  assert.equal(session.server.revision, '2026-07-28');
  return { session, diagnostics };
}

describe('Running requests of a server of 2026-07-28', function () {
  this.timeout(60_000);
  it('CAN-02: one that is cancelled is stopped on the server', async () => {
    const { session, diagnostics } = await openModern('sdkModern.mjs');
    const ended = assert.rejects(call(session, 'wait'), { code: 'cancelled', message });
    const request = await theOne(session);
    assert.deepEqual([request.isTask, request.origin], [false, { kind: 'user' }]);
    await textOf(session, 'echo'); // the server has begun to wait
    request.cancel();
    await ended;
    await waitUntil('the end of the wait', () =>
      diagnostics.some(({ text }) => text === 'wait was cancelled'),
    );
  });

  it('TASK-15, TASK-21 (2026): a task is one request, with its status as progress, and cancelled as a task', async () => {
    const { session } = await openModern('modernTasks.mjs');
    const ended = assert.rejects(call(session, 'endless'), { code: 'cancelled', message });
    await waitUntil('the task', () => look(session).requests[0]?.request.isTask === true);
    const request = await theOne(session);
    assert.equal(request.params?.['name'], 'endless');
    assert.deepEqual(request.origin, { kind: 'user' });
    assert.equal(request.progress?.message, 'endless has begun');
    const before = request.dueAt;
    request.keepWaiting();
    assert.ok((await theOne(session)).dueAt > before);
    request.cancel();
    await ended;
    let told = '';
    await waitUntil('the cancellation', () => {
      void textOf(session, 'cancelled').then((text) => (told = text));
      return told === 'endless';
    });
  });
});
