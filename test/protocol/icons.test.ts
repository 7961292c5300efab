// Where icons come from, with real sockets: the server's own origin over TLS, and nowhere else.
import assert from 'node:assert/strict';
import { fetchIcon } from '../../src/host/icons/fetchIcon.ts';
import { Authority } from '../servers/authority.ts';
import { withProxy } from '../servers/connectProxy.ts';
import { type Handler, HttpScripted, type Received } from '../servers/httpScripted.ts';
import { certificate, withTls } from '../servers/tlsFront.ts';
import { closedAfterTest } from '../support/closing.ts';
import { trusting } from '../support/patchedModules.ts';

async function startServer(answer: Handler): Promise<HttpScripted> {
  return closedAfterTest(await new HttpScripted(answer).start());
}

/** Runs `use` with the origin of a server over TLS that the editor trusts, and with the requests that came. */
async function withOrigin(
  answer: Handler,
  use: (origin: string, requests: readonly Received[]) => Promise<void>,
): Promise<void> {
  const { port, received } = await startServer(answer);
  await trusting(certificate, () =>
    withTls(port, (tlsPort) => use(`https://127.0.0.1:${tlsPort}`, received)),
  );
}

const picture: Handler = (exchange) => exchange.answer(200, 'picture');
const refused = /not from the origin of its server/u;

describe('fetchIcon', () => {
  it('ICON-03: fetches from the origin of the server, without cookies or tokens', async () => {
    await withOrigin(picture, async (origin, requests) => {
      const bytes = await fetchIcon(`${origin}/icon.png`, { origin });
      assert.equal(Buffer.from(bytes).toString(), 'picture');
      const { authorization, cookie, referer } = requests[0]?.headers ?? {};
      assert.deepEqual([authorization, cookie, referer], [undefined, undefined, undefined]);
    });
  });

  it('ICON-02, ICON-03: asks no other origin, in no other scheme, and none for a server without one', async () => {
    await withOrigin(picture, async (origin, requests) => {
      for (const [src, of] of [
        ['https://localhost/icon.png', origin],
        [`${origin}/icon.png`, undefined],
        [origin.replace('https:', 'http:'), origin],
        [origin.replace('//', '//user:pass@'), origin],
        ['file:///etc/passwd', origin],
        ['javascript:alert(1)', origin],
      ] as const) {
        await assert.rejects(fetchIcon(src, { origin: of }), refused, src);
      }
      assert.deepEqual(requests, []);
    });
  });

  it('ICON-02: follows redirects within the origin, and no other', async () => {
    await withOrigin(
      (exchange) => {
        const { path } = exchange.received;
        const location = new Map([
          ['/a', '/b'],
          ['/away', 'https://localhost/b'],
          ['/plain', 'http://127.0.0.1/b'],
          ['/loop', '/loop'],
        ]).get(path);
        exchange.answer(
          location === undefined ? 200 : 302,
          path,
          location === undefined ? {} : { location },
        );
      },
      async (origin) => {
        assert.equal(Buffer.from(await fetchIcon(`${origin}/a`, { origin })).toString(), '/b');
        await assert.rejects(fetchIcon(`${origin}/away`, { origin }), refused);
        await assert.rejects(fetchIcon(`${origin}/plain`, { origin }), refused);
        await assert.rejects(fetchIcon(`${origin}/loop`, { origin }), /redirected too often/u);
      },
    );
  });

  it('ICON-04 (2026): reads no more than an icon has, and takes an error for none', async () => {
    await withOrigin(
      (exchange) =>
        exchange.answer(exchange.received.path === '/missing' ? 404 : 200, ' '.repeat(1024 * 1024)),
      async (origin) => {
        await assert.rejects(fetchIcon(`${origin}/large`, { origin }), /too large/u);
        await assert.rejects(fetchIcon(`${origin}/missing`, { origin }), /status 404/u);
      },
    );
  });

  it('goes through the proxy, and trusts the authorities, that the entry of the server names, as nobody', async () => {
    const authority = new Authority();
    const issued = authority.issue('icons.test', { hosts: ['127.0.0.1'] });
    const settings = { tls: { ca: [authority.pem], client: issued } };
    const { port } = await startServer(picture);
    await withTls(
      port,
      async (tlsPort) => {
        const origin = `https://127.0.0.1:${tlsPort}`;
        const src = `${origin}/icon.png`;
        await assert.rejects(fetchIcon(src, { origin }), TypeError);
        const bytes = await fetchIcon(src, { origin, connection: settings });
        assert.equal(Buffer.from(bytes).toString(), 'picture');
        await withProxy(async (proxy) => {
          const connection = { ...settings, proxy: { origin: proxy.url } };
          await fetchIcon(src, { origin, connection });
          assert.deepEqual(proxy.seen, [`CONNECT 127.0.0.1:${tlsPort}`]);
        });
      },
      issued,
    );
    await withTls(
      port,
      async (tlsPort) => {
        const origin = `https://127.0.0.1:${tlsPort}`;
        const from = { origin, connection: settings };
        await assert.rejects(fetchIcon(`${origin}/icon.png`, from), 'it was shown who asks');
      },
      { ...issued, clientCa: authority.pem },
    );
  });

  it('ICON-02: takes images out of data URIs, for any server', async () => {
    const bytes = await fetchIcon('data:image/png;base64,cGljdHVyZQ==', {
      origin: undefined,
    });
    assert.equal(Buffer.from(bytes).toString(), 'picture');
  });
});
