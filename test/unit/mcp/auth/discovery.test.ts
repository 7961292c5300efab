import assert from 'node:assert/strict';
import type { AuthFetch } from '../../../../src/mcp/auth/authFetch.ts';
import {
  canonicalResource,
  chooseIssuer,
  covers,
  discoverAtOrigin,
  discoverResource,
  discoverServer,
  isSameIssuer,
} from '../../../../src/mcp/auth/discovery.ts';

const serverUrl = new URL('https://h/mcp');
const asked: string[] = [];

/** Documents by URL; anything else is not there. A number is a status. @param page what stands at any other URL */
function context(documents: Readonly<Record<string, unknown>>, page?: string) {
  asked.length = 0;
  const fetch: AuthFetch = async (url) => {
    asked.push(String(url));
    const document = documents[String(url)];
    if (document === undefined && page !== undefined) {
      return new Response(page);
    }
    return typeof document === 'number' || document === undefined
      ? new Response('', { status: document ?? 404 })
      : Response.json(document);
  };
  return { serverUrl, fetch };
}

const well = 'https://h/.well-known/oauth-protected-resource';
const metadata = { resource: 'https://h/mcp', authorization_servers: ['https://as'] };
const asMetadata = {
  issuer: 'https://as',
  authorization_endpoint: 'https://as/a',
  token_endpoint: 'https://as/t',
  code_challenge_methods_supported: ['S256'],
};
const plain = {};

describe('discoverResource', () => {
  it('AUTH-05 (legacy): asks where the challenge points, else for the path, else at the root', async () => {
    const named = { resource_metadata: 'https://h/meta' };
    await discoverResource(named, context({ 'https://h/meta': metadata }));
    assert.deepEqual(asked, ['https://h/meta']);
    await discoverResource({ resource_metadata: '/meta' }, context({ 'https://h/meta': metadata }));
    assert.deepEqual(asked, ['https://h/meta']);
    const found = await discoverResource(
      plain,
      context({ [well]: { ...metadata, resource: 'https://h', scopes_supported: ['read'] } }),
    );
    assert.deepEqual(asked, [`${well}/mcp`, well]);
    assert.deepEqual(found, {
      resource: 'https://h',
      isDescribed: true,
      issuers: ['https://as'],
      scopesSupported: ['read'],
    });
    const withQuery = { ...context({}), serverUrl: new URL('https://h/mcp?k=1') };
    await discoverResource(plain, withQuery);
    assert.deepEqual(asked, [`${well}/mcp?k=1`, well]);
  });

  it('AUTH-05, AUTH-10 (legacy): takes the page of an app at a well-known URL for none', async () => {
    const page = '<!doctype html><title>App</title>';
    const found = await discoverResource(
      plain,
      context({ [well]: { ...metadata, resource: 'https://h' } }, page),
    );
    assert.deepEqual([found.resource, asked], ['https://h', [`${well}/mcp`, well]]);
    const openId = 'https://as/.well-known/openid-configuration';
    const server = await discoverServer('https://as', context({ [openId]: asMetadata }, page));
    assert.equal(server.token_endpoint, 'https://as/t');
    const named = { resource_metadata: 'https://h/meta' };
    await assert.rejects(discoverResource(named, context({}, page)), /meta is not JSON/u);
  });

  it('counts none as none, and trouble as trouble', async () => {
    const none = await discoverResource(plain, context({}));
    assert.deepEqual([none.isDescribed, none.issuers, none.resource], [false, [], 'https://h/mcp']);
    await assert.rejects(discoverResource(plain, context({ [`${well}/mcp`]: 503 })), /HTTP 503/u);
    const named = { resource_metadata: 'https://h/meta' };
    await assert.rejects(discoverResource(named, context({})), /HTTP 404/u);
    const down = { 'https://h/.well-known/oauth-authorization-server': 503 };
    await assert.rejects(discoverAtOrigin(context(down)), /HTTP 503/u);
    const nowhere = { resource_metadata: 'http://' };
    await assert.rejects(discoverResource(nowhere, context({})), /which is not a URL/u);
  });

  it('AUTH-06 (legacy): refuses what is about another server, or no metadata', async () => {
    for (const wrong of [
      { ...metadata, resource: 'https://evil/mcp' },
      { ...metadata, resource: 'https://h/other' },
      { authorization_servers: [] },
      'text',
    ]) {
      await assert.rejects(discoverResource(plain, context({ [`${well}/mcp`]: wrong })), {
        code: 'protocol',
      });
    }
  });
});

