import assert from 'node:assert/strict';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { withSandbox } from '../../../../src/host/config/sandbox.ts';
import type { SandboxSettings, ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import { programsOf } from '../../../../src/host/consent/programs.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const launch = {
  kind: 'stdio',
  command: '~/bin/notes',
  args: ['--verbose', '${workspaceFolder}'],
  env: { A: 'b' },
  cwd: '/work',
} as const;

function server(sandbox?: SandboxSettings, more: Partial<ServerConfig> = {}): ServerConfig {
  return stdioServer('notes', { launch, ...(sandbox && { sandbox }), ...more });
}

const folder = '/w/a';

const closed: SandboxSettings = { write: ['~/notes', '${workspaceFolder}/n'], network: false };

/** What comes of it in the servers that can be used. */
function parsed(sandbox: unknown): readonly unknown[] {
  const servers = { notes: { command: 'x', sandbox } };
  const config = parseConfig([{ scope: { kind: 'user' }, servers, inputs: undefined }]);
  return config.servers.map((one) => one.sandbox);
}

/** What is shown of the places that are empty inside, but for what is shown always. */
function shown(more: object, where = folder): readonly string[] {
  const inside = { kind: 'stdio', command: 'x', args: [], env: {}, ...more } as const;
  const { launch: outer } = withSandbox(
    server({ write: [], network: false }, { launch: inside }),
    'linux',
    where,
  );
  assert.ok(outer.kind === 'stdio');
  return outer.args
    .filter((_word, at) => outer.args[at - 1] === '--ro-bind-try' && at > 0)
    .slice(1);
}

/** The paths that the profile is given. */
function parameters(path: string): readonly string[] {
  const { launch: outer } = withSandbox(
    server({ write: [path], network: false }),
    'darwin',
    folder,
  );
  assert.ok(outer.kind === 'stdio');
  return outer.args.filter((word) => word.startsWith('WRITE_'));
}

