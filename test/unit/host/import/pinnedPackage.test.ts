import assert from 'node:assert/strict';
import { pinnedPackage } from '../../../../src/host/import/pinnedPackage.ts';

describe('pinnedPackage', () => {
  it('finds the package that is run, and writes another version in its place', () => {
    for (const [command, args] of [
      ['npx', ['-y', '@acme/files@1.2.3', 'other@9.9.9']],
      ['C:\\node\\npx.cmd', ['@acme/files@1.2.3']],
      ['npx', ['-y', '-p', '@acme/files@1.2.3', 'files']],
      ['pnpm', ['dlx', '@acme/files@1.2.3']],
    ] as const) {
      const entry = { command, args: [...args], env: { A: 'b' } };
      const found = pinnedPackage(entry) ?? assert.fail(args.join(' '));
      assert.deepEqual([found.name, found.version], ['@acme/files', '1.2.3']);
      assert.deepEqual(found.at('2.0.0'), {
        ...entry,
        args: args.map((arg) => arg.replace('1.2.3', '2.0.0')),
      });
    }
  });

  it('finds one of PyPI', () => {
    for (const [command, args] of [
      ['uvx', ['server-git==1.2.3', '--repository', 'x']],
      ['/usr/bin/uvx', ['--python', '3.12', '--from', 'server-git[cli]==1.2.3', 'server']],
      ['uv', ['tool', 'run', 'server-git@1.2.3']],
      ['pipx', ['run', '--spec', 'server-git==1.2.3', 'server']],
    ] as const) {
      const entry = { command, args: [...args] };
      const found = pinnedPackage(entry) ?? assert.fail(args.join(' '));
      assert.deepEqual([found.registry, found.version], ['pypi', '1.2.3']);
      assert.deepEqual(found.at('2.0.0'), {
        command,
        args: args.map((arg) => arg.replace('1.2.3', '2.0.0')),
      });
    }
  });

  it('finds none in what runs the newest version, a local file or another program', () => {
    for (const entry of [
      { command: 'npx', args: ['-y', 'files@latest', 'other@1.2.3'] },
      { command: 'npx', args: ['files'] },
      { command: 'node', args: ['files@1.2.3'] },
      { command: 'uvx', args: ['files@latest'] },
      { command: 'uvx', args: ['--from', 'files>=1.2.3', 'files'] },
      { command: 'npx', args: [{}, 'files@^1.2.3'] },
      { command: 'npx' },
      { url: 'https://a.example' },
      'npx',
    ]) {
      assert.equal(pinnedPackage(entry), undefined, JSON.stringify(entry));
    }
  });
});
