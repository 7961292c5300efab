/** The form that is made of a tool's input schema, and the input that comes of it. */
import assert from 'node:assert/strict';
import {
  InputDraft,
  isSendable,
  isShowable,
  readToolForm,
} from '../../../../src/host/tools/inputForm.ts';
import type { AnyField } from '../../../../src/host/forms/form.ts';
import { checker } from '../../../support/readForm.ts';

async function draftOf(schema: Readonly<Record<string, unknown>>, given?: Record<string, unknown>) {
  const form = await readToolForm(schema, checker);
  assert.ok(form);
  const draft = new InputDraft(form, checker, given);
  const field = (key: string): AnyField =>
    form.fields.find((one) => one.key === key) ?? assert.fail(key);
  const fill = (inputs: Readonly<Record<string, string>>): void =>
    Object.entries(inputs).forEach(([key, input]) => draft.set(field(key), input));
  return { form, draft, field, fill };
}

const trip = {
  type: 'object',
  properties: {
    note: { type: 'string', default: 'none' },
    when: { type: 'string', format: 'date' },
    seats: { type: 'integer', minimum: 1, maximum: 9 },
    class: { enum: ['first', 'second'] },
    isReturn: { type: 'boolean' },
    meals: { type: 'array', items: { enum: ['lunch', 'dinner'] }, maxItems: 1 },
    stops: { type: 'array', items: { type: 'string' } },
    card: { $ref: '#/$defs/Card' },
    mood: { anyOf: [{ $ref: '#/$defs/Mood' }, { type: 'null' }], default: null },
    size: { type: ['string', 'number'] },
  },
  required: ['when', 'seats', 'card'],
  $defs: {
    Card: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    Mood: { type: 'string', enum: ['calm', 'wild'], title: 'Mood' },
  },
};

describe('The form of a tool’s input', () => {
  it('has a field for each property, those that the tool needs first, in the order of the schema', async () => {
    const { form } = await draftOf(trip);
    assert.deepEqual(
      form.fields.map(({ key, kind, isRequired }) => [key, kind, isRequired]),
      [
        ['when', 'text', true],
        ['seats', 'number', true],
        ['card', 'json', true],
        ['note', 'text', false],
        ['class', 'choice', false],
        ['isReturn', 'boolean', false],
        ['meals', 'choices', false],
        ['stops', 'json', false],
        ['mood', 'choice', false],
        ['size', 'json', false],
      ],
    );
  });

  it('leaves out what was not given, and sends no null', async () => {
    const { draft, fill } = await draftOf(trip);
    fill({ when: '2026-02-03', seats: '2', card: '{"number": "1"}', note: '' });
    assert.deepEqual(await draft.review(), {
      kind: 'complete',
      content: { when: '2026-02-03', seats: 2, card: { number: '1' } },
    });
  });

  for (const [key, input, problem] of [
    ['when', 'tomorrow', 'format'],
    ['seats', '10', 'tooLarge'],
    ['seats', '1.5', 'notAnInteger'],
    ['card', '{"number": 1}', 'other'],
    ['card', '{"number', 'notJson'],
    ['card', '', 'required'],
    ['stops', '', undefined],
    ['stops', '["a", 1]', 'other'],
    ['size', '12', undefined],
  ] as const) {
    it(`TOOL-04: judges ${key} by the rules of a form, or its schema: ${input} is ${problem ?? 'right'}`, async () => {
      const { draft, field, fill } = await draftOf(trip);
      fill({ [key]: input });
      const answer = await draft.answerTo(field(key));
      assert.equal(answer.kind === 'problem' ? answer.problem.kind : undefined, problem);
    });
  }

  it('tells what is wrong about the whole once each value is right', async () => {
    const { draft, fill } = await draftOf({
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      dependentRequired: { from: ['to'] },
    });
    for (const [from, problems, sentences] of [
      ['1', [], 1],
      ['one', ['from'], 0],
    ] as const) {
      fill({ from });
      const review = await draft.review();
      assert.ok(review.kind === 'incomplete');
      assert.deepEqual([...review.problems.keys()], problems);
      assert.equal(review.sentences.length, sentences);
    }
  });

  it('asks for what is needed and not described as JSON', async () => {
    const { form } = await draftOf({ properties: { a: { type: 'string' } }, required: ['b'] });
    assert.deepEqual(
      form.fields.map(({ key, kind }) => [key, kind]),
      [
        ['b', 'json'],
        ['a', 'text'],
      ],
    );
  });

  it('makes no form of a schema without properties, or with more than anybody fills in', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`p${n}`, {}]));
    for (const schema of [
      { type: 'object' },
      { type: 'object', additionalProperties: { type: 'string' } },
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: many },
    ]) {
      assert.equal(await readToolForm(schema, checker), undefined);
    }
  });

  it('makes no form of a schema that takes too long to be read', async () => {
    const never = { check: () => new Promise<never>(() => undefined) };
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    assert.equal(await readToolForm({ properties }, never), undefined);
  });

  it('survives schemas that are no use: the check of the whole input is the server’s then', async () => {
    const { draft, fill } = await draftOf({
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/Missing' },
        b: { $ref: 'https://example.com/schema.json' },
        c: true,
        d: { type: 'string', pattern: '(' },
      },
    });
    fill({ a: '[1]', d: 'x' });
    assert.deepEqual(await draft.review(), { kind: 'complete', content: { a: [1], d: 'x' } });
  });

  it('hides what is typed where the schema marks it as secret', async () => {
    const { form } = await draftOf({
      type: 'object',
      properties: {
        phrase: { type: 'string', writeOnly: true },
        login: { type: 'string', format: 'password' },
        place: { type: 'string' },
      },
    });
    assert.deepEqual(
      form.fields.map((field) => field.kind === 'text' && field.seemsSecret),
      [true, true, false],
    );
  });

  it('begins with an earlier input, member by member, and not with defaults that it had left out', async () => {
    const given = { when: '2026-02-03', seats: 2, card: { number: '1' }, meals: ['lunch'] };
    const { draft, form } = await draftOf(trip, given);
    assert.deepEqual(await draft.review(), { kind: 'complete', content: given });
    assert.equal(isShowable(form, given), true);
    assert.equal(isShowable(form, { ...given, other: 1 }), false);
  });

  it('is not asked for where an earlier input is valid, and nothing of it was left out', async () => {
    const input = { when: '2026-02-03', seats: 2, card: { number: '1' } };
    assert.equal(await isSendable(trip, { input, isWhole: true }, checker), true);
    assert.equal(await isSendable(trip, { input, isWhole: false }, checker), false);
    const wrong = { input: { ...input, seats: 10 }, isWhole: true };
    assert.equal(await isSendable(trip, wrong, checker), false);
  });

  it('goes on as JSON with what there is, and with empty values where the tool needs some', async () => {
    const { draft, fill } = await draftOf(trip);
    fill({ seats: '3' });
    const expected = { when: '', seats: 3, card: { number: '' }, note: 'none' };
    assert.deepEqual(await draft.soFar(), expected);
  });
});
