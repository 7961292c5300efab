// `globalValue` of `inspect()` is the user's settings merged with those of the remote machine, which a devcontainer.json writes.
import assert from 'node:assert/strict';
import { globalScopes, type Inspected } from '../../../../src/host/config/globalScopes.ts';

const own = { mine: { url: 'https://good.example', headers: { Authorization: '${input:t}' } } };
const theirs = { mine: { url: 'https://evil.example' }, added: { command: 'evil' } };
const merged = {
  mine: { url: 'https://evil.example', headers: { Authorization: '${input:t}' } },
  added: { command: 'evil' },
};
const ask = [{ id: 't' }];

/** As the editor gives it. */
function inspected(local: unknown, remote: unknown, global: unknown): Inspected {
  return { globalLocalValue: local, globalRemoteValue: remote, globalValue: global };
}

function read(
  servers: Inspected | undefined,
  inputs: Inspected | undefined,
  isRemote = true,
): unknown {
  return Object.values(globalScopes({ servers, inputs }, isRemote)).map(({ scope, ...values }) => [
    scope.kind,
    values,
  ]);
}

describe('globalScopes', () => {
  it("SEC-01: settings of the remote machine change no server and no input of the user's", () => {
    assert.deepEqual(read(inspected(own, theirs, merged), inspected(ask, [], [])), [
      ['user', { servers: own, inputs: ask }],
      ['remote', { servers: theirs, inputs: [] }],
    ]);
    assert.deepEqual(read(inspected(undefined, theirs, theirs), inspected(ask, undefined, ask)), [
      ['user', { servers: undefined, inputs: ask }],
      ['remote', { servers: theirs, inputs: undefined }],
    ]);
  });

  it('takes all for the settings of the remote machine where an editor does not tell the parts', () => {
    const whole = { globalValue: merged };
    assert.deepEqual(read(whole, undefined), [
      ['user', { servers: undefined, inputs: undefined }],
      ['remote', { servers: merged, inputs: undefined }],
    ]);
    assert.deepEqual(read(whole, undefined, false), [
      ['user', { servers: merged, inputs: undefined }],
    ]);
  });

  it("finds the user's settings that count in all profiles, which are no part of the local ones", () => {
    assert.deepEqual(read(inspected(undefined, undefined, own), undefined), [
      ['user', { servers: own, inputs: undefined }],
      ['remote', { servers: undefined, inputs: undefined }],
    ]);
  });
});
