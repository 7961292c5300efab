import assert from 'node:assert/strict';
import { fromPrompt } from '../../../../src/host/chat/attached.ts';
import { fromStored, toStored } from '../../../../src/host/chat/transcript.ts';
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

const text = (words: string) => ({ type: 'text', text: words }) as const;

const lastOf = (rest?: string) =>
  fromPrompt([{ role: 'assistant', content: text('Hello') }], rest).at(-1);

describe('a prompt for the model', () => {
  it('PROM-05: keeps roles and kinds of content', () => {
    const messages = fromPrompt([
      { role: 'user', content: text('Look') },
      { role: 'assistant', content: { type: 'resource_link', uri: 'a://1', name: 'one' } },
      { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
    ]);
    assert.deepEqual(
      messages.map(({ role, parts }) => [role, parts[0]?.kind]),
      [
        ['user', 'text'],
        ['assistant', 'text'],
        ['user', 'data'],
      ],
    );
  });

  it('RES-09: is empty where all of it is for the user alone', () => {
    const annotations = { audience: ['user'] as const };
    const messages = [{ role: 'user', content: { ...text('Hello'), annotations } } as const];
    assert.deepEqual(fromPrompt(messages), []);
    assert.equal(fromPrompt(messages, 'Please').length, 1);
  });

  it('ends with the user, who may have added something', () => {
    assert.deepEqual(lastOf(), { role: 'user', parts: [{ kind: 'text', text: 'Go on.' }] });
    assert.deepEqual(lastOf('Please'), {
      role: 'user',
      parts: [{ kind: 'text', text: 'Please' }],
    });
  });
});
