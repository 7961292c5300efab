import assert from 'node:assert/strict';
import {
  classify,
  isReply,
  judgeProbe,
  noCommonRevision,
  type ProbeOutcome,
  showsModernEra,
  type Verdict,
} from '../../../../src/mcp/era/classify.ts';
import { HttpError, McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { Revision } from '../../../../src/mcp/revisions.ts';

describe('isReply', () => {
  const outage = { cause: new HttpError('http', 503, 'no') };
  for (const [what, error, expected] of [
    ['an error of JSON-RPC', new RpcError(-32603, 'no'), true],
    ['a refusal', new HttpError('http', 400, 'no'), true],
    ['ERA-05: an outage', new HttpError('http', 503, 'no'), false],
    ['ERA-05: an outage in JSON-RPC', new RpcError(-32603, 'no', undefined, outage), false],
  ] as const) {
    it(`${what} ${expected ? 'is one' : 'is none'}`, () => {
      assert.equal(isReply(error), expected);
    });
  }
});

const inJsonRpc = (status: number, code: number, data?: unknown): RpcError =>
  new RpcError(code, 'no', data, { cause: new HttpError('http', status, 'no') });

describe('classify', () => {
  for (const status of [400, 404, 405]) {
    it(`SSE-07: HTTP ${status}, also with an error of JSON-RPC: another binding may fit`, () => {
      assert.equal(classify(new HttpError('http', status, 'no')), 'nextBinding');
      assert.equal(classify(inJsonRpc(status, -32_000)), 'nextBinding');
    });
  }
  const others: readonly [string, McpError][] = [
    ['HTTP 401', new HttpError('unauthorized', 401, 'no')],
    ['HTTP 403', new HttpError('http', 403, 'no')],
    ['HTTP 500', new HttpError('http', 500, 'no')],
    ['no connection', new McpError('unreachable', 'no')],
    ['no answer', new McpError('timeout', 'no')],
    ['no common revision', new McpError('unsupported', 'no')],
    ['an error reply', new RpcError(-32603, 'no')],
    ['HTTP 500 with an error of JSON-RPC', inJsonRpc(500, -32_603)],
    ['SSE-07: HTTP 400 of the modern era', inJsonRpc(400, -32_022, { supported: ['2026-07-28'] })],
    [
      'headers that something changed',
      new McpError('protocol', 'no', { cause: inJsonRpc(400, -32_020) }),
    ],
  ];
  for (const [name, error] of others) {
    it(`${name}: another would fail alike`, () => {
      assert.equal(classify(error), 'stop');
    });
  }
});

describe('noCommonRevision', () => {
  it('names what either side speaks, and no more of it than anybody reads', () => {
    const { message } = noCommonRevision(['1999-01-01'], ['2025-11-25']);
    assert.match(message, /speaks 1999-01-01; this client offered 2025-11-25$/u);
    assert.match(noCommonRevision([], ['2025-11-25']).message, /speaks none that it names/u);
    const hostile = Array.from({ length: 1_000 }, () => 'x'.repeat(100_000));
    assert.ok(noCommonRevision(hostile, ['2025-11-25']).message.length < 400);
  });
});

const ours: readonly Revision[] = ['2026-07-28'];
const result = (value: unknown): ProbeOutcome => ({ kind: 'result', value });
const failure = (error: McpError): ProbeOutcome => ({ kind: 'error', error });
const rpc = (code: number, data?: unknown): ProbeOutcome =>
  failure(new RpcError(code, 'said the server', data));
const status = (code: number): ProbeOutcome =>
  failure(new HttpError(code === 401 ? 'unauthorized' : 'http', code, 'no'));

type Row = readonly [string, ProbeOutcome, pipe: Verdict['go'], http: Verdict['go']];

const rows: readonly Row[] = [
  ['DISC-03: a common revision', result({ supportedVersions: ['2026-07-28'] }), 'modern', 'modern'],
  [
    'BASE-08: one without a resultType beside older ones',
    result({ supportedVersions: ['2025-11-25', '2026-07-28', '2031-01-01'] }),
    'modern',
    'modern',
  ],
  ['older ones only', result({ supportedVersions: ['2025-06-18'] }), 'otherEra', 'otherEra'],
  ['newer ones only', result({ supportedVersions: ['2031-01-01'] }), 'fail', 'fail'],
  ['no revision at all', result({ supportedVersions: [] }), 'fail', 'fail'],
  [
    'older and newer ones',
    result({ supportedVersions: ['2025-06-18', '2031-01-01'] }),
    'fail',
    'fail',
  ],
  [
    'a question instead of an answer',
    result({ resultType: 'input_required', supportedVersions: ['2026-07-28'] }),
    'otherEra',
    'otherEra',
  ],
  ['ERA-03: an empty result', result({}), 'otherEra', 'otherEra'],
  ['ERA-03: a result that is no object', result(null), 'otherEra', 'otherEra'],
  [
    'ERA-02: -32022 with a common revision',
    rpc(-32022, { supported: ['2026-07-28'], requested: '2026-07-28' }),
    'again',
    'again',
  ],
  ['ERA-04: -32022 with none', rpc(-32022, { supported: [] }), 'fail', 'fail'],
  ['ERA-04: -32022 with others', rpc(-32022, { supported: ['2027-01-01'] }), 'fail', 'fail'],
  [
    'ERA-04: -32022 with older ones only',
    rpc(-32022, { supported: ['2025-11-25', '2024-11-05'] }),
    'otherEra',
    'otherEra',
  ],
  ['ERA-02: -32022 without its data', rpc(-32022), 'otherEra', 'otherEra'],
  [
    'ERA-02: -32021 with its data',
    rpc(-32021, { requiredCapabilities: { sampling: {} } }),
    'fail',
    'fail',
  ],
  ['ERA-02: -32021 without its data', rpc(-32021, 'sampling'), 'otherEra', 'otherEra'],
  ['ERA-02: -32020 counts over HTTP alone', rpc(-32020), 'otherEra', 'fail'],
  ...[-32601, -32603, -32602, -32002, -32000, 0].map((code): Row => [
    `STDIO-08, ERA-03: error ${code}`,
    rpc(code),
    'otherEra',
    'otherEra',
  ]),
  ['what makes no sense', failure(new McpError('protocol', 'no')), 'otherEra', 'otherEra'],
  ['the end of the channel', failure(new McpError('closed', 'no')), 'otherEra', 'fail'],
  ['silence', { kind: 'silent' }, 'otherEra', 'otherEra'],
  ['ERA-05: no network', failure(new McpError('unreachable', 'no')), 'fail', 'fail'],
  ['ERA-05: a limit of time', failure(new McpError('timeout', 'no')), 'fail', 'fail'],
];

const statuses: readonly (readonly [number, Verdict['go']])[] = [
  [301, 'fail'],
  [400, 'otherEra'],
  [401, 'fail'],
  [403, 'fail'],
  [404, 'otherEra'],
  [405, 'otherEra'],
  [406, 'otherEra'],
  [408, 'retry'],
  [415, 'otherEra'],
  [425, 'retry'],
  [429, 'retry'],
  [500, 'retry'],
  [501, 'otherEra'],
  [503, 'retry'],
];

describe('judgeProbe', () => {
  for (const [name, outcome, onPipe, onHttp] of rows) {
    it(`${name}: ${onPipe} on a pipe, ${onHttp} over HTTP`, () => {
      assert.equal(judgeProbe(outcome, { wire: 'pipe' }, ours).go, onPipe);
      assert.equal(judgeProbe(outcome, { wire: 'http' }, ours).go, onHttp);
    });
  }
  for (const [code, go] of statuses) {
    it(`ERA-05: HTTP ${code}: ${go}`, () => {
      assert.equal(judgeProbe(status(code), { wire: 'http' }, ours).go, go);
    });
  }

  it('VER-02: an error for want of a common revision names what both speak', () => {
    const verdict = judgeProbe(
      result({ supportedVersions: ['2031-01-01'] }),
      { wire: 'http' },
      ours,
    );
    assert.equal(verdict.go, 'fail');
    assert.match(verdict.error.message, /speaks 2031-01-01; this client offered 2026-07-28$/u);
  });

  it('META-06: a demand for capabilities is told in words', () => {
    const demand = rpc(-32021, { requiredCapabilities: { sampling: {}, elicitation: {} } });
    const verdict = judgeProbe(demand, { wire: 'pipe' }, ours);
    assert.equal(verdict.go, 'fail');
    assert.match(verdict.error.message, /turned off for it: sampling, elicitation$/u);
  });
});

describe('showsModernEra', () => {
  const shown: readonly (readonly [string, McpError, boolean])[] = [
    ['VER-10: a code of its own', new RpcError(-32022, 'no', { supported: ['2026-07-28'] }), true],
    [
      'VER-10: a capability that is missing',
      new RpcError(-32021, 'no', { requiredCapabilities: { sampling: {} } }),
      true,
    ],
    ['VER-10: a revision in the words', new RpcError(-32601, 'Speak 2026-07-28 here'), true],
    [
      'a revision in the error that led to this one',
      new McpError('unsupported', 'no', { cause: new RpcError(-32602, 'x', ['2026-07-28']) }),
      true,
    ],
    ['older revisions', new RpcError(-32602, 'no', { supported: ['2025-06-18'] }), false],
    ['an unknown method', new RpcError(-32601, 'Method not found'), false],
    ['the end of the channel', new McpError('closed', '2026-07-28'), false],
  ];
  for (const [name, error, isShown] of shown) {
    it(`${name}: ${isShown ? 'yes' : 'no'}`, () => assert.equal(showsModernEra(error), isShown));
  }
});
