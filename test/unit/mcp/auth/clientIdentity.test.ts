import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { toError } from '../../../../src/base/async.ts';
import type { AuthSettings } from '../../../../src/mcp/auth/authSettings.ts';
import {
  type SignInRequest,
  type SignInUser,
  signIn,
} from '../../../../src/mcp/auth/authorizationCode.ts';
import {
  bindClient,
  type ClientIdentity,
  configuredIdentity,
  type IdentityContext,
  register,
  requireClientOf,
  usableRegistrations,
} from '../../../../src/mcp/auth/clientIdentity.ts';
import { Credentials } from '../../../../src/mcp/auth/credentials.ts';
import { requestTokens } from '../../../../src/mcp/auth/tokenEndpoint.ts';
import { authScene } from '../../../support/authScene.ts';
import { memoryStore, userEntry } from '../../../support/memoryStore.ts';

const redirectUri = 'http://127.0.0.1:40000/oauth/callback';
const documentUrl = 'https://client.example/client.json';
/** Signs in as a user who says yes at once. @returns how often, and what was asked of the way back */
async function signedIn(settings: Partial<AuthSettings>, answers: readonly Response[]) {
  const { context, request } = authScene(settings, {}, answers);
  const wishes: object[] = [];
  const events: string[] = [];
  const user: SignInUser = {
    prepareRedirect: async (wish) => {
      wishes.push(wish);
      return {
        uri: redirectUri,
        follow: async (url) => {
          events.push('follow');
          const state = url.searchParams.get('state') ?? '';
          return new URLSearchParams({ code: 'code', state });
        },
        finish: (outcome) => void events.push(outcome),
        dispose: () => void events.push('dispose'),
      };
    },
  };
  const signing = signIn(request, context, user, new AbortController().signal);
  const failure = await signing.then(
    () => 'none',
    (error: unknown) => toError(error).message,
  );
  return { failure, wishes, events };
}

/** What the user is sent to the authorization server with. */
async function visit(
  settings: Partial<AuthSettings>,
  metadata: object = {},
  scope?: string,
): Promise<URLSearchParams> {
  const { context, request } = authScene(settings, metadata);
  return visited(context, { ...request, scope });
}

async function visited(context: IdentityContext, request: SignInRequest): Promise<URLSearchParams> {
  const urls: URL[] = [];
  const user: SignInUser = {
    prepareRedirect: async () => ({
      uri: redirectUri,
      follow: (url) => {
        urls.push(url);
        return Promise.reject(new Error('that is enough'));
      },
      finish: () => undefined,
      dispose: () => undefined,
    }),
  };
  const signing = signIn(request, context, user, new AbortController().signal);
  await assert.rejects(signing, /enough/u);
  return urls[0]?.searchParams ?? assert.fail();
}

async function clientFor(settings: Partial<AuthSettings>, metadata: object = {}): Promise<string> {
  return (await visit(settings, metadata)).get('client_id') ?? '';
}

describe('the way to the page of the authorization server', () => {
  it('AUTH-21, AUTH-23 (legacy), FLOW-01, FLOW-05 (2026): names the resource, a challenge, and a state of its own', async () => {
    const [one, other] = [await visit({}), await visit({})];
    assert.equal(one.get('resource'), 'https://h/mcp');
    assert.equal(one.get('code_challenge_method'), 'S256');
    for (const name of ['state', 'code_challenge']) {
      assert.ok((one.get(name) ?? '').length >= 43, name);
      assert.notEqual(one.get(name), other.get(name));
    }
  });

  it('FLOW-17 (2026): asks for consent where access is to last while nobody is there', async () => {
    assert.equal((await visit({}, {}, 'read offline_access')).get('prompt'), 'consent');
    assert.equal((await visit({}, {}, 'read')).get('prompt'), null);
  });
});

describe('who this client is', () => {
  it('AUTH-13, AUTH-14, AUTH-17 (legacy), REG-01, REG-02, REG-03, REG-06, REG-07 (2026): by hand, else by document, else registered on the spot', async () => {
    const all = { clientId: 'by-hand', clientMetadataUrl: documentUrl };
    const document = { clientMetadataUrl: documentUrl };
    const unsupported = { client_id_metadata_document_supported: false };
    assert.equal(await clientFor(all), 'by-hand');
    assert.equal(await clientFor(document), documentUrl);
    assert.equal(await clientFor(document, unsupported), 'registered');
    assert.equal(await clientFor({}), 'registered');
  });

  it('REG-02 (2026): the way out of none is a client by hand', async () => {
    const { context } = authScene({}, { registration_endpoint: undefined });
    await assert.rejects(register(context, redirectUri), {
      code: 'unauthorized',
      message: /does not let clients register themselves: .* set "oauth\.clientId"/u,
    });
  });

  it('REG-05 (2026): a document with keys signs for itself', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const settings = { clientMetadataUrl: documentUrl, privateKey: { pem, algorithm: 'ES256' } };
    const { context } = authScene(settings, {});
    const form = (await asked((await configuredIdentity(context)) ?? assert.fail())).body;
    assert.equal(form.get('client_id'), documentUrl);
    assert.match(form.get('client_assertion') ?? '', /^[^.]+\.[^.]+\.[^.]+$/u);
  });
});

