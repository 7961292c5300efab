import assert from 'node:assert/strict';
import {
  shareableProxy,
  shareableUrl,
  shownCertificate,
} from '../../../../src/host/diagnosis/shareable.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withProxy } from '../../../servers/connectProxy.ts';
import { withTls } from '../../../servers/tlsFront.ts';

describe('shareableUrl', () => {
  for (const [url, expected] of [
    ['https://example.com:8443/mcp', 'https://example.com:8443/mcp'],
    ['wss://example.com/team-of-weather-people/v2', 'wss://example.com/team-of-weather-people/v2'],
    ['https://example.com/mcp?key=hidden#hidden', 'https://example.com/mcp'],
    ['https://ann:hidden@example.com/mcp', 'https://example.com/mcp'],
    ['https://example.com/s/NDk3ZDUzMGQtNjYwZi00/mcp', 'https://example.com/s/***/mcp'],
    ['https://example.com/0b6d2f7c-2f0e-4c0a-9d3b-1f6a4b8c9d0e', 'https://example.com/***'],
  ] as const) {
    it(`${url} is shown as ${expected}`, () => assert.equal(shareableUrl(url), expected));
  }
});

describe('shareableProxy', () => {
  for (const [value, expected] of [
    ['http://proxy:3128', 'http://proxy:3128'],
    ['http://ann:hidden@proxy:3128', 'http://proxy:3128'],
    ['ann:hidden@proxy:3128', 'proxy:3128'],
    ['http://ann:hid@den/hidden@proxy:3128', 'http://proxy:3128'],
    ['localhost,.example.com', 'localhost,.example.com'],
  ] as const) {
    it(`${value} is shown as ${expected}`, () => assert.equal(shareableProxy(value), expected));
  }
});

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
