// The loopback listener that a browser comes back to: what it takes, what it throws away, and when it is gone.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { McpError } from '../../src/mcp/errors.ts';
import { LoopbackRedirect } from '../../src/vscode/signIn/loopbackRedirect.ts';

const words = {
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

  it('AUTH-24: is an address of this machine with a free port, and gives what the browser brings', async () => {
    const { hostname, port } = new URL(redirect.uri);
    assert.equal(hostname, '127.0.0.1');
    assert.equal(Number(port), redirect.port);
    const answer = redirect.returned('s1', signal);
    const page = fetch(`${redirect.uri}?code=a%2Bb%26c&state=s1&iss=https%3A%2F%2Fid.example`);
    assert.deepEqual(Object.fromEntries(await answer), {
      code: 'a+b&c',
      state: 's1',
      iss: 'https://id.example',
    });
    redirect.finish('signedIn');
    const response = await page;
    assert.equal(response.status, 200);
    assert.match(await response.text(), /<h1>Signed in<\/h1>[^]*close &#60;this&#62; page/);
  });

  it('SEC-09 (legacy): has a page that runs nothing, is kept nowhere and tells nobody its address', async () => {
    const answer = redirect.returned('s1', signal);
    const page = fetch(`${redirect.uri}?code=c&state=s1`);
    await answer;
    redirect.finish('signedIn');
    const { headers } = await page;
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  });

  it('shows nothing of what a server wrote', async () => {
    const answer = redirect.returned('s1', signal);
    const hostile = encodeURIComponent('<script>alert(1)</script>');
    const page = fetch(`${redirect.uri}?error=${hostile}&error_description=${hostile}&state=s1`);
    assert.equal((await answer).get('error'), '<script>alert(1)</script>');
    redirect.finish('failed');
    const text = await (await page).text();
    assert.match(text, /Not signed in/);
    assert.doesNotMatch(text, /script|alert/);
  });

  it('AUTH-23: throws away an answer with another state, or without one, and waits on', async () => {
    const answer = redirect.returned('s1', signal);
    for (const query of ['code=x&state=s2', 'code=x', 'error=access_denied', '']) {
      const response = await fetch(`${redirect.uri}?${query}`);
      assert.equal(response.status, 400, query);
      assert.match(await response.text(), /Not expected/);
    }
    const page = fetch(`${redirect.uri}?code=right&state=s1`);
    assert.equal((await answer).get('code'), 'right');
    redirect.finish('signedIn');
    await page;
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

  it('takes one answer only', async () => {
    const answer = redirect.returned('s1', signal);
    const page = fetch(`${redirect.uri}?code=first&state=s1`);
    assert.equal((await answer).get('code'), 'first');
    const second = await fetch(`${redirect.uri}?code=second&state=s1`);
    assert.equal(second.status, 400);
    redirect.finish('signedIn');
    assert.match(await (await page).text(), /Signed in/);
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

  it('is gone when it is disposed, and a page that waits is told', async () => {
    const answer = redirect.returned('s1', signal);
    const page = fetch(`${redirect.uri}?code=c&state=s1`);
    await answer;
    redirect.dispose();
    assert.match(await (await page).text(), /Not signed in/);
    await assert.rejects(fetch(redirect.uri));
  });

  it('ends the wait when it is given up', async () => {
    const controller = new AbortController();
    const answer = redirect.returned('s1', controller.signal);
    controller.abort(new McpError('cancelled', 'No more'));
    await assert.rejects(answer, { code: 'cancelled' });
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
