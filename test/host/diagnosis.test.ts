/** What the report on a server that does not start has of each kind of failure. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clear, configure, node, reportOn, untilState } from './support/host.ts';

describe('the diagnosis', () => {
  afterEach(clear);

  it('VSC-16: a website: its answer, its status, and that it is no MCP server', async () => {
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Welcome</title>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const { port }: AddressInfo = Object(site.address());
    try {
      await configure({ site: { url: `http://127.0.0.1:${port}/mcp` } });
      await untilState('site', 'failed');
      const text = await reportOn('site');
      assert.match(text, /\*\*Try this\.\*\* The URL does not lead to an MCP server/u);
      assert.match(text, /^- HTTP status: `200`$/mu);
      assert.match(text, /^- Answer: `<!doctype html><title>Welcome<\/title>`$/mu);
      assert.doesNotMatch(text, /^- Because/mu);
      await clear();
    } finally {
      site.close();
    }
  });

  it('VSC-16: a program that is no server: its first line on standard output, and how it ended', async () => {
    const says = 'console.log("Listening on 3000"); setTimeout(() => process.exit(7), 200)';
    await configure({ talks: { command: node, args: ['-e', says] } });
    await untilState('talks', 'failed');
    const text = await reportOn('talks');
    assert.match(text, /not a message\n\n```\nListening on 3000\n```/u);
    assert.match(text, /exited with code 7/u);
    assert.match(text, /^- Working directory: /mu);
  });

  it('VSC-16: an entry that cannot be used is told of once', async () => {
    await configure({ bare: { command: node, envFile: '/no/such/.env' } });
    await untilState('bare', 'failed');
    const text = await reportOn('bare');
    assert.match(text, /Correct the field of the entry that is named below/u);
    assert.equal(text.split('cannot be read').length, 2, text);
  });
});
