import assert from 'node:assert/strict';
import { AjvSchemaChecker } from '../../../../src/host/schemas/jsonSchema.ts';
import { schemaLimits } from '../../../../src/host/schemas/schemaLimits.ts';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import type { JsonSchema } from '../../../../src/mcp/types/lists.ts';

const checker = new AjvSchemaChecker();

const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft202012 = 'https://json-schema.org/draft/2020-12/schema';

function accepts(schema: JsonSchema, value: unknown): void {
  assert.deepEqual(checker.check(schema, value), []);
}

function rejects(schema: JsonSchema, value: unknown, violation: RegExp): void {
  const found = checker.check(schema, value);
  assert.ok(
    found.some((sentence) => violation.test(sentence)),
    `${JSON.stringify(found)} should match ${violation}`,
  );
}

function isUnusable(schema: JsonSchema, message: RegExp, value: unknown = {}): void {
  assert.throws(
    () => checker.check(schema, value),
    (error: unknown) =>
      isMcpError(error) && error.code === 'unsupported' && message.test(error.message),
  );
}

describe('AjvSchemaChecker', () => {
  const person: JsonSchema = {
    type: 'object',
    properties: { name: { type: 'string' }, address: { type: 'object', required: ['zip'] } },
    required: ['name'],
    additionalProperties: false,
  };

  it('says one sentence per violation', () => {
    accepts(person, { name: 'a' });
    assert.deepEqual(checker.check(person, { address: {}, x: 1 }), [
      "the value must have required property 'name'",
      'the value must NOT have additional properties: "x"',
      '"address" must have required property \'zip\'',
    ]);
    rejects({ enum: ['a', 1] }, 'b', /: \["a",1\]$/u);
    rejects({ const: 4 }, 'b', /: 4$/u);
  });

  it('takes decimal numbers for multiples, as people do', () => {
    const price = { type: 'number', multipleOf: 0.01 };
    accepts(price, 19.99);
    accepts({ type: 'number', multipleOf: 0.1 }, 0.3);
    rejects(price, 1.155, /multiple of 0\.01/u);
  });

  it('counts violations beyond the twentieth', () => {
    const schema = { type: 'array', items: { type: 'string', minLength: 1 } };
    const values = Array.from({ length: 30 }, (_, index) => index);
    const found = checker.check(schema, values);
    assert.equal(found.length, 21);
    assert.match(found[20] ?? '', /^and \d+ more/u);
  });

  it('BASE-14: a schema that names no dialect is 2020-12', () => {
    const schema = { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } };
    accepts(schema, ['a', 1, 2]);
    rejects(schema, ['a', 'b'], /"1" must be number/u);
  });

  it('BASE-14, SCH-02: a declared dialect is obeyed', () => {
    const items = [{ type: 'string' }];
    for (const $schema of [draft07, 'https://json-schema.org/draft-07/schema']) {
      rejects({ $schema, items, additionalItems: false }, ['a', 1], /must NOT have more than 1/u);
      accepts({ $schema, prefixItems: items }, [1]);
    }
    rejects({ $schema: draft202012, prefixItems: items }, [1], /"0" must be string/u);
    isUnusable({ $schema: draft202012, items }, /items/u);
  });

  it('BASE-14, SCH-02: a dialect that is not known is named', () => {
    isUnusable({ $schema: 'http://json-schema.org/draft-04/schema#' }, /draft-04/u);
    isUnusable({ $schema: 'https://example.com/mine' }, /example\.com\/mine.*draft-07/u);
    isUnusable({ $schema: 7 }, /dialect 7/u);
  });

  it('TRAP-57: syntax that only draft-07 has is read so where no dialect is named', () => {
    const schema = { items: [{ type: 'string' }], additionalItems: false };
    accepts(schema, ['a']);
    rejects(schema, [1], /"0" must be string/u);
  });

  it('resolves references inside the schema, recursive ones too', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' }, v: { type: 'number' } },
        },
      },
    };
    accepts(tree, { next: { next: { v: 1 } } });
    rejects(tree, { next: { next: { v: 'x' } } }, /"next\.next\.v" must be number/u);
    rejects({ definitions: { a: { type: 'null' } }, $ref: '#/definitions/a' }, 1, /must be null/u);
  });

  it('SCH-04: never fetches a reference that leads out of the schema', () => {
    isUnusable({ $ref: 'http://127.0.0.1:9/schema.json' }, /127\.0\.0\.1:9.*never fetched/u);
    isUnusable({ properties: { a: { $ref: '#/$defs/none' } } }, /#\/\$defs\/none/u);
    isUnusable({ $ref: 'file:///etc/passwd' }, /etc\/passwd/u);
  });

  it('SCH-06: nor does one under a keyword that only 2020-12 has make anything fit', () => {
    isUnusable({ prefixItems: [{ $ref: 'http://127.0.0.1:9/a' }] }, /127\.0\.0\.1:9/u);
    isUnusable({ unevaluatedProperties: { $ref: 'http://127.0.0.1:9/a' } }, /127\.0\.0\.1:9/u);
  });

  it('SCH-01: resolves "#", which is the schema as a whole', () => {
    for (const $schema of [undefined, draft07, draft202012]) {
      const child = { $ref: '#' };
      const schema = { ...($schema && { $schema }), required: ['id'], properties: { child } };
      accepts(schema, { id: 1, child: { id: 2 } });
      rejects(schema, { id: 1, child: { id: 2, child: {} } }, /"child\.child" must have required/u);
    }
    // One schema after the other: "#" is each one itself.
    accepts({ properties: { a: { $ref: '#' }, b: { type: 'null' } } }, { a: { a: { b: null } } });
  });

  it('SCH-01: resolves dynamic references by their anchor, and no others', () => {
    const children = { type: 'array', items: { $dynamicRef: '#node' } };
    const tree = { $dynamicAnchor: 'node', type: 'object', properties: { children } };
    accepts(tree, { children: [{ children: [{}] }] });
    rejects(tree, { children: [{ children: [1] }] }, /"children\.0\.children\.0" must be object/u);
    for (const $dynamicRef of ['https://127.0.0.1:9/a#node', '#none', '#/$defs/a', '']) {
      isUnusable({ properties: { a: { $dynamicRef } }, $defs: { a: true } }, /refers to ".*never/u);
    }
    accepts({ $schema: draft07, properties: { a: { $dynamicRef: '#none' } } }, { a: 1 });
  });

  it('SCH-07: references that lead in a circle, and values that are too deep, end with a sentence', () => {
    const circle = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
    isUnusable({ $defs: circle, $ref: '#/$defs/a' }, /./u);
    isUnusable({ $ref: '#' }, /./u);
    isUnusable({ $dynamicAnchor: 'n', $dynamicRef: '#n' }, /too deep/u);
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}{}${'}'.repeat(50_000)}`);
    isUnusable({ properties: { a: { $ref: '#' } } }, /too deep/u, deep);
  });

  it('ignores keywords and formats that it does not know', () => {
    accepts({ type: 'string', 'x-widget': 'password', format: 'color', example: 1 }, 'red');
    accepts({ id: 'urn:a', type: 'string' }, 'red');
    rejects({ type: 'string', format: 'email' }, 'nobody', /must match format "email"/u);
  });

  it('uses patterns that are no regular expression of JavaScript as far as it can', () => {
    rejects({ pattern: '^[\\w\\-\\.]+$' }, 'a b', /must match pattern/u);
    accepts({ pattern: '(?P<year>\\d+)' }, 'anything');
  });

  it('a value that cannot be compared makes no other error than one of the schema', () => {
    isUnusable({ enum: [{}] }, /cannot be checked/u, { toString: null });
  });

  it('checks own properties only', () => {
    rejects({ type: 'object', required: ['constructor'] }, {}, /constructor/u);
    accepts({ type: 'object', properties: { toString: { type: 'string' } } }, {});
  });

  it('lets two schemas carry the same identifier', () => {
    const first = { $id: 'https://example.com/a', type: 'string' };
    const second = { $id: 'https://example.com/a', type: 'number' };
    accepts(first, 'x');
    accepts(second, 1);
    rejects(second, 'x', /must be number/u);
    accepts({ properties: { p: { $id: 'https://example.com/a', type: 'null' } } }, { p: null });
    rejects(first, 1, /must be string/u);
  });

  it('refuses schemas that are too deep, too large or not schemas', () => {
    let deep: JsonSchema = {};
    for (let depth = 0; depth < schemaLimits.maxDepth; depth += 1) {
      deep = { not: deep };
    }
    isUnusable(deep, /nested deeper/u);
    isUnusable({ enum: Array.from({ length: schemaLimits.maxNodes }, () => 1) }, /parts/u);
    // Only counted: a list of its millions of members would be many times as large.
    const untouched = new Proxy(
      Array.from({ length: schemaLimits.maxNodes }, () => 1),
      {
        ownKeys: () => assert.fail('its members were listed'),
      },
    );
    isUnusable({ enum: untouched }, /parts/u);
    isUnusable({ type: 'strng' }, /strng/u);
    isUnusable({ properties: 5 }, /properties/u);
    isUnusable({ $async: true }, /async/u);
  });

  it('SCH-07: many references and long enumerations, within their limits, are no trouble', () => {
    const $defs: Record<string, object> = { d200: { type: 'string' } };
    for (let step = 0; step < 200; step++) {
      $defs[`d${step}`] = { $ref: `#/$defs/d${step + 1}` };
    }
    const properties = Object.fromEntries(
      Object.keys($defs).map((name) => [name, { $ref: `#/$defs/${name}` }]),
    );
    rejects({ $defs, properties }, { d0: 1 }, /"d0" must be string/u);
    const values = Array.from({ length: 40_000 }, (_, n) => `v${n}`);
    accepts({ enum: values }, 'v39999');
    rejects({ enum: values }, 'none', /must be equal to one of/u);
  });
});
