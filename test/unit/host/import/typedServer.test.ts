import assert from 'node:assert/strict';
import { readTyped } from '../../../../src/host/import/typedServer.ts';

const around = { platform: 'linux', env: {} } as const;

describe('What is typed into the box of "Add Server"', () => {
  const cases: readonly (readonly [typed: string, expected: readonly string[]])[] = [
    ['', []],
    ['  npx -y time-mcp ', ['command npx -y time-mcp']],
    ['https://mcp.example.com/mcp', ['url https://mcp.example.com/mcp']],
    ['unix:///run/mcp.sock', ['url unix:///run/mcp.sock']],
    ['@scope/time', ['package npx -y @scope/time']],
    [
      'time-mcp@1.2.3',
      ['package npx -y time-mcp@1.2.3', 'package uvx time-mcp@1.2.3', 'command time-mcp@1.2.3'],
    ],
    [
      'mcp-server-git',
      ['package npx -y mcp-server-git', 'package uvx mcp-server-git', 'command mcp-server-git'],
    ],
    ['mcp-server-git==1.0', ['package uvx mcp-server-git==1.0', 'command mcp-server-git==1.0']],
    ['mcp/time', ['command docker run -i --rm mcp/time', 'command mcp/time']],
    ['ghcr.io/a/b:1.2', ['command docker run -i --rm ghcr.io/a/b:1.2', 'command ghcr.io/a/b:1.2']],
    ['~/my server.mcpb', ['bundle ~/my server.mcpb']],
    ['"C:\\My Bundles\\a.mcpb"', ['bundle C:\\My Bundles\\a.mcpb']],
    ['https://example.com/a.mcpb', ['bundle https://example.com/a.mcpb']],
    ['/usr/bin/server', ['command /usr/bin/server']],
    ['claude mcp add time -- npx -y time-mcp', ['held claude mcp add time -- npx -y time-mcp']],
    ['{"command": "x"} // a comment', ['held {"command": "x"} // a comment']],
  ];
  for (const [typed, expected] of cases) {
    it(`${typed === '' ? 'nothing' : typed}: ${expected.join(', or ')}`, () => {
      const readings = readTyped(typed, around);
      assert.deepEqual(
        readings.map(({ kind, text }) => `${kind} ${text}`),
        expected,
      );
      for (const reading of readings) {
        assert.ok(!('file' in reading) || reading.file.servers.some(({ isUsable }) => isUsable));
      }
    });
  }
});
