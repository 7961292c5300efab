import assert from 'node:assert/strict';
import { Redactor } from '../../../../src/base/log.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { MessageRecorder } from '../../../../src/host/inspector/messageRecorder.ts';
import {
  inspectorLimits,
  replayable,
  type Seen,
} from '../../../../src/host/inspector/seenMessage.ts';

function setUp(redactor = new Redactor()) {
  const told: number[] = [];
  const memory = new ServerMemory().open(10_000_000);
  const recorder = new MessageRecorder(redactor, ({ n }) => told.push(n), memory);
  const message = (n: number): Seen => recorder.buffer.get(n) ?? assert.fail(`no entry ${n}`);
  return { recorder, told, message, memory };
}

const request = (id: string | number, method: string, params = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const result = (id: string | number, value = {}) => ({ jsonrpc: '2.0', id, result: value });
const failure = (id: string | number, code: number, text: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: text },
});

describe('MessageRecorder: messages of apps', () => {
  it('APP-77: are a direction of their own, paired by view, without a revision', () => {
    const { recorder, message } = setUp();
    recorder.sent(request(1, 'initialize', { protocolVersion: '2025-11-25' }));
    recorder.ofApp('a', 'fromApp', request(1, 'tools/call'));
    recorder.ofApp('b', 'fromApp', request(1, 'ui/message'));
    recorder.ofApp('a', 'toApp', result(1));
    recorder.ofApp('b', 'toApp', failure(1, -32601, 'unknown'));
    recorder.ofApp('a', 'toApp', request(1, 'ui/resource-teardown'));
    const all = [1, 2, 3, 4, 5, 6].map(message);
    assert.deepEqual(
      all.map(({ direction, view, method, partner }) => [direction, view, method, partner]),
      [
        ['sent', undefined, 'initialize', undefined],
        ['fromApp', 'a', 'tools/call', 4],
        ['fromApp', 'b', 'ui/message', 5],
        ['toApp', 'a', 'tools/call', 2],
        ['toApp', 'b', 'ui/message', 3],
        ['toApp', 'a', 'ui/resource-teardown', undefined],
      ],
    );
    assert.deepEqual(
      all.map(({ outcome, revision }) => [outcome, revision]),
      [
        ['pending', '2025-11-25'],
        ['done', undefined],
        ['error', undefined],
        ['done', undefined],
        ['error', undefined],
        ['pending', undefined],
      ],
    );
    assert.deepEqual(all.map(replayable), Array(6).fill(undefined));
  });
});

