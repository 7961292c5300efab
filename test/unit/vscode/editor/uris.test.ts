/** What no single call can show: there is one way to open an address, and no program is started for one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
  return [...sources].flatMap(([name, text]) => (words.test(text) ? [name] : []));
}

describe('openExternal', () => {
  it('SEC-08 (legacy): the editor opens addresses, in one place', () => {
    assert.deepEqual(filesWith(/\.openExternal\(/u), ['vscode/editor/uris.ts']);
  });

  it('SEC-08 (legacy): programs are started in rooms that open no address, and through no shell', () => {
    const starting = filesWith(/child_process|childProcessModule\(|'cross-spawn'/u);
    const rooms = new Set(starting.map((name) => path.posix.dirname(name)));
    assert.deepEqual([...rooms].toSorted(), ['host/launch', 'host/schemas', 'mcp/transport/stdio']);
    assert.deepEqual(filesWith(/\bshell: true|\bexecSync\(|\bexec\(\s*[`'"]/u), []);
  });
});
