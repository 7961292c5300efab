/**
 * The command line of a server for a debugger: that of the entry, plus what makes the runtime listen for the debugger
 * on this machine; and the configuration with which the editor attaches. Pure, except {@link freePort}.
 */
import { t } from '../../base/l10n.ts';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { McpError } from '../../mcp/errors.ts';
import { invalidField } from './launchContext.ts';
import type { DebugSettings, ServerConfig, StdioLaunch } from '../config/serverConfig.ts';

/** A debugger controls the server completely, so only this machine may connect. */
const debugHost = '127.0.0.1';

/** Stands for the port before one is chosen. A consent counts for any port. */
export const anyPort = '<any free port>';

/** Programs that take Node's options in front of those of the script. */
const nodePrograms = /^(?:node|nodejs|tsx)(?:\.exe|\.cmd)?$/iu;
const pythonPrograms = /^(?:python|pythonw|pypy|py)[\d.]*(?:\.exe)?$/iu;

/** What a debugger needs to attach. */
export interface DebugTarget {
  readonly type: DebugSettings['type'];
  readonly port: number;
}

/**
 * The entry with the command line for debugging; the entry itself where nothing is debugged.
 * @param port a port, or what stands for one
 * @throws McpError `invalidConfig` for a command that this debugger cannot attach to
 */
export function withDebugger(server: ServerConfig, port: string): ServerConfig {
  const { launch, dev } = server;
  if (launch.kind !== 'stdio' || dev?.debug === undefined) {
    return server;
  }
  const address = `${debugHost}:${port}`;
  return { ...server, launch: debuggable({ ...server, launch }, dev.debug, address) };
}

function debuggable(
  server: ServerConfig & { readonly launch: StdioLaunch },
  debug: DebugSettings,
  address: string,
): StdioLaunch {
  const { launch } = server;
  const program = launch.command.split(/[\\/]/u).at(-1) ?? '';
  switch (debug.type) {
    case 'node':
      // With `npx` and the like, the debugger would attach to the launcher instead of the server.
      requireProgram(server, nodePrograms.test(program), '`node`');
      return { ...launch, args: [`--inspect=${address}`, ...launch.args] };
    case 'debugpy': {
      const listen = ['--listen', address];
      if (debug.debugpyPath !== undefined) {
        return { ...launch, command: debug.debugpyPath, args: [...listen, ...launch.args] };
      }
      requireProgram(
        server,
        pythonPrograms.test(program),
        t('`python`, or `debugpyPath` to be set'),
      );
      const own = pythonOptions(launch.args);
      const args = [...launch.args.slice(0, own), '-m', 'debugpy', ...listen];
      return { ...launch, args: [...args, ...launch.args.slice(own)] };
    }
  }
}

/** How many arguments belong to Python itself: debugpy goes before the script, `-m` or `-c`. */
function pythonOptions(args: readonly string[]): number {
  let count = 0;
  for (;;) {
    const arg = args[count];
    if (arg === undefined || !arg.startsWith('-') || arg === '-' || /^-[mc]/u.test(arg)) {
      return count;
    }
    // The value of these options may be the next argument.
    count += arg === '-W' || arg === '-X' ? 2 : 1;
  }
}

function requireProgram(server: ServerConfig, isRight: boolean, wanted: string): void {
  if (!isRight) {
    throw invalidField(
      server,
      'dev.debug',
      t(
        'needs `command` to be {0}, so that the debugger attaches to the server and to nothing else. Otherwise remove the field',
        wanted,
      ),
    );
  }
}

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, debugHost);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') {
    throw new McpError('unreachable', t('This machine gave no free port for the debugger'));
  }
  return address.port;
}

interface AttachConfiguration {
  readonly type: string;
  readonly name: string;
  readonly request: 'attach';
  readonly [property: string]: unknown;
}

/** @param server its name, for the list of debug sessions */
export function attachConfiguration(
  server: string,
  { type, port }: DebugTarget,
): AttachConfiguration {
  const common = {
    name: `MCP: ${server}`,
    request: 'attach',
    // The server's output is in its log.
    internalConsoleOptions: 'neverOpen',
  } as const;
  return type === 'node'
    ? { type, ...common, address: debugHost, port, continueOnAttach: true }
    : { type, ...common, connect: { host: debugHost, port } };
}
