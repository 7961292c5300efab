// Every field of an entry that changes what runs, or what goes where, is shown before it does. The settings' schema says
// which fields there are, so that a new one fails here until somebody says which of the two kinds it is of.
import assert from 'node:assert/strict';
import type { RootsSource } from '../../../../src/host/roots/workspaceRoots.ts';
import { isObject } from '../../../../src/base/json.ts';
import { Authority } from '../../../servers/authority.ts';
import { machineWith } from '../../../support/launches.ts';
import { preparing } from '../../../support/preparation.ts';
import { programsAt } from '../../../support/programs.ts';
import { properties } from '../../../support/settingsSchema.ts';

/** The paths of all values that a schema has a place for. `*` is any name. */
function leaves(schema: unknown, path: string): readonly string[] {
  if (!isObject(schema)) {
    return [];
  }
  const named = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  const inner = [
    ...named.flatMap(([name, value]) => leaves(value, `${path}.${name}`)),
    ...alternatives.flatMap((value) => leaves(value, path)),
    ...leaves(schema['items'], `${path}[]`),
    ...leaves(schema['additionalProperties'], `${path}.*`),
  ];
  return inner.length > 0 ? inner : [path.replace(/^\./u, '')];
}

const entrySchema = properties['mcpHost.servers']?.['additionalProperties'];
const inputSchema = properties['mcpHost.inputs']?.['items'];
const authority = new Authority('one').pem;
const program = { command: 'node', args: ['server.js'] };
const place = { url: 'https://h.example/mcp' };
const client = { clientId: 'me', clientSecret: '${env:OTHER}' };
const oauth = { grant: 'clientCredentials', ...client };
const signedIn = { ...place, oauth };

/** Two entries a field, which differ in nothing but its value. */
const differences: Readonly<Record<string, readonly [object, object]>> = {
  type: [place, { ...place, type: 'sse' }],
  command: [program, { ...program, command: 'deno' }],
  'args[]': [program, { ...program, args: ['server.js', '--all'] }],
  'env.*': [program, { ...program, env: { A: 'b' } }],
  envFile: [program, { ...program, envFile: 'server.env' }],
  cwd: [program, { ...program, cwd: 'sub' }],
  sandbox: [program, { ...program, sandbox: true }],
  'sandbox.write[]': [
    { ...program, sandbox: true },
    { ...program, sandbox: { write: ['${workspaceFolder}/notes'] } },
  ],
  'sandbox.network': [
    { ...program, sandbox: true },
    { ...program, sandbox: { network: true } },
  ],
  pinFiles: [program, { ...program, pinFiles: true }],
  'dev.debug.type': [program, { ...program, dev: { debug: { type: 'node' } } }],
  'dev.debug.debugpyPath': [
    { command: 'python', dev: { debug: { type: 'debugpy' } } },
    { command: 'python', dev: { debug: { type: 'debugpy', debugpyPath: '/tmp/other' } } },
  ],
  url: [place, { url: 'https://other.example/mcp' }],
  'headers.*': [place, { ...place, headers: { 'X-A': 'b' } }],
  oauth: [place, { ...place, oauth: false }],
  'oauth.grant': [{ ...place, oauth: client }, signedIn],
  'oauth.clientId': [signedIn, { ...place, oauth: { ...oauth, clientId: 'you' } }],
  'oauth.clientSecret': [
    signedIn,
    { ...place, oauth: { ...oauth, clientSecret: '${input:word}' } },
  ],
  'oauth.clientMetadataUrl': [
    { ...place, oauth: {} },
    { ...place, oauth: { clientMetadataUrl: 'https://c.example/client.json' } },
  ],
  'oauth.callbackPort': [
    { ...place, oauth: { clientId: 'me' } },
    { ...place, oauth: { clientId: 'me', callbackPort: 8000 } },
  ],
  'oauth.scopes[]': [signedIn, { ...place, oauth: { ...oauth, scopes: ['all'] } }],
  'oauth.issuer': [signedIn, { ...place, oauth: { ...oauth, issuer: 'https://i.example' } }],
  'oauth.provider': [
    { ...place, oauth: {} },
    { ...place, oauth: { provider: 'github' } },
  ],
  'oauth.dpop': [signedIn, { ...place, oauth: { ...oauth, dpop: true } }],
  'oauth.privateKey.file': ofKey({ file: 'other.pem' }),
  'oauth.privateKey.algorithm': ofKey({ algorithm: 'RS256' }),
  'oauth.privateKey.keyId': ofKey({ keyId: 'k1' }),
  'oauth.identityProvider.tokenEndpoint': ofEnterprise({
    tokenEndpoint: 'https://o.example/token',
  }),
  'oauth.identityProvider.clientId': ofEnterprise({ clientId: 'you' }),
  'oauth.identityProvider.clientSecret': ofEnterprise({ clientSecret: '${input:word}' }),
  'oauth.identityProvider.idToken': ofEnterprise({ idToken: '${env:OTHER}' }),
  'oauth.assertion': [
    { ...place, oauth: { grant: 'workloadIdentity', assertion: '${env:HOME}' } },
    { ...place, oauth: { grant: 'workloadIdentity', assertion: '${env:OTHER}' } },
  ],
  'oauth.assertionFile': [
    { ...place, oauth: { grant: 'workloadIdentity', assertionFile: '/run/a' } },
    { ...place, oauth: { grant: 'workloadIdentity', assertionFile: '/run/b' } },
  ],
  'tls.ca': [place, { ...place, tls: { ca: authority } }],
  'tls.ca[]': [place, { ...place, tls: { ca: [authority, 'ca.pem'] } }],
  'tls.cert': [withKey({}), withKey({ cert: 'other.pem' })],
  'tls.key': [withKey({}), withKey({ key: 'other.pem' })],
  'tls.passphrase': [withKey({}), withKey({ passphrase: '${input:word}' })],
  'tls.insecure': [
    { url: 'https://localhost/mcp' },
    { url: 'https://localhost/mcp', tls: { insecure: true } },
  ],
  proxy: [place, { ...place, proxy: 'http://proxy.example:8080' }],
  'roots[]': [program, { ...program, roots: ['b'] }],
  roots: [program, { ...program, roots: 'none' }],
};

