import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { maxKeptPages, maxPageBytes } from '../../../../src/host/apps/uiResource.ts';
import { RpcError } from '../../../../src/mcp/errors.ts';
import { grounds, page, tools, uri } from '../../../support/appGround.ts';

const { signal } = new AbortController();
const withUi = (ui: object) => ({ ...page, _meta: { ui } });

describe('The page of a view', () => {
  const open = grounds();
  const read = async (contents: readonly object[], listed?: object) => {
    const ground = open({
      'resources/read': () => ({ contents: contents.map((content) => ({ ...page, ...content })) }),
      'resources/list': () => ({ resources: listed ? [{ uri, name: 'view', ...listed }] : [] }),
    });
    return ground.apps.read(await ground.run(), uri, signal);
  };

  it('APP-16: is read at exactly the linked address, listed or not', async () => {
    const uris: string[] = [];
    const ground = open({
      'resources/read': (params) => {
        uris.push(params.uri);
        return { contents: [page] };
      },
    });
    const server = await ground.run();
    assert.deepEqual(uris, []);
    const found = await ground.apps.read(server, uri, signal);
    assert.deepEqual(uris, [uri]);
    assert.equal(found.html, '<p>noon</p>');
  });

  it('is known without a request once it was read, while it is kept', async () => {
    const ground = open({ 'resources/read': () => ({ contents: [page] }) });
    const server = await ground.run();
    assert.equal(ground.apps.known(server, uri), undefined);
    const found = await ground.apps.read(server, uri, signal);
    assert.equal(ground.apps.known(server, uri), found);
    ground.connector.last.change.fire({ kind: 'resources' });
    assert.equal(ground.apps.known(server, uri), undefined);
  });

  it('APP-18: may be base64', async () => {
    const blob = Buffer.from('<p>grün').toString('base64');
    assert.equal((await read([{ text: undefined, blob }])).html, '<p>grün');
  });

  it('APP-18: may have a type in another spelling, beside other contents', async () => {
    const other = { uri, mimeType: 'text/plain', text: 'no' };
    const mimeType = 'Text/HTML; profile="mcp-app"';
    const second = { uri: 'ui://clock/other', text: 'no' };
    assert.equal((await read([other, second, { ...page, mimeType }])).html, '<p>noon</p>');
  });

  for (const [what, content, why] of [
    ['another type', { ...page, mimeType: 'text/html' }, /no content of the type .* text\/html/u],
    ['no type', { ...page, mimeType: undefined }, /no content of the type/u],
    ['another address', { ...page, uri: 'https://a.example' }, /no content of the type/u],
    ['no text', { ...page, text: ' \n' }, /it is empty/u],
    ['no UTF-8', { ...page, text: undefined, blob: '/w==' }, /it is not UTF-8/u],
    ['bad base64', { ...page, text: undefined, blob: '?' }, /not base64/u],
  ] as const) {
    it(`APP-06, APP-18: with ${what} is not shown, and it is said why`, async () => {
      await assert.rejects(read([content]), { code: 'protocol', message: why });
    });
  }

  it('APP-21: has a greatest size', async () => {
    await assert.rejects(read([{ ...page, text: 'x'.repeat(maxPageBytes + 1) }]), {
      message: /more than 16 MB/u,
    });
  });

  it('APP-06: that cannot be read says so with the server’s words', async () => {
    const ground = open({
      'resources/read': () => {
        throw new RpcError(-32002, 'Not here');
      },
    });
    await assert.rejects(ground.apps.read(await ground.run(), uri, signal), /Not here/u);
  });

  it('APP-19, APP-34, APP-36: has the metadata of its content, whole, else that of the list', async () => {
    const csp = { connectDomains: ['https://a.example'] };
    const listed = { _meta: { ui: { csp, prefersBorder: false } } };
    const permissions = { camera: {}, usb: {}, clipboardWrite: {}, microphone: true };
    for (const [content, entry, expected] of [
      [page, undefined, [undefined, undefined, []]],
      [page, listed, [csp, false, []]],
      [withUi({ prefersBorder: true }), listed, [undefined, true, []]],
      [withUi({ permissions }), listed, [undefined, undefined, ['camera', 'clipboardWrite']]],
    ] as const) {
      const found = await read([content], entry);
      assert.deepEqual([found.policy.csp, found.prefersBorder, found.permissions], expected);
    }
  });

  it('APP-35: is the same whatever domain it declares, which is logged', async () => {
    const ground = open({
      'resources/read': () => ({ contents: [withUi({ domain: 'a.example' })] }),
    });
    const { html } = await ground.apps.read(await ground.run(), uri, signal);
    assert.equal(html, '<p>noon</p>');
    const line = `info The app ${uri}: the domain "a.example" that it asks for is overlooked`;
    assert.ok(ground.logs.lines.includes(line), ground.logs.lines.join('\n'));
  });

  it('APP-28: is made again when the user denies a site that it may reach', async () => {
    const csp = { connectDomains: ['https://a.example'] };
    const ground = open({ 'resources/read': () => ({ contents: [withUi({ csp })] }) });
    const server = await ground.run();
    const declared = async () => (await ground.apps.read(server, uri, signal)).policy.csp;
    assert.deepEqual(await declared(), csp);
    ground.appDomains = { deny: ['a.example'] };
    assert.deepEqual(await declared(), { connectDomains: [] });
  });

  it('APP-22: is logged with its policy, its hash, and what was dropped', async () => {
    const ground = open({
      'resources/read': () => ({ contents: [withUi({ csp: { frameDomains: ['*'] } })] }),
    });
    const { hash } = await ground.apps.read(await ground.run(), uri, signal);
    const all = ground.logs.lines.join('\n');
    assert.ok(
      all.includes(`info The app ${uri} (${hash}) was read. Its policy: default-src 'none'; `),
      all,
    );
    assert.ok(all.includes(`warn The app ${uri}: "frameDomains": "*" is not an origin`), all);
  });
});

