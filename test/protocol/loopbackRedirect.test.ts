// The loopback listener that a browser comes back to: what it takes, what it throws away, and when it is gone.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { LoopbackRedirect } from '../../src/vscode/signIn/loopbackRedirect.ts';

const words = {
  language: 'en',
  signedIn: { title: 'Signed in', text: 'You can close <this> page.' },
  failed: { title: 'Not signed in', text: 'The editor says why.' },
  answered: { title: 'Back', text: 'Go on in the editor.' },
  unexpected: { title: 'Not expected', text: 'Nothing waits for this.' },
};
const { signal } = new AbortController();

describe('The loopback redirect', () => {
  let redirect: LoopbackRedirect;

  beforeEach(async () => {
    redirect = await LoopbackRedirect.listen(words);
  });

  afterEach(() => redirect.dispose());

  it('AUTH-24, SEC-09 (legacy): gives what the browser brings, and has a page that runs nothing and shows nothing of a server', async () => {
    assert.equal(redirect.uri, `http://127.0.0.1:${redirect.port}/oauth/callback`);
    const answer = redirect.returned('s1', signal);
    const hostile = encodeURIComponent('<script>alert(1)</script>');
    const page = fetch(`${redirect.uri}?code=a%2Bb%26c&state=s1&error_description=${hostile}`);
    assert.deepEqual(Object.fromEntries(await answer), {
      code: 'a+b&c',
      state: 's1',
      error_description: '<script>alert(1)</script>',
    });
    redirect.finish('signedIn');
    const { status, headers, text } = await read(page);
    assert.equal(status, 200);
    assert.match(text, /<html lang="en">[^]*<h1>Signed in<\/h1>[^]*close &#60;this&#62; page/);
    assert.doesNotMatch(text, /script|alert/);
    assert.match(
      headers.get('content-security-policy') ?? '',
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  });

  it('AUTH-23: throws away an answer with another state, without one, or a second one', async () => {
    const answer = redirect.returned('s1', signal);
    const refuses = async (query: string): Promise<void> => {
      const { status, text } = await read(fetch(`${redirect.uri}?${query}`));
      assert.equal(status, 400, query);
      assert.match(text, /Not expected/);
    };
    for (const query of ['code=x&state=s2', 'code=x', 'error=access_denied', '']) {
      await refuses(query);
    }
    const page = fetch(`${redirect.uri}?code=right&state=s1`);
    assert.equal((await answer).get('code'), 'right');
    await refuses('code=second&state=s1');
    redirect.dispose();
    assert.match((await read(page)).text, /Not signed in/, 'a page that waits is told');
    await assert.rejects(fetch(redirect.uri));
  });

  it('lets the browser in however many connections say nothing, or half of something', async () => {
    const answer = redirect.returned('s1', signal);
    const silent: Socket[] = [];
    for (let count = 0; count < 200; count += 1) {
      const socket = connect(redirect.port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(count % 2 === 0 ? 'GET / HTTP/1.1\r\nhost: ' : '');
      silent.push(socket);
    }
    const page = fetch(`${redirect.uri}?code=c&state=s1`);
    assert.equal((await answer).get('code'), 'c');
    redirect.finish('signedIn');
    assert.match(await (await page).text(), /Signed in/);
    const isKept = silent.map((socket) => !socket.closed);
    assert.deepEqual([isKept.at(0), isKept.at(-1)], [false, true]);
    for (const socket of silent) {
      socket.destroy();
    }
  });

  it('answers 404 to other paths, methods and host names', async () => {
    void redirect.returned('s1', signal);
    const { origin } = new URL(redirect.uri);
    for (const path of ['/', '/favicon.ico', '/oauth/callback/x', '/oauth']) {
      assert.equal((await fetch(`${origin}${path}?code=c&state=s1`)).status, 404, path);
    }
    assert.equal((await fetch(`${redirect.uri}?state=s1`, { method: 'POST' })).status, 404);
    assert.equal(await statusFor('rebound.example'), 404);
  });

  it('takes a wished port, and says when it is in use', async () => {
    const { port } = redirect;
    await assert.rejects(LoopbackRedirect.listen(words, port), {
      code: 'unreachable',
      message: new RegExp(String(port)),
    });
    redirect.dispose();
    redirect = await LoopbackRedirect.listen(words, port);
    assert.equal(redirect.port, port);
  });

  function statusFor(host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const { port } = redirect;
      const path = '/oauth/callback?state=s1';
      request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .once('error', reject)
        .end();
    });
  }
});

async function read(page: Promise<Response>) {
  const response = await page;
  return { status: response.status, headers: response.headers, text: await response.text() };
}
