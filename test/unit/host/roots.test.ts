import assert from 'node:assert/strict';
import { WorkspaceRoots } from '../../../src/host/roots.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';
import { stdioServer } from '../../support/serverConfigs.ts';

describe('WorkspaceRoots', () => {
  const workspace = new FakeWorkspace([
    { uri: 'file:///work/a%20b', name: 'a b', path: '/work/a b' },
    { uri: 'file:///work/c', name: 'c', path: '/work/c' },
    { uri: 'vscode-vfs://github/x/y', name: 'y', path: '/x/y' },
  ]);
  const roots = new WorkspaceRoots(workspace);
  const uris = (choice: 'all' | 'none' | readonly string[]): readonly string[] =>
    roots.rootsFor(stdioServer('s', { roots: choice })).map(({ uri }) => uri);

  it('ROOT-03: publishes only file URIs', () => {
    assert.deepEqual(uris('all'), ['file:///work/a%20b', 'file:///work/c']);
    assert.deepEqual(uris(['y']), []);
  });

  it('ROOT-02: a root is a URI and a name', () => {
    assert.deepEqual(roots.rootsFor(stdioServer('s', { roots: ['c'] })), [
      { uri: 'file:///work/c', name: 'c' },
    ]);
  });

  it('ROOT-05: exposes only the folders that the entry chooses', () => {
    assert.deepEqual(uris('none'), []);
    assert.deepEqual(uris([]), []);
    assert.deepEqual(uris(['a b', 'nowhere']), ['file:///work/a%20b']);
  });

  it('follows the folders of the workspace', () => {
    const own = new FakeWorkspace([]);
    const source = new WorkspaceRoots(own);
    let changes = 0;
    source.onDidChange(() => (changes += 1));
    own.setFolders([{ uri: 'file:///n', name: 'n', path: '/n' }]);
    assert.equal(changes, 1);
    assert.deepEqual(source.rootsFor(stdioServer('s')), [{ uri: 'file:///n', name: 'n' }]);
  });
});
