import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'mocha';
import { shownCertificate } from '../../../../src/host/diagnosis/certificate.ts';
import { withProxy } from '../../../servers/connectProxy.ts';
import { withTls } from '../../../servers/tlsFront.ts';

describe('shownCertificate', () => {
  it('VSC-16: says whose it is although nobody trusts it, and nothing where none is shown', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: plain }: AddressInfo = Object(server.address());
    try {
      await withTls(plain, async (port) => {
        const shown = await shownCertificate(`https://127.0.0.1:${port}/mcp`);
        assert.equal(shown?.subject, 'CN=MCP Host tests');
        assert.equal(shown?.issuer, 'CN=MCP Host tests');
        assert.match(shown?.validTo ?? '', /2120 GMT$/);
        await withProxy(async (proxy) => {
          const settings = { proxy: { origin: proxy.url } };
          const through = await shownCertificate(`wss://127.0.0.1:${port}/mcp`, settings);
          assert.deepEqual(through, shown);
          assert.deepEqual(proxy.seen, [`CONNECT 127.0.0.1:${port}`]);
        });
      });
      assert.equal(await shownCertificate(`http://127.0.0.1:${plain}/`), undefined);
      assert.equal(await shownCertificate(`https://127.0.0.1:${plain}/`), undefined);
      assert.equal(await shownCertificate('https://127.0.0.1:1/'), undefined);
    } finally {
      server.close();
    }
  });
});
