import assert from 'node:assert/strict';
import { openLegacy } from '../../../../src/mcp/era/legacySession.ts';
import type {
  AskContext,
  ClientFeatures,
  ServerChange,
  Session,
} from '../../../../src/mcp/session/session.ts';
import { HttpError, isMcpError, McpError, RpcError, rpcCodes } from '../../../../src/mcp/errors.ts';
import { Peer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import type { CloseReason } from '../../../../src/mcp/transport/transport.ts';
import type { LoggingMessage } from '../../../../src/mcp/types/methods.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeTransport, noReply } from '../../../support/fakeTransport.ts';
import { hello, initializeResult, pipe } from '../../../support/hello.ts';
import { expectNoListeners } from '../../../support/leaks.ts';
import { openedLegacy } from '../../../support/legacySession.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const { signal: never } = new AbortController();

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whatever the server answers to `initialize`. */
async function opened(transport: FakeTransport, greeting = hello()): Promise<Session> {
  const opening = await openLegacy(new Peer(transport), pipe, greeting, never);
  assert.equal(opening.kind, 'open');
  return closedAfterTest(opening.session);
}

async function failureOf(transport: FakeTransport, greeting = hello()): Promise<McpError> {
  const peer = new Peer(transport);
  const error: unknown = await openLegacy(peer, pipe, greeting, never).catch(
    (failure: unknown) => failure,
  );
  assert.ok(isMcpError(error));
  transport.end();
  return error;
}

const listRoots = async () => [{ uri: 'file:///a', name: 'a' }, { uri: 'vscode-vfs://github/b' }];

const lost = (): HttpError => new HttpError('sessionExpired', 404, 'the session is unknown');

async function openedWithState() {
  const { transport, session } = await openedLegacy();
  transport.respond('resources/subscribe', () => ({}));
  transport.respond('logging/setLevel', () => ({}));
  transport.respond('tools/call', () => ({ content: [] }));
  await session.watch(['a:1']);
  await session.setLogLevel('error');
  transport.events.length = 0;
  return { transport, session };
}

describe('LegacySession: the handshake', () => {
  it('LIFE-01, LIFE-02: initialize comes first and offers the newest revision', async () => {
    const { transport } = await openedLegacy();
    assert.deepEqual(transport.sent[0], {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'mcp-host-test', version: '1.0.0' },
      },
    });
  });

  it('LIFE-03, HTTP-24: agrees with the transport, then sends initialized, then serves requests', async () => {
    const transport = new FakeTransport().respond('initialize', () => {
      transport.push({ id: 'early', method: 'roots/list' });
      return initializeResult({ protocolVersion: '2025-06-18' });
    });
    const features = { listRoots: async () => [] };
    await opened(transport, hello({ features }));
    await settled();
    assert.deepEqual(transport.events, [
      'initialize',
      'sessionReady 2025-06-18',
      'notifications/initialized',
    ]);
    assert.deepEqual(transport.replies, [{ jsonrpc: '2.0', id: 'early', result: { roots: [] } }]);
  });

  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`LIFE-07: accepts revision ${revision}`, async () => {
      const { transport, session } = await openedLegacy({ protocolVersion: revision });
      assert.equal(session.server.revision, revision);
      transport.pushBatch({ id: 'a', method: 'ping' }, { id: 'b', method: 'ping' });
      assert.equal(transport.sentBatches.length, revision === '2025-03-26' ? 1 : 0);
    });
  }

  for (const revision of [
    '2024-10-07',
    '2026-07-28',
    '2099-01-01',
    '2025-11-25 ',
    '',
    7,
    undefined,
  ]) {
    it(`LIFE-06, LIFE-08, VER-11: refuses revision ${JSON.stringify(revision)}, naming both sides`, async () => {
      const transport = new FakeTransport().respond('initialize', () =>
        initializeResult({ protocolVersion: revision }),
      );
      const error = await failureOf(transport);
      assert.equal(error.code, 'unsupported');
      assert.match(
        error.message,
        /this client offered 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05/,
      );
      if (typeof revision === 'string') {
        assert.ok(error.message.includes(`the server speaks ${revision}`));
      }
      assert.deepEqual(transport.events, ['initialize']);
    });
  }

  it('LIFE-09: a refusal that names other revisions names both sides', async () => {
    const transport = new FakeTransport().respond('initialize', () => {
      throw new RpcError(-32602, 'Unsupported protocol version', {
        supported: ['1999-01-01', 3],
        requested: '2025-11-25',
      });
    });
    const error = await failureOf(transport);
    assert.equal(error.code, 'unsupported');
    assert.match(error.message, /the server speaks 1999-01-01; this client offered 2025-11-25/);
  });

  it('LIFE-09: a refusal that names one we speak is met with that one, once', async () => {
    const transport = new FakeTransport().respond('initialize', (params) => {
      if (params['protocolVersion'] === '2025-11-25') {
        throw new RpcError(-32602, 'no', { supported: ['2024-11-05', '2025-03-26'] });
      }
      return initializeResult({ protocolVersion: params['protocolVersion'] });
    });
    const session = await opened(transport);
    assert.equal(session.server.revision, '2025-03-26');
  });

  it('LIFE-09: a refusal that names the one it refuses is final', async () => {
    const transport = new FakeTransport().respond('initialize', () => {
      throw new RpcError(-32602, 'no', { supported: ['2025-11-25'] });
    });
    assert.equal((await failureOf(transport)).code, 'unsupported');
    assert.deepEqual(transport.events, ['initialize']);
  });

  it('another error of the server stays what it is', async () => {
    const transport = new FakeTransport().respond('initialize', () => {
      throw new RpcError(-32603, 'database is down');
    });
    const error = await failureOf(transport);
    assert.deepEqual([error.code, error.message], ['rpc', 'database is down']);
  });

  it('TIME-01, CANC-02: a silent initialize ends, without a cancellation', async () => {
    const transport = new FakeTransport();
    const error = await failureOf(transport, hello({ openMs: 20 }));
    assert.equal(error.code, 'timeout');
    assert.deepEqual(transport.events, ['initialize']);
  });

  it('TIME-01: a server that never takes `initialized` is given up with the opening', async () => {
    const transport = new FakeTransport().respond('initialize', () => initializeResult());
    transport.sessionReady = () => {
      transport.send = () => new Promise(() => undefined);
    };
    const controller = new AbortController();
    const opening = openLegacy(new Peer(transport), pipe, hello(), controller.signal);
    await settled();
    controller.abort();
    await assert.rejects(opening, { code: 'cancelled' });
    transport.end();
  });

  it('a session that is lost in the handshake is not replaced', async () => {
    const transport = new FakeTransport().respond('initialize', () => {
      transport.loseSession();
      return initializeResult();
    });
    await opened(transport);
    assert.equal(transport.sentOf('initialize').length, 1);
  });

  it('a result that is no object is a breach of protocol', async () => {
    const transport = new FakeTransport().respond('initialize', () => null);
    assert.equal((await failureOf(transport)).code, 'protocol');
  });

  it('LIFE-11: fills what a server leaves out of its description', async () => {
    const { session } = await openedLegacy({
      serverInfo: { name: '', title: 7 },
      instructions: null,
      capabilities: null,
    });
    assert.equal(session.server.info.name, 'unnamed');
    assert.equal(session.server.info.version, 'unknown');
    assert.equal(session.server.info.title, undefined);
    assert.equal(session.server.instructions, undefined);
    assert.deepEqual(session.server.capabilities, {});
    assert.equal(session.server.transport, 'stdio');
  });

  it('LIFE-10, LIFE-11: keeps instructions and the description of the server', async () => {
    const serverInfo = { name: 'w', version: '1', title: 'Weather', websiteUrl: 'https://w.test' };
    const { session } = await openedLegacy({ serverInfo, instructions: 'Be kind.' });
    assert.equal(session.server.info.title, 'Weather');
    assert.equal(session.server.info.websiteUrl, 'https://w.test');
    assert.equal(session.server.instructions, 'Be kind.');
  });

  it('LIFE-03: a refusal of `initialized` is tolerated, a lost connection is not', async () => {
    const refusal = 'no notifications here';
    for (const error of [new HttpError('http', 400, refusal), new RpcError(-32601, refusal)]) {
      const refusing = new FakeTransport().respond('initialize', () => {
        refusing.failNext(error);
        return initializeResult();
      });
      await opened(refusing);
    }
    const gone = new FakeTransport().respond('initialize', () => {
      gone.failNext(new McpError('unreachable', 'connection refused'));
      return initializeResult();
    });
    assert.equal((await failureOf(gone)).code, 'unreachable');
  });

  it('LIFE-05: logs and changes from before and beside the reply are not lost', async () => {
    const transport = new FakeTransport().respond('initialize', (_params, { id }) => {
      transport.push({ method: 'notifications/message', params: { level: 'info', data: 'early' } });
      transport.push({ id, result: initializeResult() });
      transport.push({ method: 'notifications/tools/list_changed' });
      transport.push({ method: 'notifications/message', params: { level: 'info', data: 'late' } });
      transport.push({ result: null });
      return noReply;
    });
    const session = await opened(transport);
    await settled();
    const logs: LoggingMessage[] = [];
    const changes: ServerChange[] = [];
    session.onDidLog((message) => logs.push(message));
    session.onDidChange((change) => changes.push(change));
    assert.deepEqual(
      logs.map(({ data }) => data),
      ['early', 'late'],
    );
    assert.deepEqual(changes, [{ kind: 'tools' }]);
  });
});

