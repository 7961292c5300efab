import assert from 'node:assert/strict';
import { commonFolder, ResourceFolders } from '../../../../src/host/resources/resourceFolders.ts';
import type { Resource } from '../../../../src/mcp/types/lists.ts';

function listOf(...uris: readonly string[]): Resource[] {
  return uris.map((uri) => ({ uri, name: uri }));
}

function foldersOf(resources: readonly Resource[]): ResourceFolders {
  const folders = new ResourceFolders();
  folders.update(resources);
  return folders;
}

/** Folders as `label (count)` with what is in them, resources as their URI. */
function outline(folders: ResourceFolders, key = ''): unknown[] {
  const contents = folders.contentsOf(key);
  return [
    ...contents.folders.map((folder) => [
      `${folder.label} (${folder.count})`,
      ...outline(folders, folder.key),
    ]),
    ...contents.resources.map(({ uri }) => uri),
  ];
}

describe('ResourceFolders', () => {
  it('sorts by scheme, authority and path, and joins folders with nothing to choose in them', () => {
    const folders = foldersOf(
      listOf(
        'file:///home/ann/b.md',
        'https://example.org/docs/api/v10/x',
        'https://example.org/docs/api/v9/x',
        'https://example.org/docs/api/v9/y',
        'file:///home/ann/deep/down/a.md',
        'urn:isbn:1',
      ),
    );
    assert.deepEqual(outline(folders), [
      [
        'file:///home/ann (2)',
        ['deep/down (1)', 'file:///home/ann/deep/down/a.md'],
        'file:///home/ann/b.md',
      ],
      [
        'https://example.org/docs/api (3)',
        ['v9 (2)', 'https://example.org/docs/api/v9/x', 'https://example.org/docs/api/v9/y'],
        ['v10 (1)', 'https://example.org/docs/api/v10/x'],
      ],
      ['urn: (1)', 'urn:isbn:1'],
    ]);
  });

  it('begins with what all have in common', () => {
    const resources = listOf('demo://notes/a/1', 'demo://notes/a/2');
    assert.equal(commonFolder(resources), 'demo://notes/a');
    assert.deepEqual(outline(foldersOf(resources)), ['demo://notes/a/1', 'demo://notes/a/2']);
    for (const [common, ...uris] of [
      ['demo://notes', 'demo://notes/a/1', 'demo://notes/ab/1'],
      ['demo://', 'demo://notes/a', 'demo://notebook/a'],
      ['urn:', 'urn:a', 'urn:b'],
      ['file:///', 'file:///a/1', 'file:///b/1'],
      ['', 'a://b/1', 'c://b/1'],
      ['', 'demo://notes/a/1'],
      [''],
    ] as const) {
      assert.equal(commonFolder(listOf(...uris)), common);
    }
  });

  it('tells an authority from a folder', () => {
    const folders = foldersOf(listOf('file://home/x', 'file:///home/x'));
    assert.deepEqual(
      folders.contentsOf('').folders.map(({ label }) => label),
      ['file:///home', 'file://home'],
    );
  });

  it('keeps the order of the server within a folder, and resources that are listed twice', () => {
    const uris = ['a://b/2', 'a://b/1', 'a://b/2'];
    assert.deepEqual(outline(foldersOf(listOf(...uris))), uris);
  });

  it('takes query and fragment for part of the name', () => {
    const uris = ['a://b/c?path=/d/e', 'a://b/c#/f/g', 'a://b/x'];
    assert.deepEqual(outline(foldersOf(listOf(...uris))), uris);
  });

  it('copes with URIs that are none, or odd', () => {
    const uris = ['notes/1.md', '/', '', 'a://', 'a://b/', 'a://b', '//', '%zz', ':/:'];
    const folders = foldersOf(listOf(...uris));
    const shown = new Set(outline(folders).flat(9));
    assert.deepEqual(
      uris.filter((uri) => !shown.has(uri)),
      [],
    );
  });

  it('ends at some depth', () => {
    const folders = foldersOf(listOf(`a://${'b/'.repeat(5_000)}c`, `a://${'b/'.repeat(5_000)}d`));
    assert.equal(folders.contentsOf('').resources.length, 2);
  });

  it('gives the same for a list that grows as for the whole', () => {
    const whole = Array.from({ length: 300 }, (_, n) => `a://h${n % 3}/${n % 7}/${n}`);
    const resources = listOf(...whole);
    const growing = new ResourceFolders();
    for (const length of [0, 10, 11, 200, 300]) {
      growing.update(resources.slice(0, length));
    }
    assert.deepEqual(outline(growing), outline(foldersOf(resources)));
  });

  it('forgets a list that another one takes the place of', () => {
    const folders = foldersOf(listOf('a://b/1', 'a://c/1'));
    folders.update(listOf('a://c/1', 'a://c/2', 'a://c/3'));
    assert.deepEqual(outline(folders), ['a://c/1', 'a://c/2', 'a://c/3']);
    assert.deepEqual(folders.contentsOf('a://b'), { folders: [], resources: [] });
    folders.update([]);
    assert.deepEqual(outline(folders), []);
  });

  it('sees that something in the middle is another, though both ends are the same', () => {
    const [first, middle, last] = listOf('a://b/1', 'a://b/2', 'a://b/3');
    const [other] = listOf('a://b/4');
    const folders = foldersOf([first!, middle!, last!]);
    folders.update([first!, other!, last!]);
    assert.deepEqual(outline(folders), ['a://b/1', 'a://b/4', 'a://b/3']);
  });

  it('a folder keeps its key when the chain that it ends is parted', () => {
    const resources = listOf('a://b/c/1', 'x://y');
    const folders = foldersOf(resources);
    const { key } = folders.contentsOf('').folders[0]!;
    folders.update([...resources, ...listOf('a://b/d/1')]);
    assert.deepEqual(
      folders.contentsOf(key).resources.map(({ uri }) => uri),
      ['a://b/c/1'],
    );
  });
});
