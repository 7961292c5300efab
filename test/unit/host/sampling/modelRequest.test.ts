import assert from 'node:assert/strict';
import { toModelRequest } from '../../../../src/host/sampling/modelRequest.ts';
import { textPart } from '../../../../src/host/models/model.ts';
import { isRpcError } from '../../../../src/mcp/errors.ts';
import type { CreateMessageRequest } from '../../../../src/mcp/types/clientFeatures.ts';
import { userSays } from '../../../support/fakeSampling.ts';

const add = { name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: {} } };
const sub = { name: 'sub', inputSchema: { type: 'object', properties: {} } };
const result = (callId: string, ...texts: readonly string[]): object => ({
  kind: 'toolResult',
  callId,
  parts: texts.map(textPart),
});
const of = (request: CreateMessageRequest) => toModelRequest(request, 'notes');

describe('toModelRequest', () => {
  it('SAMP-06, SAMP-07: the system prompt is the first user message; parameters are options', () => {
    const { forModel, notes } = of(
      userSays('Hi', {
        systemPrompt: 'Be brief',
        maxTokens: 7,
        temperature: 0,
        stopSequences: ['END'],
        metadata: { a: 1 },
      }),
    );
    assert.deepEqual(forModel.messages, [
      { role: 'user', parts: [{ kind: 'text', text: 'Be brief' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
    ]);
    assert.deepEqual(forModel.options, { max_tokens: 7, temperature: 0, stop: ['END'] });
    assert.equal(forModel.toolMode, undefined);
    assert.match(notes.join('\n'), /metadata is not passed on/);
  });

  it('nothing is made up for what a request does not say', () => {
    const { forModel } = of(userSays('Hi', { systemPrompt: '', stopSequences: [] }));
    assert.equal(forModel.messages.length, 1);
    assert.deepEqual(forModel.options, { max_tokens: 1_000 });
    assert.deepEqual(of(userSays('Hi')).notes, []);
  });

  for (const includeContext of ['thisServer', 'allServers'] as const) {
    it(`SAMP-08, TRAP-44: ${includeContext} adds nothing, and that is said`, () => {
      const { forModel, notes } = of(userSays('Hi', { includeContext }));
      assert.deepEqual(forModel.messages, of(userSays('Hi')).forModel.messages);
      assert.match(notes.join(), new RegExp(`"${includeContext}" is ignored`));
    });
  }

  it('SAMP-12: images are kept, audio is refused, in tool results too', () => {
    const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' } as const;
    const { forModel } = of({ messages: [{ role: 'user', content: image }], maxTokens: 1 });
    const [part] = forModel.messages[0]?.parts ?? [];
    assert.ok(part?.kind === 'data');
    assert.deepEqual([part.mimeType, [...part.bytes]], ['image/png', [0, 1, 2]]);
    const audio = { type: 'audio', data: 'AAEC', mimeType: 'audio/wav' } as const;
    for (const content of [
      audio,
      { type: 'tool_result', toolUseId: '1', content: [audio] } as const,
    ]) {
      assert.throws(
        () => of({ messages: [{ role: 'user', content }], maxTokens: 1 }),
        (error) => isRpcError(error) && error.rpcCode === -32602 && /audio/.test(error.message),
      );
    }
  });

  it('SAMP-16: tool uses and results keep their ids, errors and structured content', () => {
    const { forModel } = of({
      maxTokens: 1,
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see' },
            { type: 'tool_use', id: '1', name: 'add', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', toolUseId: '1', content: [], structuredContent: { sum: 2 } },
            {
              type: 'tool_result',
              toolUseId: '2',
              content: [{ type: 'text', text: 'no numbers' }],
              isError: true,
            },
          ],
        },
      ],
    });
    assert.deepEqual(
      forModel.messages.map(({ parts }) => parts),
      [
        [textPart('Let me see'), { kind: 'toolCall', callId: '1', tool: 'add', input: { a: 1 } }],
        [result('1', '{"sum":2}'), result('2', 'The tool reports an error:', 'no numbers')],
      ],
    );
  });

  for (const [what, more, names, mode, isUrged] of [
    ['auto by default', { tools: [add, sub] }, ['add', 'sub'], undefined, false],
    ['none gives no tools', { tools: [add], toolChoice: { mode: 'none' } }, [], undefined, false],
    ['one', { tools: [add], toolChoice: { mode: 'required' } }, ['add'], 'required', false],
    [
      'several, in words, since providers refuse that mode for several',
      { tools: [add, sub], toolChoice: { mode: 'required' } },
      ['add', 'sub'],
      undefined,
      true,
    ],
  ] as const) {
    it(`SAMP-15: ${what}`, () => {
      const { forModel, notes } = of(userSays('Hi', more));
      assert.deepEqual(
        forModel.tools.map(({ name }) => name),
        names,
      );
      assert.equal(forModel.toolMode, mode);
      assert.equal(forModel.messages.length, isUrged ? 2 : 1);
      assert.equal(notes.length, isUrged ? 1 : 0);
    });
  }

  it('TRAP-43: names that no provider accepts are replaced, and lead back', () => {
    const odd = { ...add, name: 'math.add/1' };
    const { forModel, toolNames } = of({
      maxTokens: 1,
      tools: [odd, { ...add, name: 'x'.repeat(100) }],
      messages: [
        {
          role: 'assistant',
          content: { type: 'tool_use', id: '1', name: odd.name, input: {} },
        },
      ],
    });
    const [first, second] = forModel.tools;
    assert.match(first?.name ?? '', /^math_add_1_[0-9a-f]{8}$/);
    assert.ok((second?.name.length ?? 99) <= 64);
    assert.equal(toolNames.get(first?.name ?? ''), odd.name);
    const [part] = forModel.messages[0]?.parts ?? [];
    assert.equal(part?.kind === 'toolCall' && part.tool, first?.name);
  });

  it('a tool with a schema that no model accepts is left out and said; required, it is refused', () => {
    const broken = { name: 'broken', inputSchema: { type: 'array', items: { $ref: '#/none' } } };
    const { forModel, notes } = of(userSays('Hi', { tools: [add, broken] }));
    assert.deepEqual(
      forModel.tools.map(({ name }) => name),
      ['add'],
    );
    assert.match(notes.join(), /"broken" is left out/);
    assert.throws(
      () => of(userSays('Hi', { tools: [broken], toolChoice: { mode: 'required' } })),
      (error) => isRpcError(error) && error.rpcCode === -32602,
    );
  });
});
