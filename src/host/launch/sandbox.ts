/**
 * The command line with which a tool of the system keeps a program to what `sandbox` of its entry lets it write and
 * reach: bubblewrap on Linux, sandbox-exec on macOS. Nothing is started here, and nothing is promised that such a
 * tool does not keep: without one the server does not start.
 */
import { existsSync } from 'node:fs';
import { invalidField } from './launchContext.ts';
import type { SandboxSettings, ServerConfig, StdioLaunch } from '../config/serverConfig.ts';

/**
 * The entry with the command line that is run; the entry itself where it wants no sandbox.
 * @param system as `process.platform` calls it
 * @param cwd where it starts, absolute; with the variables of a user's values
 * @throws McpError `invalidConfig` where there is no such tool, or where the sandbox would keep a debugger out
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
    const message = 'lets no debugger in: take `dev.debug` out, or set "network": true';
    throw invalidField(server, 'sandbox', message);
  }
  const program = inHome(launch.command);
  const write = sandbox.write.map(inHome);
  const wrap = tools.get(system);
  if (wrap === undefined) {
    throw invalidField(
      server,
      'sandbox',
      'needs Linux or macOS: this system has no tool for it. Take it out to run the server without bounds',
    );
  }
  return { ...server, launch: wrap(launch, program, { ...sandbox, write, cwd }) };
}

/** `~` counts at the beginning of a command; here it is an argument. */
function inHome(path: string): string {
  return path.replace(/^~(?=\/|$)/u, '${userHome}');
}

interface Bounds extends SandboxSettings {
  readonly cwd: string;
}

/**
 * Where bubblewrap is: files that only an administrator writes. It sets the bounds, so it is not for the entry to say
 * where it is looked for, as it is for the program inside.
 */
export const bubblewrapFiles = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
] as const;

/**
 * Where the system and the user's session have their sockets. Nobody needs to write to connect to one, and behind
 * them are those who start programs for whoever asks: systemd, Docker, the editor.
 */
const hidden: readonly string[] = ['/run', '/tmp'];

/** What NixOS has its programs in. */
const programs: readonly string[] = ['/run/current-system'];

/** What names of hosts are looked up with, as far as a distribution has it below /run. */
const nameResolution: readonly string[] = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/netconfig',
  '/run/nscd',
];

/**
 * https://github.com/containers/bubblewrap: everything but {@link hidden} can be read, what is named can be written.
 * A later mount lies on an earlier one.
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
  // A folder for temporary files that is elsewhere can be read only.
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
    // Root keeps all of them otherwise, and with them makes the mounts above writable again.
    '--cap-drop',
    'ALL',
    // It ends with us, and gets no hold of a terminal.
    '--die-with-parent',
    '--new-session',
    '--',
    program,
    ...launch.args,
  ];
  // Where there is none, the first one is what the error names.
  const command = bubblewrapFiles.find((file) => existsSync(file)) ?? bubblewrapFiles[0];
  return { ...launch, command, args, sandboxed: { program, isHandedEnvironment: true } };
}

/**
 * The environment of the program inside, for bubblewrap to read from descriptor 3. Of variables that it were given itself
 * its own loader would take some, such as LD_PRELOAD, before there are any bounds; and what stands in its arguments each
 * user of the machine can read. Neither names nor values hold U+0000.
 */
export function environmentArguments(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `--setenv\0${name}\0${value}\0`)
    .join('');
}

/** The places themselves are there in any case: shown as they are they would bring the sockets back. */
function isHidden(path: string): boolean {
  return hidden.some((place) => path.startsWith(`${place}/`) && path.length > place.length + 1);
}

/**
 * With the other names that a path may have: /tmp, /var and /etc are links to folders in /private, and a path is
 * compared once its links are followed. What a variable stands for may be such a path.
 */
function withRealNames(path: string): readonly string[] {
  return /^(?:\/(?:tmp|var|etc)(?:\/|$)|\$\{(?!userHome\}))/u.test(path)
    ? [path, `/private${path}`]
    : [path];
}

/** sandbox-exec(1). Paths are parameters, so that nothing in them is part of the profile. */
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
  // The system gives its own programs nothing of DYLD_…: they need no protection from the entry.
  const sandboxed = { program, isHandedEnvironment: false };
  return { ...launch, command: '/usr/bin/sandbox-exec', args, sandboxed };
}

type Wrap = (launch: StdioLaunch, program: string, bounds: Bounds) => StdioLaunch;

const tools: ReadonlyMap<NodeJS.Platform, Wrap> = new Map([
  ['linux', bubblewrap],
  ['darwin', seatbelt],
]);

/** Said of a tool that is not there: the server does not run without it. */
export function missingTool(tool: string): string {
  const wayOut = tool.endsWith('/bwrap')
    ? 'install bubblewrap, a package of your Linux distribution'
    : 'it is part of the system';
  return `needs ${tool}, which is no program here: ${wayOut}. Take it out to run the server without bounds`;
}
