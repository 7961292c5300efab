/** Authorization servers and MCP servers that mean harm, or are broken: no token goes where it does not belong. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { isMcpError, type McpError } from '../../src/mcp/errors.ts';
import { type Asked, type AuthScripted, mcpAnswer, refused } from '../servers/authScripted.ts';
import { memoryStore } from '../support/memoryStore.ts';
import { type SignInWindow, SignInWindows, type WindowOptions } from '../support/signInHarness.ts';
import { waitUntil } from '../support/waitUntil.ts';

const hourMs = 3_600_000;

/** A JWT; what it is signed with is not looked at. */
function unsigned(claims: object): string {
  const parts = [{ alg: 'RS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, 'c2lnbmF0dXJl'].join('.');
}

describe('signing in to hostile servers', () => {
  const windows = new SignInWindows();
  let server: AuthScripted;
  let window: SignInWindow;

  beforeEach(async () => {
    server = await windows.begin();
    window = windows.open();
  });

  afterEach(() => mock.timers.reset());

  const reopen = async (options: Partial<WindowOptions>): Promise<void> => {
    await window.close();
    window = windows.open(options);
  };

  /** The start fails, and the error is the user's to read. */
  const failure = async (): Promise<McpError> => {
    const error: unknown = await window.connection.start().then(
      () => 'it was ready',
      (cause: unknown) => cause,
    );
    assert.ok(isMcpError(error), String(error));
    for (const secret of server.secrets) {
      assert.ok(!error.message.includes(secret));
      assert.ok(!window.logs.lines.join('\n').includes(secret));
    }
    return error;
  };

  const spoilReturn = (change: (back: URLSearchParams) => void): void => {
    server.issuer.overrides.set('/authorize', (asked: Asked) => server.authorize(asked, change));
  };

  for (const [what, change] of [
    [
      'FLOW-05 (2026), AUTH-23, SEC-10 (legacy): the state is missing',
      (back) => back.delete('state'),
    ],
    [
      'FLOW-05 (2026), AUTH-23, SEC-10 (legacy): the state is another',
      (back) => back.set('state', 'guess'),
    ],
    [
      'FLOW-06, FLOW-07 (2026): the answer is of another issuer (mix-up)',
      (back) => back.set('iss', 'https://evil.example'),
    ],
    [
      'FLOW-08 (2026): the answer is of the same issuer with a slash more',
      (back) => back.set('iss', `${back.get('iss')}/`),
    ],
    ['FLOW-07 (2026): the issuer is missing although announced', (back) => back.delete('iss')],
  ] as const satisfies readonly (readonly [string, (back: URLSearchParams) => void])[]) {
    it(`${what}: the code is discarded`, async () => {
      spoilReturn(change);
      const error = await failure();
      assert.equal(error.code, 'unauthorized');
      assert.match(error.message, /not the answer of .* to this sign-in\. It was discarded/u);
      assert.equal(server.issuer.countOf('/token'), 0);
      assert.deepEqual(window.ui.finished, ['failed']);
      assert.equal(window.ui.listening, 0);
    });
  }

  it('FLOW-09 (2026): an error of another issuer is neither believed nor shown', async () => {
    spoilReturn((back) => {
      back.delete('code');
      back.set('iss', 'https://evil.example');
      back.set('error', 'access_denied');
      back.set('error_description', 'call 0190 666');
      back.set('error_uri', 'https://evil.example/help');
    });
    const error = await failure();
    assert.match(error.message, /was discarded/u);
    const shown = [error.message, ...window.logs.lines].join('\n');
    assert.doesNotMatch(shown, /evil|0190|access_denied/u);
  });

  it('an endless 401 ends after one sign-in', async () => {
    server.resource.overrides.set('/mcp', () => server.challenge());
    const error = await failure();
    assert.equal(error.code, 'unauthorized');
    assert.match(error.message, /refuses the token that .* just issued for it/u);
    assert.equal(window.ui.subjects.length, 1);
    assert.ok(server.resource.countOf('/mcp') < 8);
  });

  for (const [rules, settings, questions, granted] of [
    ['AUTH-29 (legacy), FLOW-20 (2026): an endless 403 ends after one step up', {}, 2, undefined],
    ['… also where less is granted than was asked for', {}, 2, 'read'],
    [
      'FLOW-21 (2026): an endless 403 ends for a client that has no user, too',
      { grant: { kind: 'clientCredentials' }, clientId: 'job', clientSecret: 's3cret' },
      0,
      undefined,
    ],
  ] as const) {
    it(rules, async () => {
      await reopen({ settings });
      if (granted !== undefined) {
        server.issuer.overrides.set('/token', () =>
          server.issue({ scope: granted, audience: server.url }),
        );
      }
      await window.tools();
      const challenge = 'Bearer error="insufficient_scope", scope="admin"';
      server.resource.overrides.set('/mcp', ({ body }) =>
        body.includes('tools/call')
          ? { status: 403, headers: { 'www-authenticate': challenge } }
          : undefined,
      );
      const asked = { message: /asks for the permission "read admin" again although it was/u };
      await assert.rejects(window.callTool(), asked);
      await assert.rejects(window.callTool(), asked);
      assert.equal(window.ui.subjects.length, questions, 'what was futile is not asked for again');
      assert.ok(server.grants('client_credentials') <= 2);
    });
  }

  it('FLOW-02 (2026), AUTH-20 (legacy): an authorization server without S256 is refused before anything is asked', async () => {
    for (const methods of [undefined, [], ['plain']]) {
      server.metadata = { code_challenge_methods_supported: methods };
      assert.match((await failure()).message, /does not declare PKCE with S256/u);
    }
    assert.deepEqual([window.ui.opened, server.issuer.countOf('/register')], [0, 0]);
  });

  it('FLOW-25 (2026), AUTH-25, SEC-04, SEC-07 (legacy): a page to sign in at that is not https is not opened', async () => {
    for (const page of ['http://login.example/authorize', 'javascript:alert(1)', 'file:///x']) {
      server.metadata = { authorization_endpoint: page };
      const error = await failure();
      assert.equal(error.code, 'unauthorized', error.message);
      assert.equal(window.ui.opened, 0);
    }
  });

  it('a clock that leaps by hours, ahead and back: tokens are renewed, and nobody signs in again', async () => {
    const now = Date.UTC(2026, 0, 1);
    mock.timers.enable({ apis: ['Date'], now });
    await window.tools();
    mock.timers.setTime(now + 5 * hourMs);
    await window.listTools();
    assert.equal(server.grants('refresh_token'), 1, 'it seems to have ended');
    mock.timers.setTime(now - 5 * hourMs);
    await window.listTools();
    assert.equal(server.grants('refresh_token'), 1, 'it seems to be good for long');
    server.endTokens();
    await window.listTools();
    assert.equal(server.grants('refresh_token'), 2, 'it is renewed by the refusal');
    assert.equal(window.ui.subjects.length, 1);
  });

  /** Answers of the token endpoint with an ID token beside the tokens. */
  const sendIdToken = (claims: (clientId: string, seconds: number) => object): void => {
    server.issuer.overrides.set('/token', ({ headers }) => {
      const [, basic = ''] = (headers.authorization ?? '').split(' ');
      const [clientId = ''] = Buffer.from(basic, 'base64').toString().split(':');
      const { json } = server.issue({ scope: 'read', audience: server.url });
      const own = { iss: server.issuer.origin, sub: 'ada' };
      const more = claims(clientId, Math.floor(Date.now() / 1000));
      return { json: { ...Object(json), id_token: unsigned({ ...own, ...more }) } };
    });
  };

  for (const [what, hours] of [
    ['ahead', -5],
    ['behind', 5],
  ] as const) {
    it(`a clock that is hours ${what} of the authorization server's is no reason to sign nobody in`, async () => {
      sendIdToken((aud, seconds) => {
        const iat = seconds + hours * 3600;
        return { aud, iat, nbf: iat, exp: iat + 3600 };
      });
      assert.deepEqual(await window.tools(), ['a']);
      for (const key of await window.store.keys()) {
        assert.ok(!(await window.store.get(key))?.includes('c2lnbmF0dXJl'), 'the ID token is kept');
      }
    });
  }

  it('an ID token for another client comes with tokens that are not for this one: none is kept', async () => {
    sendIdToken((_, iat) => ({ aud: 'another', iat, exp: iat + 3600 }));
    assert.match((await failure()).message, /answered in a way that cannot be used/u);
    assert.deepEqual(await window.kinds(), ['registration']);
  });

  it('a token that no header can carry is not kept, and not quoted', async () => {
    server.secrets.add('secret\u2026token');
    server.issuer.overrides.set('/token', () => ({
      json: { access_token: 'secret\u2026token', token_type: 'Bearer' },
    }));
    assert.match(
      (await failure()).message,
      /issued an access token with a character that a header/u,
    );
    const kinds = await window.kinds();
    assert.ok(!kinds.includes('tokens'));
  });

  it('SEC-11 (legacy): an authorization server that repeats code and client secret in its refusal has them in no log', async () => {
    server.issuer.overrides.set('/token', ({ form, headers }) => {
      const [, basic = ''] = (headers.authorization ?? '').split(' ');
      const [, secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
      const description = `${form.get('code')} of ${secret}`;
      return { status: 400, json: { error: 'invalid_grant', error_description: description } };
    });
    const { message } = await failure();
    assert.match(message, /refused the token request: invalid_grant/u);
    assert.ok(server.secrets.size >= 2);
  });

  for (const [grant, questions] of [
    ['refresh_token', 2],
    ['authorization_code', 3],
  ] as const) {
    it(`AUTH-18 (legacy): a registration that the server has forgotten is made anew, once (${grant})`, async () => {
      await reopen({ store: memoryStore() });
      await window.tools();
      server.endTokens();
      server.endRefreshTokens();
      let refusals = 1;
      server.issuer.overrides.set('/token', ({ form }) =>
        form.get('grant_type') === grant && refusals-- > 0
          ? {
              ...refused('invalid_client', 401),
              headers: { 'www-authenticate': 'Basic realm="as"' },
            }
          : undefined,
      );
      await window.listTools();
      assert.equal(server.issuer.countOf('/register'), 2);
      assert.equal(window.ui.subjects.length, questions);
    });
  }

  it('REG-10, REG-11, FLOW-24 (2026), SEC-11 (legacy): a server that moves to another issuer is signed in to there, with nothing of the first', async () => {
    await window.tools();
    const other = await windows.server();
    server.endTokens();
    server.resource.overrides.set('/.well-known/oauth-protected-resource/mcp', () => ({
      json: { resource: server.url, authorization_servers: [other.issuer.origin] },
    }));
    server.resource.overrides.set('/mcp', (asked) => {
      const token = asked.headers.authorization?.replace('Bearer ', '') ?? '';
      return other.secrets.has(token) ? mcpAnswer(asked) : server.challenge();
    });
    await window.listTools();
    const sent = other.issuer.asked.map(({ body, headers }) => `${body}${headers.authorization}`);
    for (const secret of server.secrets) {
      assert.ok(!sent.join('\n').includes(secret), 'a secret went to another issuer');
    }
    assert.equal(window.ui.subjects.at(-1)?.issuer, other.issuer.origin);
  });

  it('AUTH-11 (legacy), AUTH-13 (2026): without metadata, the origin signs in; an entry of a newer revision rules that out', async () => {
    const metadata = '/.well-known/oauth-protected-resource/mcp';
    server.resource.overrides.set(metadata, () => ({ status: 404 }));
    server.resource.overrides.set('/mcp', () => ({ status: 401 }));
    await reopen({ server: { protocol: '2025-11-25' } });
    assert.match((await failure()).message, /names no authorization server: set "oauth\.issuer"/u);
    assert.equal(server.resource.countOf('/register'), 0);
    await reopen({ server: { protocol: '2025-03-26' } });
    await failure();
    assert.equal(server.resource.countOf('/register'), 1);
  });

  it('an authorization server that never answers ends with the start that waits for it', async () => {
    server.issuer.overrides.set(
      '/.well-known/oauth-authorization-server',
      () => new Promise(() => undefined),
    );
    const started = window.connection.start().catch((error: unknown) => error);
    await waitUntil('the question', () => server.issuer.asked.length > 0);
    await window.connection.stop();
    await started;
    assert.equal(window.connection.state.kind, 'stopped');
  });
});
