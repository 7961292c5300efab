import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { AuthSettings } from '../../../../src/mcp/auth/authSettings.ts';
import type { ProofKey } from '../../../../src/mcp/auth/credentials.ts';
import { grantTokens } from '../../../../src/mcp/auth/grants.ts';
import { generateProofKey, ProofOfPossession } from '../../../../src/mcp/auth/proofKeys.ts';
import { authScene } from '../../../support/authScene.ts';

const { signal } = new AbortController();
const server = { issuer: 'https://as', token_endpoint: 'https://as/token' };
const noUser = {
  prepareRedirect: () => Promise.reject(new Error('a browser was asked for')),
};

async function grant(
  settings: Partial<AuthSettings>,
  answers: readonly Response[],
  more: { readonly proofKey?: ProofKey; readonly metadata?: object } = {},
) {
  const { sent, secrets, context, request } = authScene(settings, more.metadata, answers);
  const result = grantTokens({ ...request, proofKey: more.proofKey }, context, noUser, signal);
  return { result, sent, secrets };
}

function token(more: object = {}): Response {
  return Response.json({ access_token: 'access', token_type: 'Bearer', ...more });
}

function claimsOf(jwt: string) {
  const [header = '', claims = ''] = jwt.split('.');
  return { header: parsed(header), claims: parsed(claims) };
}

