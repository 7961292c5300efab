/** What a request comes to that is refused, redirected or put off on its way. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { McpError } from '../../../../../src/mcp/errors.ts';
import type { HttpAuthorizer } from '../../../../../src/mcp/httpAuthorizer.ts';
import { readStart, readText } from '../../../../../src/mcp/transport/http/httpBody.ts';
import { HttpEndpoint } from '../../../../../src/mcp/transport/http/httpExchange.ts';
import { defaultHttpLimits } from '../../../../../src/mcp/transport/limits.ts';
import { type Handler, HttpScripted } from '../../../../servers/httpScripted.ts';
import { closedAfterTest } from '../../../../support/closing.ts';
import { deferred } from '../../../../support/deferred.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';

const get = { method: 'GET', headers: {} } as const;
const longWinded: Handler = (exchange) =>
  exchange.answer(200, '{}', { 'x-big': 'x'.repeat(20_000) });
const unlucky: Handler = (exchange) => exchange.answer(401, 'Who is there?');

async function openEndpoint(
  handler: Handler,
  onRefused: HttpAuthorizer['onRefused'] = async () => false,
  authorization = 'Bearer abc',
): Promise<{ endpoint: HttpEndpoint; server: HttpScripted }> {
  const server = closedAfterTest(await new HttpScripted(handler).start());
  const authorizer = { headersFor: () => ({ authorization }), onRefused };
  const endpoint = new HttpEndpoint(server.url('/0'), 1_000, { authorizer });
  closedAfterTest({ close: async () => endpoint.close() });
  return { endpoint, server };
}

describe('HttpEndpoint, signed in', () => {
  for (const [body, expected] of [
    ['Unauthorized: Session not found', 0],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session expired: sign in"}}', 1],
  ] as const) {
    it(`AUTH-34: a 401 in a session asks for a sign-in unless it means that the session is lost: ${body}`, async () => {
      let asked = 0;
      const { endpoint } = await openEndpoint(
        (exchange) => exchange.answer(401, body),
        async () => {
          asked += 1;
          return false;
        },
      );
      const response = await endpoint.exchange({ ...get, headers: { 'mcp-session-id': 's' } });
      response.resume();
      assert.equal(asked, expected);
    });
  }

  for (const [what, isPutOff] of [
    ['redirected', false],
    ['redirected and put off', true],
  ] as const) {
    it(`a refusal is mended four times at most, however often the request is ${what}`, async () => {
      const attempts: number[] = [];
      let asked = 0;
      const { endpoint, server } = await openEndpoint(
        // Each place refuses twice.
        (exchange) => {
          asked += 1;
          const place = Number(exchange.received.path.slice(1));
          if (asked % 3 !== 0) {
            exchange.answer(401);
          } else if (isPutOff && place === 1) {
            exchange.answer(503, 'busy', { 'retry-after': '1' });
          } else {
            exchange.answer(307, '', { location: `/${place + 1}` });
          }
        },
        async ({ attempt }) => {
          attempts.push(attempt);
          return true;
        },
      );
      const response = await endpoint.exchange({ ...get, onWait: () => undefined });
      response.resume();
      assert.equal(response.statusCode, 401);
      assert.deepEqual(attempts, [0, 1, 2, 3]);
      assert.equal(server.received.length, 7);
    });
  }

  for (const [method, status, expected] of [
    ['POST', 401, 1],
    ['GET', 403, 1],
    ['POST', 400, 0],
    ['POST', 500, 0],
    ['DELETE', 401, 0],
  ] as const) {
    it(`AUTH-03 (legacy): ${status} to ${method} asks ${expected === 0 ? 'nobody' : 'for a sign-in'}`, async () => {
      let refusals = 0;
      const { endpoint } = await openEndpoint(
        (exchange) => exchange.answer(status),
        async () => {
          refusals += 1;
          return false;
        },
      );
      const response = await endpoint.exchange({ method, headers: {} });
      response.resume();
      assert.equal(response.statusCode, status);
      assert.equal(refusals, expected);
    });
  }

  it('DPOP-03 (2026): a refusal is handed on with what was sent and the nonce', async () => {
    const refusals: unknown[] = [];
    const { endpoint } = await openEndpoint(
      (exchange) => exchange.answer(401, '', { 'dpop-nonce': 'n', 'www-authenticate': 'DPoP' }),
      async (refusal) => {
        refusals.push(refusal);
        return false;
      },
    );
    (await endpoint.exchange(get)).resume();
    const sent = { authorization: 'Bearer abc' };
    assert.deepEqual(refusals, [
      { status: 401, sent, attempt: 0, wwwAuthenticate: 'DPoP', dpopNonce: 'n' },
    ]);
  });

  it('a signal is let go with the exchange', async () => {
    const { endpoint } = await openEndpoint((exchange) => exchange.answer(200));
    const { signal } = new AbortController();
    (await endpoint.exchange({ ...get, signal })).resume();
    await waitUntil('it is let go', () => getEventListeners(signal, 'abort').length === 0);
  });

  it('a connection that is cut while the refusal is looked into fails nobody who reads the answer', async () => {
    for (const read of [
      (response: Parameters<typeof readStart>[0]) => readStart(response, 1_000),
      (response: Parameters<typeof readText>[0]) => readText(response, defaultHttpLimits),
    ]) {
      const looking = deferred<void>();
      const isMended = deferred<boolean>();
      const { endpoint, server } = await openEndpoint(
        (exchange) => {
          exchange.response.writeHead(401, { 'content-length': 100 });
          exchange.write('Who');
          void looking.promise.then(() => exchange.cut());
        },
        () => {
          looking.resolve();
          return isMended.promise;
        },
      );
      const exchanged = endpoint.exchange(get);
      await waitUntil('the cut', () => server.accepted === 1 && server.open === 0);
      isMended.resolve(false);
      const response = await exchanged;
      assert.equal(response.statusCode, 401);
      const outcome = await read(response).catch((error: unknown) => String(error));
      assert.match(outcome, /^(?:Who)?$|broke off/u);
    }
  });

  it('a refusal that ends in an error leaves no connection that nobody reads', async () => {
    const { endpoint, server } = await openEndpoint(unlucky, () =>
      Promise.reject(new McpError('unauthorized', 'No.')),
    );
    for (let calls = 0; calls < 3; calls += 1) {
      await assert.rejects(endpoint.exchange(get), { code: 'unauthorized' });
    }
    await waitUntil('they are closed or used again', () => server.open <= 1);
  });
});

describe('HttpEndpoint, redirected', () => {
  it('what has moved for good after a detour is looked for over the detour (RFC 9110, section 15.4.9)', async () => {
    const places: Readonly<Record<string, readonly [number, string]>> = {
      '/0': [307, '/a'],
      '/a': [308, '/b'],
    };
    const { endpoint, server } = await openEndpoint((exchange) => {
      const [status, location] = places[exchange.received.path] ?? [200, ''];
      exchange.answer(status, '', { location });
    });
    (await endpoint.exchange(get)).resume();
    (await endpoint.exchange(get)).resume();
    assert.deepEqual(
      server.received.map(({ path }) => path),
      ['/0', '/a', '/b', '/0', '/a', '/b'],
    );
  });

  it('a "Location" is relative to the URL that redirects', async () => {
    const locations: Readonly<Record<string, string>> = { '/0': '/v1/0', '/v1/0': 'stream' };
    const { endpoint, server } = await openEndpoint((exchange) => {
      const location = locations[exchange.received.path] ?? '';
      exchange.answer(location === '' ? 200 : 308, '', { location });
    });
    (await endpoint.exchange(get)).resume();
    (await endpoint.exchange(get)).resume();
    assert.deepEqual(
      server.received.map(({ path }) => path),
      ['/0', '/v1/0', '/v1/stream', '/v1/stream'],
    );
  });
});

describe('HttpEndpoint, with headers that HTTP does not take', () => {
  it('says which one of ours cannot be sent, and not what is in it', async () => {
    const { endpoint, server } = await openEndpoint(unlucky, undefined, 'Bearer abc\u2026def');
    await assert.rejects(endpoint.exchange(get), (error: McpError) => {
      assert.equal(error.code, 'invalidConfig');
      assert.match(error.message, /the header "authorization" holds a line break, or another/u);
      assert.doesNotMatch(error.message, /abc|def/u);
      return true;
    });
    assert.equal(server.received.length, 0);
  });

  it('says that those of an answer are too large', async () => {
    const { endpoint } = await openEndpoint(longWinded);
    await assert.rejects(endpoint.exchange(get), {
      code: 'unreachable',
      message: /the headers of its answer are larger than 16 KiB/u,
    });
  });
});
