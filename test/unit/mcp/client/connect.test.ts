import assert from 'node:assert/strict';
import { delay } from '../../../../src/base/async.ts';
import { type Binding, connect } from '../../../../src/mcp/client/connect.ts';
import { HttpError, McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { Session } from '../../../../src/mcp/session/session.ts';
import type { Diagnostic } from '../../../../src/mcp/transport/transport.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { FakeTransport, noReply } from '../../../support/fakeTransport.ts';
import { hello, initializeResult } from '../../../support/hello.ts';
import { expectNoListeners } from '../../../support/leaks.ts';
import { answeringDiscover, discoverResult } from '../../../support/modernSession.ts';

const { signal: never } = new AbortController();

/** {@link connect}; the session is closed after the test. */
const open = async (
  bindings: readonly Binding[],
  greeting = hello(),
  onDiagnostic?: (diagnostic: Diagnostic) => void,
): Promise<Session> => closedAfterTest(await connect(bindings, greeting, never, onDiagnostic));

const bindingTo = (transport: FakeTransport, label = 'stdio'): Binding => ({
  label,
  wire: 'pipe',
  eras: ['legacy'],
  connect: () => transport,
});

const answering = (): FakeTransport =>
  new FakeTransport().respond('initialize', () => initializeResult());

const stderr = (text: string): Diagnostic => ({ level: 'info', source: 'stderr', text });

describe('connect', () => {
  it('starts the channel, shakes hands and leaves it open', async () => {
    const transport = answering();
    const session = await open([bindingTo(transport)]);
    assert.deepEqual(transport.events.slice(0, 2), ['start', 'initialize']);
    assert.equal(session.server.transport, 'stdio');
    assert.equal(transport.isClosed, false);
    await session.close();
    expectNoListeners(transport);
  });

  it('LIFE-09: a handshake that does not end is a timeout that names the step', async () => {
    const transport = new FakeTransport();
    const close = transport.close.bind(transport);
    transport.close = async () => {
      await delay(5);
      await close();
    };
    const connecting = open([bindingTo(transport)], hello({ openMs: 20 }));
    await assert.rejects(connecting, {
      code: 'timeout',
      message: 'The connection was not ready within 0.02 s: the server did not answer "initialize"',
    });
    assert.equal(transport.isClosed, true);
    expectNoListeners(transport);
  });

  it('LIFE-09: so is a start that does not end', async () => {
    const transport = new FakeTransport();
    transport.start = () => new Promise(() => undefined);
    const connecting = open([bindingTo(transport)], hello({ openMs: 20 }));
    await assert.rejects(connecting, { code: 'timeout', message: /stdio could not be started/ });
    assert.equal(transport.isClosed, true);
  });

  it('CANC-02: a cancelled opening drops the connection and sends no cancellation', async () => {
    const transport = new FakeTransport();
    const controller = new AbortController();
    transport.respond('initialize', () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    const connecting = connect([bindingTo(transport)], hello(), controller.signal);
    await assert.rejects(connecting, { code: 'cancelled' });
    assert.deepEqual(transport.events, ['start', 'initialize', 'close']);
    const other = new FakeTransport();
    await assert.rejects(connect([bindingTo(other)], hello(), controller.signal), {
      code: 'cancelled',
    });
    assert.deepEqual(other.events, []);
  });

  it('says why the channel could not be opened', async () => {
    const transport = new FakeTransport();
    transport.startError = new McpError('unreachable', '"uvx" was not found on the PATH');
    await assert.rejects(open([bindingTo(transport)]), {
      code: 'unreachable',
      message: '"uvx" was not found on the PATH',
    });
    assert.equal(transport.isClosed, true);
    const odd = new FakeTransport();
    odd.startError = new TypeError('odd');
    await assert.rejects(open([bindingTo(odd)]), { code: 'unreachable' });
  });

  it('hands out what is observed until it is open or has failed, then the session does', async () => {
    const transport = answering();
    const failing = new FakeTransport().respond('initialize', () => {
      failing.diagnose(stderr('Traceback'));
      failing.end();
    });
    const texts: string[] = [];
    const note = ({ text }: Diagnostic): unknown => texts.push(text);
    await assert.rejects(open([bindingTo(failing)], hello(), note), {
      code: 'closed',
      message: /"initialize".*the process exited with code 1/,
    });
    transport.start = async () => transport.diagnose(stderr('listening'));
    const session = await open([bindingTo(transport)], hello(), note);
    transport.diagnose(stderr('later'));
    assert.deepEqual(texts, ['Traceback', 'listening']);
    session.onDidDiagnose(({ text }) => texts.push(`session: ${text}`));
    assert.deepEqual(texts, ['Traceback', 'listening', 'session: later']);
  });

  it('goes on to the next binding only when the server does not know the first', async () => {
    const unknown = new FakeTransport();
    unknown.failNext(new HttpError('http', 405, 'Method Not Allowed'));
    const transport = answering();
    const bindings = [bindingTo(unknown, 'Streamable HTTP'), bindingTo(transport, 'HTTP+SSE')];
    const session = await open(bindings);
    assert.equal(session.server.transport, 'HTTP+SSE');
    assert.equal(unknown.isClosed, true);

    const broken = new FakeTransport();
    broken.failNext(new HttpError('http', 500, 'Internal Server Error'));
    const untouched = answering();
    await assert.rejects(open([bindingTo(broken), bindingTo(untouched)]), {
      code: 'http',
    });
    assert.deepEqual(untouched.events, []);
  });

  it('SSE-07: says why the first way was refused when the next one is refused, too', async () => {
    for (const [second, message] of [
      [new HttpError('http', 405, 'no GET'), 'the header X-Tenant is missing'],
      [new McpError('protocol', 'a page instead of a stream'), 'the header X-Tenant is missing'],
      [new HttpError('unauthorized', 401, 'who is it?'), 'who is it?'],
      [new McpError('closed', 'it broke off'), 'it broke off'],
    ] as const) {
      const streamable = new FakeTransport();
      streamable.failNext(new HttpError('http', 400, 'the header X-Tenant is missing'));
      const sse = new FakeTransport();
      sse.startError = second;
      const bindings = [bindingTo(streamable, 'Streamable HTTP'), bindingTo(sse, 'HTTP+SSE')];
      await assert.rejects(open(bindings), { message });
    }
  });

  it('without any binding there is no way', async () => {
    await assert.rejects(open([]), { code: 'invalidConfig' });
  });
});

const either = (transports: FakeTransport[], wire: 'pipe' | 'http' = 'pipe'): Binding => ({
  label: wire === 'pipe' ? 'stdio' : 'Streamable HTTP',
  wire,
  eras: ['modern', 'legacy'],
  connect: () => {
    const transport = transports.shift();
    assert.ok(transport, 'one more start than expected');
    return transport;
  },
});

const legacyOnly = (): FakeTransport =>
  answering().respond('server/discover', () => {
    throw new RpcError(-32601, 'Method not found');
  });

const probed = ['start', 'server/discover'];
const shaken = ['initialize', 'sessionReady 2025-11-25', 'notifications/initialized'];

describe('connect: the choice of an era on a pipe', () => {
  it('STDIO-07: a modern server is opened with one start and no handshake', async () => {
    const transport = answeringDiscover();
    const session = await open([either([transport])]);
    assert.deepEqual(transport.events, probed);
    assert.equal(session.server.era, 'modern');
    await session.close();
    expectNoListeners(transport);
  });

  it('STDIO-08: an error leads to the handshake, on the same channel', async () => {
    const transport = legacyOnly();
    let refusals = 0;
    const session = await open([either([transport])], hello({ onRefusal: () => (refusals += 1) }));
    assert.deepEqual(transport.events, [...probed, 'beginSession', ...shaken]);
    assert.equal(session.server.revision, '2025-11-25');
    assert.equal(refusals, 1);
    await session.close();
    expectNoListeners(transport);
  });

  it('ERA-03: so does an error of a server that could not read the question, nor its id', async () => {
    const transport = answering().respond('server/discover', () => {
      transport.push({ id: null, error: { code: -32700, message: 'Parse error' } });
      return noReply;
    });
    let refusals = 0;
    await open([either([transport])], hello({ onRefusal: () => (refusals += 1) }));
    assert.deepEqual(transport.events, [...probed, 'beginSession', ...shaken]);
    assert.equal(refusals, 1, 'it is no silence');
  });

  it('STDIO-08: silence leads to the handshake, on the same channel', async () => {
    const transport = answering();
    let refusals = 0;
    const onRefusal = (): unknown => (refusals += 1);
    await open([either([transport])], hello({ probeMs: 10, onRefusal }));
    assert.deepEqual(transport.events, [...probed, 'beginSession', ...shaken]);
    assert.equal(refusals, 0);
  });

  it('LIFE-09, STDIO-08: silence to both first questions is a timeout that names both', async () => {
    const greeting = hello({ probeMs: 10, openMs: 50 });
    await assert.rejects(open([either([new FakeTransport()])], greeting), {
      code: 'timeout',
      message:
        'The connection was not ready within 0.05 s: the server answered neither "server/discover" nor "initialize"',
    });
  });

  it('STDIO-08: silence leaves time for the handshake, however short the limit is', async () => {
    const transport = answering();
    const session = await open([either([transport])], hello({ openMs: 1_000 }));
    assert.equal(session.server.era, 'legacy');
  });

  it('STDIO-08: a server that dies of the question is started again, once, and not asked', async () => {
    const dying = new FakeTransport().respond('server/discover', () => dying.end());
    const transport = answering();
    await open([either([dying, transport])]);
    assert.deepEqual(transport.events, ['start', ...shaken]);

    const again = new FakeTransport().respond('server/discover', () => again.end());
    const broken = new FakeTransport().respond('initialize', () => broken.end());
    await assert.rejects(open([either([again, broken])]), { code: 'closed' });
  });

  it('a server that refuses the handshake after the question is started again without it', async () => {
    const confused = legacyOnly().respond('initialize', () => {
      throw new RpcError(-32600, 'already initialized');
    });
    const transport = answering();
    await open([either([confused, transport])]);
    assert.deepEqual(transport.events, ['start', ...shaken]);
    assert.equal(confused.isClosed, true);
  });

  it('VER-10: one whose refusal names the modern revision is started again and asked', async () => {
    const slow = new FakeTransport().respond('initialize', () => {
      throw new RpcError(-32600, 'This server speaks 2026-07-28');
    });
    const transport = answeringDiscover();
    const greeting = hello({ probeMs: 10 });
    await open([either([slow, transport])], greeting);
    assert.deepEqual(transport.events, probed);
  });

  it('VER-10: one that answers late that it speaks it, and refuses the handshake, is asked again', async () => {
    const slow = new FakeTransport().respond('initialize', () => {
      slow.push({ id: 1, result: discoverResult() });
      slow.respond('server/discover', () => discoverResult());
      throw new RpcError(-32601, 'Method not found');
    });
    const completed: string[] = [];
    const features = { elicitationCompleted: (id: string) => completed.push(id) };
    const session = await open([either([slow])], hello({ probeMs: 10, features }));
    assert.deepEqual(slow.events, [
      ...probed,
      'beginSession',
      'initialize',
      'beginSession',
      'server/discover',
    ]);
    assert.equal(session.server.era, 'modern');
    slow.push({ method: 'notifications/elicitation/complete', params: { elicitationId: '1' } });
    assert.deepEqual(completed, [], 'the session that did not open still listens');
    await session.close();
    expectNoListeners(slow);
  });

  it('VER-10: so is, after a new start, one that answers late and then dies of the handshake', async () => {
    const dying = new FakeTransport().respond('initialize', () => {
      dying.push({ id: 1, result: discoverResult() });
      dying.end();
      return noReply;
    });
    const slow = new FakeTransport().respond('server/discover', async () => {
      await delay(30);
      return discoverResult();
    });
    const session = await open([either([dying, slow])], hello({ probeMs: 10 }));
    assert.equal(session.server.era, 'modern');
    assert.deepEqual(slow.events, probed);
  });

  it('VER-09: one that speaks both, and answers late, stays in the older era until the next opening', async () => {
    let lateAnswers = 0;
    const bound = answering().respond('initialize', () => {
      bound.push({ id: 1, result: discoverResult() });
      return initializeResult();
    });
    const greeting = hello({ probeMs: 10, onLateAnswer: () => lateAnswers++ });
    const session = await open([either([bound])], greeting);
    assert.deepEqual([session.server.era, lateAnswers], ['legacy', 1]);
  });

  it('ERA-04: a refusal that names only newer revisions is no reason to shake hands', async () => {
    const transport = answering().respond('server/discover', () => {
      throw new RpcError(-32022, 'no', { supported: ['2031-01-01'] });
    });
    await assert.rejects(open([either([transport])]), {
      code: 'unsupported',
      message: /speaks 2031-01-01/u,
    });
    assert.deepEqual(transport.events, [...probed, 'close']);
  });

  it('ERA-11: "legacy" and a revision of that era never ask; the revision is offered', async () => {
    const old = answering();
    await open([either([old])], hello({ protocol: 'legacy' }));
    assert.deepEqual(old.events, ['start', ...shaken]);

    const pinned = new FakeTransport().respond('initialize', ({ protocolVersion }) =>
      initializeResult({ protocolVersion }),
    );
    const second = await open([either([pinned])], hello({ protocol: '2025-03-26' }));
    assert.equal(second.server.revision, '2025-03-26');

    const other = answering();
    await assert.rejects(
      open([either([other])], hello({ protocol: '2025-03-26' })),
      /the server speaks 2025-11-25; this client offered 2025-03-26$/u,
    );
  });

  for (const protocol of ['modern', '2026-07-28'] as const) {
    it(`ERA-11, STDIO-09: "${protocol}" never falls back`, async () => {
      const transport = legacyOnly();
      await assert.rejects(open([either([transport])], hello({ protocol })), {
        code: 'unsupported',
        message: /"protocol": Method not found$/u,
      });
      assert.deepEqual(transport.events, [...probed, 'close']);
    });
  }

  it('ERA-11: a server that can only be modern may be as slow as the opening as a whole', async () => {
    const slow = new FakeTransport().respond('server/discover', async () => {
      await delay(30);
      return discoverResult();
    });
    const greeting = hello({ protocol: 'modern', probeMs: 10 });
    const session = await open([either([slow])], greeting);
    assert.equal(session.server.era, 'modern');

    const silent = hello({ protocol: 'modern', openMs: 20 });
    await assert.rejects(open([either([new FakeTransport()])], silent), {
      code: 'timeout',
      message: /within 0.02 s: the server did not answer "server\/discover"/u,
    });
  });

  it('VER-06: a server that is known to be legacy is not asked', async () => {
    const transport = answering();
    await open([either([transport])], hello({ lastEra: 'legacy' }));
    assert.deepEqual(transport.events, ['start', ...shaken]);
  });

  it('VER-07: a verdict that no longer fits is thrown away', async () => {
    const refusing = new FakeTransport().respond('initialize', () => {
      throw new RpcError(-32601, 'Method not found');
    });
    const transport = answeringDiscover();
    const texts: string[] = [];
    const greeting = hello({ lastEra: 'legacy' });
    const session = await open([either([refusing, transport])], greeting, ({ text }) =>
      texts.push(text),
    );
    assert.equal(session.server.era, 'modern');
    assert.match(texts.join(), /asked again which revisions it speaks/u);
  });

  it('a server that is not there is not asked twice', async () => {
    const absent = new FakeTransport();
    absent.startError = new McpError('unreachable', 'not found');
    await assert.rejects(open([either([absent])], hello({ lastEra: 'legacy' })), {
      code: 'unreachable',
    });
  });
});

const bindings = (modern: FakeTransport[], legacy: FakeTransport[]): readonly Binding[] => [
  { ...either(modern, 'http'), eras: ['modern'] },
  { ...either(legacy, 'http'), eras: ['legacy'] },
];

const trouble = (): FakeTransport => {
  const transport = new FakeTransport();
  transport.failNext(...[1, 2, 3].map(() => new HttpError('http', 503, 'first')));
  return transport;
};

describe('connect: the choice of an era over HTTP', () => {
  it('HTTP-19: the modern binding comes first', async () => {
    const transport = answeringDiscover();
    const session = await open(bindings([transport], []));
    assert.equal(session.server.era, 'modern');
  });

  it('HTTP-20, ERA-03: a refusal leads to the handshake', async () => {
    const modern = new FakeTransport();
    modern.failNext(new HttpError('http', 405, 'no'));
    const session = await open(bindings([modern], [answering()]));
    assert.equal(session.server.era, 'legacy');
    assert.equal(modern.isClosed, true);
  });

  it('TIME-01: silence is an outage, also of a server that can only be modern', async () => {
    const only = bindings([new FakeTransport()], []).slice(0, 1);
    await assert.rejects(open(only, hello({ probeMs: 10 })), {
      code: 'timeout',
      message: /^"server\/discover" had no answer/u,
    });
  });

  it('ERA-05: a refused sign-in is told, and nothing else tried', async () => {
    const modern = new FakeTransport();
    modern.failNext(new HttpError('unauthorized', 401, 'HTTP 401'));
    await assert.rejects(open(bindings([modern], [])), { code: 'unauthorized' });
  });

  it('ERA-05: a server in trouble gets one handshake; its first trouble is what is told', async () => {
    const session = await open(bindings([trouble()], [answering()]));
    assert.equal(session.server.era, 'legacy');
    await session.close();
    const down = new FakeTransport();
    down.failNext(new HttpError('http', 500, 'second'));
    await assert.rejects(open(bindings([trouble()], [down])), {
      message: 'first',
    });
  });

  it('VER-10: a handshake whose refusal shows the modern era leads back to it, once', async () => {
    const absent = new FakeTransport();
    absent.failNext(new HttpError('http', 404, 'no'));
    const refusing = new FakeTransport().respond('initialize', () => {
      throw new RpcError(-32022, 'no', { supported: ['2026-07-28'] });
    });
    const transport = answeringDiscover();
    const session = await open(bindings([absent, transport], [refusing]));
    assert.equal(session.server.era, 'modern');
  });
});
