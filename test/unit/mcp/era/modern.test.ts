import assert from 'node:assert/strict';
import { appsSettings } from '../../../../src/mcp/extensions.ts';
import { openModern } from '../../../../src/mcp/era/modern.ts';
import type { AskContext, Channel, ClientOptions } from '../../../../src/mcp/session/session.ts';
import { HttpError, McpError, RpcError } from '../../../../src/mcp/errors.ts';
import { Peer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import type { Diagnostic } from '../../../../src/mcp/transport/transport.ts';
import { listAll } from '../../../../src/mcp/client/listing.ts';
import { argumentHeaders } from '../../../../src/mcp/types/lists.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeTransport, noReply } from '../../../support/fakeTransport.ts';
import { hello, pipe } from '../../../support/hello.ts';
import { expectNoListeners } from '../../../support/leaks.ts';
import {
  answeringDiscover,
  discoverResult,
  http,
  openedModern,
} from '../../../support/modernSession.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const { signal: never } = new AbortController();
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const infoKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const levelKey = 'io.modelcontextprotocol/logLevel';

const openOn = (
  transport: FakeTransport,
  greeting: Partial<ClientOptions> = {},
  channel: Channel = pipe,
) => openModern(new Peer(transport), channel, hello(greeting), never);

/** Whatever the server answers to `server/discover`. */
async function opened(transport: FakeTransport, channel: Channel = pipe): Promise<void> {
  const opening = await openOn(transport, {}, channel);
  assert.equal(opening.kind, 'open');
  closedAfterTest(opening.session);
}

function metaOf(transport: FakeTransport, method: string): Readonly<Record<string, unknown>> {
  const meta = transport.sentOf(method).at(-1)?.params?.['_meta'];
  assert(typeof meta === 'object' && meta !== null);
  return { ...meta };
}

describe('openModern: server/discover', () => {
  it('STDIO-07, META-01: comes first, with a number as its id and the envelope', async () => {
    const { transport, session } = await openedModern();
    assert.deepEqual(transport.sent, [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: {
          _meta: {
            [versionKey]: '2026-07-28',
            [infoKey]: { name: 'mcp-host-test', version: '1.0.0' },
            [capabilitiesKey]: {},
          },
        },
      },
    ]);
    await session.close();
    expectNoListeners(transport);
  });

  it('DISC-02, META-11: describes the server, whose name is in _meta', async () => {
    const { session } = await openedModern({
      capabilities: { tools: { listChanged: 'yes' }, prompts: null },
      instructions: 'Be brief.',
    });
    const { revision, era, transport, info, capabilities, instructions } = session.server;
    assert.deepEqual(
      [revision, era, transport, info.name, info.version, capabilities, instructions],
      ['2026-07-28', 'modern', 'stdio', 'weather', '3.0', { tools: {} }, 'Be brief.'],
    );
  });

  it('META-11, META-10: a name in the body counts, none is no failure', async () => {
    const body = await openedModern({ _meta: undefined, serverInfo: { name: 'drafted' } });
    assert.equal(body.session.server.info.name, 'drafted');
    await body.session.close();
    const none = await openedModern({ _meta: 'odd', serverInfo: 7 });
    assert.deepEqual(none.session.server.info.name, 'unnamed');
  });

  it('VER-02: asks again in the revision that the server names, once', async () => {
    let refusals = 1;
    const transport = new FakeTransport().respond('server/discover', () => {
      if (refusals-- > 0) {
        throw new RpcError(-32022, 'unsupported', { supported: ['2026-07-28'], requested: 'x' });
      }
      return discoverResult();
    });
    await opened(transport);
    assert.deepEqual(
      transport.sentOf('server/discover').map(({ id }) => id),
      [1, 2],
    );

    refusals = 2;
    const second = new FakeTransport().respond('server/discover', () => {
      throw new RpcError(-32022, 'unsupported', { supported: ['2026-07-28'] });
    });
    await assert.rejects(openOn(second), { rpcCode: -32022 });
    assert.equal(second.sentOf('server/discover').length, 2);
    second.end();
  });

  it('ERA-05: a server in trouble is asked three times before the other era is tried', async () => {
    const transport = answeringDiscover();
    transport.failNext(new HttpError('http', 503, 'busy'), new HttpError('http', 500, 'busy'));
    await opened(transport, http);
    const down = new FakeTransport();
    down.failNext(...[1, 2, 3].map(() => new HttpError('http', 503, 'busy')));
    const given = await openOn(down, {}, http);
    assert.equal(given.kind, 'otherEra');
    down.end();
  });

  it('ERA-05: a wish to be asked later is granted', async () => {
    const transport = answeringDiscover();
    transport.failNext(new HttpError('http', 429, 'busy', '', 600));
    const since = performance.now();
    await opened(transport, http);
    assert.ok(performance.now() - since >= 550);
  });

  it('ERA-05: one that the opening has no time for ends it, and neither era is asked sooner', async () => {
    const transport = answeringDiscover();
    transport.failNext(new HttpError('http', 429, 'busy', '', 60_000));
    await assert.rejects(openOn(transport, {}, http), { status: 429, retryAfterMs: 60_000 });
    assert.deepEqual(transport.sent, []);
    transport.end();
  });

  it('ERA-09, BASE-05: requests that come meanwhile are reported and get no reply', async () => {
    const transport = new FakeTransport().respond('server/discover', () => {
      transport.push({ id: 1, method: 'ping' });
      transport.push({ id: 2, method: 'roots/list' });
      return discoverResult();
    });
    const diagnostics: Diagnostic[] = [];
    const peer = new Peer(transport);
    peer.onDidDiagnose((diagnostic) => diagnostics.push(diagnostic));
    const opening = await openModern(peer, pipe, hello(), never);
    assert.equal(opening.kind, 'open');
    closedAfterTest(opening.session);
    transport.push({ id: 3, method: 'sampling/createMessage' });
    await turns();
    assert.deepEqual(transport.replies, []);
    assert.equal(diagnostics.length, 3);
  });

  it('ERA-05: silence over HTTP is an outage', async () => {
    const transport = new FakeTransport().respond('server/discover', () => noReply);
    await assert.rejects(openOn(transport, { probeMs: 10 }, http), { code: 'timeout' });
    transport.end();
  });
});