describe('the registration of this client', () => {
  it('REG-08, FLOW-16 (2026), AUTH-24 (legacy): is of a native application, for one exact way back, and for refreshing', async () => {
    const { context, sent } = authScene({}, {});
    const registration = await register(context, redirectUri);
    assert.deepEqual(JSON.parse(sent[0]?.body ?? ''), {
      client_name: 'MCP Host',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      application_type: 'native',
    });
    const [kept] = await context.credentials.registrations('https://as');
    assert.deepEqual(kept, JSON.parse(JSON.stringify(registration)));
  });

  it('AUTH-18 (legacy): is not used once its secret has ended', async () => {
    const { context } = authScene({}, {});
    const now = Date.UTC(2026, 0, 1);
    for (const [clientId, secretExpiresAt] of [
      ['ended', now - 1],
      ['live', now + 1],
    ] as const) {
      const kept = { redirectUri, authenticationMethod: 'client_secret_basic' };
      const registration = { ...kept, clientId, secretExpiresAt };
      await context.credentials.addRegistration(context.server.issuer, registration);
    }
    const usable = await usableRegistrations(context, now);
    assert.deepEqual(
      usable.map(({ clientId }) => clientId),
      ['live'],
    );
  });

  it('DPOP-06 (2026): asks for bound tokens where they are wanted', async () => {
    const { context, sent } = authScene({ dpop: true }, {});
    await register(context, redirectUri);
    assert.equal(JSON.parse(sent[0]?.body ?? '').dpop_bound_access_tokens, true);
  });

  it('REG-09 (2026): that is refused is said so, with the way out, and nothing is kept', async () => {
    const refusal = { error: 'invalid_redirect_uri', error_description: 'no loopback here' };
    const { context } = authScene({}, {}, [Response.json(refusal, { status: 400 })]);
    await assert.rejects(register(context, redirectUri), {
      code: 'unauthorized',
      message:
        /refused the registration of this client: invalid_redirect_uri, "no loopback here"\. Register a client there by hand/u,
    });
    assert.deepEqual(await context.credentials.registrations('https://as'), []);
    const unused = await signedIn({}, [Response.json(refusal, { status: 400 })]);
    assert.deepEqual(unused.events, ['dispose']);
  });

  it('AUTH-18 (legacy): is read with the end of its secret, and where a server says 200', async () => {
    const answer = { client_id: 'c', client_secret: 's', client_secret_expires_at: 2_000_000_000 };
    const { context } = authScene({}, {}, [Response.json(answer)]);
    const { secretExpiresAt } = await register(context, redirectUri);
    assert.equal(secretExpiresAt, Date.UTC(2033, 4, 18, 3, 33, 20));
  });

  it('AUTH-24 (legacy): is that of the way back', async () => {
    const { context, request } = authScene({}, {});
    for (const [clientId, uri] of [
      ['mine', redirectUri],
      ['newest', 'http://127.0.0.1:50000/oauth/callback'],
    ] as const) {
      const kept = { authenticationMethod: 'none', redirectUri: uri, clientId };
      await context.credentials.addRegistration(context.server.issuer, kept);
    }
    assert.equal((await visited(context, request)).get('client_id'), 'mine');
  });

  for (const error of ['invalid_client', 'unauthorized_client']) {
    it(`AUTH-18 (legacy): is made anew once where the server forgets it each time (${error})`, async () => {
      const answers = Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0
          ? Response.json({ client_id: 'c' }, { status: 201 })
          : Response.json({ error }, { status: 400 }),
      );
      const { events, failure } = await signedIn({}, answers);
      assert.match(failure, RegExp(error, 'u'));
      const once = ['follow', 'failed', 'dispose'];
      assert.deepEqual(events, [...once, ...once]);
    });

    it(`a client of the settings that is refused is not tried twice (${error})`, async () => {
      const answers = [1, 2].map(() => Response.json({ error }, { status: 400 }));
      const settings = { clientId: 'by-hand', redirectPort: 4_000 };
      const { events, wishes } = await signedIn(settings, answers);
      assert.deepEqual(events, ['follow', 'failed', 'dispose']);
      assert.deepEqual(wishes, [{ port: 4_000 }]);
    });
  }
});

