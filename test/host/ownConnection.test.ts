/**
 * Own authorities and an own proxy in the real extension host, where the editor has replaced Node's functions for
 * requests. Against 127.0.0.2: requests to 127.0.0.1 and localhost are let alone there.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { section } from '../../src/vscode/ids.ts';
import { Authority } from '../servers/authority.ts';
import { servingTls } from '../servers/channelServers.ts';
import { withProxy } from '../servers/connectProxy.ts';
import {
  clear,
  configure,
  ConfigurationTarget,
  reportOn,
  run,
  temporaryFolder,
  until,
  untilState,
} from './support/host.ts';

const host = '127.0.0.2';

/** HTTP+SSE asks by the same functions as Streamable HTTP. */
const channels = ['Streamable HTTP', 'WebSocket'] as const;
type ChannelName = (typeof channels)[number];

function urlOf(channel: ChannelName, authority: string): string {
  return channel === 'WebSocket' ? `wss://${authority}/mcp` : `https://${authority}/mcp`;
}

function entryOf(channel: ChannelName, authority: string, more: object): object {
  return { url: urlOf(channel, authority), protocol: 'legacy', ...more };
}

async function setting(area: string, key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(area).update(key, value, ConfigurationTarget.Global);
}

async function refusal(name: string): Promise<string> {
  const { error } = await untilState(name, 'failed');
  return error ?? '';
}

describe('own authorities and proxy', function () {
  this.timeout(180_000);
  let authority: Authority;
  let ca: string;
  let front: { readonly host: string; readonly cert: string; readonly key: string };

  before(() => {
    authority = new Authority();
    front = { host, ...authority.issue('notes.test', { hosts: [host, 'notes.test'] }) };
    ca = join(temporaryFolder(), 'ca.pem');
    writeFileSync(ca, authority.pem);
  });

  afterEach(clear);

  for (const channel of channels) {
    it(`${channel}: an own authority is accepted, and nothing without it (@smoke)`, async () => {
      await servingTls(channel, front, async (place) => {
        await configure({
          trusting: entryOf(channel, place, { tls: { ca } }),
          other: entryOf(channel, place, {}),
        });
        const { transport } = await untilState('trusting', 'ready');
        assert.equal(transport, channel);
        const error = await refusal('other');
        assert.match(error, /its certificate is not accepted/u);
        assert.match(error, /name the certificate of its authority in "tls\.ca"/u);
        await configure({ direct: entryOf(channel, place, { tls: { ca }, proxy: false }) });
        await untilState('direct', 'ready');
        await clear();
      });
    });

    it(`${channel}: goes through the proxy of its entry (@smoke)`, async () => {
      await servingTls(channel, front, (place) =>
        withProxy(async (proxy) => {
          await configure({ behind: entryOf(channel, place, { tls: { ca }, proxy: proxy.url }) });
          await untilState('behind', 'ready');
          assert.ok(proxy.seen.length > 0);
          assert.deepEqual([...new Set(proxy.seen)], [`CONNECT ${place}`]);
          await clear();
        }),
      );
    });

    it(`${channel}: the editor's proxy counts for entries without one, and not with false`, async () => {
      await servingTls(channel, front, (place) =>
        withProxy(async (proxy) => {
          await setting('http', 'proxy', proxy.url);
          try {
            await configure({ past: entryOf(channel, place, { tls: { ca }, proxy: false }) });
            await untilState('past', 'ready');
            assert.deepEqual(proxy.seen, []);
            // The name is known to the proxy alone.
            const named = place.replace(host, 'notes.test');
            await configure({ editors: entryOf(channel, named, { tls: { ca } }) });
            await untilState('editors', 'ready');
            assert.deepEqual([...new Set(proxy.seen)], [`CONNECT ${named}`]);
            await configure({ plain: entryOf(channel, named, {}) });
            const before = proxy.seen.length;
            assert.match(await refusal('plain'), /certificate/u);
            assert.ok(proxy.seen.length > before, 'past the proxy of the editor');
            await clear();
          } finally {
            await setting('http', 'proxy', undefined);
          }
        }),
      );
    });
  }

  it('VSC-16: says in the diagnosis whose certificate it is, which proxy is used and whom the entry trusts', async () => {
    const stranger = new Authority('stranger');
    const strange = { host, ...stranger.issue('wiki.test', { hosts: [host] }) };
    await servingTls('Streamable HTTP', strange, (place) =>
      withProxy(
        async (proxy) => {
          const { url } = proxy;
          const withPassword = url.replace('://', '://ann:${env:MCP_HOST_TEST_PASSWORD}@');
          process.env['MCP_HOST_TEST_PASSWORD'] = 'hidden-4711';
          try {
            await configure({
              wiki: entryOf('Streamable HTTP', place, { tls: { ca }, proxy: withPassword }),
            });
            assert.match(await refusal('wiki'), /certificate is not accepted/u);
            const text = await reportOn('wiki');
            assert.match(text, /not issued by an authority in "tls\.ca"/u);
            assert.match(text, /- Certificate of: `CN=wiki\.test`/u);
            assert.match(text, /- Issued by: `CN=stranger`/u);
            assert.ok(
              text.includes(`- Proxy of the entry: \`${url}, with user and password\``),
              text,
            );
            assert.match(text, /- Authorities of the entry: `CN=MCP Host test authority \(until /u);
            assert.ok(!text.includes('hidden-4711'));
          } finally {
            delete process.env['MCP_HOST_TEST_PASSWORD'];
          }
          await clear();
        },
        { credentials: 'ann:hidden-4711' },
      ),
    );
  });

  it('leaves a certificate unchecked only by a setting of the user, and no workspace', async () => {
    const key = 'security.allowInsecureLoopbackTls';
    await servingTls('Streamable HTTP', front, async (place) => {
      await configure({ local: entryOf('Streamable HTTP', place, { tls: { insecure: true } }) });
      assert.match(
        await refusal('local'),
        /switch on mcpHost\.security\.allowInsecureLoopbackTls/u,
      );
      await setting(section, key, true);
      try {
        await run('startServer', { serverId: 'user/local' });
        await untilState('local', 'ready');
      } finally {
        await setting(section, key, undefined);
      }
      await until('the end of it', async () => (await refusal('local')) !== '');
      await assert.rejects(async () =>
        vscode.workspace.getConfiguration(section).update(key, true, ConfigurationTarget.Workspace),
      );
      await clear();
    });
  });
});
