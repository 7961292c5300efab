/** What the opening of a conversation needs, for tests: a ClientOptions, and the answer of a server. */
import type { Channel, ClientOptions } from '../../src/mcp/session/session.ts';

export const pipe: Channel = { label: 'stdio', wire: 'pipe' };

export function hello(overrides: Partial<ClientOptions> = {}): ClientOptions {
  return {
    client: { name: 'mcp-host-test', version: '1.0.0' },
    features: {},
    times: { idleMs: 20_000, totalMs: 40_000 },
    openMs: 20_000,
    ...overrides,
  };
}

export function initializeResult(
  overrides: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {} },
    serverInfo: { name: 'weather', version: '2.0' },
    ...overrides,
  };
}
