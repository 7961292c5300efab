// What is asked of registries, and what of their answers is taken, over real sockets.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchJson, findNpmPackage, searchRegistry } from '../../src/host/import/registrySearch.ts';
import { isMcpError } from '../../src/mcp/errors.ts';

const around = { platform: 'linux', env: {} };

describe('Registries', () => {
  let base: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.shouldKeepAlive = false;
    answer(request, response);
  });
  const { signal } = new AbortController();

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
    base = `http://127.0.0.1:${port}`;
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  beforeEach(() => {
    asked.length = 0;
  });

  it('are asked for the newest version of servers by a part of their name', async () => {
    answer = (_request, response) =>
      response.end(
        JSON.stringify({ servers: [{ server: { name: 'a/b', version: '1', description: 'x' } }] }),
      );
    const hits = await searchRegistry(`${base}/api/`, 'we & you', around, signal);
    assert.deepEqual(
      hits.map(({ name }) => name),
      ['a/b'],
    );
    const url = new URL(asked[0] ?? '', base);
    assert.equal(url.pathname, '/api/v0/servers');
    assert.equal(url.searchParams.get('search'), 'we & you');
    assert.equal(url.searchParams.get('version'), 'latest');
  });

  it('of npm are asked for one version of one package', async () => {
    answer = (_request, response) =>
      response.end(
        JSON.stringify({ version: '1.2.3', description: 'Time', bin: { time: 'x.js' } }),
      );
    assert.deepEqual(await findNpmPackage(base, { name: '@a/time' }, signal), {
      name: '@a/time',
      version: '1.2.3',
      description: 'Time',
      hasProgram: true,
    });
    assert.deepEqual(asked, ['/@a%2ftime/latest']);
  });

  it('are followed when they redirect to another place of theirs', async () => {
    answer = (request, response) =>
      request.url === '/a'
        ? response.writeHead(302, { location: '/b' }).end()
        : response.end('{"x":1}');
    assert.deepEqual(await fetchJson(`${base}/a`, signal), { x: 1 });
  });

  for (const [what, respond, code, message] of [
    [
      'redirects to another server of this machine',
      redirectTo('http://127.0.0.1:9/admin'),
      'protocol',
      /redirects to http:\/\/127\.0\.0\.1:9, which is not followed/,
    ],
    [
      'redirects to a private address',
      redirectTo('https://10.0.0.1/admin'),
      'protocol',
      /redirects to https:\/\/10\.0\.0\.1, which is not followed/,
    ],
    [
      'redirects to a text that is not a URL',
      redirectTo('http://['),
      'protocol',
      /redirects to a text that is not a URL/,
    ],
    ['redirects in a circle', redirectTo('/a'), 'protocol', /more than 3 times/],
    [
      'answers 404',
      (response: ServerResponse) => void response.writeHead(404).end(),
      'unreachable',
      /answered 404/,
    ],
    [
      'sends no JSON',
      (response: ServerResponse) => void response.end('<html>'),
      'protocol',
      /did not send JSON/,
    ],
    [
      'sends too much',
      (response: ServerResponse) => void response.end(`"${'x'.repeat(2_000_000)}"`),
      'protocol',
      /more than 1 MB/,
    ],
    [
      'breaks off',
      (response: ServerResponse) => response.destroy(),
      'unreachable',
      /cannot be reached/,
    ],
    ['never answers', () => undefined, 'timeout', /did not answer/],
  ] as const) {
    it(`are given up with a sentence when one ${what}`, async () => {
      answer = (_request, response) => respond(response);
      const limits = { timeMs: what === 'never answers' ? 200 : 20_000, bytes: 1024 * 1024 };
      await assert.rejects(fetchJson(`${base}/a`, signal, limits), (error) => {
        assert.ok(isMcpError(error));
        assert.equal(error.code, code);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it('are asked over https alone, but on this machine', async () => {
    for (const url of ['http://registry.example/', 'file:///etc/passwd', 'nowhere']) {
      await assert.rejects(
        fetchJson(url, signal),
        (error) => isMcpError(error) && error.code === 'invalidConfig',
      );
    }
    assert.deepEqual(asked, []);
  });

  it('are let go of when the user gives up', async () => {
    answer = () => undefined;
    const stop = new AbortController();
    const looking = fetchJson(base, stop.signal);
    stop.abort();
    await assert.rejects(looking, (error) => isMcpError(error) && error.code === 'cancelled');
  });
});

function redirectTo(location: string): (response: ServerResponse) => void {
  return (response) => void response.writeHead(302, { location }).end();
}
