/** The bridge's sessions over HTTP, what it does for servers that do not run, and who allows calls. */
import assert from 'node:assert/strict';
import type { ClientRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import { settlesWithin } from '../../src/base/async.ts';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { maxSessions } from '../../src/bridge/httpEndpoint.ts';
import { McpError } from '../../src/mcp/errors.ts';
import type { ClientFeatures } from '../../src/mcp/session/session.ts';
import { closedAfterTest } from '../support/closing.ts';
import { answerTo, BridgedHost, limitMs, nodeServer, responseTo } from '../support/bridged.ts';
import { deferred } from '../support/deferred.ts';
import { waitUntil } from '../support/waitUntil.ts';

const passing = fileURLToPath(new URL('../servers/passing.mjs', import.meta.url));
const appServer = fileURLToPath(new URL('../servers/apps.mjs', import.meta.url));
const asksForRoots = fileURLToPath(new URL('../servers/asksForRoots.mjs', import.meta.url));

interface Answer {
  readonly status: number | undefined;
  readonly session: string | undefined;
  readonly type: string | undefined;
  /** The messages of the body, of an event stream too. */
  readonly messages: readonly JsonObject[];
}

/** What the editor declares, from 1.110 on. */
const showsApps = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

function initialize(revision: unknown = '2025-11-25', capabilities: JsonObject = {}): JsonObject {
  const clientInfo = { name: 'raw', version: '1' };
  return {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo },
  };
}