describe('LegacySession: roots', () => {
  it('CAP-02, ROOT-01, ROOT-02, ROOT-03: declared, and served in full, `file:` alone', async () => {
    const { transport } = await openedLegacy({}, { features: { listRoots } });
    assert.deepEqual(transport.sentOf('initialize')[0]?.params?.['capabilities'], {
      roots: { listChanged: true },
    });
    transport.push({ id: 'r', method: 'roots/list' });
    await settled();
    assert.deepEqual(transport.replies, [
      { jsonrpc: '2.0', id: 'r', result: { roots: [{ uri: 'file:///a', name: 'a' }] } },
    ]);
  });

  it('ROOT-08, CAP-05: -32601 where they were not declared, -32603 where they fail', async () => {
    const { transport, session } = await openedLegacy();
    transport.push({ id: 'r', method: 'roots/list' });
    transport.push({ id: 's', method: 'sampling/createMessage' });
    await settled();
    assert.deepEqual(
      transport.replies.map((reply) => 'error' in reply && reply.error.code),
      [-32601, -32601],
    );
    await session.close();
    const failing = await openedLegacy(
      {},
      { features: { listRoots: () => Promise.reject(new Error()) } },
    );
    failing.transport.push({ id: 'r', method: 'roots/list' });
    await settled();
    assert.deepEqual(
      failing.transport.replies.map((reply) => 'error' in reply && reply.error.code),
      [-32603],
    );
  });

  it('ROOT-04: their change is announced, whether the server asked or not', async () => {
    const { transport, session } = await openedLegacy({}, { features: { listRoots } });
    session.rootsChanged?.();
    assert.equal(transport.sentOf('notifications/roots/list_changed').length, 1);
    await session.close();
    const without = await openedLegacy();
    without.session.rootsChanged?.();
    assert.equal(without.transport.sentOf('notifications/roots/list_changed').length, 0);
  });
});

