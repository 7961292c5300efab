import assert from 'node:assert/strict';
import { setUnexpectedErrorHandler } from '../../../../src/base/event.ts';
import { type AuditEntry, audited, inputFacts, sizeOf } from '../../../../src/host/audit/audit.ts';
import { fromClient, fromUser, type RequestOrigin } from '../../../../src/host/requestOrigin.ts';
import { callServicesFor } from '../../../../src/host/servers/features.ts';
import { sendToolCall } from '../../../../src/host/tools/callTool.ts';
import { McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { CallToolResult } from '../../../../src/mcp/types/methods.ts';
import { FakeSession } from '../../../support/fakeSession.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const notes = stdioServer('notes');
const secret = 'hunter2';
const never = new AbortController().signal;

const thrown =
  (error: Error): (() => never) =>
  () => {
    throw error;
  };

/** Without what differs from run to run. */
function plain({ durationMs, ...entry }: AuditEntry): object {
  assert.ok(durationMs >= 0);
  return entry;
}

async function recordOf(answer: () => CallToolResult, origin?: RequestOrigin): Promise<object> {
  const entries: AuditEntry[] = [];
  const { recorded } = callServicesFor(notes, {
    audit: { record: (entry) => entries.push(entry) },
  });
  assert.ok(recorded);
  const session = new FakeSession({ tools: {} }, { 'tools/call': answer });
  const params = { name: 'add_note', arguments: { text: secret } };
  await sendToolCall(session, params, {
    tool: { name: 'any', inputSchema: {} },
    signal: never,
    recorded,
    ...(origin && { origin }),
  }).catch(() => undefined);
  assert.equal(entries.length, 1);
  assert.doesNotMatch(JSON.stringify(entries), new RegExp(secret));
  return plain(entries[0]!);
}

const call = {
  event: 'toolCall',
  server: 'notes',
  scope: notes.scope.kind,
  caller: 'model',
  tool: 'add_note',
  inputNames: ['text'],
  inputSize: 18,
};

describe('Audit of tool calls', () => {
  it('HOST-07, TOOL-16 (legacy), TOOL-04 (2026): who, what and how large, and no value', async () => {
    const result: CallToolResult = { content: [{ type: 'text', text: secret }] };
    const done = { ...call, outcome: 'done', resultSize: sizeOf(result) };
    assert.deepEqual(await recordOf(() => result), done);
    assert.deepEqual(await recordOf(() => result, fromUser), { ...done, caller: 'user' });
    assert.deepEqual(await recordOf(() => result, fromClient), done);
  });

  const failed: CallToolResult = { content: [], isError: true };
  for (const [what, answer, facts] of [
    ['the tool failed', () => failed, { outcome: 'toolError', resultSize: sizeOf(failed) }],
    [
      'the call failed, with its code and not its words',
      thrown(new RpcError(-32602, `no ${secret}`)),
      { outcome: 'failed', code: -32602 },
    ],
    ['the call ended', thrown(new McpError('cancelled', secret)), { outcome: 'cancelled' }],
  ] as const) {
    it(`HOST-07: that ${what}`, async () => {
      assert.deepEqual(await recordOf(answer), { ...call, ...facts });
    });
  }
});

describe('audited', () => {
  it('a record that fails costs nobody a result, nor its own error', async () => {
    const told: unknown[] = [];
    setUnexpectedErrorHandler((error) => told.push(error));
    const broken = {
      record: () => {
        throw new Error('no disk');
      },
    };
    const subject = { event: 'start', caller: 'user' } as const;
    assert.equal(await audited(broken, notes, subject, async () => 7), 7);
    const own = new McpError('denied', 'no');
    await assert.rejects(
      audited(broken, notes, subject, async () => Promise.reject(own)),
      (error) => error === own,
    );
    assert.equal(told.length, 2);
  });
});

describe('inputFacts', () => {
  it('tells an input by its names', () => {
    assert.deepEqual(inputFacts({ a: secret, b: { c: 1 } }).inputNames, ['a', 'b']);
    assert.deepEqual(inputFacts(), { inputNames: [], inputSize: 2 });
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`a${n}`, n]));
    assert.equal(inputFacts(many).inputNames.length, 50);
  });
});