describe('A page that the editor has read to draw it itself', () => {
  const open = grounds();

  it('APP-22: is logged and known as one that is read here, once', async () => {
    const ground = open();
    const server = await ground.run();
    const csp = { connectDomains: ['https://a.example'] };
    for (let count = 0; count < 2; count += 1) {
      ground.apps.take(server, uri, { contents: [withUi({ csp })] });
      await setImmediate();
    }
    const { hash, policy } = ground.apps.known(server, uri) ?? assert.fail();
    assert.deepEqual(policy.csp, csp);
    assert.equal(ground.logs.lines.filter((line) => line.includes(hash)).length, 1);
    assert.equal(await ground.apps.read(server, uri, signal), ground.apps.known(server, uri));
    assert.equal(ground.connector.last.count('resources/read'), 0);
  });

  it('APP-22: is taken of a listed tool alone, and not again while it is known', async () => {
    const ground = open();
    const server = await ground.run();
    const take = async (of: string, text: string) => {
      ground.apps.take(server, of, { contents: [{ ...page, uri: of, text }] });
      await setImmediate();
    };
    await take('ui://clock/other', 'any');
    assert.equal(ground.apps.known(server, 'ui://clock/other'), undefined);
    await take(uri, 'first');
    await take(uri, 'second');
    assert.equal(ground.apps.known(server, uri)?.html, 'first');
  });

  it('APP-18: is not known when it is no page of an app', async () => {
    const ground = open();
    const server = await ground.run();
    for (const result of [undefined, {}, { contents: [] }, { contents: 7 }]) {
      ground.apps.take(server, uri, result);
      await setImmediate();
      assert.equal(ground.apps.known(server, uri), undefined);
    }
  });
});

