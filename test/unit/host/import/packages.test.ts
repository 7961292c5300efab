import assert from 'node:assert/strict';
import {
  isExact,
  isNewer,
  type PackageRegistry,
  readPackageName,
} from '../../../../src/host/import/packages.ts';

const named = (registry: PackageRegistry, text: string): readonly unknown[] | undefined => {
  const found = readPackageName(registry, text);
  return found && [found.name, found.version, isExact(found)];
};

describe('Names of packages', () => {
  for (const [registry, text, ...expected] of [
    ['npm', ' @a/b@1.2.3 ', '@a/b', '1.2.3', true],
    ['npm', 'time-mcp', 'time-mcp', undefined, false],
    ['npm', 'time-mcp@latest', 'time-mcp', 'latest', false],
    ['npm', 'time-mcp@^1.2.3', 'time-mcp', '^1.2.3', false],
    ['pypi', 'mcp-server-git', 'mcp-server-git', undefined, false],
    ['pypi', 'mcp-server-git==2026.1', 'mcp-server-git', '2026.1', true],
    ['pypi', 'server[cli,http]@1.2.3rc1', 'server[cli,http]', '1.2.3rc1', true],
    ['pypi', 'server@latest', 'server', 'latest', false],
  ] as const) {
    it(`of ${registry}: ${text}`, () => assert.deepEqual(named(registry, text), expected));
  }

  it('are no options, paths, URLs or scripts', () => {
    const texts = ['', '-y', '--call=evil', 'a b', '../x', 'https://a.example/x', 'a;b', '@a'];
    for (const registry of ['npm', 'pypi'] as const) {
      assert.deepEqual(
        texts.filter((text) => named(registry, text) !== undefined),
        [],
      );
    }
  });
});

describe('A version', () => {
  for (const [version, than, expected] of [
    ['1.10.0', '1.9.9', true],
    ['1.9.9', '1.9.9', false],
    ['1.0.0', '1.0.0-rc.1', true],
    ['1.0.0-rc.1', '1.0.0', false],
    ['2026.1', '2025.12.1', true],
    ['0.6', '0.6.0', false],
    ['2025.04.10', '2025.04.09', true],
    ['v0.4', 'v0.4-rc.1', true],
    ['newest', '1.0.0', false],
  ] as const) {
    it(`${version} ${expected ? 'is' : 'is not'} newer than ${than}`, () =>
      assert.equal(isNewer(version, than), expected));
  }
});
