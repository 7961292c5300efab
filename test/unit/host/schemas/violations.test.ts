/** What a sentence about a violation reads of what a server has put there. */
import assert from 'node:assert/strict';
import { toJson, toSentences } from '../../../../src/host/schemas/violations.ts';

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
  it('JSON is whole where there is room for it', () => {
    const value = { a: [1, null, 'x"y', { __proto__: null, b: {} }], '': [], c: true };
    assert.equal(toJson(value), JSON.stringify(value));
    assert.equal(toJson(undefined), '');
  });

  it('SCH-07: of a list, a text and an object no more is read than is shown', () => {
    let reads = 0;
    const items = new Proxy(
      Array.from({ length: 100_000 }, (_, n) => String(n)),
      {
        get(list, name, receiver) {
          reads += 1;
          return Reflect.get(list, name, receiver);
        },
      },
    );
    const [sentence = ''] = toSentences([violation('enum', { allowedValues: items })]);
    assert.match(sentence, /^the value violates "enum": \["0","1",.*…$/u);
    assert.equal(sentence.length, 300);
    assert.ok(reads < 1_000, String(reads));
    const long = 'x'.repeat(10_000);
    assert.equal(toJson(long).length, 302);
    assert.ok(toJson({ [long]: long, a: long }).length < 1_000);
    assert.ok(toJson([[[long, long], long], long]).length < 1_000);
  });

  it('SCH-07: a path, or words, that are longer than anybody reads are not copied', () => {
    const path = `/${'k'.repeat(10_000)}`;
    assert.deepEqual(toSentences([violation('type', {}, path)]), [
      'a part of the value violates "type"',
    ]);
    const wordy = { ...violation('pattern', {}), message: 'x'.repeat(10_000) };
    assert.deepEqual(toSentences([wordy]), ['the value violates "pattern"']);
  });

  it('SCH-07: of very many violations some are compared, and the others counted', () => {
    const errors = Array.from({ length: 500_000 }, (_, n) => violation('type', {}, `/p${n}`));
    const sentences = toSentences(errors);
    assert.equal(sentences.length, 21);
    assert.equal(sentences.at(-1), 'and 499980 more violations');
    const same = Array.from({ length: 1_000 }, () => violation('type', {}));
    assert.deepEqual(toSentences(same), ['the value violates "type"']);
  });
});
