// Which version of an image is the newest, as registries list them over real sockets.
import assert from 'node:assert/strict';
import { newestImage } from '../../src/host/import/imageTags.ts';
import type { FetchLimits } from '../../src/host/import/registrySearch.ts';
import { type Exchange, type Handler, HttpScripted } from '../servers/httpScripted.ts';
import { closedAfterTest } from '../support/closing.ts';

describe('Registries of images', () => {
  const { signal } = new AbortController();
  let server: HttpScripted;

  /** @returns the name of an image there */
  async function serve(answer: Handler): Promise<string> {
    server = closedAfterTest(await new HttpScripted(answer).start());
    return `127.0.0.1:${server.port}/acme/time`;
  }

  const asked = (): readonly string[] => server.received.map(({ path }) => path);

  for (const [version, tags, newest] of [
    ['1.9.0', ['1.2.0', '1.10.0', '1.9.1', 'latest', '2'], '1.10.0'],
    [
      '1.2.3',
      ['1.2.2', '1.2.3', 'v9.0.0', '9.0', '9.0.0-alpine', '9.0.0-rc.1', 'a-9.0.0'],
      '1.2.3',
    ],
    ['v0.4', ['v0.5', 'v0.10', '0.11', 'v0.11.0'], 'v0.10'],
    ['1.2.3-alpine', ['2.0.0', '1.3.0-alpine', '1.4.0-alpine3.20'], '1.3.0-alpine'],
    ['2.0.0-rc.2', ['2.0.0-rc.10', '1.9.0', '2.0.0-alpine'], '2.0.0-rc.10'],
    ['2.0.0-rc.2', ['2.0.0-rc.10', '2.0.0'], '2.0.0'],
    ['0.4-beta', ['0.4'], '0.4'],
    ['2.0.0-alpine', ['2.1.0-rc.1-alpine', '2.0.1-alpine-rc1', '3.0.0-alphabet'], '2.0.0-alpine'],
    ['2.0.0-prettier', ['2.0.1-prettier', '2.0.2-pre'], '2.0.1-prettier'],
    ['25.04', ['25.10', '24.10', '25.03'], '25.10'],
    ['2025.04.09', ['2025.04.10', '2025.03.31'], '2025.04.10'],
    ['1.2.3', ['1.2.4', 7, `1.2.${'5'.repeat(200)}`], '1.2.4'],
  ] as const) {
    it(`have ${newest} as the newest like ${version} of ${tags.join(', ').slice(0, 60)}`, async () => {
      const name = await serve((exchange) => exchange.json({ name: 'acme/time', tags }));
      assert.equal(await newestImage({ name, version }, signal), newest);
      assert.deepEqual(asked(), ['/v2/acme/time/tags/list']);
    });
  }

  for (const [name, url] of [
    ['time', 'https://registry-1.docker.io/v2/library/time/tags/list'],
    ['docker.io/time', 'https://registry-1.docker.io/v2/library/time/tags/list'],
    ['mcp/time', 'https://registry-1.docker.io/v2/mcp/time/tags/list'],
    ['ghcr.io/a/b', 'https://ghcr.io/v2/a/b/tags/list'],
    ['a.example:5000/b', 'https://a.example:5000/v2/b/tags/list'],
    ['localhost/a/b', 'http://localhost/v2/a/b/tags/list'],
  ] as const) {
    it(`are asked about ${name} at ${url}`, async () => {
      const urls: string[] = [];
      const fetch: FetchLimits['fetch'] = async (input) => {
        urls.push(new Request(input).url);
        return Response.json({ tags: ['1.0.1'] });
      };
      assert.equal(await newestImage({ name, version: '1.0.0' }, signal, { fetch }), '1.0.1');
      assert.deepEqual(urls, [url]);
    });
  }

  it('are asked for further pages, of which there may be 50', async () => {
    let pages = 3;
    const name = await serve((exchange) => {
      const url = server.url(exchange.received.path);
      const page = Number(url.searchParams.get('last')) + 1;
      const next = `${page % 2 === 0 ? server.origin : ''}/v2/acme/time/tags/list?last=${page}&n=1`;
      const link = `</first>; rel="first", <${next}>; rel="next"`;
      exchange.json({ tags: [`1.0.${page}`] }, page < pages ? { link } : {});
    });
    assert.equal(await newestImage({ name, version: '1.0.0' }, signal), '1.0.3');
    assert.equal(asked().at(-1), '/v2/acme/time/tags/list?last=2&n=1');
    pages = 51;
    const message = `The tags of the image ${name} cannot be read: there are more than 50 pages of them`;
    await assert.rejects(newestImage({ name, version: '1.0.0' }, signal), {
      code: 'protocol',
      message,
    });
    assert.equal(asked().length, 53);
  });

  it('get a token for anybody from the place that they name, which does not get it', async () => {
    const issuer = closedAfterTest(
      await new HttpScripted((exchange) => exchange.json({ access_token: 'theirs' })).start(),
    );
    const realm = `${issuer.origin}/token?account=none`;
    const bearer = `Bearer realm="${realm}",error=x,service="a b",scope="repository:acme/time:pull"`;
    const challenge = `Basic realm="x", ${bearer}, Basic realm="y"`;
    const name = await serve((exchange) => {
      const { path, headers } = exchange.received;
      if (headers.authorization !== 'Bearer theirs') {
        exchange.answer(401, '', { 'www-authenticate': challenge });
        return;
      }
      const link = '</v2/acme/time/tags/list?last=1.0.1>; rel=next';
      exchange.json(
        { tags: [path.includes('last') ? '1.0.2' : '1.0.1'] },
        path.includes('last') ? {} : { link },
      );
    });
    assert.equal(await newestImage({ name, version: '1.0.0' }, signal), '1.0.2');
    assert.equal(asked().length, 3);
    const [token, ...more] = issuer.received;
    assert.deepEqual(more, []);
    const query = new URL(token?.path ?? '', realm).searchParams;
    assert.deepEqual(Object.fromEntries(query), {
      account: 'none',
      service: 'a b',
      scope: 'repository:acme/time:pull',
    });
    assert.equal(token?.headers.authorization, undefined);
  });

  for (const realm of [
    'http://a.example/token',
    'http://127.0.0.1:9/token',
    'https://10.0.0.1/token',
    'nowhere:',
  ]) {
    it(`are not followed to ${realm} for a token`, async () => {
      const urls: string[] = [];
      const fetch: FetchLimits['fetch'] = async (input) => {
        urls.push(new Request(input).url);
        const headers = { 'www-authenticate': `Bearer realm="${realm}"` };
        return new Response('', { status: 401, headers });
      };
      const image = { name: 'a.example/b', version: '1.0.0' };
      await assert.rejects(newestImage(image, signal, { fetch }), {
        message:
          /^The tags of the image a\.example\/b cannot be read: https:\/\/a\.example leads to \S+, which is not followed$/,
      });
      assert.equal(urls.length, 1);
    });
  }

  it('keep their token and their pages to themselves', async () => {
    const other = closedAfterTest(await new HttpScripted((exchange) => exchange.json({})).start());
    const name = await serve((exchange) =>
      exchange.json({ tags: [] }, { link: `<${other.origin}/v2>; rel="next"` }),
    );
    await assert.rejects(newestImage({ name, version: '1.0.0' }, signal), {
      code: 'protocol',
      message: new RegExp(
        `^The tags of the image ${name} cannot be read: .* leads to ${other.origin},`,
      ),
    });
    assert.equal(other.received.length, 0);
  });

  const refused = 'its registry does not know it, or lists its tags only after a sign-in';
  for (const [what, respond, code, reason] of [
    ['answers 404', (exchange) => exchange.answer(404), 'http', refused],
    ['answers 403', (exchange) => exchange.answer(403), 'http', refused],
    ['asks for a password', challenged('Basic realm="x"'), 'http', refused],
    ['asks again', challenged(() => `Bearer realm="${server.origin}/token"`), 'http', refused],
    ['names no place for a token', challenged('Bearer service="x"'), 'http', refused],
    ['issues no token', challenged(() => `Bearer realm="${server.origin}/none"`), 'http', refused],
    [
      'answers 429',
      (exchange) => exchange.answer(429),
      'http',
      'http://127.0.0.1:\\d+ answered 429',
    ],
    [
      'lists no tags',
      (exchange) => exchange.json({ tags: null }),
      'protocol',
      'its registry lists none',
    ],
    ['lists none at all', (exchange) => exchange.json([]), 'protocol', 'its registry lists none'],
    [
      'sends no JSON',
      (exchange) => exchange.answer(200, '<html>'),
      'protocol',
      '.* did not send JSON',
    ],
    ['breaks off', (exchange) => exchange.cut(), 'unreachable', '.* cannot be reached: .*'],
  ] satisfies readonly (readonly [string, Handler, string, string])[]) {
    it(`are given up with a sentence that names the image when one ${what}`, async () => {
      const name = await serve(respond);
      const message = new RegExp(`^The tags of the image ${name} cannot be read: ${reason}$`);
      await assert.rejects(newestImage({ name, version: '1.0.0' }, signal), { code, message });
    });
  }

  it('that are no address are not asked', async () => {
    const image = { name: 'a_.b:99999/c', version: '1.0.0' };
    await assert.rejects(newestImage(image, signal, { fetch: () => assert.fail() }), {
      code: 'invalidConfig',
      message: /^The tags of the image a_\.b:99999\/c cannot be read: .* is not a URL$/,
    });
  });

  it('are let go of when the user gives up', async () => {
    const name = await serve(() => undefined);
    const stop = new AbortController();
    const looking = newestImage({ name, version: '1.0.0' }, stop.signal);
    stop.abort();
    await assert.rejects(looking, { code: 'cancelled' });
  });
});

/** A registry that never lets anybody in. Tokens are at `/token`. */
function challenged(challenge: string | (() => string)): (exchange: Exchange) => void {
  return (exchange) => {
    if (exchange.received.path.startsWith('/token')) {
      exchange.json({ token: 'worthless' });
    } else if (exchange.received.path.startsWith('/none')) {
      exchange.json({});
    } else {
      const header = typeof challenge === 'string' ? challenge : challenge();
      exchange.answer(401, '', { 'www-authenticate': header });
    }
  };
}
