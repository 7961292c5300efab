/** Resources of servers as documents of the editor. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  ask,
  clear,
  configure,
  document,
  fromRoot,
  node,
  probe,
  run,
  until,
  untilState,
} from './support/host.ts';

const base = 'probe://host/';

function open(name: string, fileName = name): Thenable<vscode.TextDocument> {
  return vscode.workspace.openTextDocument(document('probe', `${base}${name}`, fileName));
}

async function read(uri: vscode.Uri): Promise<Buffer> {
  return Buffer.from(await vscode.workspace.fs.readFile(uri));
}

/** One of several contents. */
function part(number: number, name: string): Promise<Buffer> {
  return read(document('probe', `${base}album`, `@${number}/${name}`));
}

function bytesOf(name: string): Promise<Buffer> {
  return read(document('probe', `${base}${name}`));
}

async function isSubscribed(): Promise<boolean> {
  return (await ask('probe', 'subscriptions')).includes('probe://host/counter');
}

/** What the editor answers is only like a promise, and `assert.rejects` wants one. */
async function fails(attempt: Thenable<unknown>, expected?: RegExp): Promise<void> {
  const promise = Promise.resolve(attempt);
  await (expected === undefined ? assert.rejects(promise) : assert.rejects(promise, expected));
}

describe('documents', () => {
  before(async () => {
    await configure({ probe: probe() });
    await untilState('probe', 'ready');
  });

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  after(clear);

  it('VSC-08, RES-03: opens text with its language (@smoke)', async () => {
    const notes = await open('notes.md');
    assert.equal(notes.getText(), '# Notes\n\nTwo words: grün, 緑.\n');
    assert.equal(notes.languageId, 'markdown');
    const colours = await open('colours.json');
    assert.equal(colours.languageId, 'json');
    assert.equal(colours.fileName.endsWith('colours.json'), true);
  });

  it('VSC-08, RES-04: gives the bytes of an image, and a tab that is no text', async () => {
    const bytes = await bytesOf('square.png');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    const uri = document('probe', `${base}square.png`, 'square.png');
    await vscode.commands.executeCommand('vscode.open', uri);
    const tab = await until('the tab', () => vscode.window.tabGroups.activeTabGroup.activeTab);
    assert.equal(tab.label, 'square.png');
    assert.ok(tab.input instanceof vscode.TabInputCustom);
  });

  it('RES-03: gives the bytes of a blob unchanged', async () => {
    assert.deepEqual([...(await bytesOf('bytes'))], [0, 255, 0, 128]);
  });

  it('RES-03: shows every part of several contents, and gives each by itself', async () => {
    const album = await open('album', 'album.parts.md');
    assert.equal(album.languageId, 'markdown');
    assert.match(album.getText(), /Part 1: `0\.md`[^]*grün[^]*Part 2: `1\.png`/);
    assert.match((await part(1, '0.md')).toString(), /^# Notes/);
    assert.equal((await part(2, '1.png')).subarray(1, 4).toString(), 'PNG');
    await fails(part(3, '2.txt'), /no longer gives part 3/);
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      album.uri,
    );
    assert.deepEqual(
      [...new Set(lenses.map(({ range }) => album.lineAt(range.start.line).text))],
      ['## Part 1: `0.md`', '## Part 2: `1.png`'],
    );
  });

  it('RES-13: throws the server’s own words for a resource that it refuses', async () => {
    await assert.rejects(
      bytesOf('locked'),
      (error: unknown) =>
        error instanceof vscode.FileSystemError &&
        error.code === 'Unavailable' &&
        error.message.includes('The archive is locked for today'),
    );
    await fails(open('locked'), /The archive is locked for today/);
  });

  it('RES-13: says of a resource that is not there that it is not found', async () => {
    await assert.rejects(
      bytesOf('nothing'),
      (error: unknown) =>
        error instanceof vscode.FileSystemError &&
        error.code === 'FileNotFound' &&
        error.message.includes('has no resource "probe://host/nothing"'),
    );
  });

  it('says of an unknown server that it is not configured, and of a damaged address the same', async () => {
    const stranger = document('stranger', `${base}notes.md`);
    await assert.rejects(read(stranger), /no longer configured/);
    await assert.rejects(read(stranger.with({ path: '/%25E0/notes.md' })), /no longer configured/);
  });

  it('is read-only', async () => {
    const uri = document('probe', `${base}notes.md`, 'notes.md');
    assert.equal(vscode.workspace.fs.isWritableFileSystem('mcphost'), false);
    const { permissions } = await vscode.workspace.fs.stat(uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
    await fails(vscode.workspace.fs.writeFile(uri, Buffer.from('mine')));
    await fails(vscode.workspace.fs.delete(uri));
    await fails(vscode.workspace.fs.rename(uri, uri.with({ path: '/a/b.md' })));
    await vscode.window.showTextDocument(await open('notes.md'));
    await vscode.commands.executeCommand('type', { text: 'mine' });
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
  });

  it('VSC-10, RES-08: changes when the server says so, and only while it is open (RES-07)', async () => {
    const counter = await open('counter');
    await vscode.window.showTextDocument(counter);
    assert.equal(counter.getText(), '0');
    await until('the subscription', isSubscribed);
    await ask('probe', 'count');
    await until('the new text', () => counter.getText() === '1');
    await ask('probe', 'count');
    await until('the newer text', () => counter.getText() === '2');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('the end of the subscription', async () => !(await isSubscribed()));
  });

  it('is as the server has it now when it is opened again, in front or behind others', async () => {
    const resource = { uri: `${base}quiet`, name: 'quiet' };
    const click = () => run('openResource', { kind: 'resource', serverId: 'user/probe', resource });
    await click();
    const quiet = await until('the document', () => vscode.window.activeTextEditor?.document);
    const shows = (count: number) =>
      until(`${count} in it`, () => quiet.getText() === String(count));
    const before = Number(quiet.getText());
    await ask('probe', 'count');
    await click();
    await shows(before + 1);
    await vscode.window.showTextDocument(await open('notes.md'), { preview: false });
    await ask('probe', 'count');
    await click();
    await shows(before + 2);
    assert.equal(vscode.window.activeTextEditor?.document, quiet);
  });

  it('VSC-10, LIFE-14: follows its server through a restart and a change of its entry', async () => {
    // Its count begins anew.
    await run('restartServer', { serverId: 'user/probe' });
    const counter = await open('counter');
    await vscode.window.showTextDocument(counter);
    await until('the subscription', isSubscribed);
    for (const entry of [undefined, probe({ WORD: 'new' })]) {
      await ask('probe', 'count');
      await until('one more', () => counter.getText() === '1');
      const pid = await ask('probe', 'pid');
      if (entry === undefined) {
        await run('restartServer', { serverId: 'user/probe' });
      } else {
        await configure({ probe: entry });
      }
      await until('another process', async () => {
        // It may still be the old one, about to go.
        return (await ask('probe', 'pid').catch(() => pid)) !== pid;
      });
      await until('the new server’s text', () => counter.getText() === '0');
      await until('the subscription', isSubscribed);
    }
    await ask('probe', 'count');
    await until('the new server’s change', () => counter.getText() === '1');
  });

  it('VSC-10: follows a server of 2026-07-28 in the same way', async () => {
    await configure({
      probe: probe(),
      modern: {
        command: node,
        args: [fromRoot('test/servers/sdkModern.mjs')],
        env: { LEGACY: 'reject' },
      },
    });
    await untilState('modern', 'ready');
    const note = await vscode.workspace.openTextDocument(
      document('modern', 'mem://note', 'note.txt'),
    );
    await vscode.window.showTextDocument(note);
    assert.equal(note.getText(), 'a note');
    await until('the new text', async () => {
      // The subscription may be under way when the first change is announced.
      await read(document('modern', 'mem://touch'));
      return note.getText() === 'a touched note';
    });
    await configure({ probe: probe() });
  });

  it('opens 5 MB of text', async () => {
    const large = await open('large', 'large.txt');
    assert.equal(large.getText().length, 5 * 1024 * 1024);
  });
});