/** When it runs and how it is spoken to: nothing else runs, and nothing goes anywhere else. */
const withoutEffect = [
  'enabled',
  'startup',
  'timeouts.startSeconds',
  'timeouts.requestSeconds',
  'timeouts.totalSeconds',
  'timeouts.pingSeconds',
  'limits.messageMegabytes',
  'limits.memoryMegabytes',
  'limits.listItems',
  'limits.logMessagesPerSecond',
  'limits.elicitationsPerMinute',
  'limits.samplingPerMinute',
  'elicitation',
  'sampling',
  'apps',
  'protocol',
  'bridge',
  'dev.watch',
  'dev.watch[]',
];

const inputDifferences: Readonly<Record<string, readonly [object, object]>> = {
  type: [{}, { type: 'pickString', options: ['a'] }],
  description: [{}, { description: 'Which one?' }],
  default: [{}, { default: 'b' }],
  'options[]': [
    { type: 'pickString', options: ['a'] },
    { type: 'pickString', options: ['a', 'b'] },
  ],
};

function ofKey(other: object): readonly [object, object] {
  const privateKey = { file: 'key.pem', algorithm: 'ES256' };
  return [
    { ...place, oauth: { ...oauth, privateKey } },
    { ...place, oauth: { ...oauth, privateKey: { ...privateKey, ...other } } },
  ];
}

function ofEnterprise(other: object): readonly [object, object] {
  const identityProvider = {
    tokenEndpoint: 'https://idp.example/token',
    clientId: 'me',
    idToken: '${env:HOME}',
  };
  const grant = 'enterpriseManaged';
  return [
    { ...place, oauth: { grant, clientId: 'me', identityProvider } },
    {
      ...place,
      oauth: { grant, clientId: 'me', identityProvider: { ...identityProvider, ...other } },
    },
  ];
}

function withKey(other: object): object {
  return { ...place, tls: { cert: 'cert.pem', key: 'key.pem', ...other } };
}

const folders = ['a', 'b'].map((name) => ({ uri: `file:///w/${name}`, name, path: `/w/${name}` }));
const roots: RootsSource = {
  rootsFor: async ({ roots: wanted }) =>
    folders.filter(({ name }) => wanted === 'all' || (wanted !== 'none' && wanted.includes(name))),
  watch: () => ({ dispose: () => {} }),
};

async function review(entry: object, input: object = {}) {
  const machine = machineWith({
    env: { HOME: '/home/u', OTHER: 'x' },
    readFile: async (path) => (path.endsWith('.pem') ? authority : 'A=b'),
    programs: programsAt(['/w/a/server.js']),
  });
  const scope = { kind: 'folder', uri: 'file:///w/a', name: 'a' } as const;
  const options = {
    machine,
    scope,
    folders,
    roots,
    input,
  };
  const { preparation, server, secrets, shown } = preparing(entry, options);
  const { description, problems } = await preparation.review(server);
  assert.deepEqual([problems, shown, [...secrets]], [[], [], []]);
  return description;
}

describe('A review of a launch', () => {
  const entryFields = leaves(entrySchema, '');

  it('SEC-01: knows every field that an entry may have', () => {
    const known = [...Object.keys(differences), ...withoutEffect];
    assert.deepEqual([...new Set(entryFields)].toSorted(), known.toSorted());
    const inputFields = leaves(inputSchema, '');
    const knownInputs = [...Object.keys(inputDifferences), 'id', 'password'];
    assert.deepEqual([...new Set(inputFields)].toSorted(), knownInputs.toSorted());
  });

  for (const [field, [before, after]] of Object.entries(differences)) {
    it(`SEC-01: shows ${field}, and counts for its value alone`, async () => {
      const [one, other] = [await review(before), await review(after)];
      assert.notDeepEqual([one.facts, one.risks], [other.facts, other.risks]);
      assert.notEqual(one.hash, other.hash);
    });
  }

  for (const [field, [before, after]] of Object.entries(inputDifferences)) {
    it(`SEC-01: shows ${field} of an input`, async () => {
      const entry = { ...program, env: { WORD: '${input:word}' } };
      const [one, other] = [await review(entry, before), await review(entry, after)];
      assert.notDeepEqual(one.facts, other.facts);
      assert.notEqual(one.hash, other.hash);
    });
  }
});
