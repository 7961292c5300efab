/** A session of the modern era on a FakeTransport that plays the server. */
import assert from 'node:assert/strict';
import { openModern } from '../../src/mcp/era/modern.ts';
import type { Channel, ClientOptions, Session } from '../../src/mcp/session/session.ts';
import { Peer } from '../../src/mcp/rpc/rpcPeer.ts';
import { closedAfterTest } from './closing.ts';
import { FakeTransport } from './fakeTransport.ts';
import { hello, pipe } from './hello.ts';

type Members = Readonly<Record<string, unknown>>;

export const http: Channel = { label: 'Streamable HTTP', wire: 'http' };

const serverInfoKey = 'io.modelcontextprotocol/serverInfo';
export const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

export function discoverResult(overrides: Members = {}): Members {
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [serverInfoKey]: { name: 'weather', version: '3.0' } },
    ...overrides,
  };
}

export function answeringDiscover(overrides: Members = {}): FakeTransport {
  return new FakeTransport().respond('server/discover', () => discoverResult(overrides));
}

export async function openedModern(
  overrides: Members = {},
  greeting: Partial<ClientOptions> = {},
  channel: Channel = pipe,
): Promise<{ transport: FakeTransport; session: Session }> {
  const transport = answeringDiscover(overrides);
  const { signal } = new AbortController();
  const opening = await openModern(new Peer(transport), channel, hello(greeting), signal);
  assert.equal(opening.kind, 'open');
  return { transport, session: closedAfterTest(opening.session) };
}
