import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FormDraft } from '../../../../src/host/forms/formDraft.ts';
import { checkHere } from '../../../../src/host/forms/checking.ts';
import { readingForm } from '../../../../src/host/forms/readForm.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';

const checker = createSchemaChecker();

function draftOf(schema: Readonly<Record<string, unknown>>): FormDraft {
  return new FormDraft(
    checkHere(readingForm({ type: 'object', ...schema }, '2025-11-25'), checker),
    checker,
  );
}

describe('FormDraft', () => {
  it('ELIC-16: untouched, it sends the defaults, falsy ones too, and nothing else', async () => {
    const list = { type: 'array', items: { type: 'string', enum: ['r'] } };
    const draft = draftOf({
      properties: {
        text: { type: 'string', default: '' },
        number: { type: 'number', default: 0 },
        yes: { type: 'boolean', default: false },
        list: { ...list, default: [] },
        noText: { type: 'string' },
        noNumber: { type: 'number' },
        noYes: { type: 'boolean' },
        noList: list,
        noChoice: { type: 'string', enum: ['a'] },
      },
    });
    assert.deepEqual(await draft.review(), {
      kind: 'complete',
      content: { text: '', number: 0, yes: false, list: [] },
    });
  });

  it('keeps what was given, right or wrong, and says what is wrong with it', async () => {
    const draft = draftOf({
      properties: { age: { type: 'integer', minimum: 18 }, name: { type: 'string' } },
      required: ['age', 'name'],
    });
    const [age, name] = draft.form.fields;
    assert.ok(age && name);
    draft.set(age, 'seven');
    assert.equal(draft.inputOf(age), 'seven');
    const review = await draft.review();
    assert.ok(review.kind === 'incomplete');
    assert.deepEqual(
      [...review.problems],
      [
        ['age', { kind: 'notANumber' }],
        ['name', { kind: 'required' }],
      ],
    );
    draft.set(age, '18');
    draft.set(name, 'Ada');
    assert.deepEqual(await draft.review(), { kind: 'complete', content: { age: 18, name: 'Ada' } });
  });

  it('ELIC-18: tells rules over several fields in sentences', async () => {
    const draft = draftOf({
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      minProperties: 1,
    });
    const review = await draft.review();
    assert.ok(review.kind === 'incomplete');
    assert.equal(review.problems.size, 0);
    assert.equal(review.sentences.length, 1);
  });

  it('takes a field of any name', async () => {
    const properties: unknown = JSON.parse(
      '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}',
    );
    const draft = draftOf({ properties });
    for (const field of draft.form.fields) {
      draft.set(field, 'x');
    }
    const review = await draft.review();
    assert.ok(review.kind === 'complete');
    assert.deepEqual(Object.entries(review.content), [
      ['__proto__', 'x'],
      ['constructor', 'x'],
    ]);
  });
});
