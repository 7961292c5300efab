/** The thread for schemas that take long, in an extension host as editors start it. */
import assert from 'node:assert/strict';
import type * as schemas from '../../src/schemas.ts';
import { fromRoot } from './support/host.ts';

describe('schemas', () => {
  it('SCH-07: values are checked against large schemas in a thread of its own', async () => {
    const bundle: typeof schemas = require(fromRoot('dist', 'schemas.cjs'));
    const checker = bundle.createSchemaChecker();
    const properties = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, n) => [`p${n}`, { type: 'string' }]),
    );
    const schema = { type: 'object', properties };
    assert.deepEqual(await checker.checkApart(schema, { p7: 'x' }), []);
    assert.deepEqual(await checker.checkApart(schema, { p7: 7 }), ['"p7" must be string']);
  });
});