describe('A page that was read', () => {
  const open = grounds();

  it('goes when many newer ones were read', async () => {
    const ground = open({
      'resources/read': (params) => ({ contents: [{ ...page, uri: params['uri'] }] }),
    });
    const server = await ground.run();
    const uris = Array.from({ length: maxKeptPages + 1 }, (_, number) => `ui://clock/${number}`);
    for (const one of uris) {
      await ground.apps.read(server, one, signal);
    }
    const known = uris.filter((one) => ground.apps.known(server, one) !== undefined);
    assert.deepEqual(known, uris.slice(1));
  });

  it('APP-17: is kept until the server says that it may have changed', async () => {
    const ground = open();
    const server = await ground.run();
    const session = ground.connector.last;
    const reads = async (): Promise<number> => {
      await ground.apps.read(server, uri, signal);
      return session.count('resources/read');
    };
    assert.deepEqual([await reads(), await reads()], [1, 1]);
    session.change.fire({ kind: 'resource', uri });
    assert.equal(await reads(), 2);
    session.change.fire({ kind: 'resource', uri: 'ui://other' });
    assert.equal(await reads(), 2);
    session.change.fire({ kind: 'resources' });
    assert.equal(await reads(), 3);
    session.change.fire({ kind: 'tools' });
    assert.equal(await reads(), 4);
    await server.restart();
    await ground.apps.read(server, uri, signal);
    assert.equal(ground.connector.last.count('resources/read'), 1);
  });

  it('APP-17: is watched while it is kept, where the server reports changes', async () => {
    for (const [subscribe, watched] of [
      [true, [[uri], [], [uri]]],
      [false, []],
    ] as const) {
      const ground = open({}, { tools: {}, resources: { subscribe } });
      const server = await ground.run();
      const { watches, change } = ground.connector.last;
      watches.length = 0;
      await ground.apps.read(server, uri, signal);
      await ground.apps.read(server, uri, signal);
      change.fire({ kind: 'resource', uri });
      await setImmediate();
      await ground.apps.read(server, uri, signal);
      await ground.apps.read(server, uri, signal, 'anew');
      assert.deepEqual(watches, watched);
    }
  });

  it('APP-17: is read anew when the user reloads the app, and kept from then on', async () => {
    const asked: unknown[] = [];
    const ground = open({
      'resources/read': (_params, { isFresh }) => {
        asked.push(isFresh);
        return { contents: [page] };
      },
    });
    const server = await ground.run();
    await ground.apps.read(server, uri, signal);
    const again = await ground.apps.read(server, uri, signal, 'anew');
    assert.equal(await ground.apps.read(server, uri, signal), again);
    assert.deepEqual(asked, [false, true]);
  });

  it('APP-17: is kept as long as its answer says', async () => {
    const ground = open({ 'resources/read': () => ({ contents: [page], ttlMs: 1_000 }) });
    const server = await ground.run();
    await ground.apps.read(server, uri, signal);
    ground.clock.advance(999);
    await ground.apps.read(server, uri, signal);
    assert.equal(ground.connector.last.count('resources/read'), 1);
    ground.clock.advance(1);
    await ground.apps.read(server, uri, signal, 'kept'); // what the user has just allowed
    assert.equal(ground.connector.last.count('resources/read'), 1);
    await ground.apps.read(server, uri, signal);
    assert.equal(ground.connector.last.count('resources/read'), 2);
  });

  it('APP-17: is not kept when it was bad', async () => {
    let isBad = true;
    const ground = open({
      'resources/read': () => ({ contents: isBad ? [] : [page] }),
    });
    const server = await ground.run();
    await assert.rejects(ground.apps.read(server, uri, signal));
    isBad = false;
    assert.equal((await ground.apps.read(server, uri, signal)).html, '<p>noon</p>');
  });
});

describe('Tools with apps', () => {
  const open = grounds();
  const [tool] = tools;
  assert.ok(tool);

  it('APP-05, APP-07: are known by their metadata, whatever the server declares', async () => {
    const ground = open();
    assert.equal(ground.apps.viewOf(await ground.run(), tool), uri);
  });

  it('APP-06: are plain tools where apps are off', async () => {
    const ground = open();
    assert.equal(ground.apps.viewOf(await ground.run({ apps: false }), tool), undefined);
    ground.showsApps = false;
    assert.equal(ground.apps.viewOf(await ground.run(), tool), undefined);
  });

  it('APP-09: with a wrong address are plain, and warned of once', async () => {
    const ground = open();
    const server = await ground.run();
    const wrong = { ...tool, _meta: { ui: { resourceUri: 'https://a.example' } } };
    assert.equal(ground.apps.viewOf(server, wrong), undefined);
    ground.apps.viewOf(server, wrong);
    assert.deepEqual(
      ground.logs.lines.filter((line) => line.startsWith('warn')),
      ['warn The tool "get-time" has no app: "https://a.example" is no ui:// address'],
    );
  });
});
