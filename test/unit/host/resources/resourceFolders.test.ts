import assert from 'node:assert/strict';
import { commonFolder, folderContents } from '../../../../src/host/resources/resourceFolders.ts';
import type { Resource } from '../../../../src/mcp/types/lists.ts';

function listOf(...uris: readonly string[]): Resource[] {
  return uris.map((uri) => ({ uri, name: uri }));
}

/** Folders as `label (count)` with what is in them, resources as their URI. */
function outline(resources: readonly Resource[], key = ''): unknown[] {
  const contents = folderContents(resources, key);
  return [
    ...contents.folders.map((folder) => [
      `${folder.label} (${folder.count})`,
      ...outline(resources, folder.key),
    ]),
    ...contents.resources.map(({ uri }) => uri),
  ];
}

describe('folderContents', () => {
  it('sorts by scheme, authority and path, and joins folders with nothing to choose in them', () => {
    const resources = listOf(
      'file:///home/ann/b.md',
      'https://example.org/docs/api/v10/x',
      'https://example.org/docs/api/v9/x',
      'https://example.org/docs/api/v9/y',
      'file:///home/ann/deep/down/a.md',
      'urn:isbn:1',
    );
    assert.deepEqual(outline(resources), [
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

  it('reads each resource once, however many folders are drawn', () => {
    let read = 0;
    const list = Array.from({ length: 100 }, (_, n) => ({
      name: '',
      get uri() {
        read += 1;
        return `demo://f${n % 10}/${n}`;
      },
    }));
    assert.equal(commonFolder(list), 'demo://');
    assert.equal(outline(list).length, 10);
    // Twice: the outline reads each URI itself.
    assert.equal(read, 200);
  });

  it('begins with what all have in common', () => {
    const resources = listOf('demo://notes/a/1', 'demo://notes/a/2');
    assert.equal(commonFolder(resources), 'demo://notes/a');
    assert.deepEqual(outline(resources), ['demo://notes/a/1', 'demo://notes/a/2']);
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
    const { folders } = folderContents(listOf('file://home/x', 'file:///home/x'), '');
    assert.deepEqual(
      folders.map(({ label }) => label),
      ['file:///home', 'file://home'],
    );
  });

  for (const [what, ...uris] of [
    [
      'the order of the server, and resources that are listed twice',
      'a://b/2',
      'a://b/1',
      'a://b/2',
    ],
    ['query and fragment as part of the name', 'a://b/c?path=/d/e', 'a://b/c#/f/g', 'a://b/x'],
  ]) {
    it(`keeps ${what}`, () => {
      assert.deepEqual(outline(listOf(...uris)), uris);
    });
  }

  it('copes with URIs that are none, or odd', () => {
    const uris = ['notes/1.md', '/', '', 'a://', 'a://b/', 'a://b', '//', '%zz', ':/:'];
    const resources = listOf(...uris);
    const shown = new Set(outline(resources).flat(9));
    assert.deepEqual(
      uris.filter((uri) => !shown.has(uri)),
      [],
    );
  });

  it('is one folder, however deep it is', () => {
    const deep = `a://${'b/'.repeat(5_000)}`;
    const { resources } = folderContents(listOf(`${deep}c`, `${deep}d`), '');
    assert.equal(resources.length, 2);
  });

  it('has nothing for a folder that is gone', () => {
    assert.deepEqual(folderContents(listOf('a://c/1', 'a://bc/2'), 'a://b'), {
      folders: [],
      resources: [],
    });
    assert.deepEqual(outline([]), []);
  });

  it('a folder keeps its key when the chain that it ends is parted', () => {
    const resources = listOf('a://b/c/1', 'x://y');
    const { key } = folderContents(resources, '').folders[0]!;
    const more = [...resources, ...listOf('a://b/d/1')];
    assert.deepEqual(
      folderContents(more, key).resources.map(({ uri }) => uri),
      ['a://b/c/1'],
    );
  });
});
