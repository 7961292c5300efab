// What the editor underlines and what the host finds wrong at run time are the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { isObject } from '../../../../src/base/json.ts';
import { hidden } from '../../../../src/base/unseen.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
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

const texts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../../../package.nls.json', import.meta.url), 'utf8'),
);

const goodEntries: readonly unknown[] = [
  { command: 'npx' },
  { command: 'node', args: ['server.js'], pinFiles: true },
  { command: 'npx', type: 'stdio', args: [], env: {}, envFile: '.env', cwd: '~' },
  { command: 'x', args: ['', '-y'], env: { A: 'a', B: 1, C: false, D: null, __x: '' } },
  { url: 'https://x.example/mcp' },
  { url: 'HTTP://h', type: 'http', headers: { Authorization: 'Bearer ${input:t}', 'X-A': '' } },
  { url: '${env:URL}/mcp' },
  { url: 'https://h', oauth: false },
  { url: 'https://h', oauth: {} },
  { url: 'https://h', oauth: { clientId: 'x', clientSecret: '${input:t}', callbackPort: 8000 } },
  { url: 'https://h', oauth: { scopes: ['a'], issuer: 'https://i', provider: 'github' } },
  { url: 'https://h', tls: {} },
  { url: 'https://h', tls: { ca: '~/ca.pem' } },
  { url: 'https://h', tls: { ca: ['${workspaceFolder}/ca.pem', '-----BEGIN CERTIFICATE-----'] } },
  { url: 'wss://h', tls: { cert: 'c.pem', key: 'k.pem', passphrase: '${input:t}' } },
  { url: 'https://localhost', tls: { insecure: true }, proxy: false },
  { url: 'https://h', tls: { insecure: false }, proxy: 'http://p:8080' },
  { url: 'https://h', proxy: 'HTTPS://ann:${input:t}@[::1]:8080/' },
  { url: 'https://h', proxy: 'http://${env:WHO}:${env:PASS}@${env:HOST}:${env:PORT}' },
  { url: 'https://h', proxy: 'http://ann@p:8080' },
  { url: 'https://h', proxy: '${env:HTTPS_PROXY}' },
  { url: 'https://h/sse', type: 'sse' },
  { url: 'ws://h/mcp' },
  { url: 'WSS://h', type: 'websocket', headers: { Authorization: 'Bearer ${input:t}' } },
  { url: 'ws://h', type: 'ws' },
  { url: '${env:URL}', type: 'websocket' },
  { url: '${env:URL}', type: 'sse' },
  { url: 'unix:///run/mcp.sock#/mcp' },
  { url: 'unix:/run/mcp.sock:/mcp', type: 'http' },
  { url: 'http+unix://%2Frun%2Fmcp.sock/mcp', type: 'sse' },
  { url: 'http://unix:/run/mcp.sock:/mcp' },
  { url: 'pipe:///pipe/mcp' },
  { url: 'npipe:////./pipe/mcp' },
  { url: '\\\\.\\pipe\\mcp#/mcp' },
  { command: 'x', enabled: false, startup: 'auto' },
  { command: 'x', startup: 'onDemand', timeouts: {} },
  { command: 'x', startup: 'manual', timeouts: { startSeconds: 0.5, requestSeconds: 3600 } },
  { command: 'x', timeouts: { totalSeconds: 21_600 }, roots: 'all' },
  { command: 'x', timeouts: { pingSeconds: 0 } },
  { command: 'x', sandbox: true },
  { command: 'x', sandbox: false },
  { command: 'x', sandbox: {} },
  { command: 'x', sandbox: { write: ['~', '~/n', '/n', '${workspaceFolder}'], network: true } },
  { command: 'x', limits: {} },
  { url: 'https://h', limits: { messageMegabytes: 0.5, listItems: 1_000_000 } },
  { command: 'x', limits: { logMessagesPerSecond: 1, elicitationsPerMinute: 120 } },
  { command: 'x', limits: { samplingPerMinute: 120 } },
  { command: 'x', roots: 'none', bridge: false },
  { command: 'x', roots: [] },
  { command: 'x', protocol: 'auto' },
  { url: 'https://h', protocol: 'modern' },
  { command: 'x', protocol: '2025-06-18' },
  { command: 'x', roots: ['a', 'b'] },
];
/** Besides those of parseConfig.test.ts, each of which the schema rejects, too. */
const badEntries: readonly unknown[] = [
  [],
  { type: 'stdio' },
  { command: 'x', sandbox: 'bwrap' },
  { command: 'x', sandbox: { write: 'notes' } },
  { command: 'x', sandbox: { write: ['notes'] } },
  { command: 'x', sandbox: { write: ['~other/notes'] } },
  { command: 'x', sandbox: { network: 'no' } },
  { command: 'x', sandbox: { read: [] } },
  { url: 'https://h', sandbox: true },
  { command: 'x', timeouts: { pingSeconds: false } },
  { command: 'x', limits: [] },
  { command: 'x', limits: { messageMegabytes: 0 } },
  { command: 'x', limits: { messageMegabytes: 257 } },
  { command: 'x', limits: { memoryMegabytes: 2_049 } },
  { command: 'x', limits: { listItems: 1.5 } },
  { command: 'x', limits: { listItems: '5' } },
  { command: 'x', limits: { elicitationsPerMinute: 121 } },
  { command: 'x', limits: { perMinute: 1 } },
  { command: 'x', protocol: true },
  { url: 'https://h', tls: true },
  { url: 'https://h', tls: { ca: '' } },
  { url: 'https://h', tls: { ca: [] } },
  { url: 'https://h', tls: { ca: [1] } },
  { url: 'https://h', tls: { ca: { file: 'x' } } },
  { url: 'https://h', tls: { cert: 'c.pem' } },
  { url: 'https://h', tls: { key: 'k.pem' } },
  { url: 'https://h', tls: { cert: 'c', key: '-----BEGIN PRIVATE KEY-----' } },
  { url: 'https://h', tls: { cert: 'c', key: 'k', passphrase: 'plain' } },
  { url: 'https://h', tls: { insecure: 'yes' } },
  { url: 'https://h', tls: { rejectUnauthorized: false } },
  { url: 'https://h', proxy: true },
  { url: 'https://h', proxy: '' },
  { url: 'https://h', proxy: 'none' },
  { url: 'https://h', proxy: 'p:8080' },
  { url: 'https://h', proxy: 'socks5://p:1080' },
  { url: 'https://h', proxy: 'http://p:8080/path' },
  { url: 'https://h', proxy: 'http://ann:plain@p:8080' },
  { command: 'x', proxy: 'http://p:8080' },
  { command: 'x', tls: {} },
  { url: 'https://h', oauth: true },
  { url: 'https://h', oauth: { clientId: 'x', clientSecret: 'plain' } },
  { url: 'https://h', oauth: { callbackPort: 0 } },
  { url: 'https://h', oauth: { clientMetadataUrl: 'http://h/x.json' } },
  { url: 'https://h', oauth: { privateKey: {} } },
  { command: ' \t' },
  { command: null },
  { command: ['x'] },
  { command: 'x', bridge: 'no' },
  { command: 'x', type: 'sse' },
  { command: 'x', env: { A: [] } },
  { command: 'x', env: { '': 'c' } },
  { command: 'x', envFile: 1 },
  { command: 'x', cwd: {} },
  { command: 'x', headers: {} },
  { command: 'x', agrs: [] },
  { url: 'http://h', args: [] },
  { url: 'http://h', env: {} },
  { url: 'http://h', cwd: '.' },
  { url: 'http://h', envFile: 'x' },
  { url: 'ws://h', type: 'sse' },
  { url: 'unix:///run/mcp.sock', type: 'ws' },
  { url: '${env:URL}', type: 'stdio' },
  { url: 'ws://' },
  { url: 'wss://h x' },
  { url: 'unix:relative.sock' },
  { url: 'h' },
  { url: 'http://' },
  { url: 'http://h /x' },
  { url: 'http://h', headers: 'x' },
  { url: 'http://h', headers: { '': 'c' } },
  { url: 'http://h', headers: { A: 1 } },
  { command: 'x', enabled: null },
  { command: 'x', timeouts: { startSeconds: -1 } },
  { command: 'x', timeouts: { seconds: 1 } },
  { command: 'x', roots: true },
];
const goodNames = [
  'a',
  'Wetter & Züge',
  'io.github/x',
  '天気',
  '👩\u200d💻',
  '❤\ufe0f\u200d🔥 1\ufe0f\u20e3',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u0915\u094d\u200d\u0937',
  '葛\u{e0100}',
  'x'.repeat(100),
  '𝒳'.repeat(100),
  '__proto__',
];
const badNames = [
  '',
  ' ',
  ' a',
  'a ',
  'a\n',
  'a\tb',
  '\u0000',
  'a\u202eb',
  '\u200b',
  'a\u2028',
  'git\u3164',
  'git\u2800',
  'git\u115f',
  'git\ufe0f',
  'g\u034fit',
  'gi\u200ct',
  'gi\u200dt',
  'git\u{e0041}\u{e0042}',
  '\u{1f3f4}\u{e0067}\u{e0062}',
  '1\ufe0f',
  'x'.repeat(101),
];
const goodInputs: readonly unknown[] = [
  { id: 'a', type: 'promptString' },
  { id: 'a.B-1_', type: 'promptString', description: '', password: true },
  { id: 'a', type: 'promptString', password: false, default: 'x' },
  { id: 'a', type: 'pickString', options: ['x'], default: 'x', description: 'd' },
];
const badInputs: readonly unknown[] = [
  'a',
  {},
  { id: 'a' },
  { type: 'promptString' },
  { id: '', type: 'promptString' },
  { id: 'a b', type: 'promptString' },
  { id: 1, type: 'promptString' },
  { id: 'a', type: 'command' },
  { id: 'a', type: 'promptString', options: ['x'] },
  { id: 'a', type: 'promptString', password: 1 },
  { id: 'a', type: 'promptString', password: true, default: 'x' },
  { id: 'a', type: 'promptString', default: 1 },
  { id: 'a', type: 'promptString', description: null },
  { id: 'a', type: 'promptString', label: 'x' },
  { id: 'a', type: 'pickString' },
  { id: 'a', type: 'pickString', options: [] },
  { id: 'a', type: 'pickString', options: 'x' },
  { id: 'a', type: 'pickString', options: [{ label: 'x' }] },
  { id: 'a', type: 'pickString', options: ['x'], password: true },
];

