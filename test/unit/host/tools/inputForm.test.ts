/** The form that is made of a tool's input schema, and the input that comes of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputDraft, isShowable } from '../../../../src/host/tools/inputDraft.ts';
import { readToolForm, type ToolField } from '../../../../src/host/tools/inputForm.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';

const checker = createSchemaChecker();

function draftOf(schema: Readonly<Record<string, unknown>>, given?: Record<string, unknown>) {
  const form = readToolForm(schema, checker);
  assert.ok(form);
  const draft = new InputDraft(form, checker, given);
  const field = (key: string): ToolField => {
    const found = form.fields.find((one) => one.key === key);
    assert.ok(found, key);
    return found;
  };
  return { form, draft, field };
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
  it('has a field for each property, those that the tool needs first, in the order of the schema', () => {
    const { form } = draftOf(trip);
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

  it('leaves out what was not given, and sends no null', () => {
    const { draft, field } = draftOf(trip);
    draft.set(field('when'), '2026-02-03');
    draft.set(field('seats'), '2');
    draft.set(field('card'), '{"number": "1"}');
    draft.set(field('note'), '');
    assert.deepEqual(draft.review(), {
      kind: 'complete',
      input: { when: '2026-02-03', seats: 2, card: { number: '1' } },
    });
  });

  it('TOOL-04: judges each value by the rules of a form, and JSON by the schema of its property', () => {
    const { draft, field } = draftOf(trip);
    const problem = (key: string, input: string): unknown => {
      draft.set(field(key), input);
      const answer = draft.answerTo(field(key));
      return answer.kind === 'problem' ? answer.problem.kind : answer.kind;
    };
    assert.equal(problem('when', 'tomorrow'), 'format');
    assert.equal(problem('seats', '10'), 'tooLarge');
    assert.equal(problem('seats', '1.5'), 'notAnInteger');
    assert.equal(problem('card', '{"number": 1}'), 'other');
    assert.equal(problem('card', '{"number'), 'notJson');
    assert.equal(problem('card', ''), 'required');
    assert.equal(problem('stops', ''), 'absent');
    assert.equal(problem('stops', '["a", 1]'), 'other');
    assert.equal(problem('size', '12'), 'value');
  });

  it('tells what is wrong about the whole once each value is right', () => {
    const { draft, field } = draftOf({
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      dependentRequired: { from: ['to'] },
    });
    draft.set(field('from'), '1');
    const review = draft.review();
    assert.equal(review.kind, 'incomplete');
    assert.equal(review.kind === 'incomplete' && review.sentences.length, 1);
    draft.set(field('from'), 'one');
    const second = draft.review();
    assert.deepEqual(second.kind === 'incomplete' && [...second.problems.keys()], ['from']);
  });

  it('asks for what is needed and not described as JSON', () => {
    const { form } = draftOf({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['b'],
    });
    assert.deepEqual(
      form.fields.map(({ key, kind }) => [key, kind]),
      [
        ['b', 'json'],
        ['a', 'text'],
      ],
    );
  });

  it('makes no form of a schema without properties, or with more than anybody fills in', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`p${n}`, {}]));
    for (const schema of [
      { type: 'object' },
      { type: 'object', additionalProperties: { type: 'string' } },
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: many },
    ]) {
      assert.equal(readToolForm(schema, checker), undefined);
    }
  });

  it('makes no form of a schema that takes too long to be read', () => {
    let ms = 0;
    const slow = {
      check: (): readonly string[] => {
        ms += 500;
        return [];
      },
      checkApart: async (): Promise<readonly string[]> => [],
    };
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`p${n}`, { type: 'string' }]),
    );
    assert.equal(
      readToolForm({ properties }, slow, () => ms),
      undefined,
    );
    assert.ok(ms < 4_000);
  });

  it('survives schemas that are no use: the check of the whole input is the server’s then', () => {
    const { draft, field } = draftOf({
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/Missing' },
        b: { $ref: 'https://example.com/schema.json' },
        c: true,
        d: { type: 'string', pattern: '(' },
      },
    });
    draft.set(field('a'), '[1]');
    draft.set(field('d'), 'x');
    assert.deepEqual(draft.review(), { kind: 'complete', input: { a: [1], d: 'x' } });
  });

  it('hides what is typed where the schema marks it as secret', () => {
    const { field } = draftOf({
      type: 'object',
      properties: {
        phrase: { type: 'string', writeOnly: true },
        login: { type: 'string', format: 'password' },
        place: { type: 'string' },
      },
    });
    const hides = (key: string): unknown => Reflect.get(field(key), 'seemsSecret');
    assert.deepEqual(
      ['phrase', 'login', 'place'].map((key) => hides(key)),
      [true, true, false],
    );
  });

  it('begins with an earlier input, member by member, and not with defaults that it had left out', () => {
    const given = { when: '2026-02-03', seats: 2, card: { number: '1' }, meals: ['lunch'] };
    const { draft, form } = draftOf(trip, given);
    assert.deepEqual(draft.review(), { kind: 'complete', input: given });
    assert.equal(isShowable(form, given), true);
    assert.equal(isShowable(form, { ...given, other: 1 }), false);
  });

  it('goes on as JSON with what there is, and with empty values where the tool needs some', () => {
    const { draft, field } = draftOf(trip);
    draft.set(field('seats'), '3');
    assert.deepEqual(draft.soFar(), { when: '', seats: 3, card: { number: '' }, note: 'none' });
  });
});
