import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { forbiddingSetting, identityOf } from '../../../../src/host/config/managedAccess.ts';
import type { ManagedAccess } from '../../../../src/host/config/serverConfig.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';

const open: ManagedAccess = {
  access: 'all',
  allowedServers: null,
  deniedServers: null,
  allowManagedServersOnly: false,
};
const files = { name: 'files', command: ['npx', '-y', 'files'] };
const notes = { name: 'notes', url: 'https://user@Notes.Example:443/mcp?a=1#x' };

function forbidding(
  access: Partial<ManagedAccess>,
  identity: typeof files | typeof notes,
  isResolved = true,
) {
  return forbiddingSetting({ ...open, ...access }, identity, isResolved);
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

  it('HOST-05: takes a command line whole', () => {
    const deniedServers = [{ serverCommand: ['npx', '-y', 'files'] }];
    assert.equal(forbidding({ deniedServers }, files), 'chat.mcp.deniedServers');
    const longer = { ...files, command: [...files.command, '--all'] };
    assert.equal(forbidding({ deniedServers }, longer), undefined);
    assert.equal(forbidding({ allowedServers: [] }, files), 'chat.mcp.allowedServers');
  });

  it('HOST-05: leaves open what variables decide, until they are replaced', () => {
    const entry = identityOf('a', { command: 'npx', args: ['${env:PACKAGE}'] });
    const access = { ...open, allowedServers: [{ serverCommand: ['npx', 'good'] }] };
    assert.equal(forbiddingSetting(access, entry, false), undefined);
    const run = identityOf('a', { command: 'npx', args: ['bad'] });
    assert.equal(forbiddingSetting(access, run, true), 'chat.mcp.allowedServers');
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
