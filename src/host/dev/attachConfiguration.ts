/** The editor's debug configuration that attaches to a server waiting for a debugger. Pure. */
import { debugHost, type DebugTarget } from '../launch/debugLaunch.ts';

export interface AttachConfiguration {
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