describe('ModernSession: requests', () => {
  it('META-01, META-02, META-03: each says who asks, in which revision, and what that can do', async () => {
    const features = {
      listRoots: async () => [],
      elicit: async () => ({ action: 'cancel' }) as const,
      sample: async () => Promise.reject(new McpError('denied', 'no')),
    };
    const { transport, session } = await openedModern({}, { features });
    transport.respond('tools/list', () => ({ tools: [] }));
    await session.call('tools/list', {});
    assert.deepEqual(metaOf(transport, 'tools/list'), {
      [versionKey]: '2026-07-28',
      [infoKey]: { name: 'mcp-host-test', version: '1.0.0' },
      [capabilitiesKey]: {
        roots: {},
        elicitation: { form: {}, url: {} },
        sampling: { tools: {} },
      },
    });
  });

  it('EXT-01, EXT-02, TASK-01, APP-02: declares no extension unless it is asked for, then with every request', async () => {
    const extensions = {
      'io.modelcontextprotocol/tasks': {},
      'io.modelcontextprotocol/ui': appsSettings,
    };
    for (const [features, declared] of [
      [{}, {}],
      [{ extensions: {} }, {}],
      [{ extensions }, { extensions }],
    ] as const) {
      const { transport, session } = await openedModern({}, { features });
      transport.respond('tools/list', () => ({ tools: [] }));
      await session.call('tools/list', {});
      for (const method of ['server/discover', 'tools/list']) {
        assert.deepEqual(metaOf(transport, method)[capabilitiesKey], declared);
      }
      await session.close();
    }
  });

  it('META-06: names the extension that a server demands', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/call', () => {
      const requiredCapabilities = {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
        roots: {},
      };
      throw new RpcError(-32021, 'Missing capability', { requiredCapabilities });
    });
    await assert.rejects(session.call('tools/call', { name: 'x' }), {
      code: 'unsupported',
      message:
        /turned off for it: io\.modelcontextprotocol\/tasks, roots\. Protocol extensions are off until a setting turns them on$/u,
    });
  });

  it('LOG-01: the log level goes with every request, where the server logs', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/list', () => ({ tools: [] }));
    await session.setLogLevel('warning');
    await session.call('tools/list', {});
    assert.equal(metaOf(transport, 'tools/list')[levelKey], 'warning');
    await session.close();
    const other = await openedModern({ capabilities: { tools: {} } });
    other.transport.respond('tools/list', () => ({ tools: [] }));
    await other.session.setLogLevel('warning');
    await other.session.call('tools/list', {});
    assert.equal(levelKey in metaOf(other.transport, 'tools/list'), false);
  });

  it('META-09, PROG-02: passes on what the caller puts beside the envelope, and nothing in its place', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/call', () => ({ content: [] }));
    await session.call('tools/call', { name: 'x' });
    const envelope = metaOf(transport, 'tools/call');
    const theirs = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
      baggage: 'k=v',
      'example.com/note': [1],
    };
    const forged = { [versionKey]: '2024-11-05', [capabilitiesKey]: {}, [levelKey]: 'debug' };
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): unknown => seen.push(progress);
    const params = { name: 'x', _meta: { ...theirs, ...forged } };
    await session.call('tools/call', params, { onProgress });
    const progressToken = transport.sentOf('tools/call').at(-1)?.id;
    assert.deepEqual(metaOf(transport, 'tools/call'), { ...theirs, ...envelope, progressToken });
  });

  it('CAN-02, CAN-03: a cancelled call is told to the server on a pipe; over HTTP its stream is closed', async () => {
    for (const channel of [pipe, http]) {
      const { transport, session } = await openedModern({}, {}, channel);
      transport.cancelsByClosing = channel === http;
      const controller = new AbortController();
      const call = session.call('tools/call', { name: 'x' }, { signal: controller.signal });
      controller.abort();
      await assert.rejects(call, { code: 'cancelled' });
      assert.equal(transport.sendOptions[1]?.signal?.aborted, true);
      const told = transport.sentOf('notifications/cancelled');
      assert.deepEqual(
        told.map(({ params }) => params?.['requestId']),
        channel === pipe ? [2] : [],
      );
    }
  });

  it('DEP-04: sends none of what earlier revisions had', async () => {
    const { transport, session } = await openedModern({
      capabilities: { resources: { subscribe: true } },
    });
    await session.setLogLevel('debug');
    session.rootsChanged?.();
    void session.watch(['a:1']).catch(() => undefined);
    await session.call('ping', {});
    const methods = new Set(transport.events);
    assert.deepEqual([...methods], ['server/discover', 'subscriptions/listen']);
  });

  it('CAP-01, DISC-04, DISC-05: does not ask for what the server did not declare', async () => {
    const { transport, session } = await openedModern({ capabilities: {} });
    await assert.rejects(session.call('tools/list', {}), { code: 'unsupported' });
    assert.equal(transport.sent.length, 1);
  });

  it('VER-01, HTTP-04, HTTP-05, HTTP-06, HDR-14: the headers repeat revision, method and name, of a tool that was not listed nothing more', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    transport.respond('tools/call', () => ({ content: [] }));
    await session.call('tools/call', { name: 'sum', arguments: { region: 'eu' } });
    assert.deepEqual(
      transport.sendOptions.map((options) => options?.headers),
      [
        { 'mcp-method': 'server/discover', 'mcp-protocol-version': '2026-07-28' },
        { 'mcp-method': 'tools/call', 'mcp-protocol-version': '2026-07-28', 'mcp-name': 'sum' },
      ],
    );
  });
});