describe('discoverServer', () => {
  it('AUTH-08, AUTH-09, AUTH-10 (legacy): finds either kind of metadata, in order', async () => {
    const openId = 'https://as/.well-known/openid-configuration';
    const server = await discoverServer('https://as', context({ [openId]: asMetadata }));
    assert.equal(server.token_endpoint, 'https://as/t');
    assert.deepEqual(asked, ['https://as/.well-known/oauth-authorization-server', openId]);
    await assert.rejects(discoverServer('https://as/tenant1', context({})), /publishes no/u);
    assert.deepEqual(asked, [
      'https://as/.well-known/oauth-authorization-server/tenant1',
      'https://as/.well-known/openid-configuration/tenant1',
      'https://as/tenant1/.well-known/openid-configuration',
    ]);
  });

  it('AUTH-12 (2026): refuses the metadata of another issuer, character for character', async () => {
    const url = 'https://as/.well-known/oauth-authorization-server/t';
    for (const issuer of ['https://evil', 'https://as/T', 'https://as/t/', 'https://as']) {
      const documents = { [url]: { ...asMetadata, issuer } };
      await assert.rejects(
        discoverServer('https://as/t', context(documents)),
        /is about the issuer/u,
      );
    }
  });

  it('AUTH-12 (2026): asks no issuer whose URL has a query or a fragment', async () => {
    for (const issuer of ['https://as/?tenant=1', 'https://as/#t']) {
      asked.length = 0;
      await assert.rejects(discoverServer(issuer, context({})), { code: 'protocol' });
      assert.deepEqual(asked, []);
    }
  });

  it('AUTH-11 (legacy): takes default places at the origin of a server of 2025-03-26', async () => {
    const server = await discoverAtOrigin(context({}));
    assert.deepEqual(
      [server.authorization_endpoint, server.token_endpoint, server.registration_endpoint],
      ['https://h/authorize', 'https://h/token', 'https://h/register'],
    );
  });

  it('AUTH-12 (legacy): says which revision it speaks', async () => {
    let headers: unknown;
    const fetch: AuthFetch = async (_url, init) => {
      headers = init?.headers;
      return Response.json(asMetadata);
    };
    await discoverServer('https://as', { serverUrl, fetch });
    assert.deepEqual(headers, { accept: 'application/json', 'mcp-protocol-version': '2026-07-28' });
  });
});

const choose = (
  issuers: readonly string[],
  more: {
    readonly before?: string;
    readonly configured?: string;
    readonly allowsOriginFallback?: boolean;
    readonly isDescribed?: boolean;
  } = {},
) => {
  const { isDescribed = true, before, configured, allowsOriginFallback = false } = more;
  return chooseIssuer(
    { resource: 'https://h/mcp', isDescribed, issuers, scopesSupported: undefined },
    serverUrl,
    { before, configured, allowsOriginFallback, ask: async ([, second]) => second ?? '' },
  );
};

describe('chooseIssuer', () => {
  it('AUTH-07 (legacy): lets the user choose among several, stays with what was chosen, and takes that of the settings first', async () => {
    const [as, other] = ['https://as', 'https://other'];
    assert.equal((await choose([other, as])).issuer, as);
    assert.equal((await choose([as, other], { before: as })).issuer, as);
    assert.equal((await choose([], { configured: as })).issuer, as);
    assert.equal((await choose([as, other], { before: as, configured: other })).issuer, other);
    assert.equal((await choose([other], { configured: as })).issuer, other);
  });

  it('AUTH-11 (legacy): falls back to the origin only without any metadata, and where that is allowed', async () => {
    const allowsOriginFallback = true;
    const fallen = await choose([], { isDescribed: false, allowsOriginFallback });
    assert.deepEqual(fallen, { issuer: 'https://h', isAssumed: true });
    await assert.rejects(choose([], { isDescribed: false }), /set "oauth\.issuer"/u);
    await assert.rejects(choose([], { allowsOriginFallback }), { code: 'unauthorized' });
  });
});

describe('the resource of a server', () => {
  it('FLOW-04 (2026), AUTH-22 (legacy): is its URL, without fragment, query, user and needless slash', () => {
    for (const [url, resource] of [
      ['https://MCP.Example.com/Mcp', 'https://mcp.example.com/Mcp'],
      ['https://mcp.example.com/', 'https://mcp.example.com'],
      ['https://mcp.example.com:8443/a/b#c', 'https://mcp.example.com:8443/a/b'],
      ['https://mcp.example.com/mcp?key=secret', 'https://mcp.example.com/mcp'],
      ['https://me:secret@mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ] as const) {
      assert.equal(canonicalResource(new URL(url)), resource);
    }
  });

  it('AUTH-06 (legacy): is covered by metadata of its origin, for its path or one above', () => {
    const server = new URL('https://h/a/bc');
    for (const resource of [
      'https://h/a/bc',
      'https://h/a',
      'https://h/a/',
      'https://h/',
      'https://h',
    ]) {
      assert.equal(covers(resource, server), true, resource);
    }
    for (const resource of [
      'https://h/a/bc/d',
      'https://h/a/b',
      'https://h/a/bcd',
      'https://h/ab',
      'https://other/a/bc',
      'http://h/a/bc',
      'https://h:8443/a/bc',
      'https://h/a/bc#x',
      'no url',
    ]) {
      assert.equal(covers(resource, server), false, resource);
    }
  });

  it('tells issuers apart character for character, but for the slash after an origin', () => {
    assert.equal(isSameIssuer('https://as', 'https://as/'), true);
    assert.equal(isSameIssuer('https://as/', 'https://as'), true);
    assert.equal(isSameIssuer('https://as/a', 'https://as/a/'), false);
    assert.equal(isSameIssuer('https://as', 'https://AS'), false);
    assert.equal(isSameIssuer('https://as', undefined), false);
  });
});
