import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { setUnexpectedErrorHandler } from '../../../../src/base/event.ts';
import { viewLimits } from '../../../../src/host/apps/appConversation.ts';
import { type AppParts, viewTimes } from '../../../../src/host/apps/appHost.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import { deferred } from '../../../support/deferred.ts';
import { hostView } from '../../../support/fakeView.ts';
import { untilAborted } from '../../../support/fakeSession.ts';

const result = {
  content: [{ type: 'text', text: 'noon' }],
  structuredContent: { hour: 12 },
} as const;
const input = 'ui/notifications/tool-input';
const answered = 'ui/notifications/tool-result';
const cancelled = 'ui/notifications/tool-cancelled';
const context = 'ui/notifications/host-context-changed';

const failing = (error: Error) => async (): Promise<object> => {
  throw error;
};

/** A call that tells of its progress, and ends only when it is stopped. */
function endless() {
  const aborted = deferred<unknown>();
  const requests: AppParts['requests'] = new Map([
    [
      'tools/call',
      async ({ signal, onProgress }) => {
        onProgress?.({ progress: 1, total: 2 });
        return untilAborted(signal).catch((error: unknown) => {
          aborted.resolve(error);
          return {};
        });
      },
    ],
  ]);
  return { requests, aborted: aborted.promise };
}

/** A call that takes its time, unless it is cancelled. */
const slow = async ({ signal }: { readonly signal: AbortSignal }): Promise<object> => {
  await settled();
  signal.throwIfAborted();
  return {};
};

