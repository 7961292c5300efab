import assert from 'node:assert/strict';
import { Redactor } from '../../../../src/base/log.ts';
import { toJsonLines, toPredicate } from '../../../../src/host/inspector/filterAndExport.ts';
import { maskedHeaders, maskedUrl } from '../../../../src/host/inspector/maskedText.ts';
import { MessageRecorder } from '../../../../src/host/inspector/messageRecorder.ts';
import { ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { inspectorLimits, type MessageFilter } from '../../../../src/host/inspector/seenMessage.ts';

function create(redactor = new Redactor()): MessageRecorder {
  return new MessageRecorder(redactor, () => undefined, new ServerMemory().open());
}

function recorded(redactor?: Redactor): MessageRecorder {
  const recorder = create(redactor);
  recorder.note('Starting', false);
  recorder.sent({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  recorder.received({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'Weather' }] } }, undefined);
  recorder.sent({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'Weather' } });
  recorder.received(
    { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'which town?' } },
    undefined,
  );
  recorder.exchanged({ method: 'GET', url: 'http://a.example/sse', headers: { host: 'a' } });
  return recorder;
}

const coded = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

const noFilter: MessageFilter = { text: '', method: '', direction: 'any', errorsOnly: false };

/** The numbers of those that a filter shows. */
function numbers(filter: Partial<MessageFilter>): readonly number[] {
  return recorded()
    .buffer.all()
    .filter(toPredicate({ ...noFilter, ...filter }))
    .map(({ n }) => n);
}

describe('toPredicate', () => {
  it('shows all without a filter', () => {
    assert.deepEqual(numbers({}), [1, 2, 3, 4, 5, 6]);
  });

  it('APP-77: shows the messages of apps alone, or none of them', () => {
    const recorder = recorded();
    recorder.ofApp('call', 'fromApp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
    recorder.ofApp('call', 'toApp', { jsonrpc: '2.0', id: 1, result: {} });
    const shown = (direction: MessageFilter['direction']) =>
      recorder.buffer
        .all()
        .filter(toPredicate({ ...noFilter, direction }))
        .map(({ n }) => n);
    assert.deepEqual(shown('app'), [7, 8]);
    assert.deepEqual(
      [...shown('sent'), ...shown('received')].filter((n) => n > 6),
      [],
    );
    assert.deepEqual(shown('any').slice(-2), [7, 8]);
  });

  it('finds text in messages, methods, errors, headers and events, in small and capital letters', () => {
    assert.deepEqual(numbers({ text: 'weather' }), [3, 4]);
    assert.deepEqual(numbers({ text: ' tools/ca ' }), [4, 5]);
    assert.deepEqual(numbers({ text: 'WHICH TOWN?' }), [4, 5]);
    assert.deepEqual(numbers({ text: 'host: a' }), [6]);
    assert.deepEqual(numbers({ text: 'starting' }), [1]);
    assert.deepEqual(numbers({ text: '.*' }), []);
  });

  it('filters by method, responses included, by direction and by errors, all at once', () => {
    assert.deepEqual(numbers({ method: 'tools/list' }), [2, 3]);
    assert.deepEqual(numbers({ direction: 'sent' }), [1, 2, 4, 6]);
    assert.deepEqual(numbers({ direction: 'received' }), [1, 3, 5]);
    assert.deepEqual(numbers({ errorsOnly: true }), [4, 5]);
    assert.deepEqual(numbers({ errorsOnly: true, direction: 'received', text: 'town' }), [5]);
  });
});

describe('toJsonLines', () => {
  it('writes one object a line, with the message as it is kept', () => {
    const { buffer } = recorded();
    const lines = toJsonLines('weather', buffer.all(), new Redactor());
    assert.ok(lines.endsWith('}\n'));
    const objects = lines
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    assert.equal(objects.length, 6);
    assert.deepEqual(
      objects.map(({ n, server }) => [n, server]),
      [1, 2, 3, 4, 5, 6].map((n) => [n, 'weather']),
    );
    assert.match(String(objects[0]?.['time']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u);
    assert.equal(objects[0]?.['event'], 'Starting');
    const { durationMs, time, ...error } = objects[4] ?? {};
    assert.equal(typeof durationMs, 'number');
    assert.equal(typeof time, 'string');
    assert.deepEqual(error, {
      n: 5,
      server: 'weather',
      direction: 'received',
      type: 'response',
      method: 'tools/call',
      id: 2,
      bytes: 72,
      outcome: 'error',
      problem: '-32602: which town?',
      request: 4,
      message: { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'which town?' } },
    });
    assert.deepEqual(objects[5]?.['http'], [
      { method: 'GET', url: 'http://a.example/sse', requestHeaders: { host: 'a' } },
    ]);
  });

  it('stays JSON for what was cut, and strikes out what became secret since', () => {
    const recorder = create();
    recorder.received(
      { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'late-secret' } },
      undefined,
    );
    recorder.sent({ jsonrpc: '2.0', method: 'late-secret' });
    recorder.exchanged({
      method: 'GET',
      url: 'http://h/late-secret',
      headers: { host: 'late-secret' },
    });
    const text = 'late-secret '.repeat(inspectorLimits.textChars / 12);
    recorder.received(
      { jsonrpc: '2.0', method: 'a', params: { list: Array.from({ length: 9 }, () => text) } },
      undefined,
    );
    const redactor = new Redactor();
    redactor.add('late-secret');
    const lines = toJsonLines('s', recorder.buffer.all(), redactor);
    assert.ok(!lines.includes('late'), 'not even its beginning, at the cut');
    const { cut, text: kept } = JSON.parse(lines.trim().split('\n').at(-1) ?? '');
    assert.deepEqual([cut, typeof kept], [true, 'string']);
  });

  it('stays JSON also where a secret is a number or the name of a member', () => {
    const redactor = new Redactor();
    const recorder = recorded(redactor);
    recorder.sent({
      jsonrpc: '2.0',
      method: 'a',
      params: { pin: '98765', 98765: [98765, 'x98765'] },
    });
    redactor.add('98765');
    recorder.sent({ jsonrpc: '2.0', method: 'a', params: { 98765: [98765, 'x98765'] } });
    const lines = toJsonLines('s', recorder.buffer.all(), redactor).trim().split('\n');
    const shown = lines.slice(-2).map((line) => JSON.parse(line).message.params);
    assert.deepEqual(shown, [{ pin: '***', '***': ['***', 'x***'] }, { '***': ['***', 'x***'] }]);
  });
});