const broken = (): McpError => new McpError('closed', 'the stream ended before the reply');

describe('ModernSession: a connection that breaks before the reply', () => {
  it('HTTP-13, HTTP-14: a list and a read are sent again once, with a new id', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    transport
      .respond('tools/list', () => ({ tools: [] }))
      .respond('resources/read', () => ({ contents: [] }));
    for (const again of [
      () => session.call('tools/list', {}),
      () => session.call('resources/read', { uri: 'a:1' }),
    ]) {
      transport.failNext(broken());
      await again();
      transport.failNext(broken(), broken());
      await assert.rejects(again(), { code: 'closed' });
    }
    const ids = transport.sent.map((message) => ('id' in message ? message.id : undefined));
    assert.equal(new Set(ids).size, ids.length);
  });

  it('HTTP-14: a call, which may have had its effect, is not, unless a second one changes nothing more', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    transport.respond('tools/call', () => ({ content: [] }));
    transport.failNext(broken());
    await assert.rejects(session.call('tools/call', { name: 'pay' }), { code: 'closed' });
    assert.equal(transport.sentOf('tools/call').length, 0);
    transport.failNext(broken());
    await session.call('tools/call', { name: 'look' }, { isRepeatable: true });
    assert.equal(transport.sentOf('tools/call').length, 1);
  });

  it('HTTP-14: nor is what the caller gave up', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    const controller = new AbortController();
    transport.failNext(broken());
    const asked = session.call('tools/list', {}, { signal: controller.signal });
    controller.abort();
    await assert.rejects(asked);
    assert.equal(transport.sentOf('tools/list').length, 0);
  });

  it('HTTP-14: nor what is under way at the end, which takes its question along', async () => {
    const asked: AbortSignal[] = [];
    const elicit = (_request: unknown, { signal }: AskContext): Promise<never> => {
      asked.push(signal);
      return new Promise(() => undefined);
    };
    const { transport, session } = await openedModern({}, { features: { elicit } }, http);
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
    const inputRequests = { q: { method: 'elicitation/create', params } };
    transport.respond('tools/call', () => ({ resultType: 'input_required', inputRequests }));
    const { signal } = new AbortController();
    const ends = Promise.all([
      assert.rejects(session.call('tools/call', { name: 'a' }, { signal }), { code: 'closed' }),
      assert.rejects(session.call('prompts/list', {}), { message: /took effect is unknown/u }),
    ]);
    await waitUntil('the question', () => asked.length === 1);
    const gone = Promise.withResolvers<void>();
    transport.close = () => gone.promise;
    let isOver = false;
    const closing = session.close().then(() => (isOver = true));
    await ends;
    assert.deepEqual([asked[0]?.aborted, isOver], [true, false]);
    transport.end({ kind: 'requested' });
    gone.resolve();
    await closing;
  });

  it('STDIO-08: on a pipe it is the end of everything', async () => {
    const { transport, session } = await openedModern();
    transport.failNext(broken());
    await assert.rejects(session.call('tools/list', {}), { code: 'closed' });
    assert.equal(transport.sentOf('tools/list').length, 0);
  });
});

