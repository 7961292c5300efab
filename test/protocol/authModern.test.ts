/** Signing in to a server of 2026-07-28, through the whole host: refusals say nothing of the era. */
import assert from 'node:assert/strict';
import type { Answer, Asked, AuthScripted } from '../servers/authScripted.ts';
import { type SignInWindow, SignInWindows, type WindowOptions } from '../support/signInHarness.ts';

const never = new AbortController().signal;
const revision = '2026-07-28';

/** Its answers hold for ten minutes, for whoever asked. */
const kept = { resultType: 'complete', ttlMs: 600_000, cacheScope: 'private' };

describe('signing in to a server of 2026-07-28', () => {
  const windows = new SignInWindows();
  let server: AuthScripted;
  let window: SignInWindow;
  /** The name of the tool that the account of the moment has. */
  let tool: string;

  const results = (): Readonly<Record<string, object>> => ({
    'server/discover': {
      ...kept,
      supportedVersions: [revision],
      capabilities: { tools: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '1.0.0' } },
    },
    'tools/list': { ...kept, tools: [{ name: tool, inputSchema: { type: 'object' } }] },
    'tools/call': { resultType: 'complete', content: [{ type: 'text', text: 'done' }] },
  });

  const answer = (asked: Asked): Answer => {
    const token = asked.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!server.isGood(token)) {
      return server.challenge();
    }
    const { id, method = '' } = asked.message;
    const result = results()[method];
    return result === undefined
      ? { status: 404, json: { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } } }
      : { json: { jsonrpc: '2.0', id, result } };
  };

  const open = (options: Partial<WindowOptions> = {}): void => {
    window = windows.open(options);
  };

  /** What the server was asked, and whether it admitted it. */
  const asked = (): readonly string[] =>
    server.resource.asked
      .filter(({ path }) => path === '/mcp')
      .map((one) => {
        const isBare = one.headers.authorization === undefined;
        return `${one.message.method}${isBare ? ' without a token' : ''}`;
      });

  const count = (method: string): number => asked().filter((one) => one === method).length;

  beforeEach(async () => {
    tool = 'ofAda';
    server = await windows.begin();
    server.resource.overrides.set('/mcp', answer);
  });

  for (const protocol of ['auto', revision] as const) {
    it(`AUTH-01, AUTH-03, FLOW-13 (2026): discovers, is refused, signs in and lists the tools (protocol: ${protocol})`, async () => {
      open({ server: { protocol } });
      assert.deepEqual(await window.tools(), ['ofAda']);
      const { state } = window.connection;
      assert.ok(state.kind === 'ready');
      assert.equal(state.server.revision, revision);
      assert.deepEqual(asked().slice(0, 3), [
        'server/discover without a token',
        'server/discover',
        'tools/list',
      ]);
      assert.ok(!asked().some((one) => one.startsWith('initialize')));
      assert.equal(window.ui.subjects.length, 1);
    });
  }

  it('CACHE-08 (2026): what was answered before is not used again with another token', async () => {
    open();
    await window.tools();
    const list = (): Promise<unknown> => window.listTools();
    await list();
    assert.equal(count('tools/list'), 1, 'it holds for ten minutes');
    server.endTokens();
    server.endRefreshTokens();
    tool = 'ofBob';
    const call = { name: 'ofAda', arguments: {} };
    await window.connection.withSession((session) => session.call('tools/call', call), never, true);
    assert.deepEqual(window.ui.reasons, ['first', 'ended']);
    assert.match(JSON.stringify(await list()), /ofBob/u);
    assert.equal(count('tools/list'), 2);
  });

  it('is not taken for one of an older revision when nobody signs in', async () => {
    open();
    window.ui.answer = () => 'no';
    await assert.rejects(window.connection.start(), { code: 'signInNeeded' });
    assert.ok(!asked().some((one) => one.startsWith('initialize')));
    window.ui.answer = () => 'open';
    assert.deepEqual(await window.tools(), ['ofAda']);
  });
});
