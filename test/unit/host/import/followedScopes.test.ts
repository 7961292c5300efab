import assert from 'node:assert/strict';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import type { RawScope } from '../../../../src/host/config/serverConfig.ts';
import { StartConsent } from '../../../../src/host/launch/startConsent.ts';
import { followedScopes, withEarlierServers } from '../../../../src/host/import/followedScopes.ts';
import type { ImportFormat } from '../../../../src/host/import/locations.ts';
import { parseImport } from '../../../../src/host/import/parseImport.ts';

const around = { platform: 'linux', env: {}, folder: '/work/shop' };
const folder = { uri: 'file:///work/shop', name: 'shop', path: '/work/shop' };

function followed(path: string, value: object | string, format: ImportFormat = 'cursor') {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { program: 'Cursor', path, ...parseImport(format, path, text, around) };
}

describe('Followed files', () => {
  it('are scopes of their own, whose servers come after those of the settings', () => {
    const { scopes, problems } = followedScopes(
      [
        {
          ...followed('/work/shop/.cursor/mcp.json', {
            mcpServers: { a: { command: 'x' }, b: { command: 'y', args: ['${workspaceFolder}'] } },
          }),
          folder: folder.path,
        },
        followed('/home/ada/.cursor/mcp.json', {
          mcpServers: { b: { url: 'https://b.example' } },
        }),
      ],
      [folder],
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      scopes.map(({ scope }) => scope.kind === 'followed' && scope.folder?.uri),
      [folder.uri, undefined],
    );
    const own: RawScope = {
      scope: { kind: 'user' },
      servers: { a: { command: 'z' } },
      inputs: undefined,
    };
    const { servers } = parseConfig([own, ...scopes]);
    assert.deepEqual(
      servers.map(({ id, hiddenBy }) => [id, hiddenBy?.kind]),
      [
        ['user/a', undefined],
        ['followed:/work/shop/.cursor/mcp.json/a', 'user'],
        ['followed:/work/shop/.cursor/mcp.json/b', undefined],
        ['followed:/home/ada/.cursor/mcp.json/b', undefined],
      ],
    );
  });

  it('say what is left out of a server that can be used', () => {
    const file = followed('/x.json', {
      mcpServers: { a: { command: 'x', autoApprove: ['now'] }, b: { args: [] } },
    });
    assert.deepEqual(followedScopes([file], []).notes, [
      '/x.json: a: autoApprove: is left out: each tool asks before its first call',
    ]);
  });

  it('need a consent wherever they are', () => {
    const file = followed('/home/ada/.cursor/mcp.json', {
      mcpServers: { a: { command: 'x' } },
    });
    const { servers } = parseConfig(followedScopes([file], []).scopes);
    const [server] = servers;
    assert.ok(server);
    const prompt = { confirmStart: async () => false };
    const memory = { get: () => undefined, set: async () => undefined };
    assert.equal(new StartConsent({ isTrusted: true }, prompt, memory).isAlwaysAsked(server), true);
  });

  it('have the servers of the open projects alone, which replace those of everywhere', () => {
    const file = followed(
      '/home/ada/.claude.json',
      {
        mcpServers: { a: { command: 'everywhere' }, b: { command: 'b' } },
        projects: {
          '/work/shop': { mcpServers: { a: { command: 'here' } } },
          '/work/other': { mcpServers: { c: { command: 'elsewhere' } } },
        },
      },
      'claudeCode',
    );
    const [scope] = followedScopes([file], [folder]).scopes;
    assert.deepEqual(scope?.servers, { a: { command: 'here' }, b: { command: 'b' } });
  });

  it('have those of a project on Windows, however its path is written', () => {
    const servers = { a: { command: 'here' } };
    const projects = { 'C:/Work/Shop': { mcpServers: servers } };
    const file = followed('C:\\Users\\ada\\.claude.json', { projects }, 'claudeCode');
    const [scope] = followedScopes([file], [{ ...folder, path: 'c:\\work\\shop' }]).scopes;
    assert.deepEqual(scope?.servers, servers);
  });

  it('that cannot be read say why', () => {
    const file = followed('/x.json', '{');
    const { scopes, problems } = followedScopes([file], []);
    assert.deepEqual(scopes, []);
    assert.equal(problems[0]?.scope.kind, 'followed');
    assert.match(problems[0]?.message ?? '', /is not JSON/);
  });

  it('keep their servers while they are broken or empty, and say so, until they are whole again or gone', () => {
    const path = '/home/ada/.cursor/mcp.json';
    const other = followed('/work/shop/.cursor/mcp.json', { mcpServers: {} });
    const whole = followed(path, { mcpServers: { a: { command: 'x' } } });
    let files = withEarlierServers([whole, other], []);
    const read = (...now: typeof files): readonly unknown[] => {
      files = withEarlierServers(now, files);
      const { scopes, problems } = followedScopes(files, []);
      return [...scopes.map(({ servers }) => servers), ...problems.map(({ message }) => message)];
    };
    const servers = { a: { command: 'x' } };
    const kept = 'Until this is fixed, its servers stay as they were.';
    assert.deepEqual(read(other, followed(path, '[]')), [
      servers,
      `must hold an object, not a list. ${kept}`,
    ]);
    assert.deepEqual(read(followed(path, ' '), other), [servers, `is empty. ${kept}`]);
    assert.deepEqual(read(whole, followed('/work/shop/.cursor/mcp.json', '')), [servers]);
    assert.deepEqual(read(followed(path, { mcpServers: {} })), []);
    read(whole);
    const small = { mcpServers: {}, inputs: {} };
    assert.deepEqual(
      read(followed(path, small, 'vscode')).filter((text) => String(text).includes(kept)),
      [],
      'a fault in a file that was read',
    );
    read(whole);
    assert.deepEqual(read(other), []);
    assert.deepEqual(read(followed(path, '')), []);
  });

  it('bring their inputs along', () => {
    const a = { url: 'https://a.example', headers: { X: '${input:k}' } };
    const value = { inputs: [{ id: 'k', type: 'promptString' }], servers: { a } };
    const file = followed('/mcp.json', value, 'vscode');
    const { inputs, problems } = parseConfig(followedScopes([file], []).scopes);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      inputs.get('followed:/mcp.json')?.map(({ id }) => id),
      ['k'],
    );
  });
});