describe('MessageRecorder: request and response', () => {
  it('name the tool of a call, whose error result is an error', () => {
    const { recorder, message } = setUp();
    recorder.sent(request(1, 'tools/call', { name: 'draw' }));
    recorder.sent(request(2, 'tools/list', { name: 'draw' }));
    recorder.received({ jsonrpc: '2.0', id: 1, result: { content: [], isError: true } }, undefined);
    assert.deepEqual(
      [1, 2, 3].map(message).map(({ subject, outcome, problem }) => [subject, outcome, problem]),
      [
        ['draw', 'error', 'isError'],
        ['', 'pending', undefined],
        ['draw', 'error', 'isError'],
      ],
    );
  });

  it('belong together by their ids, out of order too, and share method and duration', () => {
    const { recorder, message } = setUp();
    recorder.sent(request(1, 'tools/list'));
    recorder.sent(request('1', 'prompts/list'));
    recorder.received(result('1'), undefined);
    recorder.received(failure(1, -32601, 'no such method'), undefined);
    const [tools, prompts, ofPrompts, ofTools] = [1, 2, 3, 4].map(message);
    assert.deepEqual(
      [tools?.partner, prompts?.partner, ofPrompts?.partner, ofTools?.partner],
      [4, 3, 2, 1],
    );
    assert.deepEqual([ofTools?.method, ofPrompts?.method], ['tools/list', 'prompts/list']);
    assert.deepEqual([tools?.outcome, prompts?.outcome], ['error', 'done']);
    assert.equal(tools?.problem, '-32601: no such method');
    assert.equal(typeof tools?.durationMs, 'number');
    assert.equal(tools?.durationMs, ofTools?.durationMs);
  });

  it('takes an error without an id for the answer to the request that carried it', () => {
    const { recorder, message } = setUp();
    recorder.sent(request(7, 'tools/list'));
    recorder.received({ jsonrpc: '2.0', error: { code: -32700, message: 'what?' } }, 7);
    assert.deepEqual([message(1).outcome, message(2).id], ['error', 7]);
  });

  it('keeps the replies of an array apart', () => {
    const { recorder, message } = setUp();
    recorder.received(request('a', 'ping'), undefined);
    recorder.received(request('b', 'ping'), undefined);
    recorder.sent([result('a'), result('b')]);
    assert.deepEqual([message(3).partner, message(4).partner], [1, 2]);
  });

  it('shows what was withdrawn, and what the end of the connection left unanswered', () => {
    const { recorder, message } = setUp();
    recorder.sent(request(1, 'tools/call'));
    recorder.sent(request(2, 'tools/call'));
    recorder.sent({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    assert.deepEqual([message(1).outcome, message(2).outcome], ['cancelled', 'pending']);
    recorder.note('Stopped', true);
    assert.equal(message(2).outcome, 'unanswered');
    recorder.sent(request(2, 'initialize'));
    recorder.received(result(2, { protocolVersion: '2025-11-25' }), undefined);
    assert.equal(message(6).partner, 5);
  });

  it('is forgotten with all that was seen, and seen no more after the end', () => {
    const { recorder, told } = setUp();
    const head = { method: 'GET', url: 'http://a.example/', headers: {} };
    recorder.sent(request(1, 'tools/call'));
    const stream = recorder.exchanged(head);
    recorder.clear();
    recorder.received(result(1), undefined);
    const seen = recorder.buffer.all();
    assert.deepEqual(
      seen.map(({ method, partner }) => [method, partner]),
      [['', undefined]],
    );
    recorder.dispose();
    const before = told.length;
    recorder.sent(request(3, 'tools/call'));
    recorder.note('Stopped', true);
    stream.answered(200, { 'content-type': 'text/event-stream' });
    recorder.exchanged(head).ended(new Error('closed'));
    assert.deepEqual([recorder.buffer.size, told.length], [0, before]);
  });

  it('knows the revision of each, from the handshake or from the request itself', () => {
    const { recorder, message } = setUp();
    const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    recorder.sent(request(1, 'server/discover', meta));
    recorder.received(failure(1, -32601, 'no'), undefined);
    recorder.sent(request(2, 'initialize', { protocolVersion: '2025-11-25' }));
    recorder.received(result(2, { protocolVersion: '2025-06-18' }), undefined);
    recorder.received({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, undefined);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((n) => message(n).revision),
      ['2026-07-28', '2026-07-28', '2025-11-25', '2025-06-18', '2025-06-18'],
    );
  });
});

const post = (body: object) => ({
  method: 'POST',
  url: 'http://a.example/mcp?key=abc',
  headers: { authorization: 'Bearer abcdef', accept: 'application/json' },
  body: JSON.stringify(body),
});

describe('MessageRecorder: HTTP', () => {
  it('keeps the HTTP request with the message that it carries, also one that is sent twice', () => {
    const { recorder, message } = setUp();
    const call = request(1, 'tools/list');
    recorder.sent(call);
    const refused = recorder.exchanged(post(call));
    refused.answered(401, { 'www-authenticate': 'Bearer scope="a"', 'set-cookie': ['x=1', 'y=2'] });
    refused.ended();
    assert.deepEqual([message(1).outcome, message(1).problem], ['error', 'HTTP 401']);
    const taken = recorder.exchanged(post(call));
    assert.equal(message(1).outcome, 'pending');
    taken.answered(200, { 'content-type': 'application/json', 'mcp-session-id': 'abcdef' });
    recorder.received(result(1), 1);
    taken.ended();
    assert.equal(message(1).outcome, 'done');
    const [first, second] = message(1).exchanges;
    assert.deepEqual(first, {
      method: 'POST',
      url: 'http://a.example/mcp?key=***',
      status: 401,
      sent: [
        ['authorization', '***'],
        ['accept', 'application/json'],
      ],
      received: [
        ['www-authenticate', 'Bearer scope="a"'],
        ['set-cookie', '***'],
      ],
    });
    assert.equal(second?.status, 200);
    assert.equal(message(2).exchanges.length, 2);
  });

  it('tells notifications and replies from requests of the same id', () => {
    const { recorder, message } = setUp();
    recorder.received(request(1, 'roots/list'), undefined);
    recorder.sent(request(1, 'tools/list'));
    recorder.sent(result(1));
    recorder.sent({ jsonrpc: '2.0', method: 'notifications/initialized' });
    recorder.exchanged(post(result(1)));
    recorder.exchanged(post({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    assert.deepEqual(
      [1, 2, 3, 4].map((n) => message(n).exchanges.length),
      [0, 0, 1, 1],
    );
  });

  it('shows an event stream by itself, and why a request failed on the network', () => {
    const { recorder, message } = setUp();
    const stream = recorder.exchanged({ method: 'GET', url: 'http://a.example/mcp', headers: {} });
    stream.answered(405, {});
    assert.equal(message(1).exchanges[0]?.status, 405);
    const call = request(1, 'tools/list');
    recorder.sent(call);
    recorder.exchanged(post(call)).ended(new Error('connect ECONNREFUSED'));
    assert.deepEqual([message(2).outcome, message(2).problem], ['error', 'connect ECONNREFUSED']);
  });

  it('a reply that comes over another stream leaves the request open, one that broke off does not', () => {
    const { recorder, message } = setUp();
    const [first, second] = [request(1, 'tools/list'), request(2, 'tools/list')];
    recorder.sent(first);
    const overSse = recorder.exchanged(post(first));
    overSse.answered(202, {});
    overSse.ended();
    assert.equal(message(1).outcome, 'pending');
    recorder.sent(second);
    const cut = recorder.exchanged(post(second));
    cut.answered(200, { 'content-type': 'text/event-stream' });
    cut.ended();
    assert.equal(message(2).outcome, 'unanswered');
    recorder.received(result(2), 2); // resumed
    assert.equal(message(2).outcome, 'done');
  });
});

describe('MessageRecorder: secrets and size', () => {
  it('strikes out what is secret, whatever its spelling in JSON, and what is named like it', () => {
    const redactor = new Redactor();
    redactor.add('top"secret\nkey');
    const { recorder, message } = setUp(redactor);
    recorder.sent(
      request(1, 'tools/call', {
        arguments: { query: 'is top"secret\nkey here', password: 'hunter22', maxTokens: 5 },
        _meta: { progressToken: 'p-1' },
      }),
    );
    const { params } = JSON.parse(message(1).text);
    assert.deepEqual(params, {
      arguments: { query: 'is *** here', password: '***', maxTokens: 5 },
      _meta: { progressToken: 'p-1' },
    });
  });

  it('strikes it out in methods, names of tools, errors and causes, too', () => {
    const redactor = new Redactor();
    redactor.add('hunter22');
    const { recorder, message } = setUp(redactor);
    const call = request(1, 'tools/call', { name: 'get hunter22' });
    recorder.sent(call);
    recorder.sent(request(2, 'hunter22/list'));
    recorder.exchanged(post(call)).ended(new Error('no hunter22'));
    recorder.received(failure(1, -32603, 'not hunter22'), undefined);
    const all = [1, 2, 3].map(message);
    assert.deepEqual(
      all.map(({ method, subject }) => [method, subject]),
      [
        ['tools/call', 'get ***'],
        ['***/list', ''],
        ['tools/call', 'get ***'],
      ],
    );
    assert.equal(all[0]?.exchanges[0]?.error, 'no ***');
    assert.doesNotMatch(all.map(({ problem }) => problem).join(' '), /hunter22/u);
  });

  it('cuts long texts and long messages, and says how long they were', () => {
    const { recorder, message } = setUp();
    const long = 'x'.repeat(inspectorLimits.textChars + 7);
    recorder.received({ jsonrpc: '2.0', method: 'a', params: { long } }, undefined);
    recorder.received(
      { jsonrpc: '2.0', method: 'a', params: { many: Array.from({ length: 9 }, () => long) } },
      undefined,
    );
    assert.match(message(1).text, /x… \(7 more characters\)"/u);
    assert.equal(message(1).isCut, false);
    assert.equal(message(1).bytes, long.length + 51);
    assert.equal(message(2).isCut, true);
    assert.equal(message(2).text.length, inspectorLimits.messageChars);
    assert.ok(message(2).bytes > 9 * long.length);
  });

  it('never throws, whatever is sent', () => {
    const { recorder, message } = setUp();
    const cycle: Record<string, unknown> = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    cycle['params'] = { cycle };
    recorder.sent(cycle);
    recorder.sent({ jsonrpc: '2.0', id: 2, method: 'x', params: { big: 1n } });
    assert.deepEqual([message(1).isCut, message(2).bytes], [true, 0]);
    assert.equal(replayable(message(1)), undefined);
  });

  it('cuts methods, ids and errors, and pairs what they belong to', () => {
    const { recorder, message } = setUp();
    const long = 'x'.repeat(100_000);
    recorder.received(request(long, long), undefined);
    recorder.sent(failure(long, 1, long));
    recorder.sent(request(1, 'tools/call'));
    recorder.received(failure(1, 1, long), undefined);
    recorder.received({ jsonrpc: '2.0', method: long, params: {} }, undefined);
    recorder.sent(request(2, 'initialize', { protocolVersion: long }));
    recorder.received(request('later', 'ping'), undefined);
    assert.deepEqual([message(1).partner, message(2).partner, message(4).partner], [2, 1, 3]);
    for (const seen of recorder.buffer.all()) {
      const { method, id = '', problem = '', revision = '' } = seen;
      for (const text of [method, String(id), problem, revision]) {
        assert.ok(text.length <= inspectorLimits.factChars + 1);
      }
    }
    recorder.received(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: long } },
      undefined,
    );
    assert.equal(message(1).outcome, 'error');
  });

  it('keeps what there is memory for, and lets go of all but the newest where a server needs it', () => {
    const all = new ServerMemory(1e7);
    const account = all.open(1e6);
    const recorder = new MessageRecorder(new Redactor(), () => undefined, account);
    for (let n = 1; n <= 20; n += 1) {
      recorder.sent(
        request(n, 'tools/call', { name: 'a', arguments: { text: 'x'.repeat(50_000) } }),
      );
    }
    assert.ok(account.used > 5e5 && account.used <= 1e6, `${account.used}`);
    assert.ok(recorder.buffer.size > 1 && recorder.buffer.size < 20);
    assert.equal(
      all
        .open(1e7)
        .hold()
        .set(1e7 - 1_000),
      true,
    );
    assert.deepEqual([recorder.buffer.size, account.used], [1, 0]);
  });

  it('counts headers, also those that come later, and the texts of events', () => {
    const { recorder, memory } = setUp();
    const headers = Object.fromEntries(
      Array.from({ length: inspectorLimits.headers }, (_, n) => [`x-${n}`, 'x'.repeat(2_000)]),
    );
    const call = request(1, 'tools/list');
    recorder.sent(call);
    recorder.exchanged(post(call)).answered(200, headers);
    assert.ok(memory.used > 400_000, `${memory.used}`);
    const stream = { method: 'GET', url: 'http://a.example/mcp', headers: {} };
    recorder.exchanged(stream).answered(200, headers);
    assert.ok(memory.used > 800_000, `${memory.used}`);
    recorder.note('x'.repeat(5_000_000), false);
    assert.equal(recorder.buffer.size, 1);
  });

  it('keeps the newest HTTP requests of a message that is sent again and again', () => {
    const { recorder, message } = setUp();
    const call = request(1, 'tools/list');
    recorder.sent(call);
    for (let status = 500; status < 530; status += 1) {
      recorder.exchanged(post(call)).answered(status, {});
    }
    const statuses = message(1).exchanges.map((exchange) => exchange.status);
    assert.deepEqual([statuses.length, statuses.at(-1)], [inspectorLimits.exchanges, 529]);
  });

  it('a flood leaves the newest, and nothing of the requests that went with the old ones', () => {
    const { recorder, message } = setUp();
    recorder.sent(request('first', 'tools/call'));
    for (let n = 0; n < inspectorLimits.entries + 10; n += 1) {
      recorder.received({ jsonrpc: '2.0', method: 'notifications/message', params: {} }, undefined);
    }
    assert.equal(recorder.buffer.size, inspectorLimits.entries);
    assert.equal(recorder.first, 12);
    recorder.received(result('first'), undefined);
    assert.equal(message(inspectorLimits.entries + 12).method, '');
  });
});

describe('replayable', () => {
  it('is what a session lets through, as it was sent, without what sessions add', () => {
    const redactor = new Redactor();
    redactor.add('secret-value');
    const { recorder, message } = setUp(redactor);
    const own = { name: 'add', arguments: { a: 1, b: 'secret-value' } };
    recorder.sent(
      request(1, 'tools/call', {
        ...own,
        _meta: { progressToken: 1 },
        requestState: 'x',
        task: {},
      }),
    );
    assert.deepEqual(replayable(message(1)), { method: 'tools/call', params: own });
    assert.ok(!message(1).text.includes('secret-value'));
  });

  it('is nothing that opens or steers a conversation, and nothing of the server', () => {
    const { recorder, message } = setUp();
    recorder.sent(request(1, 'initialize'));
    recorder.sent(request(2, 'subscriptions/listen'));
    recorder.sent({ jsonrpc: '2.0', method: 'tools/list' });
    recorder.received(request(3, 'ping'), undefined);
    recorder.received(result(1), undefined);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((n) => replayable(message(n))),
      [undefined, undefined, undefined, undefined, undefined],
    );
  });

  it('is marked when it is sent again, and no other request is', () => {
    const { recorder, message } = setUp();
    recorder.sent(request(1, 'resources/read', { uri: 'a:1' }));
    const end = recorder.expect(1, 'resources/read', { uri: 'a:1' });
    recorder.sent(request(2, 'resources/read', { uri: 'a:2' }));
    recorder.sent(request(3, 'resources/read', { uri: 'a:1', _meta: { progressToken: 3 } }));
    recorder.received(result(3), undefined);
    recorder.sent(request(4, 'resources/read', { uri: 'a:1' }));
    end();
    assert.deepEqual(
      [2, 3, 4, 5].map((n) => message(n).replayOf),
      [undefined, 1, 1, undefined],
    );
  });
});
