// Every field of an entry that changes what runs, or what goes where, is shown before it does. The settings' schema says
// which fields there are, so that a new one fails here until somebody says which of the two kinds it is of.
import assert from 'node:assert/strict';
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
const boxed = { ...program, sandbox: {} };
const python = { command: 'python', dev: { debug: { type: 'debugpy' } } };
const place = { url: 'https://h.example/mcp' };
const own = { ...place, oauth: { clientId: 'me', clientSecret: '${env:OTHER}' } };
const client = { ...place, oauth: { ...own.oauth, grant: 'clientCredentials' } };
const open = { ...place, oauth: {} };
const signed = {
  ...place,
  oauth: { ...client.oauth, privateKey: { file: 'key.pem', algorithm: 'ES256' } },
};
const idToken = '${env:HOME}';
const identityProvider = { tokenEndpoint: 'https://idp.example/token', clientId: 'me', idToken };
const enterprise = {
  ...place,
  oauth: { grant: 'enterpriseManaged', clientId: 'me', identityProvider },
};
const assertion = '${env:HOME}';
const workload = { ...place, oauth: { grant: 'workloadIdentity', assertion } };
const certified = { ...place, tls: { cert: 'cert.pem', key: 'key.pem' } };

/** For each field an entry, and another value of that field. */
const differences: Readonly<Record<string, readonly [entry: object, other: unknown]>> = {
  type: [place, 'sse'],
  command: [program, 'deno'],
  'args[]': [program, ['server.js', '--all']],
  'env.*': [program, { A: 'b' }],
  envFile: [program, 'server.env'],
  cwd: [program, 'sub'],
  sandbox: [program, true],
  'sandbox.write[]': [boxed, ['${workspaceFolder}/notes']],
  'sandbox.network': [boxed, true],
  pinFiles: [program, true],
  'dev.debug.type': [program, 'node'],
  'dev.debug.debugpyPath': [python, '/tmp/other'],
  url: [place, 'https://other.example/mcp'],
  'headers.*': [place, { 'X-A': 'b' }],
  oauth: [place, false],
  'oauth.grant': [own, 'clientCredentials'],
  'oauth.clientId': [client, 'you'],
  'oauth.clientSecret': [client, '${input:word}'],
  'oauth.clientMetadataUrl': [open, 'https://c.example/client.json'],
  'oauth.callbackPort': [own, 8000],
  'oauth.scopes[]': [client, ['all']],
  'oauth.issuer': [client, 'https://i.example'],
  'oauth.provider': [open, 'github'],
  'oauth.dpop': [client, true],
  'oauth.privateKey.file': [signed, 'other.pem'],
  'oauth.privateKey.algorithm': [signed, 'RS256'],
  'oauth.privateKey.keyId': [signed, 'k1'],
  'oauth.identityProvider.tokenEndpoint': [enterprise, 'https://o.example/token'],
  'oauth.identityProvider.clientId': [enterprise, 'you'],
  'oauth.identityProvider.clientSecret': [enterprise, '${input:word}'],
  'oauth.identityProvider.idToken': [enterprise, '${env:OTHER}'],
  'oauth.assertion': [workload, '${env:OTHER}'],
  'oauth.assertionFile': [workload, '/run/b'],
  'tls.ca': [{ ...place, tls: {} }, authority],
  'tls.ca[]': [{ ...place, tls: {} }, [authority, 'ca.pem']],
  'tls.cert': [certified, 'other.pem'],
  'tls.key': [certified, 'other.pem'],
  'tls.passphrase': [certified, '${input:word}'],
  'tls.insecure': [{ url: 'https://localhost/mcp', tls: {} }, true],
  proxy: [place, 'http://proxy.example:8080'],
  'roots[]': [program, ['b']],
  roots: [program, 'none'],
};

/** The entry with another value at a path. */
function withField(entry: object, path: string, value: unknown): object {
  const [name = '', ...rest] = path.replace(/(?:\[\]|\.\*)$/u, '').split('.');
  const before: unknown = Reflect.get(entry, name);
  return {
    ...entry,
    [name]:
      rest.length === 0 ? value : withField(isObject(before) ? before : {}, rest.join('.'), value),
  };
}

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
  'skills',
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

const folders = ['a', 'b'].map((name) => ({ uri: `file:///w/${name}`, name, path: `/w/${name}` }));

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

  for (const [field, [entry, value]] of Object.entries(differences)) {
    it(`SEC-01: shows ${field}, and counts for its value alone`, async () => {
      const [one, other] = [await review(entry), await review(withField(entry, field, value))];
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