describe('LegacySession: calls', () => {
  it('CAP-01, RES-07: nothing is sent that the server did not declare', async () => {
    const { transport, session } = await openedLegacy({ capabilities: { resources: {} } });
    await assert.rejects(session.call('prompts/list', {}), { code: 'unsupported' });
    await session.watch(['x:y']);
    await session.setLogLevel('debug');
    assert.deepEqual(transport.events.slice(3), []);
  });

  it('checks results and passes errors of the server on', async () => {
    const { transport, session } = await openedLegacy();
    transport.respond('tools/list', () => ({}));
    transport.respond('tools/call', (params) => {
      if (params['name'] === 'x') {
        return { isError: true };
      }
      throw new RpcError(-32602, 'Unknown tool');
    });
    await assert.rejects(session.call('tools/list', {}), { code: 'protocol' });
    assert.deepEqual(await session.call('tools/call', { name: 'x' }), {
      isError: true,
      content: [],
    });
    await assert.rejects(session.call('tools/call', { name: 'y' }), { rpcCode: -32602 });
    transport.respond('resources/read', () => {
      throw new RpcError(-32602, 'Invalid params');
    });
    await assert.rejects(session.call('resources/read', { uri: 'a:1' }), { rpcCode: -32602 });
  });

  describe('of which a server says that pages have to be visited first', () => {
    const page = { mode: 'url', message: '', elicitationId: 'e1', url: 'https://a.example/' };
    const required = new RpcError(rpcCodes.urlElicitationRequired, 'Visit first', {
      elicitations: [page],
    });

    /** Sends one that is refused so often. */
    async function refused(
      times: number,
      visitAll: ClientFeatures['visitAll'],
      method: 'tools/call' | 'prompts/get' | 'resources/read' | 'prompts/list' = 'tools/call',
    ) {
      const capabilities = { tools: {}, prompts: {}, resources: {} };
      const features = { ...(visitAll && { visitAll }) };
      const { transport, session } = await openedLegacy({ capabilities }, { features });
      transport.respond(method, () => {
        if (transport.sentOf(method).length <= times) {
          throw required;
        }
        return { content: [], messages: [], contents: [] };
      });
      const params = { name: 'x', uri: 'x:y' };
      const error = await session.call(method, params).then(() => undefined, String);
      return { error, sent: transport.sentOf(method).length };
    }

    for (const method of ['tools/call', 'prompts/get', 'resources/read'] as const) {
      it(`ELIC-29: has them visited, and sends ${method} once more`, async () => {
        const visited: unknown[] = [];
        const visitAll: ClientFeatures['visitAll'] = async (pages) => {
          visited.push(...pages);
          return true;
        };
        assert.deepEqual(await refused(1, visitAll, method), { error: undefined, sent: 2 });
        assert.deepEqual(visited, [page]);
      });
    }

    it('ELIC-29: gives up when the user does, or when it is demanded again', async () => {
      for (const [visitAll, sent] of [
        [async () => false, 1],
        [async () => true, 2],
        [undefined, 1],
      ] as const) {
        const outcome = await refused(9, visitAll);
        assert.match(outcome.error ?? '', /Visit first/);
        assert.equal(outcome.sent, sent);
      }
    });

    it('ELIC-29: has none visited for a list, which nobody waits for', async () => {
      assert.equal((await refused(1, async () => true, 'prompts/list')).sent, 1);
    });
  });

  it('TIME-02: takes limits per call, else those of the connection', async () => {
    const { session } = await openedLegacy({}, { times: { idleMs: 15, totalMs: 60_000 } });
    await assert.rejects(session.call('tools/list', {}), { code: 'timeout' });
    const waiting = session.call('tools/list', {}, { times: { idleMs: 60_000, totalMs: 25 } });
    await assert.rejects(waiting, { code: 'timeout', message: /in all/ });
  });

  const request = {
    ref: { type: 'ref/prompt', name: 'p' },
    argument: { name: 'a', value: 'v' },
    context: { arguments: { b: 'c' } },
  } as const;

  for (const [revision, isSent] of [
    ['2024-11-05', false],
    ['2025-03-26', false],
    ['2025-06-18', true],
  ] as const) {
    it(`COMP-03: context is ${isSent ? 'sent' : 'left out'} on ${revision}`, async () => {
      const { transport, session } = await openedLegacy({
        protocolVersion: revision,
        capabilities: { completions: {} },
      });
      transport.respond('completion/complete', () => ({ completion: { values: ['v1'] } }));
      const { completion } = await session.call('completion/complete', request);
      assert.deepEqual(completion.values, ['v1']);
      const sent = transport.sentOf('completion/complete')[0]?.params ?? {};
      assert.equal('context' in sent, isSent);
      assert.deepEqual(sent['argument'], request.argument);
    });
  }

  it('COMP-01: -32601 from a server that has no flag for it means unsupported, no other error does', async () => {
    const { transport, session } = await openedLegacy({ protocolVersion: '2024-11-05' });
    transport.respond('completion/complete', () => {
      throw new RpcError(-32601, 'Method not found');
    });
    await assert.rejects(session.call('completion/complete', request), { code: 'unsupported' });
    transport.respond('completion/complete', () => {
      throw new RpcError(-32602, 'Unknown prompt');
    });
    await assert.rejects(session.call('completion/complete', request), { rpcCode: -32602 });
  });
});