/** What is to be handled in later turns has been. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The greeting of a view', () => {
  it('APP-49: is answered with version, host, capabilities and context', async () => {
    const { greet } = hostView({ capabilities: { openLinks: {} } });
    assert.deepEqual((await greet()).result, {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'host', version: '1.0.0' },
      hostCapabilities: { openLinks: {} },
      hostContext: {
        theme: 'dark',
        displayMode: 'inline',
        availableDisplayModes: ['inline', 'fullscreen'],
        containerDimensions: { width: 800, maxHeight: 600 },
        toolInfo: {
          id: 'call-1',
          tool: { name: 'get-time', inputSchema: { type: 'object' } },
        },
      },
    });
  });

  it('APP-50: in another version is answered in ours', async () => {
    const { greet } = hostView();
    const { result: said } = await greet({ protocolVersion: '2031-01-01' });
    assert.equal(said?.['protocolVersion'], '2026-01-26');
  });

  for (const wrong of [
    { appInfo: undefined },
    { appInfo: {} },
    { appInfo: { name: 'clock', version: 1 } },
    { appCapabilities: undefined },
    { protocolVersion: undefined },
  ]) {
    it(`APP-41: with ${inspect(wrong)} is refused`, async () => {
      const { greet, app, port } = hostView();
      assert.equal((await greet(wrong)).error?.code, -32602);
      port.notify('ui/notifications/initialized');
      assert.equal(app.state.kind, 'loading');
    });
  }

  it('APP-45: that comes again begins anew, with input and result', async () => {
    const { start, greet, port, app, outcome } = hostView();
    await start();
    outcome.resolve(result);
    await settled();
    port.sent.length = 0;
    await greet();
    assert.deepEqual([app.state.kind, port.methods], ['loading', []]);
    port.notify('ui/notifications/initialized');
    assert.deepEqual(port.methods, [input, answered]);
  });

  it('APP-45: that comes again leaves no answer to earlier requests', async () => {
    const { requests, aborted } = endless();
    const { start, port } = hostView({ requests });
    await start();
    void port.ask(7, 'tools/call');
    const again = await port.ask(7, 'ui/initialize', {
      appInfo: { name: 'clock', version: '1.0.0' },
      appCapabilities: {},
      protocolVersion: '2026-01-26',
    });
    await aborted;
    assert.equal(again.result?.['protocolVersion'], '2026-01-26');
    assert.equal(port.sent.filter(({ id }) => id === 7).length, 1);
  });

  it('APP-62, APP-64: that comes again is answered inline: the page may be another one', async () => {
    const { start, greet, ui, port } = hostView();
    await start();
    ui.change({ displayMode: 'fullscreen' });
    port.sent.length = 0;
    const again = await greet({ appCapabilities: { availableDisplayModes: ['inline'] } });
    const { displayMode } = Object(again.result?.['hostContext']);
    assert.deepEqual([displayMode, ui.surroundings.displayMode], ['inline', 'inline']);
    assert.deepEqual(port.methods, [], 'nothing before it is ready');
  });

  it('APP-76: with tools of the view itself: it is asked for none, and calls of none are sent', async () => {
    const { start, port, outcome } = hostView();
    await start({ appCapabilities: { tools: { listChanged: true } } });
    outcome.resolve(result);
    port.notify('notifications/tools/list_changed');
    await settled();
    assert.deepEqual(port.methods, [input, answered]);
  });

  it('APP-46: that does not come in time, up to `initialized`, is told, and may still come', async () => {
    const { app, clock, greet, start, outcome } = hostView();
    outcome.resolve(result);
    await greet();
    clock.advance(viewTimes.startMs - 1);
    assert.equal(app.state.kind, 'loading');
    clock.advance(1);
    assert.deepEqual(app.state, {
      kind: 'silent',
      reason: 'The app did not start within 15 seconds.',
    });
    await start();
    clock.advance(viewTimes.startMs);
    assert.equal(app.state.kind, 'ready');
  });
});

describe('The data of a call', () => {
  it('APP-43, APP-55: waits for `initialized`, arguments before the result', async () => {
    const { greet, port, outcome, ui, app } = hostView();
    outcome.resolve(result);
    await settled();
    ui.change({ theme: 'light' });
    await greet();
    ui.change({ locale: 'de' });
    ui.change({ theme: 'dark' });
    app.listChanged('tools');
    await settled();
    assert.deepEqual(port.methods, []);
    port.notify('ui/notifications/initialized');
    assert.deepEqual(port.methods, [input, context, 'notifications/tools/list_changed', answered]);
    assert.deepEqual(port.of(input)[0]?.params, { arguments: { zone: 'UTC' } });
    assert.deepEqual(port.of(context)[0]?.params, { locale: 'de', theme: 'dark' });
  });

  it('APP-55: comes once, also when the view says `initialized` twice', async () => {
    const { start, port } = hostView();
    await start();
    port.notify('ui/notifications/initialized');
    assert.equal(port.of(input).length, 1);
  });

  it('APP-56, APP-57, APP-59: comes whole, and ends with the whole result, without the type of the answer', async () => {
    const { start, port, outcome } = hostView();
    await start();
    const whole = { ...result, _meta: { seconds: 3 }, isError: true };
    outcome.resolve({ ...whole, resultType: 'complete' } as typeof whole);
    await settled();
    assert.deepEqual(
      port.of(answered).map(({ params }) => params),
      [whole],
    );
    assert.deepEqual(port.methods, [input, answered]);
  });

  for (const error of [
    new McpError('cancelled', 'Stopped by hand'),
    new RpcError(-32000, 'Out of order'),
  ]) {
    it(`APP-58: is told as cancelled, with the reason: ${error.message}`, async () => {
      const { start, port, outcome } = hostView();
      await start();
      outcome.reject(error);
      await settled();
      assert.deepEqual(
        port.of(cancelled).map(({ params }) => params),
        [{ reason: error.message }],
      );
      assert.deepEqual(port.of(answered), []);
    });
  }
});

describe('The surroundings of a view', () => {
  it('APP-53, APP-64: are told as they change, and only what did', async () => {
    const { start, ui, port } = hostView();
    await start();
    ui.change({ displayMode: 'fullscreen', containerDimensions: { width: 1_000, height: 900 } });
    ui.change({ theme: 'dark' });
    assert.deepEqual(
      port.of(context).map(({ params }) => params),
      [{ displayMode: 'fullscreen', containerDimensions: { width: 1_000, height: 900 } }],
    );
  });

  it('APP-54: bound the size that it wishes; a fixed axis ignores it', async () => {
    const { start, ui, port } = hostView();
    await start();
    const wish = (params: object): void => port.notify('ui/notifications/size-changed', params);
    wish({ width: 100, height: 300 });
    wish({ height: 5_000 });
    for (const height of [-1, Infinity, NaN, '7', undefined]) {
      wish({ height });
    }
    wish({ width: 10 });
    ui.change({ containerDimensions: { maxWidth: 500, height: 900 } });
    wish({ width: 5_000, height: 10 });
    assert.deepEqual(ui.sizes, [{ height: 300 }, { height: 600 }, { width: 500 }]);
  });
});

describe('A message of a view', () => {
  it('APP-32, APP-33, APP-39, APP-40: that is no JSON-RPC object, or only a proxy may send, is overlooked', async () => {
    const { start, port } = hostView();
    await start();
    const before = port.sent.length;
    const jsonrpc = '2.0';
    for (const message of [
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      null,
      [],
      { id: 1 },
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc, method: 'ui/notifications/sandbox-proxy-ready' },
      { jsonrpc, id: 5, method: 'ui/notifications/sandbox-resource-ready' },
    ]) {
      port.receive(message);
    }
    await settled();
    assert.equal(port.sent.length, before);
  });

  it('APP-41: that is malformed gets -32600, an unknown method -32601', async () => {
    const { start, port } = hostView();
    await start();
    port.receive({ jsonrpc: '2.0', id: 1, method: 7 });
    port.receive({ jsonrpc: '2.0', id: 2, method: 'ping', params: [] });
    assert.equal((await port.ask(3, 'roots/list')).error?.code, -32601);
    assert.deepEqual(
      port.sent.flatMap(({ id, error }) => (error ? [[id, error.code]] : [])),
      [
        [1, -32600],
        [2, -32600],
        [3, -32601],
      ],
    );
  });

  it('APP-41: that is a bad notification is dropped and counted', async () => {
    const { start, port, app, lines, ui, logged } = hostView();
    await start();
    const before = port.sent.length;
    port.notify('notifications/none');
    port.receive({ jsonrpc: '2.0', method: 'ping', params: 3 });
    port.notify('ui/notifications/size-changed', { width: 'x', height: 1 });
    port.notify('notifications/message', { level: 'loud', data: 'no' });
    port.notify('notifications/message', { data: 'no' });
    port.notify('notifications/cancelled', { reason: 'enough' });
    app.dispose();
    assert.deepEqual([port.sent.length, ui.sizes, logged], [before, [], []]);
    assert.ok(lines.includes('Messages of the app that were dropped: 6'), lines.join('\n'));
  });

  it('APP-48, APP-44: is served before `initialized`, pings too', async () => {
    const { port } = hostView({ requests: new Map([['tools/list', async () => ({ tools: [] })]]) });
    assert.deepEqual((await port.ask(1, 'ping')).result, {});
    assert.deepEqual((await port.ask(2, 'tools/list')).result, { tools: [] });
  });

  it('APP-42, APP-44: is answered although the view greets only after it', async () => {
    const { greet, port } = hostView({ requests: new Map([['tools/call', slow]]) });
    const called = port.ask(7, 'tools/call');
    await greet();
    assert.ok((await called).result);
  });

  it('APP-42: is answered once; ids are per direction; a foreign answer is dropped', async () => {
    const open = deferred<object>();
    let runs = 0;
    const run = async (): Promise<object> => {
      runs += 1;
      return open.promise;
    };
    const { start, port, app } = hostView({ requests: new Map([['x', run]]) });
    await start();
    const first = port.ask(1, 'x');
    port.receive({ jsonrpc: '2.0', id: 1, method: 'x' });
    port.receive({ jsonrpc: '2.0', id: 1, result: {} });
    open.resolve({ a: 1 });
    assert.deepEqual((await first).result, { a: 1 });
    await settled();
    assert.equal(port.sent.filter(({ id }) => id === 1).length, 1);
    assert.deepEqual([runs, app.state.kind], [1, 'ready']);
  });

  it('APP-38, APP-41: that is too large or too deep is refused', async () => {
    const { start, port } = hostView();
    await start();
    const text = 'x'.repeat(viewLimits.messageChars);
    assert.equal((await port.ask(1, 'ping', { text })).error?.code, -32600);
    const deep: Record<string, unknown> = {};
    let end = deep;
    for (let depth = 0; depth < 100_000; depth += 1) {
      end = end['a'] = {} as Record<string, unknown>;
    }
    assert.equal((await port.ask(2, 'ping', deep)).error?.code, -32600);
  });

  it('APP-38: that is one of too many ends the app, with the reason', async () => {
    const { start, port, app } = hostView();
    await start();
    app.flood();
    assert.deepEqual(app.state, {
      kind: 'failed',
      reason: 'The app was ended: it sent more than 1000 messages in a second.',
    });
    const before = port.sent.length;
    port.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    assert.equal(port.sent.length, before);
  });

  it('APP-38: waits with at most a hundred others', async () => {
    const requests = new Map([['x', async () => new Promise<object>(() => undefined)]]);
    const { start, port, greet } = hostView({ requests });
    await start();
    for (let id = 1; id <= viewLimits.openRequests; id += 1) {
      void port.ask(id, 'x');
    }
    assert.equal((await port.ask(0, 'x')).error?.code, -32000);
    assert.ok((await greet()).result, 'a view that is loaded anew begins anew');
  });

  it('APP-47: has its progress relayed under its token, and is cancelled without an answer', async () => {
    const { requests, aborted } = endless();
    const { start, port } = hostView({ requests });
    await start();
    void port.ask(4, 'tools/call', { _meta: { progressToken: 9 } });
    assert.deepEqual(port.of('notifications/progress')[0]?.params, {
      progress: 1,
      total: 2,
      progressToken: 9,
    });
    port.notify('notifications/cancelled', { requestId: 4 });
    assert.match(String(await aborted), /The app cancelled the request/u);
    await settled();
    assert.deepEqual(
      port.sent.filter(({ id }) => id === 4),
      [],
    );
  });

  it('APP-43: has no progress before `initialized`', async () => {
    const { requests } = endless();
    const { greet, port } = hostView({ requests });
    await greet();
    void port.ask(4, 'tools/call', { _meta: { progressToken: 9 } });
    assert.deepEqual(port.methods, []);
  });

  it('APP-41: that fails gets the server’s error as it is, or -32000; of our own bugs it hears no words', async () => {
    const bug = new Error('/home/me/secret');
    const requests = new Map([
      ['a', failing(new RpcError(-32042, 'Visit first', { elicitations: [] }))],
      ['b', failing(new McpError('closed', 'The server does not run'))],
      ['c', failing(bug)],
    ]);
    const bugs: unknown[] = [];
    setUnexpectedErrorHandler((error) => bugs.push(error));
    const { port } = hostView({ requests });
    assert.deepEqual((await port.ask(1, 'a')).error, {
      code: -32042,
      message: 'Visit first',
      data: { elicitations: [] },
    });
    assert.deepEqual((await port.ask(2, 'b')).error, {
      code: -32000,
      message: 'The server does not run',
    });
    const internal = { code: -32603, message: 'Internal error' };
    assert.deepEqual([(await port.ask(3, 'c')).error, bugs], [internal, [bug]]);
  });
});

describe('The end of a view', () => {
  it('APP-78: is asked for, and waits for the answer', async () => {
    const { start, app, port } = hostView();
    await start();
    let isClosed = false;
    const closing = app.close('The tab is needed').then(() => (isClosed = true));
    const [asked] = port.of('ui/resource-teardown');
    assert.deepEqual(asked?.params, { reason: 'The tab is needed' });
    await settled();
    assert.equal(isClosed, false);
    port.receive({ jsonrpc: '2.0', id: asked?.id, error: { code: -32601, message: 'No' } });
    await closing;
    assert.equal(app.state.kind, 'closed');
  });

  it('APP-78: waits three seconds at most', async () => {
    const { start, app, clock } = hostView();
    await start();
    const closing = app.close('Enough');
    clock.advance(viewTimes.teardownMs);
    await closing;
    assert.equal(app.state.kind, 'closed');
  });

  it('APP-79: that never started is at once', async () => {
    const { app, port } = hostView();
    await app.close('Enough');
    assert.deepEqual(port.sent, []);
  });

  it('APP-42, APP-78, APP-79: that comes with its tab answers open requests, cancels their work, and then nothing', async () => {
    const { requests, aborted } = endless();
    let late = 0;
    const more = new Map([...requests, ['x', async () => ({ late: (late += 1) })]]);
    const { start, app, port, outcome, ui } = hostView({ requests: more });
    await start();
    const open = port.ask(1, 'tools/call');
    app.dispose();
    assert.deepEqual([app.state.kind, port.of('ui/resource-teardown')], ['closed', []]);
    assert.deepEqual((await open).error, { code: -32000, message: 'The app is closed' });
    await aborted;
    const before = port.sent.length;
    outcome.resolve(result);
    ui.change({ theme: 'light' });
    port.receive({ jsonrpc: '2.0', id: 2, method: 'ping' });
    port.receive({ jsonrpc: '2.0', id: 3, method: 'x' });
    await settled();
    assert.deepEqual([port.sent.length, late], [before, 0]);
  });

  it('APP-74: may be its own wish', async () => {
    const { start, app, port } = hostView();
    let wishes = 0;
    app.onDidWantClose(() => (wishes += 1));
    await start();
    port.notify('ui/notifications/request-teardown');
    assert.equal(wishes, 1);
    assert.equal(app.state.kind, 'ready');
  });
});