describe('maskedHeaders and maskedUrl', () => {
  it('show of ours what the protocol has and nobody called a secret, of the server’s what is not named like one', () => {
    const redactor = new Redactor();
    redactor.add('s3cr3t');
    const headers: readonly (readonly ['sent' | 'received', string, string | string[], string])[] =
      [
        ['sent', 'Authorization', 'Bearer x', '***'],
        ['sent', 'cookie', 'a=1', '***'],
        ['sent', 'x-api-key', 'k', '***'],
        ['sent', 'x-tenant', 'acme', '***'],
        ['sent', 'mcp-session-id', 'id', '***'],
        ['sent', 'dpop', 'proof', '***'],
        ['sent', 'mcp-method', 'tools/call', 'tools/call'],
        ['sent', 'mcp-param-region', 'eu s3cr3t', 'eu ***'],
        ['sent', 'content-length', '12', '12'],
        ['sent', 'mcp-protocol-version', '2026-07-28', '2026-07-28'],
        ['sent', 'mcp-param-api-key', 'abc', '***'],
        ['sent', 'Mcp-Param-Password', 'abc', '***'],
        ['sent', 'mcp-param-authorization', 'abc', '***'],
        ['sent', 'mcp-param-town', coded('Zürich'), '***'],
        ['sent', 'mcp-name', coded('größe'), coded('größe')],
        ['sent', 'mcp-name', coded('a-s3cr3t-ö'), '***'],
        ['received', 'set-cookie', ['a=1'], '***'],
        ['received', 'mcp-session-id', 'id', '***'],
        ['received', 'x-auth-token', 't', '***'],
        ...[
          'auth',
          'credential',
          'dpop',
          'jwt',
          'key',
          'nonce',
          'passwd',
          'secret',
          'signature',
        ].map((word) => ['received', `x-${word}`, 'v', '***'] as const),
        ['received', 'x-request-id', 'r-1', 'r-1'],
        [
          'received',
          'www-authenticate',
          'Bearer error="invalid_token"',
          'Bearer error="invalid_token"',
        ],
        ['received', 'location', 'https://a.example/cb?code=abc', 'https://a.example/cb?code=***'],
        ['received', 'vary', ['a', 'b'], 'a, b'],
      ];
    for (const [whose, name, value, shown] of headers) {
      const given = { [name]: value, none: undefined };
      assert.deepEqual(maskedHeaders(given, whose, redactor), [[name, shown]]);
    }
    assert.deepEqual(maskedHeaders({ 'x-s3cr3t': '1' }, 'received', redactor), [['x-***', '1']]);
  });

  it('are bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'v']));
    const shown = maskedHeaders({ long: 'x'.repeat(10_000), ...many }, 'received', new Redactor());
    assert.equal(shown.length, inspectorLimits.headers);
    assert.equal(shown[0]?.[1].length, inspectorLimits.headerChars);
  });

  it('hide a user, the values of a query and the fragment', () => {
    const redactor = new Redactor();
    redactor.add('path-secret');
    for (const [url, shown] of [
      ['http://a.example/mcp', 'http://a.example/mcp'],
      ['http://me:pw@a.example/mcp', 'http://***@a.example/mcp'],
      ['http://a.example/x?sessionId=1&b=2&flag#f', 'http://a.example/x?sessionId=***&b=***&***'],
      ['http://a.example/path-secret/x?', 'http://a.example/***/x?***'],
      ['http://a.example/x#token=1', 'http://a.example/x'],
    ] as const) {
      assert.equal(maskedUrl(url, redactor), shown);
    }
  });
});
