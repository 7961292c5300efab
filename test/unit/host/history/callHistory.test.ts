import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redactor } from '../../../../src/base/log.ts';
import {
  filterCalls,
  historyLimits,
  HistoryLog,
  type KeptCall,
} from '../../../../src/host/history/callHistory.ts';
import { historyDays } from '../../../../src/host/config/userSettings.ts';
import { fromUser, type RequestOrigin } from '../../../../src/host/requestOrigin.ts';
import { callServicesFor } from '../../../../src/host/servers/features.ts';
import { sendToolCall } from '../../../../src/host/tools/callTool.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import type { CallToolResult } from '../../../../src/mcp/types/methods.ts';
import { FakeSession } from '../../../support/fakeSession.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const notes = stdioServer('notes');
const dayMs = 24 * 60 * 60 * 1_000;
const hello: CallToolResult = { content: [{ type: 'text', text: 'hello' }] };

async function only(log: HistoryLog): Promise<KeptCall> {
  const { calls, damaged, lost } = await log.read();
  assert.deepEqual([calls.length, damaged, lost], [1, 0, 0]);
  return calls[0]!;
}

describe('HistoryLog', () => {
  let parent: string;
  let folder: string;
  let now: number;

  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'history-'));
    folder = path.join(parent, 'history');
    now = Date.UTC(2026, 0, 2, 12);
  });

  afterEach(() => rm(parent, { recursive: true, force: true }));

  /** A window. */
  function open(secret?: string) {
    const redactor = new Redactor();
    redactor.add(secret ?? '');
    const log = new HistoryLog({
      folder,
      days: () => 30,
      now: () => now,
      redactor,
      onFailure: (error) => assert.fail(String(error)),
    });
    const keep = async (
      answer: CallToolResult | Error = hello,
      input: object = {},
      name = 'add_note',
      inputSchema: Tool['inputSchema'] = {},
    ): Promise<void> => {
      const call = { server: notes, tool: { name, inputSchema }, input, origin: fromUser };
      await log
        .keep(call, async () => (answer instanceof Error ? Promise.reject(answer) : answer))
        .catch(() => undefined);
      await log.flush();
    };
    return { log, keep };
  }

  const pathOf = async (index: number): Promise<string> =>
    path.join(folder, (await readdir(folder)).toSorted().at(index) ?? '');

  it('a call of a tool is kept where all calls pass, with who asked, its input and its result', async () => {
    const { log } = open();
    const { recorded } = callServicesFor(notes, {
      audit: { record: () => undefined },
      history: log,
    });
    const origin: RequestOrigin = { kind: 'extension', id: 'some.one' };
    const session = new FakeSession({ tools: {} }, { 'tools/call': () => hello });
    const params = { name: 'add_note', arguments: { text: 'a' } };
    const result = await sendToolCall(session, params, {
      tool: { name: 'add_note', inputSchema: {} },
      signal: new AbortController().signal,
      origin,
      ...(recorded && { recorded }),
    });
    assert.deepEqual(result, hello);
    const { id, durationMs, ...kept } = await only(log);
    assert.ok(id !== '' && durationMs >= 0);
    assert.deepEqual(kept, {
      at: now,
      serverId: notes.id,
      server: 'notes',
      tool: 'add_note',
      origin,
      outcome: 'done',
      input: { json: '{"text":"a"}', isCut: false, isWhole: true },
      result: { json: JSON.stringify(hello), isCut: false },
    });
    if (process.platform !== 'win32') {
      assert.equal((await stat(await pathOf(0))).mode & 0o077, 0);
    }
  });

  it('no value is kept that the schema of its tool says to be secret', async () => {
    const { log, keep } = open();
    await keep(hello, { value: 'unknown-one', more: [{ pin: '1234', text: 'a' }] }, 'log_in', {
      type: 'object',
      properties: {
        value: { type: 'string', format: 'password' },
        more: { type: 'array', items: { properties: { pin: { writeOnly: true } } } },
      },
    });
    const { input } = await only(log);
    assert.deepEqual(input, {
      json: '{"value":"***","more":[{"pin":"***","text":"a"}]}',
      isCut: false,
      isWhole: false,
    });
  });

  for (const [answer, outcome, error] of [
    [{ ...hello, isError: true }, 'toolError', undefined],
    [new McpError('timeout', 'too late'), 'failed', 'too late'],
    [new McpError('cancelled', 'no more'), 'cancelled', 'no more'],
  ] as const) {
    it(`a call that ends as ${outcome} says so`, async () => {
      const { log, keep } = open();
      await keep(answer);
      const kept = await only(log);
      assert.deepEqual([kept.outcome, kept.error], [outcome, error]);
    });
  }

  it('no secret is kept: neither a known one in any text, nor what its name says to be one', async () => {
    const secret = 'hunter2hunter2';
    const { log, keep } = open(secret);
    await keep(
      { content: [{ type: 'text', text: `it is ${secret}` }] },
      { password: 'unknown-one', note: secret },
      `use_${secret}`,
    );
    await keep(new McpError('closed', `${secret} was wrong`));
    const text = await readFile(await pathOf(0), 'utf8');
    assert.doesNotMatch(text, /hunter2|unknown-one/);
    const { calls } = await log.read();
    const masked = calls.find(({ outcome }) => outcome === 'done');
    assert.equal(masked?.input.json, '{"password":"***","note":"***"}');
    assert.equal(masked.input.isWhole, false);
  });

  it('a long input or result is cut, and says so', async () => {
    const { log, keep } = open();
    const long = Array.from({ length: 30 }, () => 'x'.repeat(10_000));
    await keep({ content: long.map((text) => ({ type: 'text', text })) }, { long });
    const { input, result } = await only(log);
    assert.deepEqual([input.json.length, input.isCut], [historyLimits.inputChars, true]);
    assert.deepEqual([result?.json.length, result?.isCut], [historyLimits.resultChars, true]);
    assert.equal(input.isWhole, false);
  });

  it('a damaged file loses no more than its bad lines; they are counted, as those that were never written', async () => {
    const { log, keep } = open();
    await keep(hello, {}, 'first');
    const lines = ['\0\u{1}nonsense', '{"id":"x"}', '{"at":1,"lost":2}', '{"id":"broke off'];
    await appendFile(await pathOf(0), lines.join('\n'));
    await keep(hello, {}, 'second');
    await open().keep(hello, {}, 'third');
    const { calls, damaged, lost } = await log.read();
    assert.deepEqual(calls.map(({ tool }) => tool).toSorted(), ['first', 'second', 'third']);
    assert.deepEqual([damaged, lost], [3, 2]);
  });

  it('what is older than the days goes from the view at once, and its file with the next call of a window', async () => {
    const { log, keep } = open();
    await keep(hello, {}, 'old');
    now += 30 * dayMs;
    assert.equal((await log.read()).calls.length, 1);
    now += dayMs;
    assert.equal((await log.read()).calls.length, 0);
    await keep(hello, {}, 'new');
    assert.equal((await only(log)).tool, 'new');
    assert.equal((await readdir(folder)).length, 1);
  });

  it('one command clears it for all windows, which go on to keep calls', async () => {
    const [one, other] = [open(), open()];
    await one.keep();
    await other.keep();
    await one.log.clear();
    assert.deepEqual(await readdir(folder), []);
    await other.keep(hello, {}, 'later');
    assert.equal((await only(one.log)).tool, 'later');
  });
});

const call = (tool: string, more: Partial<KeptCall> = {}): KeptCall => ({
  id: tool,
  at: 0,
  durationMs: 1,
  serverId: notes.id,
  server: 'notes',
  tool,
  origin: fromUser,
  outcome: 'done',
  input: { json: '{}', isCut: false, isWhole: true },
  ...more,
});

describe('filterCalls', () => {
  const calls = [
    call('add', { result: { json: '"Wren"', isCut: false } }),
    call('drop', { outcome: 'failed', origin: { kind: 'extension', id: 'some.one' } }),
  ];
  for (const [text, tools] of [
    ['', ['add', 'drop']],
    ['NOTES wren', ['add']],
    ['extension some.one failed', ['drop']],
    ['wren failed', []],
  ] as const) {
    it(`"${text}" finds ${tools.length}`, () => {
      assert.deepEqual(
        filterCalls(calls, text).map(({ tool }) => tool),
        tools,
      );
    });
  }
});

describe('historyDays', () => {
  for (const [value, days] of [
    [7, 7],
    [0, 30],
    [366, 30],
    ['7', 30],
    [undefined, 30],
  ] as const) {
    it(`${JSON.stringify(value)} means ${days}`, () => assert.equal(historyDays(value), days));
  }
});