describe('ModernSession: answers', () => {
  it('BASE-08, TOOL-14: no resultType is complete; structured content is any JSON value', async () => {
    const { transport, session } = await openedModern();
    for (const structuredContent of [null, 0, false, '', [1], { a: 1 }]) {
      transport.respond('tools/call', () => ({ content: [], structuredContent }));
      const result = await session.call('tools/call', { name: 'x' });
      assert.deepEqual(result.structuredContent, structuredContent);
      assert.equal('structuredContent' in result, true);
    }
  });

  it('BASE-09, MRTR-01, EXT-01, TASK-03, TASK-05: a result of a type that is unknown or not allowed breaks the protocol', async () => {
    const declared = { 'io.modelcontextprotocol/tasks': {} };
    for (const [method, resultType, extensions] of [
      ['tools/call', 'task'],
      ['prompts/get', 'task', declared],
      ['tools/list', 'input_required'],
      ['tools/list', 'novel'],
      ['tools/call', 'novel'],
      ['tools/call', 'Complete'],
      ['tools/call', ''],
      ['tools/call', 7],
    ] as const) {
      const { transport, session } = await openedModern({}, { features: { extensions } });
      const fitting = { content: [], tools: [], messages: [], taskId: 't', requestState: 's' };
      transport.respond(method, () => ({ ...fitting, resultType }));
      const before = transport.sent.length;
      await assert.rejects(session.call(method, { name: 'x' }), {
        code: 'protocol',
        message: `The server's result for "${method}" has a type that is not allowed: ${JSON.stringify(resultType)}`,
      });
      assert.equal(transport.sent.length, before + 1, 'nothing follows');
    }
  });

  it('TOOL-15, TOOL-14: unknown kinds of content and unknown members are handed on as they are', async () => {
    const { transport, session } = await openedModern();
    const content = [
      { type: 'hologram', data: 1, annotations: null },
      { type: 'text', text: 'a' },
    ];
    transport.respond('tools/call', () => ({ resultType: null, content, novel: { a: 1 } }));
    const result = await session.call('tools/call', { name: 'x' });
    assert.deepEqual(result, { resultType: null, content, novel: { a: 1 } });
  });

  it('BASE-11, BASE-13, TIME-02: errors of unknown codes are told as they came, ours are told apart', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/call', () => {
      throw new RpcError(-32019, 'odd', { a: 1 });
    });
    await assert.rejects(session.call('tools/call', { name: 'x' }), {
      code: 'rpc',
      rpcCode: -32019,
      data: { a: 1 },
    });
    transport.respond('tools/call', () => noReply);
    const times = { idleMs: 20, totalMs: 20 };
    const startedAt = performance.now();
    await assert.rejects(session.call('tools/call', { name: 'x' }, { times }), { code: 'timeout' });
    assert.ok(performance.now() - startedAt < 5_000);
  });

  it('RES-04, RES-05: an unknown resource has the same code in both eras', async () => {
    const { transport, session } = await openedModern();
    transport.respond('resources/read', () => {
      throw new RpcError(-32602, 'no such resource', { uri: 'a:1' });
    });
    await assert.rejects(session.call('resources/read', { uri: 'a:1' }), { rpcCode: -32002 });
  });

  it('VER-02: -32022 in a running conversation is corrected once', async () => {
    const { transport, session } = await openedModern();
    let refusals = 1;
    transport.respond('tools/call', () => {
      if (refusals-- > 0) {
        throw new RpcError(-32022, 'no', { supported: ['2026-07-28'] });
      }
      return { content: [] };
    });
    await session.call('tools/call', { name: 'x' });
    assert.equal(transport.sentOf('tools/call').length, 2);
    assert.equal(transport.isClosed, false);
  });

  it('ERA-06: one that no longer speaks this era is reported as closed', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/call', () => {
      throw new RpcError(-32022, 'no', { supported: ['2025-11-25'] });
    });
    const closed = new Promise<unknown>((resolve) => session.onDidClose(resolve));
    await assert.rejects(session.call('tools/call', { name: 'x' }), { rpcCode: -32022 });
    assert.match(JSON.stringify(await closed), /"kind":"failed"/u);
    assert.equal(transport.isClosed, true);
  });

  it('ERR-03: whatever its status, a refusal fails one request, and no other that is under way', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    const reply = deferred<unknown>();
    transport.respond('resources/read', () => reply.promise);
    const read = session.call('resources/read', { uri: 'file:///a' });
    const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
    for (const status of statuses) {
      transport.failNext(new HttpError(status === 401 ? 'unauthorized' : 'http', status, 'no'));
      await assert.rejects(session.call('tools/call', { name: 'x' }), { status });
      assert.equal(transport.isClosed, false, String(status));
    }
    reply.resolve({ contents: [] });
    assert.deepEqual((await read).contents, []);
    // 400, 404, 405 and 410 may mean that there is no server any more: it was asked, and it is there.
    await turns();
    assert.ok(transport.sentOf('server/discover').length >= 3);
    assert.equal(transport.isClosed, false);
  });

  it('ERA-06: an endpoint that is gone is reported as closed', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    const closed = new Promise<unknown>((resolve) => session.onDidClose(resolve));
    transport.respond('tools/call', () => {
      throw new RpcError(-32601, 'Method not found');
    });
    await assert.rejects(session.call('tools/call', { name: 'x' }), { rpcCode: -32601 });
    assert.equal(transport.isClosed, false);
    transport.failNext(new HttpError('http', 404, 'no'), new HttpError('http', 404, 'no'));
    await assert.rejects(session.call('tools/call', { name: 'x' }), { status: 404 });
    assert.match(JSON.stringify(await closed), /"kind":"failed".*"status":404/u);
    assert.equal(transport.isClosed, true);
  });

  it('BASE-06: a notification is not answered, known or not, and ours has no id', async () => {
    const { transport, session } = await openedModern();
    const logs: unknown[] = [];
    session.onDidLog((message) => logs.push(message));
    transport.push({ method: 'notifications/message', params: { level: 'info', data: 1 } });
    transport.push({ method: 'notifications/elicitation/complete', params: {} });
    transport.push({ method: 'notifications/novel' });
    assert.deepEqual(logs, [{ level: 'info', logger: undefined, data: 1 }]);
    const call = session.call('tools/list', {}, { signal: AbortSignal.abort() });
    await assert.rejects(call, { code: 'cancelled' });
    const times = { idleMs: 10, totalMs: 10 };
    await assert.rejects(session.call('tools/list', {}, { times }), { code: 'timeout' });
    assert.deepEqual(
      transport.sent.map((message) => ['method' in message && message.method, 'id' in message]),
      [
        ['server/discover', true],
        ['tools/list', true],
        ['notifications/cancelled', false],
      ],
    );
    await session.close();
    expectNoListeners(transport);
  });
});

