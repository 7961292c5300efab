/** Signing in at oidc-provider, an authorization server that others wrote, with its own pages. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AuthScripted } from '../servers/authScripted.ts';
import { logIn, OidcIssuer, type OidcOptions } from '../servers/oidcIssuer.ts';
import { memoryStore } from '../support/memoryStore.ts';
import { type SignInWindow, SignInWindows, type WindowOptions } from '../support/signInHarness.ts';

describe('signing in at oidc-provider', function () {
  this.timeout(90_000);
  let server: AuthScripted;
  let issuer: OidcIssuer;
  const windows = new SignInWindows();

  beforeEach(async () => {
    server = await windows.begin();
    issuer = new OidcIssuer(server);
  });

  afterEach(async () => {
    await issuer.close();
  });

  const open = async (
    options: Partial<WindowOptions> = {},
    oidc?: OidcOptions,
  ): Promise<SignInWindow> => {
    if (oidc !== undefined) {
      await issuer.start(oidc);
    }
    const window = windows.open(options);
    window.ui.browse = logIn;
    return window;
  };

  it('AUTH-16 (legacy): registers, logs in, consents and lists the tools; and is signed in after a restart', async () => {
    const store = memoryStore();
    const first = await open({ store }, {});
    assert.deepEqual(await first.tools(), ['a']);
    assert.equal(issuer.registered, 1);
    assert.equal(issuer.granted[0]?.['token_type'], 'Bearer');
    await first.close();
    const second = await open({ store });
    await second.startsUnasked();
    assert.equal(second.ui.opened, 0);
  });

  it('AUTH-17 (legacy), REG-06 (2026): uses a client that was registered by hand, with its secret', async () => {
    const client = {
      client_id: 'by-hand',
      client_secret: 'a secret with a blank & signs',
      redirect_uris: ['http://127.0.0.1:33418/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    };
    const settings = { clientId: client.client_id, clientSecret: client.client_secret };
    const window = await open({ settings }, { clients: [client] });
    assert.deepEqual(await window.tools(), ['a']);
    assert.equal(issuer.registered, 0);
  });

  it('AUTH-33 (legacy): 50 requests with a token that was taken back refresh once, with a refresh token that is good once', async () => {
    const window = await open({}, {});
    await window.tools();
    await issuer.takeBack(String(issuer.granted[0]?.['access_token']));
    await Promise.all(Array.from({ length: 50 }, () => window.callTool()));
    assert.equal(issuer.granted.length, 2);
    assert.equal(window.ui.opened, 1);
    // A refresh token that was used twice would have ended the grant, and with it this token.
    assert.equal(await issuer.isGood(String(issuer.granted[1]?.['access_token'])), true);
  });

  it('AUTH-19 (legacy), FLOW-25 (2026): a code that was used before gets no token, and none is kept', async () => {
    const window = await open({}, {});
    let first: string | undefined;
    window.ui.browse = async (url, redirectUri) => {
      const back = await logIn(url, redirectUri);
      first ??= back.get('code') ?? '';
      back.set('code', first);
      return back;
    };
    await window.tools();
    await window.signIns.signOut(window.connection.config);
    await window.connection.stop();
    await assert.rejects(window.connection.start(), {
      code: 'unauthorized',
      message: /refused the token request: invalid_grant/u,
    });
    assert.equal(issuer.granted.length, 1);
    assert.deepEqual(await window.kinds(), ['registration']);
  });

  it('takes an ID token that comes along, and keeps none', async () => {
    server.challengedScope = 'openid read';
    const window = await open({}, {});
    assert.deepEqual(await window.tools(), ['a']);
    const idToken = String(issuer.granted[0]?.['id_token']);
    assert.match(idToken, /^eyJ/u);
    for (const key of await window.store.keys()) {
      assert.ok(!(await window.store.get(key))?.includes(idToken));
    }
  });
});
