/** Features live in rooms that can go: each file outside that imports one of these is named here, and there are few. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = fs
  .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name.replaceAll(path.sep, '/')}`);
const texts: ReadonlyMap<string, string> = new Map(
  sources.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]),
);

/** Scripts have no types. */
const {
  mutualFolders,
}: { readonly mutualFolders: (files: typeof texts) => readonly (readonly string[])[] } =
  await import(new URL('scripts/support/mutualFolders.mjs', pathToFileURL(root)).href);

/** The files outside of `room` with an import of what is in it; imports of types count. */
function importersOf(room: RegExp): readonly string[] {
  return sources
    .filter((file) => !room.test(file))
    .filter((file) => {
      const text = texts.get(file) ?? '';
      return [...text.matchAll(/from '(\.[^']+)'/gu)].some(([, to = '']) =>
        room.test(path.posix.join(path.posix.dirname(file), to)),
      );
    })
    .toSorted();
}

const workbench = ['src/entries/workbench.ts', 'src/extension.ts'];

describe('The composition root', () => {
  it('fits on a screen', () => {
    const text = fs.readFileSync(path.join(root, 'src/extension.ts'), 'utf8');
    const [activate = ''] = /^export function activate[^]*?^\}/mu.exec(text) ?? [];
    const lines = activate.split('\n').length;
    assert.ok(lines > 1 && lines <= 60, `activate has ${lines} lines`);
  });
});

describe('Folders', () => {
  it('never import each other', () => {
    const both = new Map([
      ['src/a/x.ts', "import type { Y } from '../b/y.ts';"],
      ['src/b/y.ts', "import { Z } from '../a/z.ts';"],
    ]);
    assert.deepEqual(mutualFolders(both), [['src/a', 'src/b']]);
    assert.deepEqual(mutualFolders(texts), []);
  });
});

describe('Rooms that can be deleted', () => {
  const rooms: readonly (readonly [string, RegExp, readonly string[]])[] = [
    [
      'sampling',
      /^src\/(?:host|vscode)\/sampling\//u,
      ['src/entries/chat.ts', 'src/host/servers/features.ts'],
    ],
    [
      'roots',
      /^src\/host\/roots\//u,
      [
        'src/host/launch/launchPreparation.ts',
        'src/host/servers/connectionServices.ts',
        'src/host/servers/features.ts',
        'src/host/servers/serverTrial.ts',
        'src/vscode/activation/shared.ts',
        'src/vscode/workbench/settingsCommands.ts',
      ],
    ],
    ['HTTP+SSE', /^src\/mcp\/transport\/http\/sse\.ts$/u, ['src/host/servers/bindings.ts']],
    ['running requests', /^src\/vscode\/requests\//u, workbench],
    ['the audit in the editor', /^src\/vscode\/audit\//u, workbench],
    ['the call history in the editor', /^src\/vscode\/history\//u, workbench],
    ['the tree', /^src\/vscode\/tree\/serversView\.ts$/u, ['src/extension.ts']],
    ['@mcp in the editor', /^src\/vscode\/chat\/registerChat\.ts$/u, ['src/extension.ts']],
  ];
  for (const [feature, room, importers] of rooms) {
    it(`${feature} is known to ${importers.length} file${importers.length === 1 ? '' : 's'} outside`, () => {
      assert.ok(sources.some((file) => room.test(file)));
      assert.deepEqual(importersOf(room), importers);
    });
  }
});
