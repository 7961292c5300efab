/** The process for schemas that take long, started by an extension host as editors start it. */
import assert from 'node:assert/strict';
import type * as schemas from '../../src/schemas.ts';
import { fromRoot } from './support/host.ts';

describe('schemas', function () {
  this.timeout(120_000);

  it('SCH-07: values are checked against large schemas in a process of its own, which alone runs out of memory', async () => {
    const bundle: typeof schemas = require(fromRoot('dist', 'schemas.cjs'));
    const checker = bundle.createSchemaChecker();
    const properties = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, n) => [`p${n}`, { type: 'string' }]),
    );
    const schema = { type: 'object', properties };
    assert.deepEqual(await checker.checkApart(schema, { p7: 'x' }), []);
    assert.deepEqual(await checker.checkApart(schema, { p7: 7 }), ['"p7" must be string']);
    // Each step doubles how many violations there are. On a slow machine there may be no time to fill the memory.
    const steps = Array.from({ length: 64 }, (_, n) => {
      const next = { $ref: `#/$defs/d${n + 1}` };
      return [`d${n}`, { allOf: [next, next] }];
    });
    const endless = {
      $defs: { ...Object.fromEntries(steps), d64: { type: 'string' } },
      $ref: '#/$defs/d0',
    };
    const refusal = { code: 'unsupported', message: /more than 256 MB of memory|took longer/u };
    await assert.rejects(checker.checkApart(endless, {}), refusal);
    assert.deepEqual(await checker.checkApart(schema, { p7: 'x' }), []);
    checker.dispose();
  });
});
