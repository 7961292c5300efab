/** Signing in to a server with an own authority and an own proxy: what is asked in its network goes the same way. */
import assert from 'node:assert/strict';
import { createAuthFetch } from '../../src/mcp/auth/authFetch.ts';
import { isSameNetwork, routedFetch } from '../../src/mcp/auth/routedFetch.ts';
import { Authority } from '../servers/authority.ts';
import { withProxy } from '../servers/connectProxy.ts';
import { HttpScripted, type Received } from '../servers/httpScripted.ts';
import { type FrontOptions, withTls } from '../servers/tlsFront.ts';
import { closedAfterTest } from '../support/closing.ts';
import { waitUntil } from '../support/waitUntil.ts';

const authority = new Authority();
const issued = authority.issue('login.test', { hosts: ['127.0.0.1', '127.0.0.2', 'keycloak'] });
const { signal: never } = new AbortController();

async function withIssuer(
  use: (url: string, asked: readonly Received[]) => Promise<void>,
  { answers = true, ...front }: FrontOptions & { readonly answers?: boolean } = {},
): Promise<void> {
  const server = new HttpScripted((exchange) => {
    const { verb, path } = exchange.received;
    if (path === '/moved') {
      exchange.answer(302, '', { location: '/there' });
    } else if (path.startsWith('/status/')) {
      exchange.answer(Number(path.slice('/status/'.length)), 'told');
    } else if (answers) {
      exchange.json({ got: verb });
    }
  });
  await closedAfterTest(server).start();
  await withTls(server.port, (port) => use(`https://127.0.0.2:${port}`, server.received), {
    host: '127.0.0.2',
    ...issued,
    ...front,
  });
}

describe('signing in through an own proxy', () => {
  it('asks through the proxy with method, headers and body as fetch does, and trusts the own authority', async () => {
    await withIssuer((url, received) =>
      withProxy(async (proxy) => {
        const settings = { tls: { ca: [authority.pem] }, proxy: { origin: proxy.url } };
        const serverUrl = new URL(`${url}/mcp`);
        const call = createAuthFetch({
          serverUrl,
          confirmPrivateAddress: async () => false,
          signal: never,
          fetch: routedFetch(serverUrl, settings),
        });
        const answer = await call(`${url}/token?x=1`, {
          method: 'POST',
          headers: { accept: 'application/json' },
          body: new URLSearchParams({ grant_type: 'x' }),
        });
        assert.equal(answer.status, 200);
        assert.deepEqual(await answer.json(), { got: 'POST' });
        const [asked] = received;
        assert.equal(asked?.path, '/token?x=1');
        assert.match(asked?.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/u);
        assert.equal(asked?.body, 'grant_type=x');
        assert.equal(asked?.headers.accept, 'application/json');
        const moved = await call(`${url}/moved`);
        assert.deepEqual(await moved.json(), { got: 'GET' });
        assert.equal(proxy.seen.length, 3);
      }),
    );
  });

  it('says what is wrong with a certificate that nobody trusts', async () => {
    await withIssuer(async (url) => {
      const serverUrl = new URL(url);
      const call = createAuthFetch({
        serverUrl,
        confirmPrivateAddress: async () => false,
        signal: never,
        fetch: routedFetch(serverUrl, { proxy: false }),
      });
      await assert.rejects(call(`${url}/x`), { code: 'unreachable', message: /certificate/u });
    });
  });

  it('is given up on the way through a proxy, and leaves nothing behind', async () => {
    await withIssuer(
      async (url, received) => {
        const controller = new AbortController();
        const call = routedFetch(new URL(url), { tls: { ca: [authority.pem] }, proxy: false });
        const asking = call(new URL(`${url}/x`), { signal: controller.signal });
        await waitUntil('the request', () => received.length === 1);
        controller.abort();
        await assert.rejects(asking, { name: 'AbortError' });
      },
      { answers: false },
    );
  });

  it('what need not be checked at this machine is checked at every other host of its network', async () => {
    await withIssuer((url, received) =>
      withProxy(async (proxy) => {
        const call = routedFetch(new URL(url), {
          tls: { isInsecure: true },
          proxy: { origin: proxy.url },
        });
        assert.equal((await call(new URL(`${url}/here`), {})).status, 200);
        const lan = new URL(`${url.replace('127.0.0.2', 'keycloak')}/token`);
        const code = new URLSearchParams({ code: 'secret' });
        await assert.rejects(call(lan, { method: 'POST', body: code }), /certificate/u);
        assert.deepEqual(
          received.map(({ path }) => path),
          ['/here'],
        );
        assert.match(proxy.seen.at(-1) ?? '', /^CONNECT keycloak:/u);
      }),
    );
  });

  it('shows the certificate of the user to hosts that the entry names alone', async () => {
    const client = authority.issue('ann');
    await withIssuer(
      (url) =>
        withProxy(async (proxy) => {
          const serverUrl = new URL(`${url.replace('127.0.0.2', 'keycloak')}/mcp`);
          const tls = { ca: [authority.pem], client };
          const settings = { tls, proxy: { origin: proxy.url } };
          const call = routedFetch(serverUrl, settings);
          assert.equal((await call(new URL('/token', serverUrl), {})).status, 200);
          await assert.rejects(call(new URL(`${url}/token`), {}), Error);
          const withIssuerOfEntry = routedFetch(serverUrl, settings, `${url}/realms/x`);
          assert.equal((await withIssuerOfEntry(new URL(`${url}/token`), {})).status, 200);
        }),
      { clientCa: authority.pem },
    );
  });

  it('a status that there is not fails the request, and nothing else', async () => {
    await withIssuer(async (url) => {
      const call = routedFetch(new URL(url), { tls: { ca: [authority.pem] }, proxy: false });
      await assert.rejects(call(new URL(`${url}/status/999`), {}), RangeError);
      assert.equal((await call(new URL(`${url}/status/404`), {})).status, 404);
    });
  });

  it('asks an authorization server elsewhere by the way that the editor says', async () => {
    const asked: string[] = [];
    const call = routedFetch(
      new URL('https://mcp.corp.example/'),
      { proxy: false },
      undefined,
      async (url) => {
        asked.push(url.host);
        return new Response('{}');
      },
    );
    await call(new URL('https://login.example.net/'), {});
    assert.deepEqual(asked, ['login.example.net']);
  });
});

describe('isSameNetwork', () => {
  for (const [server, other, isSame] of [
    ['mcp.corp.example', 'mcp.corp.example', true],
    ['mcp.corp.example', 'sso.corp.example', true],
    ['mcp.corp.example', 'corp.example', true],
    ['mcp.corp.example', 'evilcorp.example', false],
    ['mcp.corp.example', 'login.example', false],
    ['example.com', 'auth.example.com', true],
    ['example.com', 'other.com', false],
    ['intranet', 'sso', true],
    ['intranet', 'sso.corp.example', false],
    ['10.0.0.1', '192.168.1.1', true],
    ['10.0.0.1', 'fd00::1', true],
    ['10.0.0.1', '8.8.8.8', false],
    ['::1', 'localhost', true],
    ['100.64.0.1', '100.100.1.1', true],
    ['8.8.8.8', '8.8.4.4', false],
    ['mcp.8.8', '9.8.8.8', false],
  ] as const) {
    it(`${server} ${isSame ? 'and' : 'but not'} ${other}`, () => {
      assert.equal(isSameNetwork(server, other), isSame);
    });
  }
});
