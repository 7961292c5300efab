/** Complete server entries from a few words. */
import { type ServerConfig, scopeKey } from '../../src/host/config/serverConfig.ts';

/** An enabled stdio server of the user's settings that is started by command only. */
export function stdioServer(name: string, more: Partial<ServerConfig> = {}): ServerConfig {
  const scope = more.scope ?? { kind: 'user' };
  return {
    id: `${scopeKey(scope)}/${name}`,
    name,
    scope,
    launch: { kind: 'stdio', command: name, args: [], env: {} },
    isEnabled: true,
    startup: 'manual',
    timeouts: { startMs: 30_000, requestMs: 30_000, totalMs: 60_000 },
    protocol: 'auto',
    roots: 'all',
    elicitation: true,
    sampling: true,
    apps: true,
    skills: true,
    bridge: true,
    ...more,
  };
}