describe('LegacySession: what the server keeps for us', () => {
  it('RES-07: subscribes to what is new and unsubscribes from what is gone', async () => {
    const { transport, session } = await openedLegacy();
    transport.respond('resources/subscribe', () => ({}));
    transport.respond('resources/unsubscribe', () => ({}));
    await session.watch(['a:1', 'a:2']);
    await session.watch(['a:2', 'a:3']);
    await session.watch(['a:2', 'a:3']);
    const uris = (method: string): unknown[] =>
      transport.sentOf(method).map(({ params }) => params?.['uri']);
    assert.deepEqual(uris('resources/subscribe'), ['a:1', 'a:2', 'a:3']);
    assert.deepEqual(uris('resources/unsubscribe'), ['a:1']);
  });

  it('RES-07: unsubscribes also from what is gone before its subscription is answered', async () => {
    const { transport, session } = await openedLegacy();
    const answer = deferred<object>();
    transport.respond('resources/subscribe', () => answer.promise);
    transport.respond('resources/unsubscribe', () => ({}));
    const watched = session.watch(['a:1']);
    await settled();
    const unwatched = session.watch([]);
    answer.resolve({});
    await Promise.all([watched, unwatched]);
    assert.equal(transport.sentOf('resources/unsubscribe').length, 1);
  });

  it('a subscription that fails is told, keeps no other from being made, and is tried again', async () => {
    const { transport, session } = await openedLegacy();
    let isBroken = true;
    transport.respond('resources/subscribe', ({ uri }) => {
      if (uri === 'a:1' && isBroken) {
        throw new RpcError(-32002, 'no such resource');
      }
      return {};
    });
    await assert.rejects(session.watch(['a:1', 'a:2']), { rpcCode: -32002 });
    isBroken = false;
    await session.watch(['a:1', 'a:2']);
    assert.deepEqual(
      transport.sentOf('resources/subscribe').map(({ params }) => params?.['uri']),
      ['a:1', 'a:2', 'a:1'],
    );
  });

  it('LOG-01: sets the level where logging is declared', async () => {
    const { transport, session } = await openedLegacy();
    transport.respond('logging/setLevel', () => ({}));
    await session.setLogLevel('warning');
    assert.deepEqual(transport.sentOf('logging/setLevel')[0]?.params, { level: 'warning' });
  });

  it('CAP-08: a change counts without the capability to announce it', async () => {
    const { transport, session } = await openedLegacy({ capabilities: {} });
    const changes: ServerChange[] = [];
    session.onDidChange((change) => changes.push(change));
    transport.push({ method: 'notifications/tools/list_changed' });
    transport.push({ method: 'notifications/resources/updated', params: { uri: 'a:1' } });
    assert.deepEqual(changes, [{ kind: 'tools' }, { kind: 'resource', uri: 'a:1' }]);
  });

  it('HTTP-09: what a push stream may have missed is read again, where changes are announced', async () => {
    const capabilities = { tools: { listChanged: true }, prompts: {} };
    const { transport, session } = await openedLegacy({ capabilities });
    const changes: ServerChange[] = [];
    session.onDidChange((change) => changes.push(change));
    transport.openPushStream();
    assert.deepEqual(changes, [{ kind: 'tools' }]);
  });
});

