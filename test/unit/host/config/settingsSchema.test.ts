// What the editor underlines and what the host finds wrong at run time are the same.
import assert from 'node:assert/strict';
import type { ValidateFunction } from 'ajv';
import { isObject } from '../../../../src/base/json.ts';
import { hidden } from '../../../../src/base/unseen.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import type { HostConfig } from '../../../../src/host/config/serverConfig.ts';
import { maxPerMinute } from '../../../../src/host/elicitation/elicitation.ts';
import { samplingLimits } from '../../../../src/host/sampling/samplingBudget.ts';
import { livenessRules } from '../../../../src/host/servers/liveness.ts';
import { memoryBudgets } from '../../../../src/host/servers/serverMemory.ts';
import { listLimits } from '../../../../src/mcp/client/listing.ts';
import { defaultMaxBytes } from '../../../../src/mcp/transport/limits.ts';
import {
  inputsSchema as inputs,
  manifest,
  manifestText as text,
  properties,
  serversSchema as servers,
} from '../../../support/settingsSchema.ts';
import { defaultTimeouts } from '../../../../src/host/config/parseLimits.ts';

interface Settings {
  readonly servers?: unknown;
  readonly inputs?: unknown;
}

/** Two entries that have every field. */
const program = {
  type: 'stdio',
  command: 'npx',
  args: ['a'],
  env: { A: 'a', __x: '' },
  envFile: '.env',
  cwd: '~',
  sandbox: { write: ['~/n'], network: true },
  pinFiles: true,
  dev: { watch: ['a'], debug: { type: 'debugpy', debugpyPath: 'd' } },
  enabled: true,
  startup: 'auto',
  timeouts: { startSeconds: 1, requestSeconds: 3600, totalSeconds: 21_600, pingSeconds: 0 },
  limits: {
    messageMegabytes: 256,
    memoryMegabytes: 2_048,
    listItems: 1_000_000,
    logMessagesPerSecond: 1,
    elicitationsPerMinute: 120,
    samplingPerMinute: 120,
  },
  roots: ['a'],
  protocol: 'auto',
  elicitation: true,
  sampling: true,
  apps: true,
  bridge: true,
};
const place = {
  type: 'http',
  url: 'https://h',
  headers: { A: 'b' },
  oauth: {
    grant: 'authorizationCode',
    clientId: 'a',
    clientSecret: '${input:t}',
    clientMetadataUrl: 'https://h/a',
    callbackPort: 8000,
    scopes: ['a'],
    issuer: 'https://i',
    provider: 'github',
    dpop: true,
    privateKey: { file: 'f', algorithm: 'ES256', keyId: 'k' },
    identityProvider: {
      tokenEndpoint: 'https://t',
      clientId: 'c',
      clientSecret: '${input:t}',
      idToken: '${env:I}',
    },
    assertion: '${input:t}',
    assertionFile: 'f',
  },
  tls: { ca: ['c'], cert: 'c', key: 'k', passphrase: '${env:P}', insecure: false },
  proxy: 'http://p:1',
};

/** What is put in the place of each value of an entry. */
const ofTypes: readonly (readonly unknown[])[] = [
  [null, true, false, 0, 1, 0.5, 257, 70_000, 1e9, -1, '', ' \t', 'x', 'a b', 'plain\r\ntext'],
  ['~', '~/n', '~other/n', '/n', 'http://h', 'wss://h', '${input:t}', '${env:A}/x'],
  ['all', 'none', 'legacy', 'sse', 'ws', 'manual', '2025-06-18', 'workloadIdentity', 'node'],
  [[], [''], ['~/n'], ['${workspaceFolder}'], [1], {}, { x: 'y' }, { '': 'y' }, { 'A B': 'y' }],
];
const values = ofTypes.flat();

/** The value with one change each: another value in a place, or none, or one more. */
function* variantsOf(value: unknown): Generator {
  if (Array.isArray(value)) {
    yield* values.map((other) => [...value, other]);
  } else if (isObject(value)) {
    yield { ...value, other: 1 };
    for (const name of Object.keys(value)) {
      const { [name]: inner, ...others } = value;
      yield others;
      for (const other of [...values, ...variantsOf(inner)]) {
        yield { ...others, [name]: other };
      }
    }
  }
}

