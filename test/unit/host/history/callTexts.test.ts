import assert from 'node:assert/strict';
import type { KeptCall } from '../../../../src/host/history/callHistory.ts';
import { jsonText, knownInput, resultText } from '../../../../src/host/history/callTexts.ts';
import { fromUser } from '../../../../src/host/requestOrigin.ts';

const call: KeptCall = {
  id: '1',
  at: 0,
  durationMs: 1,
  serverId: 'user/notes',
  server: 'notes',
  tool: 'add',
  origin: fromUser,
  outcome: 'done',
  input: { json: '{"text":"a"}', isCut: false, isWhole: true },
};
const withResult = (json: string, isCut = false): KeptCall => ({
  ...call,
  result: { json, isCut },
});

describe('Texts of a kept call', () => {
  for (const [what, kept, text] of [
    [
      'texts as they are, then the structure',
      withResult('{"content":[{"type":"text","text":"a\\nb"}],"structuredContent":{"c":1}}'),
      'a\nb\n\n{\n  "c": 1\n}',
    ],
    [
      'other content as JSON',
      withResult('{"content":[{"type":"image","data":"…"}]}'),
      '{\n  "type": "image",\n  "data": "…"\n}',
    ],
    ['a cut result as it was kept', withResult('{"content":[{"ty', true), '{"content":[{"ty…'],
    ['an error in place of a result', { ...call, outcome: 'failed', error: 'no' }, 'no'],
  ] as const) {
    it(`the result has ${what}`, () => assert.equal(resultText(kept), text));
  }

  it('JSON is indented', () => assert.equal(jsonText(call.input), '{\n  "text": "a"\n}'));

  for (const [what, json, isWhole, known] of [
    ['all of a whole input, asterisks that were sent included', '{"a":"***"}', true, { a: '***' }],
    ['nothing that is masked', '{"a":1,"b":{"c":"x***"},"key":"***"}', false, { a: 1 }],
    ['nothing that is no object', '[1]', false, {}],
  ] as const) {
    it(`another call begins with ${what}`, () => {
      assert.deepEqual(knownInput({ json, isCut: false, isWhole }), known);
    });
  }

  it('a cut input is asked for as a whole', () => {
    assert.deepEqual(knownInput({ json: '{"a":"b', isCut: true, isWhole: false }), {});
  });
});
