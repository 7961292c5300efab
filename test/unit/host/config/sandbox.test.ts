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

const closed: SandboxSettings = { write: ['~/notes', '${workspaceFolder}/n'], network: false };

/** What comes of it in the servers that can be used. */
function parsed(sandbox: unknown): readonly unknown[] {
  const servers = { notes: { command: 'x', sandbox } };
  const config = parseConfig([{ scope: { kind: 'user' }, servers, inputs: undefined }]);
  return config.servers.map((one) => one.sandbox);
}

describe('sandbox', () => {
  it('on Linux is bubblewrap: all to be read, what is named to be written, no network', () => {
    assert.deepEqual(withSandbox(server(closed), 'linux').launch, {
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
    const open = withSandbox(server({ write: [], network: true }), 'linux').launch;
    assert.ok(open.kind === 'stdio' && open.args.includes('--share-net'));
  });

  it('on macOS is sandbox-exec, whose profile holds no path', () => {
    assert.deepEqual(withSandbox(server(closed), 'darwin').launch, {
      ...launch,
      command: '/usr/bin/sandbox-exec',
      args: [
        '-D',
        'WRITE_0=${userHome}/notes',
        '-D',
        'WRITE_1=${workspaceFolder}/n',
        '-p',
        '(version 1)(allow default)(deny file-write*)' +
          '(allow file-write* (subpath (param "WRITE_0")) (subpath (param "WRITE_1")) (literal "/dev/null"))' +
          '(deny network*)',
        '${userHome}/bin/notes',
        '--verbose',
        '${workspaceFolder}',
      ],
      sandboxed: '${userHome}/bin/notes',
    });
    const open = withSandbox(server({ write: [], network: true }), 'darwin').launch;
    assert.ok(open.kind === 'stdio' && !open.args.join(' ').includes('network'));
  });

  it('elsewhere nothing starts that wants one', () => {
    assert.throws(() => withSandbox(server(closed), 'win32'), {
      code: 'invalidConfig',
      message: /notes.*sandbox.*needs Linux or macOS/u,
    });
    assert.equal(withSandbox(server(), 'win32').launch, launch);
  });

  it('a debugger gets in only where the network does', () => {
    const dev = { watch: [], debug: { type: 'node' } } as const;
    assert.throws(() => withSandbox(server(closed, { dev }), 'linux'), /lets no debugger in/u);
    withSandbox(server({ ...closed, network: true }, { dev }), 'linux');
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
      const { launch: outer } = withSandbox(server(closed, { launch: inside }), system);
      assert.ok(outer.kind === 'stdio');
      const { programs } = programsOf(outer.command, outer.args, 'posix');
      assert.deepEqual(
        programs.map(({ name }) => name).filter((name) => name !== ''),
        [system === 'linux' ? 'bwrap' : 'sandbox-exec', 'sudo', 'rm'],
      );
    }
  });
});