describe('LegacySession: a session that the server forgot', () => {
  const reopened = [
    'beginSession',
    'initialize',
    'sessionReady 2025-11-25',
    'notifications/initialized',
    'logging/setLevel',
    'resources/subscribe',
  ];

  it('HTTP-22, LIFE-14: is replaced with its level and subscriptions, and the call made again', async () => {
    const { transport, session } = await openedWithState();
    const changes: ServerChange[] = [];
    session.onDidChange((change) => changes.push(change));
    transport.failNext(lost());
    transport.respond('initialize', () => initializeResult({ instructions: 'new' }));
    assert.deepEqual(await session.call('tools/call', { name: 'x' }, { isRepeatable: true }), {
      content: [],
    });
    assert.deepEqual(transport.events, [...reopened, 'tools/call']);
    assert.deepEqual(changes, [{ kind: 'tools' }, { kind: 'prompts' }, { kind: 'resources' }]);
    assert.equal(session.server.instructions, 'new');
  });

  it('LIFE-14: is replaced with its subscriptions also where its level is refused', async () => {
    const { transport, session } = await openedWithState();
    transport.respond('logging/setLevel', () => {
      throw new RpcError(-32602, 'Unknown level');
    });
    transport.failNext(lost());
    await session.call('tools/call', { name: 'x' }, { isRepeatable: true });
    assert.deepEqual(transport.events, [...reopened, 'tools/call']);
  });

  it('is replaced once, however many calls and events report it', async () => {
    const { transport, session } = await openedWithState();
    transport.failNext(lost(), lost());
    const calls = [
      session.call('tools/call', { name: 'x' }, { isRepeatable: true }),
      session.call('tools/call', { name: 'y' }, { isRepeatable: true }),
    ];
    transport.loseSession();
    transport.loseSession();
    await Promise.all(calls);
    assert.deepEqual(transport.events, [...reopened, 'tools/call', 'tools/call']);
  });

  it('is not replaced again for a late report of the same loss', async () => {
    const { transport, session } = await openedWithState();
    const late = deferred<void>();
    const send = transport.send.bind(transport);
    transport.send = () => late.promise;
    const first = session.call('tools/call', { name: 'late' }, { isRepeatable: true });
    transport.send = send;
    transport.loseSession();
    await session.call('tools/call', { name: 'x' }, { isRepeatable: true });
    late.reject(lost());
    await first;
    assert.deepEqual(transport.events, [...reopened, 'tools/call', 'tools/call']);
  });

  it('calls made meanwhile wait for the new session (LIFE-04)', async () => {
    const { transport, session } = await openedWithState();
    transport.loseSession();
    await Promise.all([
      session.call('tools/call', { name: 'x' }, { isRepeatable: true }),
      session.setLogLevel('info'),
    ]);
    const handshake = transport.events.indexOf('notifications/initialized');
    assert.ok(transport.events.indexOf('tools/call') > handshake);
    assert.ok(transport.events.indexOf('logging/setLevel') > handshake);
  });

  it('a wait for the new session can be cancelled', async () => {
    const { transport, session } = await openedWithState();
    transport.respond('initialize', () => noReply);
    transport.loseSession();
    const controller = new AbortController();
    const call = session.call('tools/call', { name: 'x' }, { signal: controller.signal });
    controller.abort();
    const first = await Promise.race([call.catch((error: unknown) => error), settled()]);
    assert.equal(isMcpError(first) && first.code, 'cancelled');
  });

  it('ends what the server asked as a task, and the server may ask in the new one', async () => {
    const asked: AbortSignal[] = [];
    const elicit = (_request: unknown, { signal }: AskContext): Promise<never> => {
      asked.push(signal);
      return new Promise(() => undefined);
    };
    const { transport, session } = await openedLegacy({}, { features: { elicit } });
    const requestedSchema = { type: 'object', properties: {} };
    const params = { message: 'Who?', requestedSchema, task: {} };
    const ask = async (id: string): Promise<void> => {
      transport.push({ id, method: 'elicitation/create', params });
      await waitUntil('the question', () => asked.length > 0 && !asked.at(-1)!.aborted);
    };
    await ask('old');
    transport.loseSession();
    assert.equal(asked[0]?.aborted, true);
    await settled();
    await ask('new');
    await session.close();
    assert.equal(asked[1]?.aborted, true);
  });

  it('a second loss fails the call', async () => {
    const { transport, session } = await openedWithState();
    transport.failNext(lost());
    transport.respond('resources/subscribe', () => {
      queueMicrotask(() => transport.failNext(lost()));
      return {};
    });
    await assert.rejects(session.call('tools/call', { name: 'x' }, { isRepeatable: true }), {
      code: 'sessionExpired',
    });
  });

  it('when it cannot be replaced, the connection fails with the reason', async () => {
    const { transport, session } = await openedWithState();
    const closed = new Promise<CloseReason>((resolve) => session.onDidClose(resolve));
    transport.respond('initialize', () => {
      throw new RpcError(-32603, 'database is down');
    });
    transport.failNext(lost());
    await assert.rejects(session.call('tools/call', { name: 'x' }, { isRepeatable: true }), {
      message: 'database is down',
    });
    const reason = await closed;
    assert.equal(reason.kind === 'failed' && reason.error.message, 'database is down');
    assert.equal(transport.isClosed, true);
  });

  it('a server that keeps losing them is given up', async () => {
    const { transport, session } = await openedWithState();
    const closed = new Promise<CloseReason>((resolve) => session.onDidClose(resolve));
    // As a push stream would that the server refuses with 404 as soon as it is opened.
    transport.sessionReady = () => setImmediate(() => transport.loseSession());
    transport.loseSession();
    const reason = await closed;
    assert.equal(
      reason.kind === 'failed' && reason.error.message,
      'The server lost its session more than 3 times within a minute: do several instances share its requests without a common session store?',
    );
    assert.equal(transport.sentOf('initialize').length, 4);
  });

  it('closing during the replacement is a close, not a failure', async () => {
    const { transport, session } = await openedWithState();
    const closed = new Promise<CloseReason>((resolve) => session.onDidClose(resolve));
    transport.respond('initialize', () => noReply);
    transport.loseSession();
    await session.close();
    assert.deepEqual(await closed, { kind: 'requested' });
    expectNoListeners(transport);
  });
});