const url = 'https://h';
const goodEntries: readonly object[] = [
  ...['HTTP://h', '${env:URL}/mcp', 'WSS://h', 'unix:///x.sock#/mcp', 'unix:/x.sock:/mcp'].map(at),
  ...['http+unix://%2Fx.sock/mcp', 'http://unix:/x.sock:/mcp', 'pipe:///pipe/mcp'].map(at),
  ...['npipe:////./pipe/mcp', '\\\\.\\pipe\\mcp#/mcp'].map(at),
  ...['HTTPS://ann:${input:t}@[::1]:8080/', 'http://ann@p:80', '${env:HTTPS_PROXY}'].map(through),
  ...['http://${env:WHO}:${env:PASS}@${env:HOST}:${env:PORT}'].map(through),
  { url, tls: { ca: '-----BEGIN CERTIFICATE-----' } },
  { url: 'https://localhost', tls: { insecure: true }, proxy: false },
  { url: '${env:URL}', type: 'websocket' },
  { url: 'ws://h', type: 'ws' },
];
const badEntries: readonly object[] = [
  ...['ws://', 'wss://h x', 'unix:relative.sock', 'h', 'http://', 'http://h /x'].map(at),
  ...['none', 'p:80', 'socks5://p:1', 'http://p:1/path', 'http://ann:plain@p:1'].map(through),
  [],
  { type: 'stdio' },
  { url, tls: { cert: 'c', key: '-----BEGIN PRIVATE KEY-----' } },
  { url, oauth: { clientMetadataUrl: 'http://h/x.json' } },
  { url: 'ws://h', type: 'sse' },
  { url: 'unix:///run/mcp.sock', type: 'ws' },
  { url: '${env:URL}', type: 'stdio' },
];

function at(address: string): object {
  return { url: address };
}

function through(proxy: string): object {
  return { url, proxy };
}

const goodNames = [
  ['a', 'Wetter & Züge', 'io.github/x', '天気', '👩\u200d💻', '𝒳'.repeat(100), '__proto__'],
  ['❤\ufe0f\u200d🔥 1\ufe0f\u20e3', '\u0645\u06cc\u200c\u062e\u0648', '\u0915\u094d\u200d\u0937'],
  ['\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', '葛\u{e0100}'],
].flat();
const badNames = [
  ['', ' ', ' a', 'a ', 'a\n', 'a\tb', '\u0000', 'a\u202eb', '\u200b', 'a\u2028', 'x'.repeat(101)],
  ['git\u3164', 'git\u2800', 'git\u115f', 'git\ufe0f', 'g\u034fit', 'gi\u200ct', 'gi\u200dt'],
  ['git\u{e0041}\u{e0042}', '\u{1f3f4}\u{e0067}\u{e0062}', '1\ufe0f'],
].flat();
/** Of both types, with every field. */
const prompt = {
  id: 'a.B-1_',
  type: 'promptString',
  description: '',
  password: false,
  default: 'x',
};
const pick = { id: 'a', type: 'pickString', options: ['x'], default: 'x', description: 'd' };

function parsed({ servers: entries, inputs: list }: Settings): HostConfig {
  return parseConfig([{ scope: { kind: 'user' }, servers: entries, inputs: list }]);
}

function named(name: unknown): Settings {
  return { servers: Object.fromEntries([[String(name), { command: 'x' }]]) };
}

/** The default of a time limit in the schema, in milliseconds. */
function byDefault(name: string): number {
  const match = new RegExp(`"${name}": \\{[^}]*"default": (\\d+)`, 'u').exec(text);
  return Number(match?.[1]) * 1000;
}

function agree(
  samples: readonly unknown[],
  isGood: boolean,
  validate: ValidateFunction,
  toSettings: (sample: unknown) => Settings,
): void {
  for (const sample of samples) {
    it(`${isGood ? 'accepts' : 'rejects'} ${encodeURI(JSON.stringify(sample).toWellFormed()).replaceAll('%22', '"').slice(0, 150)}`, () => {
      const settings = toSettings(sample);
      assert.equal(validate(settings.servers ?? settings.inputs), isGood, 'the schema');
      assert.equal(parsed(settings).problems.length === 0, isGood, 'the parser');
    });
  }
}