describe('FLOW-23, OCC-04 (2026): how the client proves who it is at the token endpoint', () => {
  const secret = 'top-secret';
  for (const [supported, expected] of [
    [undefined, 'basic'],
    [['client_secret_basic'], 'basic'],
    [['client_secret_post'], 'post'],
    [['client_secret_post', 'client_secret_basic'], 'basic'],
    [['none', 'client_secret_post'], 'post'],
    [['tls_client_auth'], 'basic'],
  ] as const) {
    it(`a secret of the settings, where ${supported?.join(', ') ?? 'nothing'} is supported: ${expected}`, async () => {
      const metadata = { token_endpoint_auth_methods_supported: supported };
      const { context } = authScene({ clientId: 'by-hand', clientSecret: secret }, metadata);
      const { headers, body } = await asked((await configuredIdentity(context)) ?? assert.fail());
      assert.equal(headers.has('authorization'), expected === 'basic');
      assert.equal(body.get('client_secret'), expected === 'post' ? secret : null);
    });
  }

  for (const [supported, answer, expected] of [
    [['none', 'client_secret_basic'], {}, 'none'],
    [['client_secret_post'], { client_secret: secret }, 'client_secret_post'],
    [undefined, { client_secret: secret }, 'client_secret_basic'],
    [
      ['none'],
      { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' },
      'client_secret_post',
    ],
    [['client_secret_basic'], { token_endpoint_auth_method: 'none' }, 'none'],
  ] as const) {
    it(`a registration, where ${supported?.join(', ') ?? 'nothing'} is supported: ${expected}`, async () => {
      const metadata = { token_endpoint_auth_methods_supported: supported };
      const registered = Response.json({ client_id: 'c', ...answer }, { status: 201 });
      const { context } = authScene({}, metadata, [registered]);
      const { authenticationMethod } = await register(context, redirectUri);
      assert.equal(authenticationMethod, expected);
    });
  }

  it('id and secret are encoded before they are joined (RFC 6749, section 2.3.1)', async () => {
    const { context } = authScene({ clientId: 'a:b', clientSecret: 'c d%' });
    const { headers } = await asked((await configuredIdentity(context)) ?? assert.fail());
    const [, pair = ''] = (headers.get('authorization') ?? '').split(' ');
    assert.equal(Buffer.from(pair, 'base64').toString(), 'a%3Ab:c+d%25');
  });

  it('a registration asks for a secret only where none is not supported', async () => {
    const methods = ['client_secret_basic', 'none'];
    for (const supported of [methods, methods.slice(0, 1)]) {
      const metadata = { token_endpoint_auth_methods_supported: supported };
      const registered = Response.json({ client_id: 'c' }, { status: 201 });
      const { context, sent } = authScene({}, metadata, [registered]);
      await register(context, redirectUri);
      assert.match(
        sent[0]?.body ?? '',
        RegExp(`"token_endpoint_auth_method":"${supported.at(-1)}"`, 'u'),
      );
    }
  });
});

/** What a token request of the client looks like. */
async function asked(identity: ClientIdentity) {
  const answer = Response.json({ access_token: 'a', token_type: 'Bearer' });
  const { request, sent } = authScene({}, {}, [answer]);
  await requestTokens(request, identity, 'client_credentials');
  const { headers, form } = sent[0] ?? assert.fail();
  return { headers, body: form };
}

describe('the issuer of a client', () => {
  const server = new URL('https://s/mcp');
  const settings = { grant: { kind: 'authorizationCode' }, dpop: false, clientId: 'mine' } as const;
  /** Checks first, as a refusal does, then uses the client, as a token request does. */
  const use = async (
    own: AuthSettings,
    issuer: string,
    credentials: Credentials,
  ): Promise<void> => {
    await requireClientOf(own, server, issuer, credentials);
    await bindClient({ settings: own, server: { issuer }, credentials });
  };

  it('REG-10, REG-12 (2026): shows a client of the settings to the issuer that it was first used at only', async () => {
    const credentials = new Credentials(memoryStore(), userEntry);
    await use(settings, 'https://one', credentials);
    await use(settings, 'https://one/', credentials);
    await assert.rejects(use(settings, 'https://two', credentials), {
      code: 'unauthorized',
      message:
        /now signs in at https:\/\/two, but the client "mine" .* registered with https:\/\/one/u,
    });
  });

  it('shows the assertion of a workload to the issuer that it was first used at only', async () => {
    const credentials = new Credentials(memoryStore(), userEntry);
    const workload = {
      grant: { kind: 'workloadIdentity', assertion: 'a.b.c' },
      dpop: false,
    } as const;
    await use(workload, 'https://one', credentials);
    await assert.rejects(
      use(workload, 'https://two', credentials),
      /assertion of its entry was first used at .* set "oauth\.issuer" to it/u,
    );
  });

  it('lets the settings say which issuer it is', async () => {
    const credentials = new Credentials(memoryStore(), userEntry);
    await use(settings, 'https://one', credentials);
    const moved = { ...settings, issuer: 'https://two' };
    await use(moved, 'https://two', credentials);
    await assert.rejects(use(moved, 'https://one', credentials));
  });

  it('REG-13 (2026): binds no client that has no id of its own', async () => {
    const store = memoryStore();
    const credentials = new Credentials(store, userEntry);
    const { clientId: _, ...anyone } = settings;
    await use(anyone, 'https://one', credentials);
    await use(anyone, 'https://two', credentials);
    assert.deepEqual(await store.keys(), []);
  });
});
