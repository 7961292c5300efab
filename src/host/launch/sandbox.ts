/**
 * The command line of the tool that limits a program to what `sandbox` of its entry lets it write and reach: bubblewrap
 * on Linux, sandbox-exec on macOS. Starts nothing. Without such a tool the server does not start.
 */
import { t } from '../../base/l10n.ts';
import { existsSync } from 'node:fs';
import { invalidField } from './launchContext.ts';
import type { SandboxSettings, ServerConfig, StdioLaunch } from '../config/serverConfig.ts';

/**
 * The entry with the command line of the sandbox; the entry itself where it wants none.
 * @param system as `process.platform` calls it
 * @param cwd the working directory, absolute; may hold variables for a user's values
 * @throws McpError `invalidConfig` where there is no such tool, or where the sandbox would block a debugger
 */
export function withSandbox(
  server: ServerConfig,
  system: NodeJS.Platform,
  cwd: string,
): ServerConfig {
  const { launch, sandbox, dev } = server;
  if (launch.kind !== 'stdio' || sandbox === undefined) {
    return server;
  }
  if (dev?.debug !== undefined && !sandbox.network) {
    const message = t('does not let a debugger in: remove `dev.debug`, or set "network": true');
    throw invalidField(server, 'sandbox', message);
  }
  const program = inHome(launch.command);
  const write = sandbox.write.map(inHome);
  const wrap = tools.get(system);
  if (wrap === undefined) {
    throw invalidField(
      server,
      'sandbox',
      t(
        'needs Linux or macOS: this system has no tool for it. Remove the field to run the server without a sandbox',
      ),
    );
  }
  return { ...server, launch: wrap(launch, program, { ...sandbox, write, cwd }) };
}

/** `~` is expanded at the beginning of a command; here it is an argument. */
function inHome(path: string): string {
  return path.replace(/^~(?=\/|$)/u, '${userHome}');
}

interface Bounds extends SandboxSettings {
  readonly cwd: string;
}

/**
 * Paths of bubblewrap that only an administrator can write. It enforces the bounds, so the entry must not choose where
 * it is searched, unlike the program inside.
 */
export const bubblewrapFiles = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
] as const;

/**
 * Folders with sockets of the system and of the user's session. Connecting needs no right to write, and systemd, Docker
 * and the editor start programs for whoever connects.
 */
const hidden: readonly string[] = ['/run', '/tmp'];

/** The programs of NixOS. */
const programs: readonly string[] = ['/run/current-system'];

/** Files for the lookup of host names, where a distribution has them below /run. */
const nameResolution: readonly string[] = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/netconfig',
  '/run/nscd',
];

/**
 * https://github.com/containers/bubblewrap: everything but {@link hidden} is readable, the named paths are writable. A
 * later mount covers an earlier one.
 */
function bubblewrap(
  launch: StdioLaunch,
  program: string,
  { write, network, cwd }: Bounds,
): StdioLaunch {
  const seen = [
    ...programs,
    ...(network ? nameResolution : []),
    ...(isHidden(cwd) || cwd.startsWith('${') ? [cwd] : []),
    ...(isHidden(launch.command) ? [launch.command] : []),
  ];
  // A temporary folder elsewhere is read-only.
  const hasOwn = 'TMPDIR' in launch.env || launch.envFile !== undefined;
  const args = [
    // Descriptor 3, see environmentArguments.
    '--args',
    '3',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...hidden.flatMap((path) => ['--tmpfs', path]),
    ...(hasOwn ? [] : ['--setenv', 'TMPDIR', '/tmp']),
    ...seen.flatMap((path) => ['--ro-bind-try', path, path]),
    ...write.flatMap((path) => ['--bind', path, path]),
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    // Otherwise root keeps all capabilities, and could make the mounts above writable again.
    '--cap-drop',
    'ALL',
    // Ends with us, and gets no control of a terminal.
    '--die-with-parent',
    '--new-session',
    '--',
    program,
    ...launch.args,
  ];
  // Where there is none, the error names the first one.
  const command = bubblewrapFiles.find((file) => existsSync(file)) ?? bubblewrapFiles[0];
  const sandboxed = { program, isHandedEnvironment: true, ownArgs: launch.args.length };
  return { ...launch, command, args, sandboxed };
}

/**
 * The environment of the program inside, which bubblewrap reads from descriptor 3. In bubblewrap's own environment, its
 * loader would apply variables such as LD_PRELOAD outside of the sandbox; its arguments are readable for every user of
 * the machine. Neither names nor values hold U+0000.
 */
export function environmentArguments(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `--setenv\0${name}\0${value}\0`)
    .join('');
}

/** The folders themselves are always mounted: mounting the real ones would bring the sockets back. */
function isHidden(path: string): boolean {
  return hidden.some((place) => path.startsWith(`${place}/`) && path.length > place.length + 1);
}

/**
 * With the other names of a path: /tmp, /var and /etc are links to folders in /private, and sandbox-exec compares paths
 * with links resolved. The value of a variable may be such a path.
 */
function withRealNames(path: string): readonly string[] {
  return /^(?:\/(?:tmp|var|etc)(?:\/|$)|\$\{(?!userHome\}))/u.test(path)
    ? [path, `/private${path}`]
    : [path];
}

/** sandbox-exec(1). Paths are parameters, so that they cannot change the profile. */
function seatbelt(launch: StdioLaunch, program: string, { write, network }: Bounds): StdioLaunch {
  const paths = write.flatMap(withRealNames);
  const places = paths.map((_path, index) => `(subpath (param "WRITE_${index}"))`);
  const profile = [
    '(version 1)(allow default)(deny file-write*)',
    `(allow file-write* ${[...places, '(literal "/dev/null")'].join(' ')})`,
    network ? '' : '(deny network*)',
  ].join('');
  const args = [
    ...paths.flatMap((path, index) => ['-D', `WRITE_${index}=${path}`]),
    '-p',
    profile,
    program,
    ...launch.args,
  ];
  // macOS drops DYLD_… for its own programs, so the entry's environment is safe there.
  const sandboxed = { program, isHandedEnvironment: false, ownArgs: launch.args.length };
  return { ...launch, command: '/usr/bin/sandbox-exec', args, sandboxed };
}

type Wrap = (launch: StdioLaunch, program: string, bounds: Bounds) => StdioLaunch;

const tools: ReadonlyMap<NodeJS.Platform, Wrap> = new Map([
  ['linux', bubblewrap],
  ['darwin', seatbelt],
]);

/** The error for a missing tool: the server does not run without it. */
export function missingTool(tool: string): string {
  const wayOut = tool.endsWith('/bwrap')
    ? t('install bubblewrap, a package of your Linux distribution')
    : t('it is part of the system');
  return t(
    'needs {0}, which is not installed: {1}. Remove the field to run the server without a sandbox',
    tool,
    wayOut,
  );
}
