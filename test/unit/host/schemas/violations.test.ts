/** What a sentence about a violation reads of what a server has put there. */
import assert from 'node:assert/strict';
import { toSentences } from '../../../../src/host/schemas/jsonSchema.ts';

function violation(
  keyword: string,
  params: object,
  instancePath = '',
): {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: object;
  readonly message: string;
} {
  return { keyword, instancePath, schemaPath: '#', params, message: `violates "${keyword}"` };
}

describe('violations', () => {
  it('what ajv leaves out is named, and cut where it is longer than anybody reads', () => {
    const allowedValues = Array.from({ length: 1_000 }, (_, n) => String(n));
    const [sentence = ''] = toSentences([violation('enum', { allowedValues })]);
    assert.match(sentence, /^the value violates "enum": \["0","1",.*…$/u);
    assert.equal(sentence.length, 300);
  });

  it('SCH-07: of very many violations some are compared, and the others counted', () => {
    const errors = Array.from({ length: 500_000 }, (_, n) => violation('type', {}, `/p${n}`));
    const sentences = toSentences(errors);
    assert.equal(sentences.length, 21);
    assert.equal(sentences.at(-1), 'and 499980 more violations');
    const same = Array.from({ length: 100 }, () => violation('type', {}));
    assert.deepEqual(toSentences(same), ['the value violates "type"']);
  });
});
