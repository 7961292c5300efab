import assert from 'node:assert/strict';
import { importLocations, maxBytesOf } from '../../../../src/host/import/locations.ts';

function paths(machine: Partial<Parameters<typeof importLocations>[0]>): readonly string[] {
  return importLocations({
    platform: 'linux',
    home: '/home/ada',
    env: {},
    folders: [],
    userData: '/p/User',
    ...machine,
  }).map(({ path }) => path);
}

describe('Where other programs keep their servers', () => {
  it('looks into each workspace folder', () => {
    const found = paths({ folders: ['/w/a', '/w/b'] }).filter((path) => path.startsWith('/w/'));
    const files = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json', '.roo/mcp.json'];
    const others = ['.gemini/settings.json', '.codex/config.toml', '.continue/mcpServers'];
    assert.deepEqual(
      found,
      [...files, ...others].flatMap((file) => [`/w/a/${file}`, `/w/b/${file}`]),
    );
  });

  it('reads less of a file that a repository brings than of one of the user', () => {
    const at = { program: 'x', format: 'mcpJson', path: '/x' } as const;
    const inFolder = { ...at, folder: '/w/a' };
    assert.equal(maxBytesOf(inFolder, '/w/a/.mcp.json'), 64 * 1024);
    assert.equal(maxBytesOf(inFolder, '/w/a/.continue/mcpServers/a.yaml'), 8 * 1024);
    assert.equal(maxBytesOf(at, '/home/ada/.claude.json'), 32 * 1024 * 1024);
    assert.equal(maxBytesOf(at, '/home/ada/.codex/config.toml'), 256 * 1024);
  });

  const storage = 'Code/User/globalStorage';
  const programs = [
    ['linux', {}, '/home/ada/.config/Claude/claude_desktop_config.json'],
    ['linux', { XDG_CONFIG_HOME: '/c' }, '/c/Claude/claude_desktop_config.json'],
    ['darwin', {}, '/home/ada/Library/Application Support/Claude/claude_desktop_config.json'],
    ['linux', {}, '/home/ada/.claude.json'],
    ['linux', { CLAUDE_CONFIG_DIR: '/cc' }, '/cc/.claude.json'],
    ['linux', {}, '/home/ada/.cursor/mcp.json'],
    ['linux', {}, '/home/ada/.codeium/windsurf/mcp_config.json'],
    ['linux', {}, '/home/ada/.gemini/settings.json'],
    ['linux', {}, '/home/ada/.codex/config.toml'],
    ['linux', { CODEX_HOME: '/cx' }, '/cx/config.toml'],
    ['linux', {}, '/home/ada/.continue/config.yaml'],
    ['linux', {}, '/home/ada/.config/Code/User/mcp.json'],
    ['linux', {}, '/p/User/mcp.json'],
    [
      'darwin',
      {},
      `/home/ada/Library/Application Support/${storage}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
    ],
    [
      'linux',
      {},
      `/home/ada/.config/${storage}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
    ],
  ] as const;
  for (const [platform, env, expected] of programs) {
    it(`on ${platform}: ${expected}`, () => {
      assert.ok(paths({ platform, env }).includes(expected));
    });
  }

  it('on Windows, with backslashes and roaming data', () => {
    const machine = { platform: 'win32', home: 'C:\\Users\\Ada', env: { APPDATA: 'D:\\Roaming' } };
    const found = paths(machine);
    assert.ok(found.includes('D:\\Roaming\\Claude\\claude_desktop_config.json'));
    assert.ok(found.includes('C:\\Users\\Ada\\.cursor\\mcp.json'));
    assert.ok(
      paths({ ...machine, env: {} }).includes(
        'C:\\Users\\Ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      ),
    );
  });

  it('looks into the folder of this editor once, wherever it is', () => {
    const found = paths({ userData: '/home/ada/.config/Code/User' });
    assert.equal(new Set(found).size, found.length);
  });
});
