/** Schemas that take long: what is checked where, and for how long anybody waits meanwhile. */
import assert from 'node:assert/strict';
import {
  hastyLimits,
  LayeredChecker,
  smallNodes,
} from '../../../../src/host/schemas/layeredChecker.ts';
import type { Attempt } from '../../../../src/host/schemas/jsonSchema.ts';
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
  [
    'composition that doubles with each step',
    {
      $defs: {
        ...objectOf(64, (n) => {
          const both = { $ref: `#/$defs/d${n + 1}` };
          return [`d${n}`, { minProperties: 0, allOf: [both, both] }];
        }),
        d64: { type: 'string' },
      },
      $ref: '#/$defs/d0',
    },
    {},
  ],
  ['a pattern that only backtracking can match', { pattern: '^(?=(a+)+$)' }, `${'a'.repeat(60)}!`],
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
    const checker = new LayeredChecker(new SchemaProcess({ checkMs: 2_000 }));
    checker.check(withProperties(10), {});
    // What this machine takes for a schema that is large and not meant to do harm.
    const ordinary = await ownTimeOf(async () =>
      createSchemaChecker().check(withProperties(1_000), {}),
    );
    for (const [what, schema, value] of heavy) {
      const ownMs = await ownTimeOf(() => checker.checkApart(schema, value));
      assert.ok(ownMs < ordinary * 4 + 100, `${what}: ${ownMs} ms, an ordinary one ${ordinary} ms`);
      // Where there is no time to wait, it ends at the limit, and is not tried for ever.
      const hereMs = await ownTimeOf(async () => checker.check(schema, value));
      const limit = hastyLimits.totalMs * 2 + ordinary * 4;
      assert.ok(hereMs < limit, `${what}: ${hereMs} ms here, an ordinary one ${ordinary} ms`);
    }
  });

  it('large schemas that are not meant to do harm are checked, in their own time', async () => {
    const checker = createSchemaChecker();
    for (const count of [10, 1_000, 2_000]) {
      const schema = withProperties(count);
      assert.deepEqual(await checker.checkApart(schema, { p1: 'x' }), []);
      assert.deepEqual(await checker.checkApart(schema, { p1: '', p2: 5 }), [
        '"p1" must NOT have fewer than 1 characters',
        '"p2" must be string',
      ]);
    }
  });

  it('checks in the other process what is large, and what has once been too much here', async () => {
    const asked: JsonSchema[] = [];
    const checked: Attempt = { kind: 'checked', violations: ['from there'] };
    const checker = new LayeredChecker({
      check: async (schema) => {
        asked.push(schema);
        return checked;
      },
      dispose: () => undefined,
    });
    const small = { properties: { a: { type: 'string' } } };
    assert.deepEqual(await checker.checkApart(small, { a: 'x' }), []);
    const large = withProperties(smallNodes);
    assert.deepEqual(await checker.checkApart(large, {}), ['from there']);
    const evil = { pattern: '^(a+)+$' };
    assert.deepEqual(await checker.checkApart(evil, 'aaa'), []);
    assert.deepEqual(await checker.checkApart(evil, `${'a'.repeat(60)}!`), ['from there']);
    assert.deepEqual(await checker.checkApart(evil, 'aaa'), ['from there']);
    assert.deepEqual(asked, [large, evil, evil]);
  });

  it('a schema that cannot be used is told in the same words from there', async () => {
    const checker = createSchemaChecker();
    const many = withProperties(smallNodes);
    const strange = { ...many, allOf: [{ $ref: 'https://x.example/schema' }] };
    await assert.rejects(checker.checkApart(strange, {}), {
      code: 'unsupported',
      message: /refers to "https:\/\/x\.example\/schema".*never fetched/u,
    });
    const huge = { enum: listOf(schemaLimits.maxNodes, String) };
    await assert.rejects(checker.checkApart(huge, ''), { code: 'unsupported', message: /parts/u });
  });

  it('values come there as they are: names of prototypes, infinite numbers, half surrogates', async () => {
    const checker = createSchemaChecker();
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"n":1e999,"s":"\\ud800"}');
    const schema = {
      ...withProperties(smallNodes),
      required: ['__proto__', 'n', 's'],
      additionalProperties: false,
    };
    assert.deepEqual(await checker.checkApart(schema, value), [
      'the value must NOT have additional properties: "__proto__"',
      'the value must NOT have additional properties: "n"',
      'the value must NOT have additional properties: "s"',
    ]);
    const same = { ...withProperties(smallNodes), const: value };
    assert.deepEqual(await checker.checkApart(same, value), []);
    const asWritten = JSON.parse(JSON.stringify(value)); // an infinite number is null there
    assert.equal((await checker.checkApart(same, asWritten)).length, 1);
  });
});