function call(id: number | string, name: string, args?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

function messagesOf(body: string, type: string | undefined): readonly JsonObject[] {
  const texts =
    type === 'text/event-stream'
      ? [...body.matchAll(/^data: (.*)$/gmu)].map(([, data = '']) => data)
      : [body].filter(Boolean);
  return texts.flatMap((text): JsonObject[] => {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? [value] : [];
  });
}

function levelsOf({ messages }: Answer): readonly unknown[] {
  return messages.flatMap(({ params }) => (isObject(params) ? [params['level']] : []));
}

/** Of the error that came. */
function codeOf({ messages }: Answer): unknown {
  const error = messages[0]?.['error'];
  return isObject(error) ? error['code'] : undefined;
}

/** Bytes, which nobody holds against the schema: what a bad client sends is part of these tests. */
function bytesOf(message: unknown): Buffer {
  const text = typeof message === 'string' ? message : (JSON.stringify(message) ?? '');
  return Buffer.from(text);
}

function resultOf({ messages }: Answer): JsonObject {
  const result = messages.find((message) => 'result' in message)?.['result'];
  assert.ok(isObject(result), JSON.stringify(messages));
  return result;
}

describe('Sessions at the bridge', function () {
  this.timeout(2 * limitMs);
  let ground: BridgedHost;
  const streams: ClientRequest[] = [];

  beforeEach(() => {
    ground = closedAfterTest(new BridgedHost());
  });

  afterEach(() => {
    for (const stream of streams.splice(0)) {
      stream.destroy();
    }
  });

  async function run(file = passing): Promise<void> {
    await ground.serve(nodeServer('one', [file]));
  }

  function begin(method: string, headers: Readonly<Record<string, string>>): ClientRequest {
    return ground.begin('one', { ...ground.endpoint('one').headers, ...headers }, { method });
  }

  async function ask(
    method: string,
    message: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const request = begin(method, headers);
    request.end(bytesOf(message));
    const { status, headers: given, body } = await answerTo(request);
    const { 'content-type': type, 'mcp-session-id': session } = given;
    return { status, session: session?.toString(), type, messages: messagesOf(body, type) };
  }

  type Session = Readonly<Record<string, string>>;

  const post = (session: Session, method: string, params?: JsonObject): Promise<Answer> =>
    ask('POST', { jsonrpc: '2.0', id: 1, method, params }, session);

  const callTool = (session: Session, name: string, args?: JsonObject): Promise<Answer> =>
    ask('POST', call(2, name, args), session);

  async function openSession(revision?: string, capabilities?: JsonObject): Promise<Session> {
    const { session } = await ask('POST', initialize(revision, capabilities));
    assert.ok(session);
    return { 'mcp-session-id': session };
  }

  /** Opens the stream of a session; gives what comes on it. */
  async function listen(session: Session): Promise<{
    readonly heard: () => readonly JsonObject[];
    readonly isOver: () => boolean;
  }> {
    const request = begin('GET', session);
    streams.push(request);
    request.end();
    const response = await responseTo(request);
    assert.equal(response.statusCode, 200);
    let body = '';
    let isOver = false;
    response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    response.on('error', () => undefined);
    response.on('close', () => (isOver = true));
    return { heard: () => messagesOf(body, 'text/event-stream'), isOver: () => isOver };
  }

  it('LIFE-03: agrees on a revision that it serves, and offers its newest for another', async () => {
    await run();
    for (const [asked, agreed] of [
      ['2024-11-05', '2024-11-05'],
      ['2026-07-28', '2025-11-25'],
    ]) {
      assert.equal(resultOf(await ask('POST', initialize(asked)))['protocolVersion'], agreed);
    }
  });

  it('serves nothing without a session, in an unknown one, or in one that has ended', async () => {
    await run();
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.equal((await ask('POST', list)).status, 400);
    assert.equal((await ask('GET', undefined)).status, 400);
    assert.equal((await ask('DELETE', undefined)).status, 400);
    for (const method of ['POST', 'GET', 'DELETE']) {
      const message = method === 'POST' ? list : undefined;
      assert.equal((await ask(method, message, { 'mcp-session-id': 'unknown' })).status, 404);
    }
    const session = await openSession();
    const stream = await listen(session);
    assert.equal((await ask('POST', list, session)).status, 200);
    assert.equal((await ask('DELETE', undefined, session)).status, 204);
    await waitUntil('the stream to end', stream.isOver);
    assert.equal((await ask('POST', list, session)).status, 404);
  });

  it('takes notifications and answers, refuses what is no message, no JSON, or of another revision', async () => {
    await run();
    const session = await openSession();
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    assert.equal((await ask('POST', initialized, session)).status, 202);
    assert.equal((await ask('POST', { jsonrpc: '2.0', id: 9, result: {} }, session)).status, 202);
    const noJson = await ask('POST', '{"jsonrpc":', session);
    assert.deepEqual([noJson.status, codeOf(noJson)], [400, -32700]);
    const bad = [
      '[]',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      '7',
      'null',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    ];
    for (const body of bad) {
      const answer = await ask('POST', body, session);
      assert.deepEqual([answer.status, codeOf(answer)], [400, -32600], body);
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (const [name, value, status] of [
      ['mcp-protocol-version', '2025-06-18', 200],
      ['mcp-protocol-version', '1999-01-01', 400],
      ['mcp-protocol-version', '2026-07-28', 400],
      ['content-type', 'text/plain', 415],
      ['accept', 'text/html', 406],
    ] as const) {
      assert.equal((await ask('POST', ping, { ...session, [name]: value })).status, status, value);
    }
    assert.equal((await ask('PUT', ping, session)).status, 405);
    assert.equal((await ask('POST', initialize(), session)).status, 400, 'once a session');
    assert.equal(codeOf(await ask('POST', { ...ping, method: 'no/such' }, session)), -32601);
  });

  it('keeps what is announced before there is a stream, once each', async () => {
    await run();
    const session = await openSession();
    await callTool(session, 'change');
    await callTool(session, 'change');
    const stream = await listen(session);
    await waitUntil('the announcements', () => stream.heard().length >= 3);
    assert.deepEqual(
      stream.heard().map(({ method }) => method),
      ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`),
    );
  });

  it('tells each session only of the resources that it watches', async () => {
    await run();
    const [watching, other] = [await openSession(), await openSession()];
    const streamsOf = [await listen(watching), await listen(other)];
    await post(watching, 'resources/subscribe', { uri: 'x://a' });
    await callTool(other, 'touch', { uri: 'x://a' });
    const heard = (index: number): readonly JsonObject[] => streamsOf[index]?.heard() ?? [];
    await waitUntil('the update', () => heard(0).length > 0);
    await post(watching, 'resources/unsubscribe', { uri: 'x://a' });
    await callTool(other, 'touch', { uri: 'x://a' });
    await callTool(other, 'change');
    await waitUntil('the changes', () => heard(1).length >= 3 && heard(0).length >= 4);
    const updates = (index: number): number =>
      heard(index).filter(({ method }) => method === 'notifications/resources/updated').length;
    assert.deepEqual([updates(0), updates(1)], [1, 0]);
  });

  it('LOG-01: gives each session the messages of its own level', async () => {
    await run();
    const [all, few] = [await openSession(), await openSession()];
    await post(all, 'logging/setLevel', { level: 'debug' });
    await post(few, 'logging/setLevel', { level: 'error' });
    const wrong = await post(few, 'logging/setLevel', { level: 'loud' });
    assert.match(JSON.stringify(wrong.messages), /-32602/u);
    assert.deepEqual(levelsOf(await callTool(all, 'logs')), ['debug', 'info', 'error']);
    assert.deepEqual(levelsOf(await callTool(few, 'logs')), ['error']);
  });

  /** Resolves when the server has got this. */
  async function hasReceived(session: Session, what: string): Promise<void> {
    while (!JSON.stringify(resultOf(await callTool(session, 'received'))).includes(what)) {
      // not there yet
    }
  }

  it('cancels at the server what a client asked that has gone', async () => {
    await run();
    const session = await openSession();
    const request = begin('POST', session);
    request.end(bytesOf(call(1, 'slow')));
    await hasReceived(session, '"slow"');
    request.destroy();
    await hasReceived(session, 'notifications/cancelled');
  });

  it('ends the request that a client cancels, without an answer', async () => {
    await run();
    const session = await openSession();
    const slow = ask('POST', call('s', 'slow'), session);
    await hasReceived(session, '"slow"');
    const params = { requestId: 's', reason: 'enough' };
    await ask('POST', { jsonrpc: '2.0', method: 'notifications/cancelled', params }, session);
    assert.deepEqual((await slow).messages, []);
  });

  it('ends the session of a client that has gone before its first answer', async () => {
    ground.configure(nodeServer('one', ['-e', 'process.stdin.resume()'])); // says nothing
    await ground.bridge.start();
    const request = begin('POST', {});
    request.end(bytesOf(initialize()));
    const session = (await responseTo(request)).headers['mcp-session-id'];
    assert.equal(ground.endpoint('one').isInUse, true);
    request.destroy();
    await waitUntil('the end of its use', () => !ground.endpoint('one').isInUse);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assert.equal((await ask('POST', ping, { 'mcp-session-id': String(session) })).status, 404);
  });

  it('keeps only so many sessions, and those that are used longest', async () => {
    await run();
    const listening = await openSession();
    const stream = await listen(listening);
    const first = await openSession();
    for (let count = 0; count < maxSessions; count += 1) {
      await openSession();
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    assert.equal((await ask('POST', ping, first)).status, 404);
    assert.equal((await ask('POST', ping, listening)).status, 200);
    assert.equal(stream.isOver(), false);
  });

  it('ends every session and stream when it closes, and when a server is withdrawn', async () => {
    await run();
    const stream = await listen(await openSession());
    ground.isPublished = () => false;
    ground.published.fire();
    await waitUntil('the stream to end', stream.isOver);
    assert.deepEqual(ground.bridge.endpoints, []);
    ground.isPublished = () => true;
    ground.published.fire();
    const second = await listen(await openSession());
    await ground.bridge.close();
    await waitUntil('the second stream to end', second.isOver);
  });

  it('asks for approval of each call, and sends what was approved', async () => {
    await run();
    const session = await openSession();
    const asked: unknown[] = [];
    ground.approveTool = async ({ server, tool, input }) => {
      asked.push([server.name, tool.name, tool.title, input]);
      return { ...input, uri: 'x://edited' };
    };
    await callTool(session, 'touch', { uri: 'x://mine' });
    assert.deepEqual(asked, [['one', 'touch', 'Tool touch', { uri: 'x://mine' }]]);
    const params = { name: 'received', arguments: {}, task: { ttl: 1 } };
    const received = JSON.stringify(resultOf(await post(session, 'tools/call', params)));
    assert.ok(received.includes('x://edited') && !received.includes('x://mine'));
    assert.ok(!received.includes('"ttl'), 'the bridge offers no tasks');
    ground.approveTool = async () => {
      throw new McpError('denied', 'The user did not allow this call.');
    };
    const denied = resultOf(await callTool(session, 'failing'));
    assert.equal(denied['isError'], true);
    assert.match(JSON.stringify(denied['content']), /did not allow this call/u);
  });

  it('APP-12, HOST-06: knows calls of apps from calls for a model, and passes on what the tool is meant for', async () => {
    await run(appServer);
    const session = await openSession(undefined, showsApps);
    const asked: string[] = [];
    ground.approveTool = async ({ tool, caller, input }) => {
      asked.push(`${tool.name} by ${caller}`);
      return input;
    };
    const isRefused = async (name: string, _meta: JsonObject): Promise<boolean> => {
      const params = { name, arguments: {}, _meta };
      const answer = await ask('POST', { ...call(1, name), params }, session);
      return resultOf(answer)['isError'] === true;
    };
    // As the editor sends them from 1.110 to 1.139.
    const ofModel = { 'vscode.requestId': 'r1', progressToken: 7 };
    const ofApp = { 'vscode.conversationId': 'c1' };
    assert.equal(await isRefused('both', ofModel), false);
    assert.equal(await isRefused('both', ofApp), false);
    assert.equal(await isRefused('plan', ofModel), false);
    assert.equal(await isRefused('refresh', ofApp), false);
    assert.deepEqual(asked, ['both by model', 'both by app', 'plan by model', 'refresh by app']);
    assert.equal(await isRefused('refresh', ofModel), true);
    assert.equal(await isRefused('plan', ofApp), true);
    assert.equal(asked.length, 4);
    const withoutApps = await openSession();
    const params = { name: 'refresh', arguments: {}, _meta: ofApp };
    const answer = await ask('POST', { ...call(1, 'refresh'), params }, withoutApps);
    assert.equal(resultOf(answer)['isError'], true, 'APP-10: a client that renders none');
    const areAppsOff = async (): Promise<boolean> => {
      const both = { ...call(1, 'both'), params: { ...params, name: 'both' } };
      const { isError, content } = resultOf(await ask('POST', both, session));
      return isError === true && JSON.stringify(content).includes('MCP apps');
    };
    assert.equal(await areAppsOff(), false);
    ground.showsApps = false;
    assert.equal(await areAppsOff(), true, 'of an app that is still drawn');
    assert.equal(await isRefused('both', ofModel), false);
    ground.showsApps = true;
    ground.configure(nodeServer('one', [appServer, 'plain'], { apps: false }));
    assert.equal(await areAppsOff(), true);
    assert.deepEqual(asked.slice(4), ['both by app', 'both by model']);
  });

  it('HOST-06: takes each call of a tool for one of a model where the server has no apps', async () => {
    await run();
    const callers: string[] = [];
    ground.approveTool = async ({ caller, input }) => {
      callers.push(caller);
      return input;
    };
    await callTool(await openSession(undefined, showsApps), 'failing');
    assert.deepEqual(callers, ['model']);
  });

  const listMeta = async (session: Session): Promise<readonly unknown[]> => {
    const answer = await ask('POST', { jsonrpc: '2.0', id: 2, method: 'tools/list' }, session);
    const { tools } = resultOf(answer);
    return Array.isArray(tools) ? tools.map(({ name, _meta }) => [name, _meta]) : [];
  };

  it('APP-10, APP-28: passes metadata and pages of apps unharmed, to a client that renders them, but for sites that the user denies', async () => {
    await run(appServer);
    const plain = [
      ['both', {}],
      ['plan', {}],
    ];
    const session = await openSession(undefined, showsApps);
    const resourceUri = 'ui://board';
    assert.deepEqual(await listMeta(session), [
      ['both', { ui: { resourceUri } }],
      ['refresh', { ui: { resourceUri, visibility: ['app'] } }],
      ['plan', { ui: { resourceUri, visibility: ['model'] } }],
    ]);
    const read = { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: resourceUri } };
    const page = (connectDomains: readonly string[]) => ({
      uri: resourceUri,
      mimeType: 'text/html;profile=mcp-app',
      text: '<p>board',
      _meta: { ui: { csp: { connectDomains } } },
    });
    const expectPage = async (connectDomains: readonly string[]): Promise<void> =>
      assert.deepEqual(resultOf(await ask('POST', read, session)), {
        contents: [page(connectDomains)],
      });
    const seen: unknown[] = [];
    ground.takePage = ({ id }, ...taken) => seen.push([id, ...taken]);
    await expectPage(['https://example.com']);
    assert.deepEqual(seen, [
      ['user/one', resourceUri, { contents: [page(['https://example.com'])] }],
    ]);
    ground.appDomains = { deny: ['example.com'] };
    await expectPage([]); // APP-28
    const { resources } = resultOf(await post(session, 'resources/list'));
    const { uri, _meta } = page([]);
    assert.deepEqual(resources, [{ uri, name: 'board', _meta }]);
    const other = await openSession();
    assert.deepEqual(await listMeta(other), plain);
    seen.length = 0;
    await ask('POST', read, other);
    const stream = await listen(session);
    ground.showsApps = false;
    ground.showsAppsChanged.fire();
    await waitUntil('the news', () => stream.heard().length > 0);
    assert.equal(stream.heard()[0]?.['method'], 'notifications/tools/list_changed');
    assert.deepEqual(await listMeta(session), plain);
    await ask('POST', read, session);
    assert.deepEqual(seen, []);
  });

  it('withdraws the question when the client does', async () => {
    await run();
    const session = await openSession();
    let question: AbortSignal | undefined;
    ground.approveTool = (_call, signal) =>
      new Promise((_resolve, reject) => {
        question = signal;
        signal.addEventListener('abort', () => reject(new McpError('cancelled', 'gone')));
      });
    const request = begin('POST', session);
    request.end(bytesOf(call(1, 'failing')));
    await waitUntil('the question', () => question !== undefined);
    assert.equal(codeOf(await ask('POST', call(1, 'failing'), session)), -32600, 'of the same id');
    request.destroy();
    await waitUntil('the end of the question', () => question?.aborted === true);
  });

  it('ELIC-29: has pages visited by the host, and never by the client', async () => {
    const visited: string[] = [];
    const visitAll: ClientFeatures['visitAll'] = async (pages) => {
      visited.push(...pages.map(({ url }) => url));
      return true;
    };
    ground = closedAfterTest(new BridgedHost({ features: () => ({ visitAll }) }));
    await run();
    const session = await openSession();
    assert.equal(resultOf(await callTool(session, 'visit'))['isError'], true);
    const prompt = await post(session, 'prompts/get', { name: 'visit' });
    assert.equal(codeOf(prompt), -32603);
    assert.doesNotMatch(JSON.stringify(prompt.messages), /example\.com/u);
    assert.deepEqual(visited, ['https://example.com/', 'https://example.com/']);
  });

  it('has what the server asks answered by the host', async () => {
    await run(asksForRoots);
    const session = await openSession();
    const stream = await listen(session);
    const roots = await callTool(session, 'roots');
    assert.match(JSON.stringify(resultOf(roots)), /file:\/\/\/work/u);
    const seen = [...roots.messages, ...stream.heard()];
    assert.deepEqual(
      seen.filter((message) => 'method' in message && 'id' in message),
      [],
    );
  });

  it('starts a server that runs when needed only to learn what it offers, and remembers it', async () => {
    const lazy = nodeServer('one', [passing], { startup: 'onDemand' });
    ground.configure(lazy);
    await ground.bridge.start();
    assert.equal(ground.prepared, 0, 'not for being published');
    const first = await ask('POST', initialize());
    const { instructions } = resultOf(first);
    assert.equal(instructions, 'Use it\nwith care.');
    await ask('DELETE', undefined, { 'mcp-session-id': first.session ?? '' });
    assert.equal(ground.prepared, 1);
    await ground.untilReady('one');
    const live = ground.endpoint('one').version;
    await waitUntil('it to be remembered', () => ground.memory.values.size > 0, limitMs);
    const { memory } = ground;
    await ground.close();

    ground = closedAfterTest(new BridgedHost({ memory }));
    ground.configure(lazy);
    await ground.bridge.start();
    const again = await ask('POST', initialize());
    assert.equal(resultOf(again)['instructions'], instructions);
    const session = { 'mcp-session-id': again.session ?? '' };
    const { tools } = resultOf(await post(session, 'tools/list'));
    assert.ok(Array.isArray(tools) && tools.length > 5);
    assert.equal(ground.endpoint('one').version, live);
    assert.equal(ground.prepared, 0, 'not for being listed');
    assert.equal(resultOf(await callTool(session, 'failing'))['isError'], true);
    assert.equal(ground.prepared, 1, 'for being called');
  });

  it('asks nothing of the user because somebody lists, and tells of the lists once it runs', async () => {
    ground.readiness = 'needsConsent';
    ground.configure(nodeServer('one', [passing], { startup: 'onDemand' }));
    await ground.bridge.start();
    const { session = '' } = await ask('POST', initialize());
    const own = { 'mcp-session-id': session };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    assert.deepEqual(resultOf(await ask('POST', list, own)), { tools: [] });
    assert.equal(ground.prepared, 0);
    const stream = await listen(own);
    await ground.server('one').start();
    await waitUntil('the news', () => stream.heard().length >= 3);
    const { tools } = resultOf(await ask('POST', list, own));
    assert.ok(Array.isArray(tools) && tools.length > 0);
  });

  it('lists nothing, without an error, that a client was promised before the server was known', async () => {
    ground.readiness = 'needsConsent';
    const launch = {
      kind: 'stdio',
      command: process.execPath,
      args: [passing],
      env: { BARE: '1' },
    } as const;
    ground.configure(nodeServer('one', [], { startup: 'onDemand', launch }));
    await ground.bridge.start();
    const { session = '' } = await ask('POST', initialize());
    await ground.server('one').start();
    const prompts = { jsonrpc: '2.0', id: 1, method: 'prompts/list' };
    const own = { 'mcp-session-id': session };
    assert.deepEqual(resultOf(await ask('POST', prompts, own)), { prompts: [] });
    const known = await openSession();
    assert.match(JSON.stringify((await ask('POST', prompts, known)).messages), /-32601/u);
  });

  it('tells a client of a server whose start waits for a look at consent what it is', async () => {
    const looked = deferred<void>();
    ground.whenLooked = looked.promise;
    ground.configure(nodeServer('one', [passing]));
    await ground.bridge.start();
    const asked = ask('POST', initialize());
    assert.equal(await settlesWithin(asked, 200), false);
    looked.resolve();
    assert.equal(resultOf(await asked)['instructions'], 'Use it\nwith care.');
  });

  it('changes the version with the entry, and not with the lists', async () => {
    await run();
    const { version } = ground.endpoint('one');
    const session = await openSession();
    const stream = await listen(session);
    await callTool(session, 'change');
    await waitUntil('the announcements', () => stream.heard().length >= 3);
    await ask('DELETE', undefined, session);
    assert.equal(ground.endpoint('one').version, version);
    let told = 0;
    ground.bridge.onDidChange(() => (told += 1));
    ground.configure(nodeServer('one', [passing], { roots: 'none' }));
    await waitUntil('the news', () => told > 0, limitMs);
    assert.notEqual(ground.endpoint('one').version, version);
  });

  it('keeps version, address and session while a client is connected, whatever changes', async () => {
    await run();
    const session = await openSession();
    const stream = await listen(session);
    const before = ground.endpoint('one');
    let told = 0;
    ground.bridge.onDidChange(() => (told += 1));
    await callTool(session, 'change');
    await waitUntil('the announcements', () => stream.heard().length >= 3);
    ground.configure(nodeServer('one', [passing], { roots: 'none' }));
    await ground.untilReady('one');
    assert.equal(resultOf(await callTool(session, 'failing'))['isError'], true);
    assert.deepEqual(ground.endpoint('one'), before);
    assert.equal(stream.isOver(), false);
    const toldBefore = told;
    await ask('DELETE', undefined, session);
    await waitUntil('the news', () => told > toldBefore);
    assert.notEqual(ground.endpoint('one').version, before.version);
    assert.equal(ground.endpoint('one').url, before.url);
  });

  it('publishes what it is told to, in the order of the configuration', async () => {
    ground.isPublished = ({ isEnabled, name }) => isEnabled && name !== 'c';
    const manual = { startup: 'manual' } as const;
    ground.configure(
      nodeServer('b', [passing], manual),
      nodeServer('a', [passing], manual),
      nodeServer('c', [passing], manual),
      nodeServer('off', [passing], { ...manual, isEnabled: false }),
    );
    assert.deepEqual(ground.bridge.endpoints, []);
    await Promise.all([ground.bridge.start(), ground.bridge.start()]);
    const labels = (): readonly string[] => ground.bridge.endpoints.map(({ label }) => label);
    assert.deepEqual(labels(), ['b', 'a']);
    ground.configure(nodeServer('a', [passing], manual));
    assert.deepEqual(labels(), ['a']);
  });
});