function parsed(part: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

describe('grants without a user', () => {
  it('OCC-01, OCC-03 (2026): client credentials by secret, with resource and scope', async () => {
    const { result, sent } = await grant(
      { grant: { kind: 'clientCredentials' }, clientId: 'job', clientSecret: 'a b' },
      [token({ expires_in: 60 })],
    );
    const tokens = await result;
    assert.equal(tokens.accessToken, 'access');
    assert.equal((tokens.expiresAt ?? 0) - tokens.obtainedAt, 60_000);
    assert.deepEqual(Object.fromEntries(sent[0]?.form ?? []), {
      grant_type: 'client_credentials',
      resource: 'https://h/mcp',
      scope: 'a b',
    });
    const basic = `Basic ${Buffer.from('job:a+b').toString('base64')}`;
    assert.equal(sent[0]?.headers.get('authorization'), basic);
  });

  it('OCC-02, OCC-05 (2026): client credentials by a signed assertion', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const { result, sent } = await grant(
      {
        grant: { kind: 'clientCredentials' },
        clientId: 'job',
        privateKey: { pem, algorithm: 'ES256', keyId: 'k1' },
      },
      [token()],
    );
    await result;
    const assertion = sent[0]?.form.get('client_assertion') ?? '';
    const { header, claims } = claimsOf(assertion);
    assert.deepEqual({ ...header }, { alg: 'ES256', kid: 'k1' });
    const { iss, sub, aud, jti, exp, iat } = claims;
    assert.deepEqual([iss, sub], ['job', 'job']);
    assert.ok([aud].flat().includes('https://as'));
    assert.ok(jti !== '' && Number(exp) > Number(iat) && Number(exp) - Number(iat) <= 300);
    assert.ok(!String(sent[0]?.form).includes('PRIVATE'));
  });

  for (const [algorithm, { privateKey }, alg = algorithm] of [
    ['ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ES512', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['PS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['EdDSA', generateKeyPairSync('ed25519'), 'Ed25519'],
  ] as const) {
    it(`OCC-04 (2026): signs an assertion with ${algorithm}`, async () => {
      const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
      const { result, sent } = await grant(
        {
          grant: { kind: 'clientCredentials' },
          clientId: 'job',
          privateKey: { pem, algorithm },
        },
        [token()],
      );
      await result;
      const { header } = claimsOf(sent[0]?.form.get('client_assertion') ?? '');
      assert.equal(header['alg'], alg);
    });
  }

  it('a key that does not fit the algorithm is said so, without showing it', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    for (const [key, algorithm] of [
      [pem, 'ES256'],
      ['not a key', 'RS256'],
    ] as const) {
      const { result } = await grant(
        {
          grant: { kind: 'clientCredentials' },
          clientId: 'j',
          privateKey: { pem: key, algorithm },
        },
        [],
      );
      await assert.rejects(result, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'invalidConfig');
        assert.ok(!error.message.includes(key));
        return true;
      });
    }
  });

  const idp = 'https://idp/token';
  const enterprise = {
    kind: 'enterpriseManaged',
    idpTokenEndpoint: idp,
    idpClientId: 'editor',
    idpClientSecret: 'idp-secret',
    idToken: 'identity',
  } as const;

  it('EMA-04, EMA-05, EMA-06, EMA-08, EMA-09, EMA-10, EMA-11, EMA-12 (2026): trades the identity, then the ID-JAG, takes less than it asked for, and sends nobody to a browser', async () => {
    const exchanged = Response.json({
      access_token: 'the-id-jag',
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      token_type: 'N_A',
    });
    const { result, sent, secrets } = await grant({ grant: enterprise, clientId: 'mcp' }, [
      exchanged,
      token({ scope: 'a' }),
    ]);
    const { accessToken, scope } = await result;
    assert.deepEqual([accessToken, scope], ['access', 'a']);
    assert.deepEqual(secrets, ['the-id-jag']);
    const [exchange, redeemed] = sent;
    assert.equal(exchange?.form.get('audience'), 'https://as');
    assert.equal(exchange?.form.get('client_secret'), 'idp-secret');
    assert.deepEqual(
      sent.map((one) => one.url),
      [idp, 'https://as/token'],
    );
    assert.equal(exchange?.form.get('resource'), 'https://h/mcp');
    assert.equal(exchange?.form.get('subject_token'), 'identity');
    assert.equal(
      exchange?.form.get('subject_token_type'),
      'urn:ietf:params:oauth:token-type:id_token',
    );
    assert.equal(
      exchange?.form.get('requested_token_type'),
      'urn:ietf:params:oauth:token-type:id-jag',
    );
    assert.equal(redeemed?.url, 'https://as/token');
    assert.equal(redeemed?.form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
    assert.equal(redeemed?.form.get('assertion'), 'the-id-jag');
    assert.ok(![...(redeemed?.form.values() ?? [])].includes('idp-secret'));
  });

  it('WIF-01, WIF-02, WIF-03 (2026): trades the platform token, with no client id, and does not loop after a refusal', async () => {
    const settings: Partial<AuthSettings> = {
      grant: { kind: 'workloadIdentity', assertion: 'a.b.c' },
    };
    const { result, sent } = await grant(settings, [token()]);
    await result;
    assert.deepEqual(Object.fromEntries(sent[0]?.form ?? []), {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'a.b.c',
      resource: 'https://h/mcp',
      scope: 'a b',
    });
    const refusal = Response.json({ error: 'invalid_grant' }, { status: 400 });
    const refused = await grant(settings, [refusal]);
    await assert.rejects(refused.result, { code: 'unauthorized' });
    assert.equal(refused.sent.length, 1);
  });

  const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  it('WIF-03 (2026): sends nothing to a server that names its grants, and not this one', async () => {
    const metadata = { grant_types_supported: ['refresh_token', 'implicit'] };
    for (const [settings, type] of [
      [{ kind: 'authorizationCode' }, 'authorization_code'],
      [{ kind: 'clientCredentials' }, 'client_credentials'],
      [enterprise, jwtBearer],
      [{ kind: 'workloadIdentity', assertion: 'a.b.c' }, jwtBearer],
    ] as const) {
      const { result, sent } = await grant({ grant: settings, clientId: 'j' }, [], { metadata });
      await assert.rejects(result, {
        code: 'unauthorized',
        message: `https://as does not support the grant type "${type}", only: refresh_token, implicit. Choose another "oauth.grant" for this server, or ask whoever runs the authorization server`,
      });
      assert.deepEqual(sent, []);
    }
  });

  it('WIF-03 (2026): asks a server that names the grant, or none', async () => {
    const settings: Partial<AuthSettings> = {
      grant: { kind: 'workloadIdentity', assertion: 'a.b.c' },
    };
    for (const named of [[jwtBearer], undefined, null, 'odd', []]) {
      const answers = [token()];
      const metadata = { grant_types_supported: named };
      const { result } = await grant(settings, answers, { metadata });
      assert.equal((await result).accessToken, 'access');
    }
  });

  it('needs the id of a client where nobody signs in', async () => {
    const { result } = await grant({ grant: { kind: 'clientCredentials' } }, []);
    await assert.rejects(result, { code: 'invalidConfig' });
  });

  it('DPOP-02, DPOP-03 (2026): proves the key at the token endpoint, again with the nonce that it gives', async () => {
    const proofKey = await generateProofKey(server);
    const nonce = Response.json(
      { error: 'use_dpop_nonce' },
      { status: 400, headers: { 'dpop-nonce': 'n-1' } },
    );
    const { result, sent } = await grant(
      { grant: { kind: 'clientCredentials' }, clientId: 'j', clientSecret: 's', dpop: true },
      [nonce, token({ token_type: 'DPoP' })],
      { proofKey },
    );
    assert.equal((await result).tokenType, 'dpop');
    const proofs = sent.map(({ headers }) => claimsOf(headers.get('dpop') ?? ''));
    assert.equal(proofs.length, 2);
    assert.equal(proofs[1]?.claims['nonce'], 'n-1');
    assert.notEqual(proofs[0]?.claims['jti'], proofs[1]?.claims['jti']);
  });

  it('DPOP-02 (2026): proves with the algorithm that a server takes, and refuses one that takes none that there is', async () => {
    for (const algorithm of ['EdDSA', 'Ed25519', 'PS256', 'RS256']) {
      const takes = { ...server, dpop_signing_alg_values_supported: [algorithm] };
      const proof = await ProofOfPossession.create('t', await generateProofKey(takes));
      const { dpop = '' } = await proof.headersFor('GET', new URL('https://h/mcp'));
      const { alg } = claimsOf(dpop).header;
      assert.equal(alg, algorithm === 'EdDSA' ? 'Ed25519' : algorithm);
    }
    const odd = { ...server, dpop_signing_alg_values_supported: ['HS256'] };
    await assert.rejects(generateProofKey(odd), { code: 'unsupported' });
  });
});

