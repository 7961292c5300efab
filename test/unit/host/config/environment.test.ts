import assert from 'node:assert/strict';
import { inherited, layered, lookUp } from '../../../../src/host/config/environment.ts';

describe('environment', () => {
  it('lays later layers over earlier ones; null removes', () => {
    assert.deepEqual(
      layered('posix', [
        { A: '1', B: '2', C: undefined, Path: 'p' },
        { B: '3' },
        { A: null, PATH: 'q' },
      ]),
      { B: '3', Path: 'p', PATH: 'q' },
    );
  });

  it('on Windows takes names that differ in case only for one variable', () => {
    assert.deepEqual(
      layered('win32', [
        { Path: 'old', TEMP: 't' },
        { PATH: 'new', temp: null },
      ]),
      {
        PATH: 'new',
      },
    );
    assert.equal(lookUp('win32', { Path: 'x' }, 'PATH'), 'x');
    assert.equal(lookUp('posix', { Path: 'x' }, 'PATH'), undefined);
  });

  it('gives the same outcome whatever the order of names in a layer', () => {
    const one = layered('win32', [{ a: '1', A: '2' }]);
    assert.deepEqual(one, layered('win32', [{ A: '2', a: '1' }]));
  });

  it("passes on nothing that is the editor's own", () => {
    assert.deepEqual(
      inherited({ HOME: '/h', ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 's', MY_VSCODE_X: 'y' }),
      { HOME: '/h', MY_VSCODE_X: 'y' },
    );
  });

  it('takes names that objects have of their own for names', () => {
    const own: Readonly<Record<string, string>> = JSON.parse(
      '{"__proto__": "v", "constructor": "c"}',
    );
    assert.deepEqual(Object.entries(layered('posix', [own])), [
      ['__proto__', 'v'],
      ['constructor', 'c'],
    ]);
    assert.equal(lookUp('posix', {}, 'constructor'), undefined);
  });
});