describe('LegacySession: the end', () => {
  it('LIFE-13: closes the transport and tells it once, also to who comes late', async () => {
    const { transport, session } = await openedLegacy();
    await session.close();
    const reasons: string[] = [];
    session.onDidClose(({ kind }) => reasons.push(kind));
    await session.close();
    assert.deepEqual(reasons, ['requested']);
    await assert.rejects(session.call('tools/list', {}), { code: 'closed' });
    expectNoListeners(transport);
  });

  it('HTTP-14: what was under way is not sent again, and the end is awaited', async () => {
    const { transport, session } = await openedLegacy();
    const call = session.call('tools/list', {});
    const gone = Promise.withResolvers<void>();
    transport.close = () => gone.promise;
    let isOver = false;
    const closing = session.close().then(() => (isOver = true));
    await assert.rejects(call, { code: 'closed', message: /whether it took effect is unknown/u });
    assert.equal(isOver, false);
    transport.end({ kind: 'requested' });
    gone.resolve();
    await closing;
  });

  it('passes on what is observed once it is open', async () => {
    const { transport, session } = await openedLegacy();
    transport.diagnose({ level: 'info', source: 'stderr', text: 'line' });
    const texts: string[] = [];
    session.onDidDiagnose(({ text }) => texts.push(text));
    assert.deepEqual(texts, ['line']);
  });
});

describe('LegacySession: trace context', () => {
  it('META-09: is passed on beside what the request carries', async () => {
    const { transport, session } = await openedLegacy();
    transport.respond('tools/call', () => ({ content: [] }));
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): unknown => seen.push(progress);
    await session.call('tools/call', { name: 'x', _meta: { traceparent } }, { onProgress });
    await session.call('tools/call', { name: 'x' });
    const [traced, plain] = transport.sentOf('tools/call');
    assert.deepEqual(traced?.params?.['_meta'], { traceparent, progressToken: traced?.id });
    assert.deepEqual(plain?.params, { name: 'x' });
  });
});