describe('settings: schema and parser agree', () => {
  describe('on servers', () => {
    agree(goodEntries, true, servers, (entry) => ({ servers: { srv: entry } }));
    agree(badEntries, false, servers, (entry) => ({ servers: { srv: entry } }));
    it('agrees on every value in the place of another', () => {
      const disagreed = new Set<string | undefined>();
      const mixed = Object.entries({ ...program, ...place }).flatMap(([name, value]) =>
        [{ command: 'x' }, { url }].map((entry) => ({ ...entry, [name]: value })),
      );
      for (const entry of [...variantsOf(program), ...variantsOf(place), ...mixed]) {
        const { problems } = parsed({ servers: { srv: entry } });
        if (servers({ srv: entry }) !== (problems.length === 0)) {
          disagreed.add(problems[0]?.field);
        }
      }
      // What a schema cannot say, the parser does.
      assert.deepEqual(disagreed, new Set(['dev.debug.debugpyPath', 'proxy']));
    });
    agree([{}], true, servers, (value) => ({ servers: value }));
    agree([[], 'x', 5], false, servers, (value) => ({ servers: value }));
  });
  describe('on names', () => {
    agree(goodNames, true, servers, named);
    agree(badNames, false, servers, named);
    it('has the rule of the host for what nobody sees', () => {
      assert.ok(text.includes(JSON.stringify(`^(?!\\s)(?=.*\\S$)(?:(?!${hidden.source})[^])+$`)));
    });
  });
  describe('on inputs', () => {
    it('agrees on every value in the place of another', () => {
      const disagreed = new Set<string | undefined>();
      for (const input of [prompt, pick].flatMap((one) => [one, ...variantsOf(one)])) {
        const { problems } = parsed({ inputs: [input] });
        if (inputs([input]) !== (problems.length === 0)) {
          disagreed.add(problems[0]?.field);
        }
      }
      assert.deepEqual([...disagreed], ['default']);
    });
    agree([{}, 'x'], false, inputs, (value) => ({ inputs: value }));
  });

  it('offers the defaults that the parser takes', () => {
    assert.deepEqual(
      {
        startMs: byDefault('startSeconds'),
        requestMs: byDefault('requestSeconds'),
        totalMs: byDefault('totalSeconds'),
      },
      defaultTimeouts,
    );
    assert.equal(byDefault('pingSeconds'), livenessRules.pingEveryMs);
    assert.deepEqual(
      {
        messageMegabytes: byDefault('messageMegabytes') * 1024 * 1024,
        memoryMegabytes: byDefault('memoryMegabytes') * 1024 * 1024,
        listItems: byDefault('listItems'),
        elicitationsPerMinute: byDefault('elicitationsPerMinute'),
        samplingPerMinute: byDefault('samplingPerMinute'),
      },
      {
        messageMegabytes: defaultMaxBytes * 1000,
        memoryMegabytes: memoryBudgets.serverBytes * 1000,
        listItems: listLimits.items * 1000,
        elicitationsPerMinute: maxPerMinute * 1000,
        samplingPerMinute: samplingLimits.perMinute * 1000,
      },
    );
  });

  it('is read per folder, and not at all from a workspace that is not trusted', () => {
    const scopes: Readonly<Record<string, string>> = {
      'mcpHost.servers': 'resource',
      'mcpHost.inputs': 'resource',
      'mcpHost.rules': 'window',
      'mcpHost.toolPresets': 'window',
      'mcpHost.apps.enabled': 'window',
      'mcpHost.skills.enabled': 'window',
    };
    assert.deepEqual(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations,
      Object.keys(scopes),
    );
    // All others grant something. The editor never reads the scope `application` from a remote machine.
    const found = Object.entries(properties).map(([name, property]) => [name, property['scope']]);
    assert.deepEqual(
      Object.fromEntries(found.filter(([, scope]) => scope !== 'application')),
      scopes,
    );
  });

  it('proposes only what it accepts', () => {
    const bodies = snippetsIn(properties['mcpHost.servers'])
      .filter(isObject)
      .filter((body) => 'command' in body || 'url' in body);
    assert.ok(bodies.length >= 3);
    for (const body of bodies) {
      const filledIn: unknown = JSON.parse(
        JSON.stringify(body)
          .replaceAll(/"\^\\"|\\""/gu, '"')
          .replaceAll(/(?<!\\)\$\{\d+:([^{}]*)\}/gu, '$1'),
      );
      assert.equal(servers({ srv: filledIn }), true, JSON.stringify(filledIn));
    }
  });
});

function snippetsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap(snippetsIn);
  }
  if (!isObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'defaultSnippets' && Array.isArray(member)
      ? member.flatMap((snippet: unknown) => (isObject(snippet) ? [snippet['body']] : []))
      : snippetsIn(member),
  );
}