describe('sandbox', () => {
  it('on Linux is bubblewrap: all to be read, what is named to be written, no network', () => {
    assert.deepEqual(withSandbox(server(closed), 'linux', folder).launch, {
      ...launch,
      command: 'bwrap',
      args: [
        '--ro-bind',
        '/',
        '/',
        '--dev',
        '/dev',
        '--proc',
        '/proc',
        '--tmpfs',
        '/run',
        '--tmpfs',
        '/tmp',
        '--setenv',
        'TMPDIR',
        '/tmp',
        '--ro-bind-try',
        '/run/current-system',
        '/run/current-system',
        '--bind',
        '${userHome}/notes',
        '${userHome}/notes',
        '--bind',
        '${workspaceFolder}/n',
        '${workspaceFolder}/n',
        '--unshare-all',
        '--die-with-parent',
        '--new-session',
        '--',
        '${userHome}/bin/notes',
        '--verbose',
        '${workspaceFolder}',
      ],
      sandboxed: '${userHome}/bin/notes',
    });
    const open = withSandbox(server({ write: [], network: true }), 'linux', folder).launch;
    assert.ok(open.kind === 'stdio' && open.args.includes('--share-net'));
    assert.ok(open.args.includes('/run/systemd/resolve') && open.args.includes('/run/nscd'));
  });

  it('on Linux shows the working directory and the program below /run and /tmp, and no more of them', () => {
    assert.deepEqual(shown({}), []);
    assert.deepEqual(shown({}, '/tmp/project'), ['/tmp/project']);
    assert.deepEqual(shown({ cwd: 'sub/../x' }, '/tmp/project'), ['/tmp/project/x']);
    assert.deepEqual(shown({ cwd: '${workspaceFolder}/s' }, '/run/a'), ['/run/a/s']);
    assert.deepEqual(shown({ cwd: '${workspaceFolder}' }), []);
    assert.deepEqual(shown({ cwd: '${env:WORK}' }), ['${env:WORK}']);
    assert.deepEqual(shown({ command: '/tmp/.mount/x' }), ['/tmp/.mount/x']);
    for (const cwd of ['/', '/tmp', '/run', '/tmp/', '/home/u']) {
      assert.deepEqual(shown({ cwd }), [], cwd);
    }
  });

  it('on Linux leaves the folder for temporary files to an entry that names one', () => {
    for (const more of [{ env: { TMPDIR: '/home/u/t' } }, { envFile: '.env' }]) {
      const inside = { ...launch, ...more };
      const { launch: outer } = withSandbox(server(closed, { launch: inside }), 'linux', folder);
      assert.ok(outer.kind === 'stdio' && !outer.args.includes('TMPDIR'));
    }
  });

  it('on macOS is sandbox-exec, whose profile holds no path', () => {
    assert.deepEqual(withSandbox(server(closed), 'darwin', folder).launch, {
      ...launch,
      command: '/usr/bin/sandbox-exec',
      args: [
        '-D',
        'WRITE_0=${userHome}/notes',
        '-D',
        'WRITE_1=${workspaceFolder}/n',
        '-D',
        'WRITE_2=/private${workspaceFolder}/n',
        '-p',
        '(version 1)(allow default)(deny file-write*)' +
          '(allow file-write* (subpath (param "WRITE_0")) (subpath (param "WRITE_1")) (subpath (param "WRITE_2")) (literal "/dev/null"))' +
          '(deny network*)',
        '${userHome}/bin/notes',
        '--verbose',
        '${workspaceFolder}',
      ],
      sandboxed: '${userHome}/bin/notes',
    });
    const open = withSandbox(server({ write: [], network: true }), 'darwin', folder).launch;
    assert.ok(open.kind === 'stdio' && !open.args.join(' ').includes('network'));
  });

  it('on macOS names what /tmp, /var and /etc stand for: links are followed before it compares', () => {
    for (const path of ['/tmp', '/var/folders/x', '/etc/', '${env:TMPDIR}']) {
      assert.deepEqual(parameters(path), [`WRITE_0=${path}`, `WRITE_1=/private${path}`]);
    }
    for (const path of ['/tmpfiles', '/private/tmp', '/Users/u/tmp', '${userHome}/n']) {
      assert.deepEqual(parameters(path), [`WRITE_0=${path}`]);
    }
  });

  it('elsewhere nothing starts that wants one', () => {
    assert.throws(() => withSandbox(server(closed), 'win32', folder), {
      code: 'invalidConfig',
      message: /notes.*sandbox.*needs Linux or macOS/u,
    });
    assert.equal(withSandbox(server(), 'win32', folder).launch, launch);
  });

  it('a debugger gets in only where the network does', () => {
    const dev = { watch: [], debug: { type: 'node' } } as const;
    assert.throws(
      () => withSandbox(server(closed, { dev }), 'linux', folder),
      /lets no debugger in/u,
    );
    withSandbox(server({ ...closed, network: true }, { dev }), 'linux', folder);
  });

  it('one that is written wrongly keeps the server from running without bounds', () => {
    assert.deepEqual(parsed(true), [{ write: [], network: false }]);
    assert.deepEqual(parsed({ write: ['~/n'], network: true }), [
      { write: ['~/n'], network: true },
    ]);
    for (const wrong of ['yes', 1, null, { writes: [] }, { write: ['n'] }, { network: 0 }]) {
      assert.deepEqual(parsed(wrong), [], JSON.stringify(wrong));
    }
  });

  it('risks of the program inside are seen', () => {
    for (const system of ['linux', 'darwin'] as const) {
      const inside = { ...launch, command: 'sudo', args: ['rm', '-rf', '/x'] };
      const { launch: outer } = withSandbox(server(closed, { launch: inside }), system, folder);
      assert.ok(outer.kind === 'stdio');
      const { programs } = programsOf(outer.command, outer.args, 'posix');
      assert.deepEqual(
        programs.map(({ name }) => name).filter((name) => name !== ''),
        [system === 'linux' ? 'bwrap' : 'sandbox-exec', 'sudo', 'rm'],
      );
    }
  });
});
