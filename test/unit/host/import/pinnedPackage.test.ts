import assert from 'node:assert/strict';
import { pinnedImage, pinnedPackage } from '../../../../src/host/import/pinnedPackage.ts';

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

describe('pinnedImage', () => {
  it('finds the image that is run, and writes another version in its place', () => {
    for (const [command, args, name, version] of [
      ['docker', ['run', '-i', '--rm', 'ghcr.io/a/b:1.2.3', '--x'], 'ghcr.io/a/b', '1.2.3'],
      ['C:\\bin\\Docker.exe', ['run', '-e', 'KEY', 'mcp/time:v0.4'], 'mcp/time', 'v0.4'],
      ['/usr/bin/podman', ['container', 'run', 'time:1.2-alpine'], 'time', '1.2-alpine'],
      [
        'nerdctl',
        ['run', '-v', 'a:/b', 'a.example:5000/b:1.0.0-rc.1'],
        'a.example:5000/b',
        '1.0.0-rc.1',
      ],
      ['docker', ['run', '--cap-drop', 'ALL', '--memory', '512m', 'a/b:25.04'], 'a/b', '25.04'],
    ] as const) {
      const entry = { command, args: [...args], env: { A: 'b' } };
      const found = pinnedImage(entry) ?? assert.fail(args.join(' '));
      assert.deepEqual([found.name, found.version], [name, version]);
      assert.deepEqual(found.at('9.9'), {
        ...entry,
        args: args.map((arg) => arg.replace(`${name}:${version}`, `${name}:9.9`)),
      });
    }
  });

  it('finds none without an exact version, or where no image is run', () => {
    const digest = `@sha256:${'a'.repeat(64)}`;
    const tags = [
      'latest',
      '1',
      '1.2.3.4',
      '1.2.3-rc.1-alpine',
      'edge-1.2.3',
      `1.${'2'.repeat(200)}`,
    ];
    for (const image of [
      'a/b',
      ...tags.map((tag) => `a/b:${tag}`),
      'a.example:5000/b',
      `a/b${digest}`,
      `a/b:1.2.3${digest}`,
      '${env:NAME}:1.2.3',
      '../a:1.2.3',
    ]) {
      assert.equal(pinnedImage({ command: 'docker', args: ['run', image] }), undefined, image);
    }
    for (const entry of [
      { command: 'docker', args: ['exec', 'a/b:1.2.3'] },
      { command: 'docker', args: ['mcp', 'run', 'a/b:1.2.3'] },
      { command: 'docker', args: ['run', {}, 'a/b:1.2.3'] },
      { command: 'docker', args: ['run', '-i'] },
      { command: 'docker-run', args: ['run', 'a/b:1.2.3'] },
      { command: 'docker' },
      { url: 'https://a.example' },
      'docker',
    ]) {
      assert.equal(pinnedImage(entry), undefined, JSON.stringify(entry));
    }
  });
});
