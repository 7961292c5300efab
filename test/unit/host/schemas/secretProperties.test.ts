import assert from 'node:assert/strict';
import { secretNames } from '../../../../src/host/schemas/secretProperties.ts';
import { manyMembers } from '../../../support/manyMembers.ts';

describe('secretNames', () => {
  it('are those that a schema marks, or whose names or words seem so, at any depth', () => {
    const names = secretNames({
      properties: {
        login: {
          type: 'object',
          properties: { pin: { type: 'string' }, a: { format: 'password' }, town: {} },
        },
        list: { items: { properties: { b: { title: 'API key' }, c: { writeOnly: true } } } },
        d: { $ref: '#/$defs/hidden' },
      },
      $defs: { hidden: { anyOf: [{ type: 'null' }, { format: 'password' }] } },
    });
    assert.deepEqual([...names].toSorted(), ['a', 'b', 'c', 'd', 'pin']);
  });

  it('SCH-07: are not looked for to the end of a schema that would hold everybody up', () => {
    const properties = manyMembers(20_000, () => ({ $ref: '#/$defs/big' }));
    const first = { password: { type: 'string' }, ...properties };
    const names = secretNames({ properties: first, $defs: { big: manyMembers(40_000, () => 1) } });
    assert.ok(names.has('password'));
  });
});
