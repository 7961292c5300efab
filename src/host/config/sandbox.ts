/**
 * `sandbox` of an entry: what the program may write and reach, and the command line with which a tool of the
 * system keeps it to that: bubblewrap on Linux, sandbox-exec on macOS. Nothing is started here, and nothing is
 * promised that such a tool does not keep: without one the server does not start.
 */
import { isObject, isStringArray } from '../../base/json.ts';
import { EntryReader, typeName } from './entryReader.ts';
import { invalidField } from './launchContext.ts';
import type { SandboxSettings, ServerConfig, StdioLaunch } from './serverConfig.ts';

/** What a path of `sandbox.write` begins with: a root, the user's home, a variable. */
const absolute = /^(?:\/|~(?:\/|$)|\$\{)/u;

/** Undefined where the entry wants none. A mistake makes the entry unusable: it would run without its bounds. */
export function parseSandbox(reader: EntryReader): SandboxSettings | undefined {
  const raw = reader.raw('sandbox');
  if (raw === undefined || raw === false) {
    return undefined;
  }
  if (raw !== true && !isObject(raw)) {
    reader.fail(
      'sandbox',
      `must be true, or an object with \`write\` or \`network\`, not ${typeName(raw)}`,
    );
    return undefined;
  }
  const inner = new EntryReader(raw === true ? {} : raw, (field, message) =>
    reader.fail(`sandbox.${field}`, message),
  );
  inner.warnOfOthers(new Set(['write', 'network']), new Map());
  const network = inner.boolean('network') ?? false;
  const write = inner.raw('write') ?? [];
  if (!isStringArray(write) || !write.every((path) => absolute.test(path))) {
    inner.fail('write', 'must be a list of paths that begin with "/", "~/" or a variable');
    return undefined;
  }
  return { write, network };
}

/**
 * The entry with the command line that is run; the entry itself where it wants no sandbox.
 * @param system as `process.platform` calls it
 * @throws McpError `invalidConfig` where there is no such tool, or where the sandbox would keep a debugger out
 */
export function withSandbox(server: ServerConfig, system: NodeJS.Platform): ServerConfig {
  const { launch, sandbox, dev } = server;
  if (launch.kind !== 'stdio' || sandbox === undefined) {
    return server;
  }
  if (dev?.debug !== undefined && !sandbox.network) {
    const message = 'lets no debugger in: take `dev.debug` out, or set "network": true';
    throw invalidField(server, 'sandbox', message);
  }
  const inside = [inHome(launch.command), ...launch.args];
  const write = sandbox.write.map(inHome);
  const wrap = tools.get(system);
  if (wrap === undefined) {
    throw invalidField(
      server,
      'sandbox',
      'needs Linux or macOS: this system has no tool for it. Take it out to run the server without bounds',
    );
  }
  return { ...server, launch: wrap(launch, inside, { ...sandbox, write }) };
}

/** `~` counts at the beginning of a command; here it is an argument. */
function inHome(path: string): string {
  return path.replace(/^~(?=\/|$)/u, '${userHome}');
}

/** https://github.com/containers/bubblewrap: everything can be read, what is named can be written. */
function bubblewrap(
  launch: StdioLaunch,
  inside: readonly string[],
  { write, network }: SandboxSettings,
): StdioLaunch {
  const args = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...write.flatMap((path) => ['--bind', path, path]),
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    // It ends with us, and gets no hold of a terminal.
    '--die-with-parent',
    '--new-session',
    '--',
    ...inside,
  ];
  return { ...launch, command: 'bwrap', args, sandboxed: inside[0] };
}

/** sandbox-exec(1). Paths are parameters, so that nothing in them is part of the profile. */
function seatbelt(
  launch: StdioLaunch,
  inside: readonly string[],
  { write, network }: SandboxSettings,
): StdioLaunch {
  const places = write.map((_path, index) => `(subpath (param "WRITE_${index}"))`);
  const profile = [
    '(version 1)(allow default)(deny file-write*)',
    `(allow file-write* ${[...places, '(literal "/dev/null")'].join(' ')})`,
    network ? '' : '(deny network*)',
  ].join('');
  const args = [
    ...write.flatMap((path, index) => ['-D', `WRITE_${index}=${path}`]),
    '-p',
    profile,
    ...inside,
  ];
  return { ...launch, command: '/usr/bin/sandbox-exec', args, sandboxed: inside[0] };
}

type Wrap = (
  launch: StdioLaunch,
  inside: readonly string[],
  settings: SandboxSettings,
) => StdioLaunch;

const tools: ReadonlyMap<NodeJS.Platform, Wrap> = new Map([
  ['linux', bubblewrap],
  ['darwin', seatbelt],
]);
