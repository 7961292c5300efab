import assert from 'node:assert/strict';
import { forbiddingSetting, identityOf } from '../../../../src/host/config/managedAccess.ts';
import type { ManagedAccess } from '../../../../src/host/config/serverConfig.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

const open: ManagedAccess = {
  access: 'all',
  allowedServers: null,
  deniedServers: null,
  allowManagedServersOnly: false,
};
const files = { name: 'files', command: ['npx', '-y', 'files'] };
const notes = { name: 'notes', url: 'https://user@Notes.Example:443/mcp?a=1#x' };

const denied = 'chat.mcp.deniedServers';

function forbidding(access: Partial<ManagedAccess>, identity: typeof files | typeof notes) {
  return forbiddingSetting({ ...open, ...access }, identity);
}

/** Of an entry of the settings. */
function forbiddingUrl(access: Partial<ManagedAccess>, url: string) {
  const scope = { kind: 'user' } as const;
  const { servers } = parseConfig([{ scope, servers: { a: { url } }, inputs: undefined }], {
    allowsInsecureTls: false,
    access: { ...open, ...access },
  });
  return servers[0]?.forbiddenBy;
}

describe('What an organization allows', () => {
  it('HOST-05: is everything where nothing is set, and nothing by chat.mcp.access', () => {
    assert.equal(forbidding({}, files), undefined);
    assert.equal(forbidding({ access: undefined, allowedServers: undefined }, files), undefined);
    for (const access of ['none', 'registry']) {
      assert.equal(forbidding({ access }, files), 'chat.mcp.access');
    }
    const setting = 'chat.mcp.allowManagedServersOnly';
    assert.equal(forbidding({ allowManagedServersOnly: true }, files), setting);
  });

  const fitting = [
    { serverName: 'notes' },
    { serverUrl: 'https://notes.example/mcp?a=1' },
    { serverUrl: 'https://notes.example/*' },
    { serverUrl: 'HTTPS://*.example/mcp*' },
    { serverUrl: '*' },
  ];
  const others = [
    { serverName: 'Notes' },
    { serverUrl: 'https://notes.example/mcp' },
    { serverUrl: 'https://notes.example' },
    { serverUrl: 'https://notes.example.evil/*' },
    { serverUrl: 'https://other.example/*?a=1' },
    { serverCommand: ['npx', '-y', 'files'] },
    { serverName: 'notes', serverUrl: 'https://notes.example/*' },
    'notes',
  ];
  for (const rule of fitting) {
    it(`HOST-05: ${JSON.stringify(rule)} is about the server`, () => {
      assert.equal(forbidding({ deniedServers: [rule] }, notes), 'chat.mcp.deniedServers');
      assert.equal(forbidding({ allowedServers: [...others, rule] }, notes), undefined);
      const both = { deniedServers: [rule], allowedServers: [rule] };
      assert.equal(forbidding(both, notes), 'chat.mcp.deniedServers');
    });
  }
  for (const rule of others) {
    it(`HOST-05: ${JSON.stringify(rule)} is not`, () => {
      assert.equal(forbidding({ deniedServers: [rule] }, notes), undefined);
      assert.equal(forbidding({ allowedServers: [rule] }, notes), 'chat.mcp.allowedServers');
    });
  }

  const spellings: readonly (readonly [rule: string, url: string])[] = [
    ['https://evil.example/*', 'https://evil.example./mcp'],
    ['https://evil.example/*', 'https://evil.example../mcp'],
    ['https://evil.example/*', 'https://evil.example.:443/mcp'],
    ['https://evil.example/*', 'https://evil。example/mcp'],
    ['https://evil.example/*', 'HTTPS://EVIL.example\\mcp'],
    ['https://evil.example/*', 'https://a:b@evil.example/mcp*'],
    ['https://evil.example/*', 'https://evil.example:443/*'],
    ['https://evil.example/MCP', 'https://evil.example/mcp'],
    ['https://evil.example/mcp', 'https://evil.example/x/../mcp'],
    ['https://evil.example/mcp*', 'https://evil.example/x/%2e%2e/mcp'],
    ['https://evil.example./*', 'https://evil.example/mcp'],
    ['https://evil.example.:443/*', 'https://evil.example/mcp'],
    ['https://a@Evil.example:443/x/../mcp', 'https://evil.example/mcp'],
    ['https://bücher.example/*', 'https://bücher.example/mcp'],
    ['*://a@evil.example.:*/*', 'https://evil.example:8443/mcp'],
    ['https://*', 'https://evil.example/mcp'],
    ['https://evil.*', 'https://evil.example/mcp'],
    ['unix:///run/x.sock', 'unix:///run/x.sock#/mcp'],
    ['unix:///run/x.sock', 'http+unix://%2Frun%2Fx.sock/mcp'],
    ['unix:///run/*', 'http://unix:/run/x.sock:/mcp'],
    ['pipe:///pipe/*', '\\\\.\\pipe\\x'],
  ];
  for (const [serverUrl, url] of spellings) {
    it(`HOST-05: ${serverUrl} is about ${url}`, () => {
      assert.equal(forbiddingUrl({ deniedServers: [{ serverUrl }] }, url), denied);
    });
  }

  for (const [serverUrl, url] of [
    ['https://*.good.example/*', 'https://evil.example/.good.example/'],
    ['https://*.good.example/*', 'https://evil.example?.good.example/'],
    ['https://good.example/*', 'https://good.example@evil.example/'],
    ['https://good.example', 'https://good.example.evil/'],
    ['https://good.example/ok/*', 'https://good.example/evil'],
    ['http://localhost/*', 'unix:///run/x.sock#/mcp'],
  ] as const) {
    it(`HOST-05: ${serverUrl} is not about ${url}`, () => {
      const setting = forbiddingUrl({ allowedServers: [{ serverUrl }] }, url);
      assert.equal(setting, 'chat.mcp.allowedServers');
    });
  }

  it('HOST-05: takes a moment, whatever a URL is made of', () => {
    const rules = ['https://a.example/*', '*.b.example/*x*y'].map((serverUrl) => ({ serverUrl }));
    const ms = cpuMsOf(() => {
      for (const part of ['.', '*', '@', ':', '//', '#', '\\', 'a.', '%2e/']) {
        const url = `https://a${part.repeat((60 * 1024) / part.length)}`;
        forbiddingUrl({ deniedServers: rules, allowedServers: rules }, url);
      }
    });
    assert.ok(ms < 160, `${ms} ms`);
  });

  it('HOST-05: knows a server whose values look like variables', () => {
    const deniedServers = [{ serverUrl: 'https://evil.example/*' }];
    const identity = identityOf('a', { url: 'https://evil.example/?a=${b}' });
    assert.equal(forbiddingSetting({ ...open, deniedServers }, identity), denied);
  });

  it('HOST-05: takes a command line whole', () => {
    const deniedServers = [{ serverCommand: ['npx', '-y', 'files'] }];
    assert.equal(forbidding({ deniedServers }, files), 'chat.mcp.deniedServers');
    const longer = { ...files, command: [...files.command, '--all'] };
    assert.equal(forbidding({ deniedServers }, longer), undefined);
    assert.equal(forbidding({ deniedServers }, { ...files, command: ['npx'] }), undefined);
    for (const allowedServers of [[], [{ serverUrl: '*' }]]) {
      assert.equal(forbidding({ allowedServers }, files), 'chat.mcp.allowedServers');
    }
  });

  it('HOST-05: leaves open what variables decide, until they are replaced', () => {
    const allowedServers = [{ serverUrl: 'https://good.example/*' }];
    assert.equal(forbiddingUrl({ allowedServers }, 'https://${env:HOST}/'), undefined);
    const run = identityOf('a', { url: 'https://bad.example/' });
    assert.equal(forbiddingSetting({ ...open, allowedServers }, run), 'chat.mcp.allowedServers');
  });

  it('HOST-05: marks the entries that it forbids', () => {
    const access = { ...open, deniedServers: [{ serverUrl: 'https://evil.example/*' }] };
    const servers = { good: { command: 'x' }, bad: { url: 'https://evil.example/mcp' } };
    const scopes = [{ scope: { kind: 'user' } as const, servers, inputs: undefined }];
    const config = parseConfig(scopes, { allowsInsecureTls: false, access });
    assert.deepEqual(
      config.servers.map(({ name, forbiddenBy }) => [name, forbiddenBy]),
      [
        ['good', undefined],
        ['bad', 'chat.mcp.deniedServers'],
      ],
    );
  });
});
