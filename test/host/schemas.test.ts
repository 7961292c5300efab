/** The process for schemas that take long, started by an extension host as editors start it. */
import assert from 'node:assert/strict';
import type * as schemas from '../../src/entries/schemas.ts';
import { clear, configure, extension, fromRoot, probe, until, untilState } from './support/host.ts';

describe('schemas', function () {
  this.timeout(120_000);
  after(clear);

  it('SCH-07: values are checked against large schemas in a process of its own, which alone runs out of memory', async () => {
    const bundle: typeof schemas = require(fromRoot('dist', 'schemas.cjs'));
    const checker = bundle.createSchemaChecker();
    const properties = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, n) => [`p${n}`, { type: 'string' }]),
    );
    const schema = { type: 'object', properties };
    assert.deepEqual(await checker.check(schema, { p7: 'x' }), []);
    assert.deepEqual(await checker.check(schema, { p7: 7 }), ['"p7" must be string']);
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
    await assert.rejects(checker.check(endless, {}), refusal);
    assert.deepEqual(await checker.check(schema, { p7: 'x' }), []);
    checker.dispose();
  });

  it('SCH-07: the extension checks the input of a call so, before anybody is asked', async () => {
    const api = extension().exports.getAPI(1, 'vscode.git');
    await configure({ wide: probe({ ITEMS: '1', FIELDS: '1500' }) });
    await untilState('wide', 'ready');
    await until('its tool', () => api.listTools('user/wide').length === 1);
    await assert.rejects(api.callTool('user/wide', 'tool-1', { value7: 7 }), {
      code: 'invalidInput',
      message: /"value7" must be string/u,
    });
  });
});
