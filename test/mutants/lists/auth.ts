/** Signing in: discovery, grants, tokens, and whose they are. */
import type { Changes } from '../mutant.ts';

export const authMutants: Changes = {
  'src/mcp/auth/discovery.ts': {
    'mc-covers-mcp: AUTH-06':
      'return «withSlash(serverUrl.pathname).startsWith(above→serverUrl.pathname.startsWith(url.pathname»);',
    'resource-of-another-origin: AUTH-06': '«url.origin !== serverUrl.origin || →»',
    'query-in-resource: FLOW-04': `«  url.search = '';\n→»`,
    'fragment-in-resource: AUTH-22': `«  url.hash = '';\n→»`,
    'only-the-root-is-asked: AUTH-05': '[«`${root}${path}${serverUrl.search}`, →»root]',
    'well-known-without-query: AUTH-05': '`${root}${path}«${serverUrl.search}→»`',
    'outage-means-default-places: AUTH-10':
      'return readServer(response, url, issuer);\n    }\n    if («response.status >= 500→false») {',
    'openid-first: AUTH-10': ': [«metadata, openId→openId, metadata», `',
    'metadata-of-another-resource: AUTH-06': 'if («!covers(claimed, serverUrl)→false») {',
    'issuer-that-was-not-asked: AUTH-12 (2026)': 'if («!isSameIssuer(claimed, issuer)→false») {',
    'outage-means-no-metadata: AUTH-05': 'if (named !== undefined« || response.status >= 500→») {',
    'issuer-with-query: AUTH-12 (2026)': `« || base.search !== '' || base.hash !== ''→»`,
    'revision-not-in-discovery: AUTH-12': `«  'mcp-protocol-version': revisionsNewestFirst[0] ?? '',\n→»`,
    'origin-is-always-issuer: AUTH-13 (2026)':
      'if («isDescribed || !allowsOriginFallback→false») {',
    'first-issuer-unasked: AUTH-07': 'issuers«.length > 1 ? await ask(issuers) : issuers→»[0]',
  },
  'src/mcp/auth/challenge.ts': {
    'first-challenge-counts: AUTH-03 (2026)':
      'ours«.find(({ parameters }) => parameters.resource_metadata !== undefined) ?? ours→»[0]',
    'endless-challenge: While it runs':
      'if (header === undefined« || header.length > maxChallengeChars→») {',
    'challenged-scope-ignored: AUTH-26':
      '«challenged === undefined ? (resource ?? []) : splitScope(challenged)→resource ?? []»',
    'granted-scopes-lost: FLOW-19': '«...splitScope(earlier), →»',
    'offline-access-unlisted: FLOW-17': `if (wantsRefreshToken« && supported?.includes('offline_access') === true→») {`,
  },
  'src/mcp/auth/authorizationCode.ts': {
    'no-pkce-needed: AUTH-20': `if («methods?.includes('S256') !== true→false») {`,
    'state-not-checked: AUTH-23':
      'oauth.validateAuthResponse(server, identity.client, returned, «state→oauth.skipStateCheck»)',
    'plain-challenge: AUTH-20': `code_challenge_method: '«S256→plain»',`,
    'same-state-each-time: AUTH-23': `const state = «oauth.generateRandomState()→'state'»;`,
    'resource-not-in-authorization: AUTH-21': `«url.searchParams.set('resource', resource);→»`,
    'resource-in-authorization-twice: AUTH-21': `url.searchParams.«set→append»('resource', resource);`,
    'parameters-of-the-page-stay: AUTH-23': 'url.searchParams.«set→append»(name, value);',
    'offline-access-without-consent: FLOW-17': `«url.searchParams.set('prompt', 'consent');→»`,
    'registers-without-end: AUTH-18': 'if («!isFirst→false») {',
    'registration-of-another-way-back: AUTH-24':
      'known.findLast(«({ redirectUri }) => redirectUri === redirect.uri→() => true») ??',
    'resource-not-with-code: FLOW-03':
      '«{ ...options, additionalParameters: { resource } }→options»',
    'page-of-any-scheme: SEC-07': `«!(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))→false»`,
    'dead-registration-kept: AUTH-18':
      '«await context.credentials.forgetRegistration(context.server.issuer);→»',
  },
  'src/mcp/auth/currentTokens.ts': {
    'stays-with-the-first-issuer: REG-11':
      'if («isSameOrigin(this.#origin, origin)→this.#origin !== undefined») {',
    'trouble-asks-to-sign-in: AUTH-33': 'if («!isFinal(error)→false») {',
    'kept-after-sign-out: SEC-14':
      '« || (stored === undefined && this.#tokens?.family !== undefined)→») {',
    'bound-token-always-outdated: DPOP-03': "«isBound ? 'DPoP' : 'Bearer'→'Bearer'»",
    'asked-for-again-and-again: FLOW-20': 'unionOf(«this.#tokens?.asked, →»this.#tokens?.scope)',
    'renewed-after-the-end: OCC-06': 'tokens.expiresAt« - Math.min(maxRenewalMarginMs, life / 5)→»',
    'renewed-without-its-key: DPOP-03': 'scope, «proofKey, →»fetch',
    'renewed-by-another-client: REG-10':
      'const isSame = «configured.client.client_id === clientId→true»;',
    'refused-refresh-token-kept: AUTH-33': '«await held.keep(rest);→»',
  },
  'src/mcp/auth/oauthAuthorizer.ts': {
    'nonce-of-server-unheard: DPOP-03': 'if («await this.#tokens.takeNonce(refusal)→false») {',
    'refreshed-again-and-again: AUTH-33': 'return «!isSpent && →»(await this.#refresh',
    'token-for-another-origin: AUTH-31':
      'if («url.origin !== this.#parts.serverUrl.origin→false») {',
    '403-without-challenge-signs-in: TRAP-15':
      'if («refusal.status !== 401 && !needsMore→false») {',
    'futile-scope-asked-again: AUTH-29': 'if («this.#futileScopes.has(key)→false») {',
    'offline-access-without-a-user: FLOW-17':
      "wantsRefreshToken: «settings.grant.kind === 'authorizationCode'→true»,",
    'signs-in-again-and-again: AUTH-29': '      if («wasJustGranted→false») {\n',
    'signed-out-tokens-live: SEC-14': '«await this.#revoke(tokens, origin.issuer);→»',
    'asks-before-refreshing: AUTH-33':
      'if («!needsMore && (await this.#recover(refusal, server, resource, signal))→false») {',
  },
  'src/mcp/auth/tokenEndpoint.ts': {
    'resource-not-with-refresh: FLOW-03': '«        additionalParameters: { resource },\n→»',
    'rotated-token-lost: AUTH-33':
      '«answer.refresh_token ?? before?.refreshToken→before?.refreshToken ?? answer.refresh_token»',
    'kept-refresh-token-lost: AUTH-33': 'answer.refresh_token« ?? before?.refreshToken→»',
    'proof-without-nonce: DPOP-03':
      'if («proofKey !== undefined && oauth.isDPoPNonceError(error)→false») {',
    'assertion-names-no-resource: EMA-05':
      'scope === undefined ? {« resource } : { resource,→} : {» scope }',
    'token-that-no-header-carries: AUTH-30': 'if («!/^[\\u0020-\\u007e]+$/u.test(token)→false») {',
  },
  'src/mcp/auth/authFetch.ts': {
    'issuer-without-encryption: SEC-04': `if («url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))→false») {`,
    'private-network-unasked: SEC-05': 'if (!isUsual && «!(await this.#confirm(url))→false») {',
    'auth-redirect-elsewhere: SEC-06': `if («method !== 'GET' || next?.origin !== url.origin→next === null») {`,
    'auth-redirects-for-ever: SEC-06': 'if («redirects === maxRedirects→false») {',
    'token-without-encryption: SEC-04': `if («serverUrl.protocol !== 'https:' && !isLoopback(serverUrl)→false») {`,
    'localhost-is-public: SEC-05': `if («isLoopback(url)→false») {`,
    'one-private-address-of-two: SEC-05': 'addresses.«some→every»(isPrivateAddress)',
  },
  'src/mcp/network/routeFetch.ts': {
    'endless-metadata: While it runs': 'if («size > maxBytes→false») {',
  },
  'src/mcp/network/privateAddress.ts': {
    'metadata-address-of-clouds: SEC-05': `«  ['169.254.0.0', 16],\n→»`,
    'mapped-addresses-are-public: SEC-05':
      "«  notPublic.addSubnet(`64:ff9b::${net}`, 96 + prefix, 'ipv6');\n→»",
  },
  'src/mcp/network/loopback.ts': {
    'name-that-begins-with-localhost: SEC-04': `host« === 'localhost'→.startsWith('localhost')» ||`,
  },
  'src/mcp/auth/proofKeys.ts': {
    'nonce-beside-any-error: DPOP-03': '«error === nonceNeeded && →»proof !== undefined',
    'endless-nonce: DPOP-03': ' && «nonceIn(proof) !== dpopNonce→true»;',
    'another-padding: OCC-04': "name: '«RSA-PSS→RSASSA-PKCS1-v1_5»', hash",
    'another-curve-of-384-bits: OCC-04': "ES384: 'P-«384→256»'",
    'another-curve-of-521-bits: OCC-04': "ES512: 'P-«521→384»'",
    'proof-key-of-another-type: DPOP-02': "kty === 'OKP' ? '«Ed25519→ES256»' : alg",
  },
  'src/mcp/auth/clientIdentity.ts': {
    'client-shown-to-another-issuer: REG-10':
      'if («bound !== undefined && !isSameIssuer(bound, issuer)→false») {',
    'ended-secret-used: AUTH-18':
      'return known«.filter(({ secretExpiresAt: end }) => end === undefined || end > now)→»;',
    'kind-of-application-unsaid: REG-08': `«        application_type: 'native',\n→»`,
    'document-where-not-taken: AUTH-14': `« && server['client_id_metadata_document_supported'] === true→»`,
    'secret-without-need: FLOW-23': `const methods = ['«none', 'client_secret_basic', 'client_secret_post→client_secret_basic', 'client_secret_post', 'none»'];`,
  },
  'src/mcp/auth/credentials.ts': {
    'sign-in-of-another-url: Secrets and sign-ins': '«    one.url === other.url &&\n→»',
    'sign-in-of-another-scope: Secrets and sign-ins': '«one?.scope === other.scope &&→»',
    'sign-in-of-another-route: Secrets and sign-ins': '«one.route === other.route→true»',
    'older-renewal-wins: AUTH-33': `« || told['family'].renewal < family.renewal→»`,
    'registration-of-others-dropped: AUTH-18': 'const maxRegistrations = «4→1»;',
  },
  'src/mcp/auth/grants.ts': {
    'grant-that-is-not-listed: WIF-03': ' && «!named.includes(type)→false»',
  },
  'src/mcp/auth/tokenFamily.ts': {
    'earlier-tokens-are-later: AUTH-33': 'one.family.renewal «>→<» other.family.renewal',
  },
  'src/mcp/auth/routedFetch.ts': {
    'certificate-shown-to-all: Secrets and sign-ins':
      '...(«isNamed && →»client !== undefined ? { client } : {}),',
    'insecure-everywhere: Secrets and sign-ins':
      '...(«isHere && isInsecure→isInsecure» === true ? { isInsecure } : {}),',
    'domain-that-ends-alike: Secrets and sign-ins': 'other.endsWith(«`.${own}`→own»)',
  },
  'src/host/signIn/accountAccess.ts': {
    'account-grants-any-scope: Secrets and sign-ins':
      '«scopes.every((scope) => yes.scopes.includes(scope)) &&→»',
    'account-grants-any-tenant: Secrets and sign-ins':
      '«yes.scopes.filter(isParameter).every((scope) => scopes.includes(scope)) &&→»',
    'account-grants-any-account: Secrets and sign-ins':
      '«(account === undefined || yes.account === undefined || yes.account === account)→true»',
  },
  'src/host/signIn/signInConversation.ts': {
    'signs-in-after-no: SEC-10': `if («answer === 'no'→false») {`,
    'asks-in-the-background: SEC-10': 'if («!this.#target.mayAsk()→false») {',
  },
  'src/host/signIn/signIns.ts': {
    'workspaces-share-sign-ins: Secrets and sign-ins':
      "const place = «isOfWorkspace ? ` ${workspaceId}` : →»'';",
    'sign-in-kept-on-another-way: Secrets and sign-ins':
      'settings, server.protocol«, launch.connection→»]);',
    'proxy-is-no-part-of-owner: Secrets and sign-ins':
      '«...(proxy === undefined ? {} : { proxy: proxy && proxy.origin }),→»',
  },
};
