import assert from 'node:assert/strict';
import { FormDraft } from '../../../../src/host/forms/formDraft.ts';
import { TimeLimit } from '../../../../src/host/forms/readForm.ts';
import { checker, formOf } from '../../../support/readForm.ts';

async function draftOf(schema: Readonly<Record<string, unknown>>): Promise<FormDraft> {
  return new FormDraft(await formOf(schema), checker);
}

describe('FormDraft', () => {
  it('keeps what was given, right or wrong, and says what is wrong with it', async () => {
    const draft = await draftOf({
      properties: { age: { type: 'integer', minimum: 18 }, name: { type: 'string' } },
      required: ['age', 'name'],
    });
    const [age, name] = draft.form.fields;
    assert.ok(age && name);
    draft.set(age, 'seven');
    assert.equal(draft.inputOf(age), 'seven');
    const problems = new Map([
      ['age', { kind: 'notANumber' }],
      ['name', { kind: 'required' }],
    ]);
    assert.deepEqual(await draft.review(), { kind: 'incomplete', problems, sentences: [] });
    draft.set(age, '18');
    draft.set(name, 'Ada');
    assert.deepEqual(await draft.review(), { kind: 'complete', content: { age: 18, name: 'Ada' } });
  });

  it('ELIC-18: tells rules over several fields in sentences', async () => {
    const draft = await draftOf({ properties: { a: { type: 'string' } }, minProperties: 1 });
    const review = await draft.review();
    assert.ok(review.kind === 'incomplete');
    assert.deepEqual([review.problems.size, review.sentences.length], [0, 1]);
  });

  it('keeps no failure of a check, and makes none when the time is over', async () => {
    const form = await formOf({ properties: { a: { type: 'string' }, b: { type: 'string' } } });
    let failures = 1;
    const draft = new FormDraft(form, {
      check: (schema, value) =>
        failures-- > 0 ? Promise.reject(new Error('lost')) : checker.check(schema, value),
    });
    for (const field of form.fields) {
      draft.set(field, 'x');
    }
    await assert.rejects(draft.review(), /lost/u);
    assert.equal((await draft.review()).kind, 'complete');
    let checks = 0;
    const over = new TimeLimit(0);
    await assert.rejects(
      over.run(async () => (checks += 1)),
      /took longer than 0 ms/u,
    );
    assert.equal(checks, 0);
  });

  it('takes a field of any name', async () => {
    const properties: unknown = JSON.parse(
      '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}',
    );
    const draft = await draftOf({ properties });
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