describe('ProofOfPossession', () => {
  const url = new URL('https://h/mcp?x=1');

  it('DPOP-01, DPOP-05 (2026): sends a fresh proof with each request, for method, URL and token', async () => {
    const key = await generateProofKey(server);
    const proof = await ProofOfPossession.create('the-token', key);
    const [first, second] = [
      await proof.headersFor('POST', url),
      await proof.headersFor('GET', url),
    ];
    assert.equal(first['authorization'], 'DPoP the-token');
    const { header, claims } = claimsOf(first['dpop'] ?? '');
    const { htm, htu, ath, jti } = claims;
    assert.deepEqual([htm, htu], ['POST', 'https://h/mcp']);
    assert.deepEqual(Object.keys(claims).toSorted(), ['ath', 'htm', 'htu', 'iat', 'jti']);
    assert.equal(ath, createHash('sha256').update('the-token').digest('base64url'));
    assert.notEqual(jti, claimsOf(second['dpop'] ?? '').claims['jti']);
    const { jwk } = Object(header);
    assert.equal(Reflect.get(Object(jwk), 'd'), undefined, 'the private part stays here');
    assert.equal(createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyType, 'ec');
  });

  it('DPOP-03 (2026): takes a nonce once, so that an endless one is not answered for ever', async () => {
    const proof = await ProofOfPossession.create('t', await generateProofKey(server));
    const refusal = { status: 401, sent: await proof.headersFor('GET', url), attempt: 0 };
    assert.equal(await proof.takeNonce(refusal, url), false);
    // Of two requests side by side both are sent again.
    assert.equal(await proof.takeNonce({ ...refusal, dpopNonce: 'n' }, url), true);
    assert.equal(await proof.takeNonce({ ...refusal, dpopNonce: 'n' }, url), true);
    const sent = await proof.headersFor('GET', url);
    assert.equal(claimsOf(sent['dpop'] ?? '').claims['nonce'], 'n');
    assert.equal(await proof.takeNonce({ ...refusal, sent, dpopNonce: 'n' }, url), false);
  });

  it('DPOP-03 (2026): keeps a nonce beside another error, which a new proof does not mend', async () => {
    const proof = await ProofOfPossession.create('t', await generateProofKey(server));
    const sent = await proof.headersFor('GET', url);
    const wwwAuthenticate = 'DPoP error="invalid_token"';
    const refusal = { status: 401, sent, attempt: 0, wwwAuthenticate, dpopNonce: 'n' };
    assert.equal(await proof.takeNonce(refusal, url), false);
    const next = await proof.headersFor('GET', url);
    assert.equal(claimsOf(next['dpop'] ?? '').claims['nonce'], 'n');
  });
});
