import assert from 'node:assert/strict';
import {
  askModel,
  stopReasonOf,
  toMessage,
  tokenCount,
} from '../../../../src/host/sampling/askModel.ts';
import { toModelRequest } from '../../../../src/host/sampling/modelRequest.ts';
import type { ModelPart } from '../../../../src/host/models/model.ts';
import type { CreateMessageRequest } from '../../../../src/mcp/types/clientFeatures.ts';
import { aborting, ScriptedModel, userSays } from '../../../support/fakeSampling.ts';

const text = (words: string): ModelPart => ({ kind: 'text', text: words });
const call: ModelPart = { kind: 'toolCall', callId: 'c1', tool: 'add', input: { b: 2, a: 1 } };

async function run(
  parts: ScriptedModel['parts'],
  more: Partial<CreateMessageRequest> = {},
  model = new ScriptedModel(),
  signal = new AbortController().signal,
) {
  model.parts = parts;
  const request = userSays('Hi', more);
  const notes: string[] = [];
  const note = (sentence: string): unknown => notes.push(sentence);
  const { answer, tokens } = await askModel(
    {
      model,
      prepared: toModelRequest(request, 'notes'),
      maxTokens: request.maxTokens,
      stopSequences: request.stopSequences ?? [],
      count: tokenCount(model, signal, note),
      note,
      onPart: () => undefined,
    },
    signal,
  );
  return { ...answer, stopReason: stopReasonOf(answer), tokens, model, notes };
}

const words = (content: readonly { readonly type: string }[]) =>
  content.map((block) => ('text' in block ? block.text : block.type));

