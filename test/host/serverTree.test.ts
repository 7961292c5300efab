/** Which rows of the tree are drawn anew: no more than need be, since a click is lost on those that are. */
import assert from 'node:assert/strict';
import type { TreeNode } from '../../src/vscode/tree/nodes.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { until } from './support/host.ts';
import { createTree, type TreeOfTests } from './support/treeParts.ts';

const notes = stdioServer('notes', { startup: 'auto' });
const web = stdioServer('web');

describe('what the tree draws anew', () => {
  let parts: TreeOfTests;
  let drawn: Set<string>;

  beforeEach(async () => {
    parts = createTree(() => ({ resources: [] }));
    drawn = new Set();
    parts.tree.onDidChangeTreeData((node) => drawn.add(nameOf(node)));
    parts.reconcile(notes, web);
    await until('the list', () => connection()?.catalog.list('resources').kind === 'ready');
    parts.tree.getChildren();
    drawn.clear();
  });

  afterEach(() => {
    parts.tree.dispose();
    parts.host.dispose();
  });

  function connection(): ReturnType<typeof parts.host.servers.get> {
    return parts.host.servers.get(notes.id);
  }

  function nameOf(node: TreeNode | undefined): string {
    return node === undefined ? 'everything' : (parts.tree.getTreeItem(node).id ?? '');
  }

  it('VSC-21: a changed entry, and a setting that changes no server: each row by itself', () => {
    const before = parts.tree.getChildren();
    drawn.clear();
    parts.reconcile(notes, { ...web, isEnabled: false });
    parts.tree.refresh();
    assert.deepEqual([...drawn].toSorted(), ['server/user/notes', 'server/user/web']);
    // The editor knows a row by the object that it was given.
    parts.tree.getChildren().forEach((node, index) => assert.equal(node, before[index]));
  });

  it('a server that comes, goes, or has another place: everything', () => {
    for (const servers of [[notes], [notes, web], [web, notes]]) {
      parts.reconcile(...servers);
      assert.ok(drawn.has('everything'), servers.map(({ name }) => name).join());
      parts.tree.getChildren();
      drawn.clear();
    }
  });

  it('a sign-in to a server that has no row: nothing', () => {
    parts.signedIn.fire('user/gone');
    assert.deepEqual([...drawn], []);
    parts.signedIn.fire(web.id);
    assert.deepEqual([...drawn], ['server/user/web']);
  });
});
