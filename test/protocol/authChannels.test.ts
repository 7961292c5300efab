/** Every channel that begins with HTTP is signed in alike, in both eras. */
import assert from 'node:assert/strict';
import type { AuthScripted } from '../servers/authScripted.ts';
import { type Exchange, HttpScripted } from '../servers/httpScripted.ts';
import { WebSocketScripted } from '../servers/webSocketScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { deferred } from '../support/deferred.ts';
import { SignInWindows } from '../support/signInHarness.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** The results of requests, by their method. */
const results: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1.0.0' },
  },
  'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
};

function challengeOf(origin: string): string {
  return `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
}

describe('signing in, channel by channel', () => {
  let auth: AuthScripted;
  const windows = new SignInWindows();
  const { open } = windows;

  beforeEach(async () => {
    auth = await windows.begin();
  });

  const isSignedIn = (headers: { readonly authorization?: string | undefined }): boolean =>
    auth.secrets.has(headers.authorization?.replace('Bearer ', '') ?? '');

  /** Metadata and refusals in front of a server. */
  const guarded =
    (inner: (exchange: Exchange) => void) =>
    (exchange: Exchange): void => {
      const { path, headers } = exchange.received;
      const origin = `http://${headers.host}`;
      if (path.startsWith('/.well-known/oauth-protected-resource')) {
        const resource = `${origin}/mcp`;
        exchange.json({ resource, authorization_servers: [auth.issuer.origin] });
      } else if (path.startsWith('/.well-known/')) {
        exchange.answer(404);
      } else if (isSignedIn(headers)) {
        inner(exchange);
      } else {
        exchange.answer(401, 'no', { 'www-authenticate': challengeOf(origin) });
      }
    };

  it('AUTH-30 (legacy): HTTP+SSE, the stream and each message', async () => {
    let stream: Exchange | undefined;
    const server = new HttpScripted(
      guarded((exchange) => {
        const { verb, message } = exchange.received;
        if (verb === 'GET') {
          stream = exchange.stream().write('event: endpoint\ndata: /mcp/messages\n\n');
          return;
        }
        exchange.answer(202);
        if (message.id !== undefined) {
          stream?.event(exchange.resultOf(results[message.method ?? ''] ?? {}));
        }
      }),
    );
    await closedAfterTest(server).start();
    const { href } = server.url('/mcp');
    assert.deepEqual(await open({ url: href, transport: 'sse' }).tools(), ['a']);
    const bare = server.received.filter(
      ({ headers, path }) => headers.authorization === undefined && path.startsWith('/mcp'),
    );
    assert.deepEqual(
      bare.map(({ verb }) => verb),
      ['GET'],
    );
  });

  it('AUTH-30, WS-06 (legacy): a WebSocket, by the request that opens it', async () => {
    const metadata = new HttpScripted(guarded((exchange) => exchange.answer(404)));
    await closedAfterTest(metadata).start();
    const server: WebSocketScripted = new WebSocketScripted({
      options: { verifyClient: ({ req }: { req: { headers: object } }) => isSignedIn(req.headers) },
      onText: (text, socket) => {
        const message: { id?: number; method: string } = JSON.parse(text);
        const result = results[message.method];
        if (message.id !== undefined) {
          const answer =
            result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
          socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
        }
      },
    });
    await closedAfterTest(server).start();
    // Its own HTTP side answers 426: where tokens come from is said by the entry.
    const settings = { issuer: auth.issuer.origin };
    const url = server.url.href;
    assert.deepEqual(await open({ url, kind: 'webSocket', settings }).tools(), ['a']);
    assert.equal(server.handshakes[0]?.headers.authorization, undefined);
    assert.ok(isSignedIn(server.handshakes.at(-1)?.headers ?? {}));
    const authorize = auth.issuer.asked.find(({ path }) => path === '/authorize');
    assert.equal(authorize?.query.get('resource'), url.replace(/^ws/u, 'http'));
  });

  it('AUTH-30 (legacy): the stream for what the server sends unasked, which never asks for a sign-in by itself', async () => {
    // While a person waits for a call, the stream's refusal may lead to a question, too.
    const listed = deferred<void>();
    const server = new HttpScripted(
      guarded((exchange) => {
        const { verb, message, headers } = exchange.received;
        if (verb === 'GET') {
          const challenge = challengeOf(`http://${headers.host}`);
          void listed.promise.then(() =>
            exchange.answer(401, 'no', { 'www-authenticate': challenge }),
          );
        } else if (message.id === undefined) {
          exchange.answer(verb === 'DELETE' ? 200 : 202);
        } else {
          const result = results[message.method ?? ''];
          exchange.json(
            result === undefined ? exchange.errorOf(-32601, 'no') : exchange.resultOf(result),
          );
        }
      }),
    );
    await closedAfterTest(server).start();
    const one = open({ url: server.url('/mcp').href, server: { protocol: 'legacy' } });
    await one.tools();
    listed.resolve();
    await waitUntil('the stream to be refused with a fresh token', () =>
      one.logs.lines.some((line) => line.includes('offers no push stream')),
    );
    assert.equal(auth.grants('refresh_token'), 1);
    await one.listTools();
    assert.equal(one.connection.state.kind, 'ready');
    assert.equal(one.ui.subjects.length, 1);
  });
});