describe('askModel', () => {
  it('SAMP-13: joins the pieces of a text', async () => {
    const { content, stopReason, tokens } = await run([text('He'), text('llo')]);
    assert.deepEqual(content, [{ type: 'text', text: 'Hello' }]);
    assert.equal(stopReason, 'endTurn');
    assert.equal(tokens, 5);
  });

  it('SAMP-06: an answer of exactly maxTokens is whole', async () => {
    const { content, stopReason } = await run([text('12345')], { maxTokens: 5 });
    assert.deepEqual(words(content), ['12345']);
    assert.equal(stopReason, 'endTurn');
  });

  for (const pieces of [['1234567890'], '1234567890'.split(''), ['1234', '567890', 'more']]) {
    it(`SAMP-06, SAM-05: cuts at maxTokens although the model goes on, in ${pieces.length} pieces`, async () => {
      const { content, stopReason, tokens, model } = await run(pieces.map(text), { maxTokens: 6 });
      assert.deepEqual(words(content), ['123456']);
      assert.equal(stopReason, 'maxTokens');
      assert.equal(tokens, 6);
      assert.equal(model.isStopped, true);
      assert.ok(model.given < 9);
    });
  }

  it('counts now and then, not with every piece', async () => {
    const { model } = await run(
      Array.from({ length: 500 }, () => text('x')),
      { maxTokens: 100_000 },
    );
    assert.ok(model.counted.length < 5, `${model.counted.length} counts`);
  });

  it('what came after the cut is dropped, calls included', async () => {
    const parts = [text('123'), call, text('45678')];
    const { content, stopReason } = await run(parts, { maxTokens: 21 });
    assert.deepEqual(words(content), ['123', 'tool_use', '45']);
    assert.equal(stopReason, 'maxTokens');
    const early = await run([text('12345678'), call], { maxTokens: 5 });
    assert.deepEqual(words(early.content), ['12345']);
  });

  it('SAM-05: a call of a tool counts, and is whole or not there', async () => {
    const parts = [text('123'), call, text('45')];
    const { content, stopReason, tokens, model } = await run(parts, { maxTokens: 10 });
    assert.deepEqual(words(content), ['123']);
    assert.equal(stopReason, 'maxTokens');
    assert.equal(tokens, 3);
    assert.equal(model.isStopped, true);
    const fitting = await run([call], { maxTokens: 'add{"a":1,"b":2}'.length });
    assert.deepEqual([words(fitting.content), fitting.stopReason], [['tool_use'], 'toolUse']);
  });

  for (const [pieces, kept] of [
    [['one END two'], 'one '],
    [['one E', 'N', 'D two'], 'one '],
    [['END'], ''],
    [['one STOP END'], 'one '],
  ] as const) {
    it(`SAMP-06: ends before a stop sequence: ${pieces.join('|')}`, async () => {
      const { content, stopReason, model } = await run([...pieces.map(text), text('never')], {
        stopSequences: ['END', 'STOP', ''],
      });
      assert.deepEqual(words(content), [kept]);
      assert.equal(stopReason, 'stopSequence');
      assert.equal(model.isStopped, true);
    });
  }

  it('SAMP-16: calls of tools come back as blocks, with the server’s names', async () => {
    const odd = { name: 'math.add', inputSchema: { type: 'object', properties: {} } };
    const request = userSays('Hi', { tools: [odd] });
    const [tool] = toModelRequest(request, 'notes').forModel.tools;
    const called = { ...call, tool: tool?.name ?? '' };
    const { content, stopReason, tokens } = await run([text('Well'), called], { tools: [odd] });
    assert.deepEqual(content, [
      { type: 'text', text: 'Well' },
      { type: 'tool_use', id: 'c1', name: 'math.add', input: { b: 2, a: 1 } },
    ]);
    assert.equal(stopReason, 'toolUse');
    assert.equal(tokens, 'Wellmath.add{"a":1,"b":2}'.length);
  });

  it('SAMP-15: says when a model calls no tool although it has to', async () => {
    const tools = [{ name: 'add', inputSchema: { type: 'object', properties: {} } }];
    const { notes } = await run([text('No')], { tools, toolChoice: { mode: 'required' } });
    assert.match(notes.join(), /called no tool/);
  });

  it('keeps pictures, leaves other data out and says so', async () => {
    const bytes = new Uint8Array([0, 1, 2]);
    const { content, notes } = await run([
      { kind: 'data', mimeType: 'image/png', bytes },
      { kind: 'data', mimeType: 'application/json', bytes },
    ]);
    assert.deepEqual(content, [{ type: 'image', data: 'AAEC', mimeType: 'image/png' }]);
    assert.match(notes.join(), /application\/json was left out/);
  });

  it('a model that cannot count is estimated by length, and that is said once', async () => {
    const model = new ScriptedModel();
    model.countError = new Error('no tokenizer');
    const long = text('x'.repeat(100));
    const { content, stopReason, notes } = await run([long, long], { maxTokens: 10 }, model);
    assert.equal(words(content).join('').length, 40);
    assert.equal(stopReason, 'maxTokens');
    assert.deepEqual(notes.filter((note) => note.includes('no tokenizer')).length, 1);
  });

  it('TRAP-42: one block before 2025-11-25, a list from then on', () => {
    const picture = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
    const [a, b] = ['a', 'b'].map((one) => ({ type: 'text', text: one }) as const);
    assert.ok(a && b);
    for (const [revision, content, expected] of [
      ['2025-06-18', [a, picture, b], { type: 'text', text: 'ab' }],
      ['2025-11-25', [a, picture, b], [a, picture, b]],
      ['2024-11-05', [picture], picture],
      ['2024-11-05', [], { type: 'text', text: '' }],
      ['2025-11-25', [], { type: 'text', text: '' }],
    ] as const) {
      const answer = { content, stop: undefined };
      assert.deepEqual(toMessage(answer, new ScriptedModel(), revision).content, expected);
    }
  });

  it('CANC-03: ends when the request is withdrawn', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel();
    const parts = [text('a'), aborting(controller)];
    await assert.rejects(run(parts, {}, model, controller.signal));
    assert.equal(model.isStopped, true);
    const last = new AbortController();
    const end = async (): Promise<ModelPart> => {
      last.abort();
      return text('b');
    };
    await assert.rejects(run([end], {}, new ScriptedModel(), last.signal), { name: 'AbortError' });
  });
});
