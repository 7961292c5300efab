/** What no single call can show: there is one way to open an address, and no program is started for one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';

const root = fileURLToPath(new URL('../../../../src/', import.meta.url));
const sources = new Map(
  fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const text = fs.readFileSync(path.join(root, name), 'utf8');
      return [name.replaceAll(path.sep, '/'), text.replaceAll(/\/\*\*[^]*?\*\/|\/\/.*$/gmu, '')];
    }),
);

function filesWith(words: RegExp): readonly string[] {
  return [...sources].flatMap(([name, text]) => (words.test(text) ? [name] : [])).toSorted();
}

describe('openExternal', () => {
  it('SEC-08 (legacy): the editor opens addresses, in one place', () => {
    assert.deepEqual(filesWith(/\bopenExternal\(target|\.openExternal\(/u), [
      'vscode/editor/openExternal.ts',
    ]);
  });

  it('SEC-08 (legacy): programs are started by those who know no address, and through no shell', () => {
    assert.deepEqual(filesWith(/child_process|childProcessModule\(|'cross-spawn'/u), [
      'host/launch/loginShell.ts',
      'host/schemas/schemaProcess.ts',
      'mcp/transport/stdio/childProcess.ts',
      'mcp/transport/stdio/childProcessModule.ts',
      'mcp/transport/stdio/processTree.ts',
      'mcp/transport/stdio/reaper.ts',
    ]);
    assert.deepEqual(filesWith(/\bshell: true|\bexecSync\(|\bexec\(\s*[`'"]/u), []);
  });
});
