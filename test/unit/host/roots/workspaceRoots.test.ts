import type { WorkspaceFolder } from '../../../../src/host/config/workspace.ts';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WorkspaceRoots } from '../../../../src/host/roots/workspaceRoots.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeWorkspace } from '../../../support/fakeWorkspace.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const server = (roots: 'all' | 'none' | readonly string[] = 'all') => stdioServer('s', { roots });

async function names(roots: WorkspaceRoots, choice?: Parameters<typeof server>[0]) {
  return (await roots.rootsFor(server(choice))).map((root) => root.name);
}

describe('WorkspaceRoots', () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'roots-'));
    await mkdir(join(base, 'a b'));
    await mkdir(join(base, 'c'));
  });
  afterEach(() => rm(base, { recursive: true }));

  function folder(name: string): WorkspaceFolder {
    const path = join(base, name);
    return { uri: pathToFileURL(path).href, name, path };
  }
  it('ROOT-02: a root is a URI and a name', async () => {
    const roots = new WorkspaceRoots(new FakeWorkspace([folder('a b')]));
    const uri = pathToFileURL(join(base, 'a b')).href;
    assert.deepEqual(await roots.rootsFor(server()), [{ uri, name: 'a b' }]);
  });

  it('ROOT-05: exposes only the folders that the entry chooses', async () => {
    const roots = new WorkspaceRoots(new FakeWorkspace([folder('a b'), folder('c')]));
    assert.deepEqual(await names(roots, 'none'), []);
    assert.deepEqual(await names(roots, []), []);
    assert.deepEqual(await names(roots, ['a b', 'nowhere']), ['a b']);
  });

  it('ROOT-05: leaves out folders by name, and adds those beside the workspace that are there', async () => {
    const roots = new WorkspaceRoots(new FakeWorkspace([folder('a b'), folder('c')]));
    await mkdir(join(base, 'beside'));
    const beside = join(base, 'beside');
    assert.deepEqual(await names(roots, ['!c']), ['a b']);
    assert.deepEqual(await names(roots, [beside]), ['a b', 'c', 'beside']);
    assert.deepEqual(await names(roots, [beside, '!*', join(base, 'nowhere')]), ['beside']);
    assert.deepEqual(await names(roots, ['c', beside, '!a b']), ['c', 'beside']);
    assert.deepEqual(await names(roots, [join(base, 'c'), '!a b']), ['c']);
    const home = { uri: pathToFileURL(homedir()).href, name: basename(homedir()) };
    for (const path of ['~', '${userHome}/']) {
      assert.deepEqual(await roots.rootsFor(server(['!*', path])), [home]);
    }
    const [told] = roots.foldersFor(server(['!*', beside]));
    assert.deepEqual(told, { uri: pathToFileURL(beside).href, name: 'beside', path: beside });
  });

  it('ROOT-05, ROOT-06: leaves out what is not there, and what is no folder', async () => {
    await writeFile(join(base, 'file'), '');
    const workspace = new FakeWorkspace([folder('gone'), folder('c'), folder('file')]);
    const roots = new WorkspaceRoots(workspace);
    assert.deepEqual(await names(roots), ['c']);
    assert.deepEqual(roots.foldersFor(server()), workspace.folders);
    await mkdir(join(base, 'gone'));
    await rm(join(base, 'c'), { recursive: true });
    assert.deepEqual(await names(roots), ['gone']);
  });

  it('ROOT-05: a folder that hangs is left out, holds nobody up for long, and is asked once', async () => {
    const answers = deferred<void>();
    const asked: string[] = [];
    const look = async (path: string): Promise<void> => {
      asked.push(path);
      await (path.endsWith('c') ? answers.promise : undefined);
    };
    const workspace = new FakeWorkspace([folder('a b'), folder('c')]);
    const roots = new WorkspaceRoots(workspace, { look, patienceMs: 50 });
    assert.deepEqual(await names(roots), ['a b']);
    assert.deepEqual(await names(roots), ['a b']);
    assert.equal(asked.filter((path) => path.endsWith('c')).length, 1);
    answers.resolve();
    await turns();
    assert.deepEqual(await names(roots), ['a b', 'c']);
  });

  it('ROOT-04: tells of a folder that comes or goes, once, and only who was told of it', async () => {
    const clock = new FakeClock();
    const roots = new WorkspaceRoots(new FakeWorkspace([folder('a b'), folder('c')]), { clock });
    const told = { all: 0, c: 0, none: 0 };
    const watches = [
      roots.watch(server(), () => (told.all += 1)),
      roots.watch(server(['c']), () => (told.c += 1)),
      roots.watch(server('none'), () => (told.none += 1)),
    ];
    await roots.rootsFor(server());
    const pass = async (): Promise<void> => {
      clock.advance(5_000);
      await roots.rootsFor(server());
      await turns();
    };
    await pass();
    assert.deepEqual(told, { all: 0, c: 0, none: 0 });
    await rm(join(base, 'a b'), { recursive: true });
    await pass();
    await pass();
    assert.deepEqual(told, { all: 1, c: 0, none: 0 });
    await mkdir(join(base, 'a b'));
    await rm(join(base, 'c'), { recursive: true });
    await pass();
    assert.deepEqual(told, { all: 2, c: 1, none: 0 });
    watches.forEach((watch) => watch.dispose());
    await mkdir(join(base, 'c'));
    assert.equal(clock.pending, 0);
    await pass();
    assert.deepEqual(told, { all: 2, c: 1, none: 0 });
  });

  it('ROOT-04: tells at once of the folders of the workspace', async () => {
    const workspace = new FakeWorkspace([folder('c')]);
    const roots = new WorkspaceRoots(workspace, { clock: new FakeClock() });
    let changes = 0;
    const watch = roots.watch(server(), () => (changes += 1));
    workspace.setFolders([folder('c'), folder('a b')]);
    await waitUntil('the change', () => changes === 1);
    workspace.setFolders([folder('c'), folder('a b'), folder('gone')]);
    await roots.rootsFor(server());
    await turns();
    assert.equal(changes, 1);
    watch.dispose();
    assert.equal(workspace.hasListeners, false);
  });
});
