import assert from 'node:assert/strict';
import { fromStored, toStored } from '../../../../src/host/chat/modelContext.ts';
import type { ModelMessage } from '../../../../src/host/models/model.ts';

const turn: readonly ModelMessage[] = [
  { role: 'user', parts: [{ kind: 'text', text: 'Draw' }] },
  {
    role: 'assistant',
    parts: [{ kind: 'toolCall', callId: '1', tool: 's_draw', input: { size: 3 } }],
  },
  {
    role: 'user',
    parts: [
      {
        kind: 'toolResult',
        callId: '1',
        isError: true,
        parts: [
          { kind: 'text', text: 'x'.repeat(10_000) },
          { kind: 'data', mimeType: 'image/png', bytes: new Uint8Array(9) },
        ],
      },
    ],
  },
];

describe('a turn that is kept', () => {
  it('survives as JSON, without bytes and without length', () => {
    const stored: unknown = JSON.parse(JSON.stringify(toStored(turn)));
    const back = fromStored(stored);
    assert.deepEqual(back?.slice(0, 2), turn.slice(0, 2));
    const [result] = back?.[2]?.parts ?? [];
    assert.ok(result?.kind === 'toolResult' && result.isError === true);
    const [long, image] = result.parts.map((part) => (part.kind === 'text' ? part.text : ''));
    assert.match(long ?? '', /^x{4000}\n\[\d+ more characters were left out\]$/u);
    assert.match(image ?? '', /image\/png, shown earlier/u);
  });

  it('stays small, however many calls a turn had', () => {
    const long = Array.from({ length: 100 }, () => turn[2]).filter((one) => one !== undefined);
    assert.ok(JSON.stringify(toStored([...turn, ...long])).length < 80_000);
  });

  it('is not believed when it is something else', () => {
    for (const value of [
      undefined,
      'text',
      [null],
      [{ role: 'system', parts: [] }],
      [{ role: 'user', parts: [{ kind: 'text' }] }],
      [{ role: 'user', parts: [{ kind: 'toolResult', callId: '1', parts: [7] }] }],
    ]) {
      assert.equal(fromStored(value), undefined);
    }
  });
});
