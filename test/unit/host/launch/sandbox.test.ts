import assert from 'node:assert/strict';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { resolveLaunch } from '../../../../src/host/launch/resolveLaunch.ts';
import { bubblewrapFiles, withSandbox } from '../../../../src/host/launch/sandbox.ts';
import type {
  SandboxSettings,
  ServerConfig,
  StdioLaunch,
} from '../../../../src/host/config/serverConfig.ts';
import { commandsOf } from '../../../../src/host/launch/programs.ts';
import { programsAt } from '../../../support/programs.ts';
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

function onLinux(settings: SandboxSettings, inside: StdioLaunch = launch, where = folder) {
  const { launch: outer } = withSandbox(server(settings, { launch: inside }), 'linux', where);
  assert.ok(outer.kind === 'stdio');
  const end = outer.args.indexOf('--');
  const options = outer.args
    .slice(0, end)
    .join(' ')
    .split(/ (?=--)/u);
  return { options, inside: outer.args.slice(end + 1), outer };
}

/** What is shown of the places that are empty inside, but for what is shown always. */
function shown(where: string, more: object = {}): readonly string[] {
  const inside = { kind: 'stdio', command: 'x', args: [], env: {}, ...more } as const;
  return onLinux({ write: [], network: false }, inside, where)
    .options.map((option) => /^--ro-bind-try (\S+) \1$/u.exec(option)?.[1])
    .filter((path) => path !== undefined && path !== '/run/current-system')
    .map(String);
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
  it('SEC-03: on Linux is bubblewrap: all to be read, what is named to be written, no network', () => {
    const { options, inside, outer } = onLinux(closed);
    assert.deepEqual(inside, ['${userHome}/bin/notes', '--verbose', '${workspaceFolder}']);
    const { command: _command, args: _args, ...others } = outer;
    assert.deepEqual(others, {
      kind: 'stdio',
      env: launch.env,
      cwd: launch.cwd,
      sandboxed: { program: '${userHome}/bin/notes', isHandedEnvironment: true, ownArgs: 2 },
    });
    assert.deepEqual(
      options.filter((option) => /^--(?:dev-)?bind/u.test(option)),
      ['${userHome}/notes', '${workspaceFolder}/n'].map((path) => `--bind ${path} ${path}`),
    );
    assert.ok(options.includes('--unshare-all') && !options.includes('--share-net'));
    const open = onLinux({ write: [], network: true }).options;
    assert.ok(open.includes('--unshare-all') && open.includes('--share-net'));
    assert.ok(open.includes('--ro-bind-try /run/systemd/resolve /run/systemd/resolve'));
    assert.ok(options.includes('--cap-drop ALL') && open.includes('--cap-drop ALL'));
    assert.ok(options.includes('--new-session') && options.includes('--die-with-parent'));
  });

  it('on Linux takes bubblewrap from folders of the system alone, and says where it is missing', async () => {
    const { outer } = onLinux(closed, { ...launch, env: { PATH: '/w/a', KEY: 'a b' } });
    assert.ok(bubblewrapFiles.some((file) => file === outer.command));
    const wrapped = server(closed, { launch: outer });
    const resolve = (there: readonly string[]) =>
      resolveLaunch(wrapped, {
        folders: [{ uri: 'file:///w/a', name: 'a', path: folder }],
        machine: {
          programs: programsAt(there),
          platform: 'posix',
          userHome: '/home/u',
          env: {},
          readFile: () => assert.fail('there is no file'),
          digest: () => assert.fail('there is no file'),
        },
        inputOf: () => assert.fail('there is no input'),
        valueOf: () => assert.fail('there is no input'),
      });
    const resolved = await resolve(bubblewrapFiles);
    assert.ok(resolved.launch.kind === 'stdio');
    const { command, env, handedOver } = resolved.launch;
    assert.deepEqual(
      { command, env, handedOver },
      {
        command: outer.command,
        env: { PATH: '/w/a', KEY: 'a b' },
        handedOver: '--setenv\0KEY\0a b\0--setenv\0PATH\0/w/a\0',
      },
    );
    await assert.rejects(resolve(['/w/a/bwrap']), {
      code: 'invalidConfig',
      message: /^notes: sandbox: needs \/.*\/bwrap.*install bubblewrap/u,
    });
  });

  it('on Linux hides the sockets of the system before anything in their place is shown', () => {
    const { options } = onLinux(closed, launch, '/tmp/a');
    const at = (option: string): number => options.findIndex((one) => one.startsWith(option));
    assert.deepEqual([at('--args 3'), at('--ro-bind / /')], [0, 1]);
    for (const place of ['/run', '/tmp']) {
      const hiding = at(`--tmpfs ${place}`);
      assert.ok(hiding > 0 && hiding < at('--ro-bind-try') && hiding < at('--bind'), place);
    }
    assert.ok(at('--ro-bind-try') < at('--bind'), 'what may be written lies on what may be read');
    assert.ok(at('--setenv TMPDIR /tmp') > 0);
  });

  it('on Linux shows the working directory and the program below /run and /tmp, and no more of them', () => {
    assert.deepEqual(shown('/w/a'), []);
    assert.deepEqual(shown('/tmp/project'), ['/tmp/project']);
    assert.deepEqual(shown('${env:WORK}'), ['${env:WORK}']);
    assert.deepEqual(shown('/w/a', { command: '/tmp/.mount/x' }), ['/tmp/.mount/x']);
    for (const cwd of ['/', '/tmp', '/run', '/tmp/', '/home/u']) {
      assert.deepEqual(shown(cwd), [], cwd);
    }
  });

  it('on Linux leaves the folder for temporary files to an entry that names one', () => {
    for (const more of [{ env: { TMPDIR: '/home/u/t' } }, { envFile: '.env' }]) {
      const { options } = onLinux(closed, { ...launch, ...more });
      assert.ok(!options.some((option) => option.includes('TMPDIR')));
    }
  });

  it('SEC-03: on macOS is sandbox-exec, whose profile holds no path', () => {
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
      sandboxed: { program: '${userHome}/bin/notes', isHandedEnvironment: false, ownArgs: 2 },
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
      /does not let a debugger in/u,
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
      const commands = [...commandsOf([outer.command, ...outer.args])];
      assert.deepEqual(
        commands.map(({ name }) => name),
        [system === 'linux' ? 'bwrap' : 'sandbox-exec', 'sudo', 'rm'],
      );
    }
  });
});
