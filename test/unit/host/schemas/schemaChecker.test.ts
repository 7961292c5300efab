/** Schemas that take long: what is checked where, and for how long anybody waits meanwhile. */
import assert from 'node:assert/strict';
import { LayeredChecker } from '../../../../src/host/schemas/schemaChecker.ts';
import { AjvSchemaChecker } from '../../../../src/host/schemas/jsonSchema.ts';
import { schemaLimits } from '../../../../src/host/schemas/schemaLimits.ts';
import { SchemaProcess } from '../../../../src/host/schemas/schemaProcess.ts';
import type { JsonSchema } from '../../../../src/mcp/types/lists.ts';
import { createSchemaChecker } from '../../../../src/entries/schemas.ts';

function listOf<T>(length: number, of: (index: number) => T): readonly T[] {
  return Array.from({ length }, (_, index) => of(index));
}

function objectOf(length: number, of: (index: number) => readonly [string, unknown]): object {
  return Object.fromEntries(listOf(length, of));
}

function withProperties(count: number): JsonSchema {
  const text = { type: 'string', description: 'A text', minLength: 1 };
  return { type: 'object', properties: objectOf(count, (n) => [`p${n}`, { ...text }]) };
}

/** Each takes ajv seconds to compile, or to check a value against; by what does it. */
const heavy: readonly (readonly [string, JsonSchema, unknown])[] = [
  ['very many properties', withProperties(9_000), { p1: '' }],
  [
    'very many alternatives',
    {
      oneOf: listOf(3_000, (n) => ({
        type: 'object',
        properties: { kind: { const: `k${n}` } },
        required: ['kind'],
      })),
    },
    { kind: 'k3' },
  ],
  [
    'very many patterns',
    { patternProperties: objectOf(5_000, (n) => [`^a${n}`, { type: 'string' }]) },
    { a1: 'x' },
  ],
  ...['allOf', 'oneOf'].map(
    (keyword) =>
      [
        `composition by ${keyword} that doubles with each step`,
        {
          $defs: {
            ...objectOf(64, (n) => {
              const both = { $ref: `#/$defs/d${n + 1}` };
              return [`d${n}`, { minProperties: 0, [keyword]: [both, both] }];
            }),
            d64: { type: 'string' },
          },
          $ref: '#/$defs/d0',
        },
        {},
      ] as const,
  ),
  ...[
    ['^(?=(a+)+$)', `${'a'.repeat(60)}!`],
    ['^(a+)+$', `${'a'.repeat(50_000)}!`],
  ].map(([pattern = '', text]) => [`the pattern ${pattern}`, { pattern }, text] as const),
  ['a pattern for names', { patternProperties: { '^(a+)+$': {} } }, { [`${'a'.repeat(60)}!`]: 1 }],
  ['items to compare with one another', { uniqueItems: true }, listOf(50_000, (n) => ({ n }))],
  ['a format of long texts', { format: 'url' }, `http://a${':1'.repeat(200_000)}`],
];

/** Of this thread alone, in milliseconds: what others do on the machine does not count. */
function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function ownTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = ownTime();
  await work().catch(() => undefined);
  return ownTime() - before;
}

describe('checking schemas that take long', function () {
  this.timeout(120_000);

  it('SCH-07: nobody is held up by a schema of a server, whatever it is made of', async () => {
    const checker = new LayeredChecker(new SchemaProcess({ checkMs: 500 }));
    await checker.check(withProperties(10), {});
    // What this machine takes for a schema that is large and not meant to do harm.
    const ordinary = await ownTimeOf(async () =>
      new AjvSchemaChecker().check(withProperties(1_000), {}),
    );
    for (const [what, schema, value] of heavy) {
      const ownMs = await ownTimeOf(() => checker.check(schema, value));
      assert.ok(ownMs < ordinary * 4 + 100, `${what}: ${ownMs} ms, an ordinary one ${ordinary} ms`);
    }
  });

  it('large schemas that are not meant to do harm are checked, in their own time', async () => {
    const checker = createSchemaChecker();
    for (const count of [10, 1_000, 2_000]) {
      const schema = withProperties(count);
      assert.deepEqual(await checker.check(schema, { p1: 'x' }), []);
      assert.deepEqual(await checker.check(schema, { p1: '', p2: 5 }), [
        '"p1" must NOT have fewer than 1 characters',
        '"p2" must be string',
      ]);
    }
  });

  describe('checks at once only what is little work', () => {
    const type = 'string';
    for (const [what, isHere, schema, value] of [
      ['a few properties', true, withProperties(10), { p1: 'x' }],
      ['many properties', false, withProperties(100), { p1: 'x' }],
      ['long words', false, { description: 'a'.repeat(50_000) }, {}],
      ['a pattern', false, { pattern: '^a$' }, 'a'],
      ['a pattern for names', false, { patternProperties: { a: {} } }, {}],
      ['a reference', false, { $defs: { a: { type } }, $ref: '#/$defs/a' }, 'a'],
      ['a name of the whole', false, { $id: 'x://a' }, 'a'],
      ['a dynamic reference', false, { $dynamicAnchor: 'a', items: { $dynamicRef: '#a' } }, []],
      ['many items', true, { items: { type } }, listOf(1_000, String)],
      ['very many items', false, { items: { type } }, listOf(10_000, String)],
      ['a long text with a format', false, { type, format: 'uri' }, 'a'.repeat(1_001)],
      ['many items to compare', false, { uniqueItems: true }, listOf(1_001, String)],
    ] as const) {
      it(`${isHere ? 'here' : 'in the other process'}: ${what}`, async () => {
        let asked = 0;
        const checker = new LayeredChecker({
          check: async () => {
            asked += 1;
            return [];
          },
          dispose: () => undefined,
        });
        assert.deepEqual(await checker.check(schema, value), []);
        assert.equal(asked, isHere ? 0 : 1);
      });
    }
  });

  it('a schema that cannot be used is told in the same words from there', async () => {
    const checker = createSchemaChecker();
    const many = withProperties(1_000);
    const strange = { ...many, allOf: [{ $ref: 'https://x.example/schema' }] };
    await assert.rejects(checker.check(strange, {}), {
      code: 'unsupported',
      message: /refers to "https:\/\/x\.example\/schema".*never fetched/u,
    });
    const huge = { enum: listOf(schemaLimits.maxNodes, String) };
    await assert.rejects(checker.check(huge, ''), { code: 'unsupported', message: /parts/u });
  });

  it('values come there as they are: names of prototypes, infinite numbers, half surrogates', async () => {
    const checker = createSchemaChecker();
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"n":1e999,"s":"\\ud800"}');
    const schema = {
      ...withProperties(1_000),
      required: ['__proto__', 'n', 's'],
      additionalProperties: false,
    };
    assert.deepEqual(await checker.check(schema, value), [
      'the value must NOT have additional properties: "__proto__"',
      'the value must NOT have additional properties: "n"',
      'the value must NOT have additional properties: "s"',
    ]);
    const same = { ...withProperties(1_000), const: value };
    assert.deepEqual(await checker.check(same, value), []);
    const asWritten = JSON.parse(JSON.stringify(value)); // an infinite number is null there
    assert.equal((await checker.check(same, asWritten)).length, 1);
  });
});
