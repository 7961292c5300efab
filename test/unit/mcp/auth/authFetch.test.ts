import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { turns } from '../../../support/waitUntil.ts';
import { type AuthFetchOptions, createAuthFetch } from '../../../../src/mcp/auth/authFetch.ts';

interface Seen {
  readonly asked: string[];
  readonly confirmed: string[];
}

function fetchFor(
  answer: (url: string, init: RequestInit) => Response | Promise<Response>,
  options: Partial<AuthFetchOptions> & { readonly allows?: boolean } = {},
) {
  const seen: Seen = { asked: [], confirmed: [] };
  const { allows = false, ...more } = options;
  const call = createAuthFetch({
    serverUrl: new URL('https://mcp.example/mcp'),
    confirmPrivateAddress: async ({ href }) => {
      seen.confirmed.push(href);
      return allows;
    },
    signal: new AbortController().signal,
    resolve: async (host) => ['93.184.216.34', ...(host.endsWith('.internal') ? ['10.1.2.3'] : [])],
    fetch: async (input, init = {}) => {
      const url = input instanceof Request ? input.url : String(input);
      seen.asked.push(url);
      return answer(url, init);
    },
    ...more,
  });
  return { call, ...seen };
}

const ok = (): Response => new Response('{}');

describe('createAuthFetch', () => {
  it('FLOW-10 (2026), AUTH-25, SEC-04 (legacy): asks over https only, loopback excepted', async () => {
    const { call, asked } = fetchFor(ok, { serverUrl: new URL('http://127.0.0.1:1/mcp') });
    for (const url of [
      'https://as.example/',
      'http://127.0.0.1:2/',
      'http://[::1]:2/',
      'http://localhost:2/',
    ]) {
      assert.equal((await call(url)).status, 200);
    }
    const before = asked.length;
    for (const url of ['http://as.example/', 'http://10.0.0.1/', 'ftp://as.example/', 'data:,x']) {
      await assert.rejects(call(url), { code: 'unauthorized' }, url);
    }
    assert.equal(asked.length, before);
  });

  it('SEC-05 (legacy): asks before it contacts a private address for a public server, once at a time', async () => {
    for (const host of [
      '10.0.0.1',
      '192.168.1.1',
      '172.16.5.5',
      '169.254.169.254',
      '100.64.0.1',
      '127.0.0.1',
      '0.0.0.0',
      '[::1]',
      '[fd00::1]',
      '[fe80::1]',
      '[::ffff:10.0.0.1]',
      'localhost',
      'login.internal',
      '2130706433', // 127.0.0.1 in one number
    ]) {
      const { call, asked, confirmed } = fetchFor(ok);
      const refused = (path: string): Promise<void> =>
        assert.rejects(call(`https://${host}/${path}`), /private network/u, host);
      await Promise.all([refused('x'), refused('y')]);
      assert.deepEqual(asked, []);
      assert.equal(confirmed.length, 1, host);
      await refused('z'); // whoever signs in again may say yes
      assert.equal(confirmed.length, 2, host);
    }
    const { call } = fetchFor(ok, { allows: true });
    assert.equal((await call('https://login.internal/')).status, 200);
  });

  it('asks nobody where the server is in a private network itself, nor for public addresses', async () => {
    const inside = fetchFor(ok, { serverUrl: new URL('https://mcp.internal/mcp') });
    await inside.call('https://login.internal/');
    const outside = fetchFor(ok);
    await outside.call('https://as.example/');
    assert.deepEqual([...inside.confirmed, ...outside.confirmed], []);
  });

  it('follows a redirect of a document within its origin, three at most', async () => {
    const { call } = fetchFor((url) =>
      url.endsWith('/a') ? redirect('/b') : new Response('there'),
    );
    assert.equal(await (await call('https://as.example/a')).text(), 'there');
    const endless = fetchFor(() => redirect('/a'));
    await assert.rejects(endless.call('https://as.example/a'), /more than 3 times/u);
    assert.equal(endless.asked.length, 4);
  });

  it('FLOW-14 (2026), SEC-06 (legacy): follows none to another origin, and none of what carries a secret', async () => {
    const away = fetchFor(() => redirect('https://evil.example/'));
    await assert.rejects(
      away.call('https://as.example/a'),
      /redirects to https:\/\/evil\.example/u,
    );
    const post = fetchFor(() => redirect('/b', 307));
    await assert.rejects(
      post.call('https://as.example/token', { method: 'POST', body: 'code=x' }),
      /not followed/u,
    );
    assert.deepEqual([away.asked.length, post.asked.length], [1, 1]);
  });

  it('reads 256 KiB and no more', async () => {
    let pulls = 0;
    const { call } = fetchFor(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => {
              pulls += 1;
              controller.enqueue(new Uint8Array(64 * 1024));
            },
          }),
        ),
    );
    await assert.rejects(call('https://as.example/'), { code: 'protocol' });
    assert.ok(pulls < 20);
  });

  it('waits 20 seconds for an exchange, its body included', async () => {
    const { call } = fetchFor((_url, { signal }) => {
      const ended = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
      return new Response(new ReadableStream({ pull: async () => ended }));
    });
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const failed = assert.rejects(call('https://as.example/'), {
        code: 'timeout',
        message: 'https://as.example did not answer within 20 s',
      });
      await turns();
      mock.timers.tick(20_000);
      await failed;
    } finally {
      mock.timers.reset();
    }
  });

  it('says why a host cannot be reached, and ends with its signal', async () => {
    const gone = fetchFor(() =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') })),
    );
    await assert.rejects(gone.call('https://as.example/'), {
      code: 'unreachable',
      message: 'https://as.example cannot be reached: getaddrinfo ENOTFOUND',
    });
    const controller = new AbortController();
    const hanging = fetchFor(
      (_url, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
          controller.abort();
        }),
      { signal: controller.signal },
    );
    await assert.rejects(hanging.call('https://as.example/'), { code: 'cancelled' });
  });
});

function redirect(location: string, status = 302): Response {
  return new Response(null, { status, headers: { location } });
}
