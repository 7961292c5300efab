/** A window with a workspace file and several folders: roots that come and go, and settings of a folder. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { section } from '../../../src/vscode/ids.ts';
import {
  ask,
  clear,
  configure,
  ConfigurationTarget,
  type Entries,
  folder,
  numbersIn,
  probe,
  server,
  temporaryFolder,
  until,
  untilState,
} from '../support/host.ts';

function folders(): readonly vscode.WorkspaceFolder[] {
  return vscode.workspace.workspaceFolders ?? [];
}

function second(): vscode.WorkspaceFolder {
  const found = folders()[1];
  assert.ok(found);
  return found;
}

async function rootsOf(name: string): Promise<unknown> {
  return JSON.parse(await ask(name, 'roots')).result;
}

function asRoots(list: readonly vscode.WorkspaceFolder[]): unknown {
  return { roots: list.map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name })) };
}

async function configureFolder(where: vscode.WorkspaceFolder, entries?: Entries): Promise<void> {
  await vscode.workspace
    .getConfiguration(section, where.uri)
    .update('servers', entries, ConfigurationTarget.WorkspaceFolder);
}

describe('several folders', () => {
  afterEach(clear);

  it('ROOT-04, VSC-26: tells servers of a folder that is added and removed, and only those that it concerns', async () => {
    await configure({
      all: probe(),
      named: probe({}, { roots: [folder().name] }),
      none: probe({}, { roots: 'none' }),
    });
    await Promise.all(['all', 'named', 'none'].map((name) => untilState(name, 'ready')));
    assert.equal(folders().length, 2);
    assert.deepEqual(await rootsOf('all'), asRoots(folders()));
    assert.deepEqual(await rootsOf('named'), asRoots([folder()]));

    const path = join(dirname(folder().uri.fsPath), 'third');
    mkdirSync(path);
    vscode.workspace.updateWorkspaceFolders(2, 0, { uri: folder().uri.with({ path }) });
    await until('the third root', async () => (await ask('all', 'rootsChanged')) === '1');
    assert.equal(folders().length, 3);
    assert.deepEqual(await rootsOf('all'), asRoots(folders()));

    vscode.workspace.updateWorkspaceFolders(2, 1);
    await until('two roots', async () => (await ask('all', 'rootsChanged')) === '2');
    assert.deepEqual(await rootsOf('all'), asRoots(folders()));
    assert.equal(await ask('named', 'rootsChanged'), '0');
    assert.equal(await ask('none', 'rootsChanged'), '0');
  });

  it('SEC-01: finds a folder by its name, asks before a server of the user takes it, and names those that there are for another', async () => {
    await configure({
      good: probe({ WHERE: `\${workspaceFolder:${second().name}}` }),
      bad: probe({ WHERE: '${workspaceFolder:fourth}' }),
    });
    await until('consent', () => server('good')?.because === 'consentNeeded');
    const { error } = await untilState('bad', 'failed');
    assert.match(error ?? '', /fourth/);
  });

  it('takes no path from a folder of a virtual workspace', async () => {
    const uri = vscode.Uri.parse('mcphost-virtual://somewhere/srv');
    let changes = 0;
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => (changes += 1));
    vscode.workspace.updateWorkspaceFolders(2, 0, { uri, name: 'cloud' });
    // The list has it before the editor has agreed, which then takes no other change.
    await until('the folder', () => changes === 1);
    await configure({ far: probe({ WHERE: '${workspaceFolder:cloud}' }) });
    const { error } = await untilState('far', 'failed');
    assert.match(error ?? '', /cloud/);
    vscode.workspace.updateWorkspaceFolders(2, 1);
    await until('two folders', () => changes === 2);
    listener.dispose();
  });

  it('SEC-01: lets the settings of a folder hide the user’s server, and starts nothing of theirs', async () => {
    const pids = join(temporaryFolder(), 'pids');
    await configure({ same: probe() });
    await untilState('same', 'ready');
    await configureFolder(second(), { same: probe({ PIDS: pids }) });
    await until('hidden', () => server('user/same')?.because === 'hidden');
    const own = await until('consent', () => {
      const summary = server(`folder:${second().uri.toString()}/same`);
      return summary?.because === 'consentNeeded' && summary;
    });
    assert.equal(own.scope, 'folder');
    await configureFolder(second());
    await untilState('user/same', 'ready');
    assert.deepEqual(numbersIn(pids), []);
  });
});