const annotated = (name: string, header: string) => ({
  name,
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': header } },
  },
});

describe('ModernSession: arguments as headers', () => {
  it('MRTR-12, META-09: a second leg has the headers and the metadata of the first, and an id of its own', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    transport.respond('tools/list', () => ({ tools: [annotated('a', 'Region')] }));
    transport.respond('tools/call', ({ requestState }) =>
      requestState === undefined
        ? { resultType: 'input_required', requestState: 's' }
        : { content: [] },
    );
    await session.call('tools/list', {});
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const params = { name: 'a', arguments: { region: 'eu' }, _meta: { traceparent } };
    await session.call('tools/call', params);
    const [first, second] = transport.sendOptions.slice(-2);
    assert.deepEqual(second?.headers, first?.headers);
    assert.equal(first?.headers?.['mcp-param-region'], 'eu');
    const [one, two] = transport.sentOf('tools/call');
    assert.notEqual(one?.id, two?.id);
    assert.deepEqual(one?.params?.['_meta'], two?.params?.['_meta']);
    assert.equal(metaOf(transport, 'tools/call')['traceparent'], traceparent);
  });

  it('HDR-01, HDR-06, HDR-07: repeats them, and leaves out a tool whose marks make no sense', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    const warnings: string[] = [];
    session.onDidDiagnose(({ level, text }) => level === 'warn' && warnings.push(text));
    transport.respond('tools/list', () => ({
      tools: [annotated('a', 'Region'), annotated('b', 'no good')],
    }));
    transport.respond('tools/call', () => ({ content: [] }));
    const { tools } = await session.call('tools/list', {});
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['a'],
    );
    assert.match(warnings.join(), /^The tool "b" is left out: /u);
    await session.call('tools/call', { name: 'a', arguments: { region: 'Zürich' } });
    assert.equal(
      transport.sendOptions.at(-1)?.headers?.['mcp-param-region'],
      '=?base64?WsO8cmljaA==?=',
    );
  });

  it('HDR-07, HDR-17: a list tells what is left out and which arguments are repeated, on every page and from the cache', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    transport.respond('tools/list', ({ cursor }) => ({
      tools: [annotated('a', 'R'), annotated('b', ''), annotated('c', 'no good'), { name: 'd' }],
      ttlMs: 60_000,
      ...(cursor === undefined && { nextCursor: 'two' }),
    }));
    for (const asked of [2, 2]) {
      const { items, dropped } = await listAll(session, 'tools');
      assert.deepEqual(
        items.map((tool) => [tool.name, tool[argumentHeaders]]),
        ['a', 'a'].map((name) => [name, ['region']]),
      );
      assert.deepEqual(
        dropped.map(({ index, name }) => `${index} ${name}`),
        ['0 b', '1 c', '3 d', '4 b', '5 c', '7 d'],
      );
      assert.match(dropped[1]?.reason ?? '', /"no good" is not a header name/u);
      assert.equal(transport.sentOf('tools/list').length, asked);
    }
  });

  it('HDR-13: what a list said counts until the next one says otherwise, page by page', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    const pages: object[][] = [[annotated('a', 'Region')], [annotated('b', 'Region')]];
    transport
      .respond('tools/call', () => ({ content: [] }))
      .respond('tools/list', ({ cursor }) =>
        cursor === undefined ? { tools: pages[0], nextCursor: '2' } : { tools: pages[1] },
      );
    const sent = async (): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for (const name of ['a', 'b']) {
        await session.call('tools/call', { name, arguments: { region: name } });
        found.push(transport.sendOptions.at(-1)?.headers?.['mcp-param-region']);
      }
      return found;
    };
    await session.call('tools/list', {});
    await session.call('tools/list', { cursor: '2' });
    pages[0] = [{ ...annotated('a', 'Region'), inputSchema: { type: 'object' } }];
    await session.call('tools/list', {});
    assert.deepEqual(await sent(), [undefined, 'b']);
    pages[1] = [];
    await session.call('tools/list', { cursor: '2' });
    assert.deepEqual(await sent(), [undefined, undefined]);
  });

  it('HDR-08, HDR-17: on a pipe the marks mean nothing', async () => {
    const { transport, session } = await openedModern();
    transport.respond('tools/list', () => ({ tools: [annotated('b', 'no good')] }));
    const { tools } = await session.call('tools/list', {});
    assert.deepEqual(
      tools.map((tool) => tool[argumentHeaders]),
      [undefined],
    );
    assert.equal(transport.sendOptions.at(-1)?.headers, undefined);
  });

  it('HDR-15: -32020 leads to new schemas and one more try', async () => {
    const { transport, session } = await openedModern({}, {}, http);
    transport.respond('tools/list', (params) =>
      params['cursor'] === undefined
        ? { tools: [], nextCursor: '2', ttlMs: 60_000 }
        : { tools: [annotated('a', 'Region')] },
    );
    await session.call('tools/list', {});
    transport.events.length = 1;
    transport.respond('tools/call', () => {
      if (transport.sendOptions.at(-1)?.headers?.['mcp-param-region'] === undefined) {
        throw new RpcError(-32020, 'a header is missing');
      }
      return { content: [] };
    });
    await session.call('tools/call', { name: 'a', arguments: { region: 'eu' } });
    assert.deepEqual(transport.events.slice(1), [
      'tools/call',
      'tools/list',
      'tools/list',
      'tools/call',
    ]);
    transport.respond('tools/call', () => {
      throw new RpcError(-32020, 'a header is missing');
    });
    await assert.rejects(session.call('tools/call', { name: 'a' }), { rpcCode: -32020 });
    assert.equal(transport.sentOf('tools/call').length, 4);
    await session.call('tools/list', {});
    assert.equal(transport.sentOf('tools/list').length, 6, 'none is kept of before');
    const lists = transport.sentOf('tools/list').length;
    transport.respond('prompts/get', () => {
      throw new RpcError(-32020, 'a header is missing');
    });
    await assert.rejects(session.call('prompts/get', { name: 'p' }), { rpcCode: -32020 });
    assert.equal(transport.sentOf('prompts/get').length, 1);
    assert.equal(transport.sentOf('tools/list').length, lists);
  });
});
