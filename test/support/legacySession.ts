/** A session of the era with a handshake, on a FakeTransport that plays the server. */
import assert from 'node:assert/strict';
import { openLegacy } from '../../src/mcp/era/legacySession.ts';
import type { ClientOptions, Session } from '../../src/mcp/session/session.ts';
import { Peer } from '../../src/mcp/rpc/rpcPeer.ts';
import { closedAfterTest } from './closing.ts';
import { FakeTransport } from './fakeTransport.ts';
import { hello, initializeResult, pipe } from './hello.ts';

/** @param overrides of what the server answers to `initialize` */
export async function openedLegacy(
  overrides: Readonly<Record<string, unknown>> = {},
  greeting: Partial<ClientOptions> = {},
  transport = new FakeTransport(),
): Promise<{ transport: FakeTransport; session: Session }> {
  transport.respond('initialize', () => initializeResult(overrides));
  const { signal } = new AbortController();
  const opening = await openLegacy(new Peer(transport), pipe, hello(greeting), signal);
  assert.equal(opening.kind, 'open');
  return { transport, session: closedAfterTest(opening.session) };
}
