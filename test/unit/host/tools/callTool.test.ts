import assert from 'node:assert/strict';
import {
  callTool,
  progressRate,
  type ToolCall,
  type ToolOutcome,
} from '../../../../src/host/tools/callTool.ts';
import { fromApp, fromClient, fromUser } from '../../../../src/host/requestOrigin.ts';
import type { UseSession } from '../../../../src/host/resources/resources.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import type { CallToolResult } from '../../../../src/mcp/types/methods.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';
import { type Answers, FakeSession, untilAborted } from '../../../support/fakeSession.ts';

const checker = createSchemaChecker();
const sum: Tool = {
  name: 'sum',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  outputSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
};
const never = new AbortController().signal;

type OnCall = NonNullable<Answers['tools/call']>;

/** What {@link sum} should return. */
const right = { content: [], structuredContent: { total: 1 } };

function answering(onCall: OnCall | CallToolResult): FakeSession {
  const answer = typeof onCall === 'function' ? onCall : (): CallToolResult => onCall;
  return new FakeSession({ tools: {} }, { 'tools/call': answer });
}

/** A call of {@link sum} with an input that fits, unless said otherwise. */
function calling(session: FakeSession, more: Partial<ToolCall> = {}): Promise<ToolOutcome> {
  const call = { tool: sum, input: { a: 1 }, signal: never, ...more };
  return callTool({ withSession: (use, signal) => use(session, signal) }, checker, call);
}

async function outcomeOf(
  result: CallToolResult,
  tool: Tool = sum,
): Promise<Extract<ToolOutcome, { kind: 'result' }>> {
  const outcome = await calling(answering(result), { tool });
  assert.ok(outcome.kind === 'result');
  return outcome;
}

describe('callTool', () => {
  it('TOOL-04: calls by exact name with an arguments object that fits the schema', async () => {
    let sent: unknown;
    await calling(
      answering((params) => {
        sent = params;
        return right;
      }),
    );
    assert.deepEqual(sent, { name: 'sum', arguments: { a: 1 } });
  });

  it('counts as caused by a person where nobody polls: not for an app, nor a client of the bridge', async () => {
    const asked: unknown[] = [];
    for (const origin of [undefined, fromUser, fromApp, fromClient]) {
      const withSession: UseSession = (use, signal, isAsked) => {
        asked.push(isAsked);
        return use(answering(right), signal);
      };
      const call = { tool: sum, input: { a: 1 }, signal: never, ...(origin && { origin }) };
      await callTool({ withSession }, checker, call);
    }
    assert.deepEqual(asked, [true, true, false, false]);
  });

  it('PROG-04: tells of a flood of progress in a few reports, the last one before the answer', async () => {
    const session = answering((_params, { onProgress }) => {
      for (let progress = 1; progress <= 10_000; progress++) {
        onProgress?.({ progress, total: 10_000 });
      }
      return right;
    });
    const reports: unknown[] = [];
    await calling(session, { onProgress: (one) => reports.push(one) });
    assert.equal(reports.length, progressRate.perSecond + 1);
    assert.deepEqual(reports.at(-1), { progress: 10_000, total: 10_000 });
  });

  for (const [annotations, isTrusted, expected] of [
    [{ readOnlyHint: true }, true, true],
    [{ idempotentHint: true }, true, true],
    [{ readOnlyHint: true }, false, undefined],
    [{ destructiveHint: false }, true, undefined],
    [{}, true, undefined],
  ] as const) {
    it(`HTTP-14 (2026), TOOL-02: ${JSON.stringify(annotations)}, ${isTrusted ? '' : 'not '}trusted: repeatable is ${expected}`, async () => {
      let isRepeatable: unknown;
      const session = answering((_params, options) => {
        ({ isRepeatable } = options);
        return { content: [] };
      });
      const tool = { name: 'look', inputSchema: {}, annotations };
      await calling(session, { tool, input: {}, isTrusted });
      assert.equal(isRepeatable, expected);
    });
  }

  it('TOOL-04: sends nothing when the input does not fit, and says why', async () => {
    const session = answering({ content: [] });
    const outcome = await calling(session, { input: { a: 'x' } });
    assert.deepEqual(outcome, { kind: 'invalidInput', problems: ['"a" must be number'] });
    assert.deepEqual(session.calls, []);
  });

  it('TOOL-18: an inputSchema without properties is a tool without parameters', async () => {
    const tool: Tool = { name: 't', inputSchema: { type: 'object' } };
    const outcome = await calling(answering({ content: [] }), { tool, input: {} });
    assert.equal(outcome.kind, 'result');
  });

  for (const [type, fitting, wrong] of [
    ['null', null, 0],
    ['integer', 0, null],
    ['boolean', false, ''],
    ['string', '', false],
    ['array', [], {}],
    ['object', {}, []],
  ] as const) {
    it(`TOOL-13, TOOL-14 (2026): structured output of the type ${type} is checked`, async () => {
      const tool: Tool = { name: 't', inputSchema: {}, outputSchema: { type } };
      const good = await outcomeOf({ content: [], structuredContent: fitting }, tool);
      assert.deepEqual(good.outputProblems, []);
      const bad = await outcomeOf({ content: [], structuredContent: wrong }, tool);
      assert.equal(bad.outputProblems.length, 1);
    });
  }

  const text = [{ type: 'text', text: '{"total":3}' }] as const;
  for (const [what, result, problems] of [
    ['TOOL-11: that fits its schema', { content: [], structuredContent: { total: 3 } }, /^$/u],
    [
      'TOOL-11: that breaks its schema',
      { content: [], structuredContent: { total: '3' } },
      /^"total" must be number$/u,
    ],
    ['TOOL-12: that is missing', { content: text }, /no structured content/u],
    ['TOOL-13: that a failed tool does not owe', { content: text, isError: true }, /^$/u],
  ] as const) {
    it(`structured output, ${what}`, async () => {
      const outcome = await outcomeOf(result);
      assert.match(outcome.outputProblems.join('\n'), problems);
      assert.deepEqual([outcome.unchecked, outcome.result], [[], result]);
    });
  }

  it('LIFE-07: an output schema means nothing to a revision without structured output', async () => {
    const session = answering({ content: [] });
    session.server = { ...session.server, revision: '2024-11-05' };
    const outcome = await calling(session);
    assert.ok(outcome.kind === 'result');
    assert.deepEqual(outcome.outputProblems, []);
  });

  it('calls a tool whose schemas cannot be used, and says that nothing was checked', async () => {
    const broken = { $ref: 'https://example.com/none' };
    const tool: Tool = { name: 't', inputSchema: broken, outputSchema: { ...broken } };
    const outcome = await outcomeOf({ content: [], structuredContent: {} }, tool);
    assert.deepEqual(outcome.outputProblems, []);
    assert.equal(outcome.unchecked.length, 2);
    assert.match(outcome.unchecked[0] ?? '', /^The input could not be checked/u);
  });

  it('rejects when it is cancelled', async () => {
    const controller = new AbortController();
    const session = answering((_params, { signal }) => untilAborted(signal));
    const call = calling(session, { signal: controller.signal });
    controller.abort(new McpError('cancelled', 'enough'));
    await assert.rejects(call, { code: 'cancelled' });
  });
});