function hasProblems(settings: { readonly servers?: unknown; readonly inputs?: unknown }): boolean {
  const scope = { kind: 'user' } as const;
  return (
    parseConfig([{ scope, servers: settings.servers, inputs: settings.inputs }]).problems.length > 0
  );
}

function named(name: unknown): { readonly servers: unknown } {
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
  toSettings: (sample: unknown) => { readonly servers?: unknown; readonly inputs?: unknown },
): void {
  for (const sample of samples) {
    it(`${isGood ? 'accepts' : 'rejects'} ${encodeURI(JSON.stringify(sample).toWellFormed()).replaceAll('%22', '"').slice(0, 150)}`, () => {
      const settings = toSettings(sample);
      assert.equal(validate(settings.servers ?? settings.inputs), isGood, 'the schema');
      assert.equal(!hasProblems(settings), isGood, 'the parser');
    });
  }
}

describe('settings: schema and parser agree', () => {
  describe('on servers', () => {
    agree(goodEntries, true, servers, (entry) => ({ servers: { srv: entry } }));
    agree(badEntries, false, servers, (entry) => ({ servers: { srv: entry } }));
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
    agree(goodInputs, true, inputs, (input) => ({ inputs: [input] }));
    agree(badInputs, false, inputs, (input) => ({ inputs: [input] }));
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

  it('has a text for every placeholder, and a placeholder for every text', () => {
    const used = new Set(
      Array.from(text.matchAll(/"%(config\.[^%"]+)%"/gu), (match) => match[1] ?? ''),
    );
    const known = Object.keys(texts).filter((key) => key.startsWith('config.'));
    assert.deepEqual([...used].toSorted(), known.toSorted());
  });

  it('is read per folder, and not at all from a workspace that is not trusted', () => {
    const scopes: Readonly<Record<string, string>> = {
      'mcpHost.servers': 'resource',
      'mcpHost.inputs': 'resource',
      'mcpHost.toolPresets': 'window',
      'mcpHost.apps.enabled': 'window',
      'mcpHost.skills.enabled': 'window',
    };
    assert.deepEqual(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations,
      Object.keys(scopes),
    );
    for (const [name, property] of Object.entries(properties)) {
      assert.equal(property['scope'], scopes[name] ?? 'application', name);
    }
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
