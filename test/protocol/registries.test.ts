// What is asked of registries, and what of their answers is taken, over real sockets.
import assert from 'node:assert/strict';
import { findPackage, findReadme } from '../../src/host/import/packages.ts';
import {
  fetchBytes,
  fetchJson,
  RegistryTokens,
  searchRegistry,
} from '../../src/host/import/registrySearch.ts';
import { type Exchange, type Handler, HttpScripted } from '../servers/httpScripted.ts';
import { closedAfterTest } from '../support/closing.ts';
import { memoryStore } from '../support/memoryStore.ts';

const around = { platform: 'linux', env: {} };

describe('Registries', () => {
  const { signal } = new AbortController();
  let server: HttpScripted;
  const asked = (): readonly string[] => server.received.map(({ path }) => path);

  const none = { hits: [], hasMore: false };

  /** @returns where the registry is */
  async function serve(answer: Handler): Promise<string> {
    server = closedAfterTest(await new HttpScripted(answer).start());
    return server.origin;
  }

  it('are asked for the newest version of servers by a part of their name', async () => {
    const found = { name: 'a/b', version: '1', description: 'x' };
    const base = await serve((exchange) => exchange.json({ servers: [{ server: found }] }));
    const { hits } = await searchRegistry(`${base}/api/`, { text: 'we & you' }, around, signal);
    assert.deepEqual(
      hits.map(({ name }) => name),
      ['a/b'],
    );
    const url = new URL(asked()[0] ?? '', base);
    assert.equal(url.pathname, '/api/v0.1/servers');
    assert.equal(url.searchParams.get('search'), 'we & you');
    assert.equal(url.searchParams.get('version'), 'latest');
  });

  it('are asked for as many pages as are wanted, and say whether there are more', async () => {
    const base = await serve((exchange) => {
      const page = Number(new URL(exchange.received.path, 'http://x').searchParams.get('cursor'));
      const metadata = page < 2 ? { nextCursor: String(page + 1) } : {};
      exchange.json({ servers: [{ server: { name: `a/${page}` } }], metadata });
    });
    const namesOf = async (pages: number): Promise<unknown> => {
      const { hits, hasMore } = await searchRegistry(base, { text: 'a', pages }, around, signal);
      return [hits.map(({ name }) => name), hasMore];
    };
    assert.deepEqual(await namesOf(1), [['a/0'], true]);
    assert.deepEqual(await namesOf(2), [['a/0', 'a/1'], true]);
    assert.deepEqual(await namesOf(9), [['a/0', 'a/1', 'a/2'], false]);
  });

  it('without /v0.1 are asked by /v0, and by no name for the first of all', async () => {
    const base = await serve((exchange) =>
      exchange.received.path.startsWith('/v0/')
        ? exchange.json({ servers: [] })
        : exchange.answer(404),
    );
    assert.deepEqual(await searchRegistry(base, { text: '' }, around, signal), none);
    assert.deepEqual(asked(), [
      '/v0.1/servers?version=latest&limit=50',
      '/v0/servers?version=latest&limit=50',
    ]);
  });

  it('that are private get their token, and no other place does', async () => {
    const base = await serve((exchange) =>
      exchange.received.headers.authorization === 'Bearer right'
        ? exchange.json({ servers: [] })
        : exchange.answer(401),
    );
    await assert.rejects(searchRegistry(base, { text: '' }, around, signal), { status: 401 });
    assert.deepEqual(
      await searchRegistry(base, { text: '' }, around, signal, { token: 'right' }),
      none,
    );
    const other = server;
    const leading = await serve((exchange) =>
      exchange.answer(302, '', { location: `${base}/v0.1/servers` }),
    );
    const before = other.received.length;
    await assert.rejects(
      searchRegistry(leading, { text: '' }, around, signal, { token: 'right' }),
      {
        code: 'protocol',
      },
    );
    assert.equal(other.received.length, before);
  });

  it('have a token each, until it is forgotten', async () => {
    const tokens = new RegistryTokens(memoryStore());
    await tokens.set('https://a.example/one', 'first');
    assert.equal(await tokens.get('https://a.example/two'), undefined);
    assert.equal(await tokens.get('https://a.example/one'), 'first');
    await tokens.set('https://a.example/one', '');
    assert.equal(await tokens.get('https://a.example/one'), undefined);
  });

  it('of npm are asked for one version of one package', async () => {
    const found = { version: '1.2.3', description: 'Time', bin: { time: 'x.js' } };
    const base = await serve((exchange) => exchange.json(found));
    const urls = { npm: base, pypi: base };
    const name = { registry: 'npm', name: '@a/time' } as const;
    assert.deepEqual(await findPackage(urls, name, signal), {
      version: '1.2.3',
      description: 'Time',
      hasProgram: true,
    });
    assert.deepEqual(asked(), ['/@a%2ftime/latest']);
  });

  it('of PyPI are asked for one package, without its extras', async () => {
    const found = { info: { version: '2026.1', summary: 'Time' }, releases: {} };
    const base = await serve((exchange) => exchange.json(found));
    const urls = { npm: base, pypi: base };
    const name = { registry: 'pypi', name: 'time[cli]' } as const;
    const expected = { version: '2026.1', description: 'Time', hasProgram: true };
    assert.deepEqual(await findPackage(urls, name, signal), expected);
    assert.deepEqual(await findPackage(urls, { ...name, version: '2026.1' }, signal), expected);
    assert.deepEqual(asked(), ['/pypi/time/json', '/pypi/time/2026.1/json']);
  });

  it('say what a package says of itself', async () => {
    const base = await serve((exchange) =>
      exchange.json({ readme: '# Time', info: { description: 'Time\n====' } }),
    );
    const urls = { npm: base, pypi: base };
    assert.equal(await findReadme(urls, { registry: 'npm', name: '@a/time' }, signal), '# Time');
    const ofPypi = { registry: 'pypi', name: 'time[cli]' } as const;
    assert.equal(await findReadme(urls, ofPypi, signal), 'Time\n====');
    assert.deepEqual(asked(), ['/@a%2ftime', '/pypi/time/json']);
  });

  it('are followed when they redirect to another place of theirs', async () => {
    const base = await serve((exchange) =>
      exchange.received.path === '/a' ? redirectTo('/b')(exchange) : exchange.json({ x: 1 }),
    );
    assert.deepEqual(await fetchJson(`${base}/a`, signal), { x: 1 });
  });

  it('lead a download to another place, but not from the net to this machine', async () => {
    const target = await serve((exchange) => exchange.answer(200, 'bytes'));
    const leading = await serve(redirectTo(`${target}/file`));
    const found = await fetchBytes(leading, signal, { mayLeave: true });
    assert.equal(Buffer.from(found).toString(), 'bytes');
    const token = 'secret';
    await assert.rejects(fetchBytes(leading, signal, { mayLeave: true, token }), {
      code: 'protocol',
    });
    for (const [from, location] of [
      ['https://b.example/x', 'https://10.0.0.1/x'],
      ['https://b.example/x', 'http://127.0.0.1:9/x'],
      ['https://b.example/x', 'http://a.example/x'],
      ['http://127.0.0.1:9/x', 'http://a.example/x'],
    ] as const) {
      const fetch = async () => new Response('', { status: 302, headers: { location } });
      await assert.rejects(fetchBytes(from, signal, { mayLeave: true, fetch }), {
        code: 'protocol',
      });
    }
  });

  for (const [what, respond, code, message] of [
    [
      'redirects to another server of this machine',
      redirectTo('http://127.0.0.1:9/admin'),
      'protocol',
      /leads to http:\/\/127\.0\.0\.1:9, which is not followed/,
    ],
    [
      'redirects to a private address',
      redirectTo('https://10.0.0.1/admin'),
      'protocol',
      /leads to https:\/\/10\.0\.0\.1, which is not followed/,
    ],
    [
      'redirects to a text that is not a URL',
      redirectTo('http://['),
      'protocol',
      /leads to a text that is not a URL/,
    ],
    ['redirects in a circle', redirectTo('/a'), 'protocol', /more than 3 times/],
    ['answers 404', (exchange) => exchange.answer(404), 'http', /answered 404/],
    [
      'sends no JSON',
      (exchange) => exchange.answer(200, '<html>'),
      'protocol',
      /did not send JSON/,
    ],
    [
      'sends too much',
      (exchange) => exchange.json('x'.repeat(2_000_000)),
      'protocol',
      /more than 1 MB/,
    ],
    ['breaks off', (exchange) => exchange.cut(), 'unreachable', /cannot be reached/],
    ['never answers', () => undefined, 'timeout', /did not answer/],
  ] satisfies readonly (readonly [string, Handler, string, RegExp])[]) {
    it(`are given up with a sentence when one ${what}`, async () => {
      const base = await serve(respond);
      const limits = { timeMs: what === 'never answers' ? 200 : 20_000, bytes: 1024 * 1024 };
      await assert.rejects(fetchJson(`${base}/a`, signal, limits), { code, message });
      assert.ok(asked().length <= 4);
    });
  }

  it('are asked over https alone, but on this machine', async () => {
    for (const url of ['http://registry.example/', 'file:///etc/passwd', 'nowhere']) {
      await assert.rejects(fetchJson(url, signal), { code: 'invalidConfig' });
    }
  });

  it('are let go of when the user gives up', async () => {
    const base = await serve(() => undefined);
    const stop = new AbortController();
    const looking = fetchJson(base, stop.signal);
    stop.abort();
    await assert.rejects(looking, { code: 'cancelled' });
  });
});

function redirectTo(location: string): (exchange: Exchange) => void {
  return (exchange) => exchange.answer(302, '', { location });
}
