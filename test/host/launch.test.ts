/** What of the editor reaches a server: variables in its entry, and the folder as a root. */
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { section } from '../../src/vscode/ids.ts';
import {
  ask,
  clear,
  configure,
  ConfigurationTarget,
  folder,
  numbersIn,
  probe,
  run,
  server,
  temporaryFolder,
  until,
  untilState,
} from './support/host.ts';

interface RootsAnswer {
  readonly declared?: unknown;
  readonly result?: unknown;
}

async function rootsOf(name: string): Promise<RootsAnswer> {
  return JSON.parse(await ask(name, 'roots'));
}

async function setInputs(inputs: readonly unknown[] | undefined): Promise<void> {
  await vscode.workspace
    .getConfiguration(section)
    .update('inputs', inputs, ConfigurationTarget.Global);
}

describe('launching', () => {
  afterEach(clear);

  it('STDIO-02, STDIO-10: replaces variables in what a process gets', async () => {
    await configure({
      probe: probe(
        {
          WHERE: '${userHome}/data',
          PATHS: '${env:PATH}',
          HOME: null,
        },
        { cwd: '${userHome}' },
      ),
    });
    await untilState('probe', 'ready');
    assert.equal(await ask('probe', 'cwd'), homedir());
    assert.equal(JSON.parse(await ask('probe', 'env/WHERE')), join(homedir(), 'data'));
    assert.equal(JSON.parse(await ask('probe', 'env/PATHS')), process.env['PATH']);
    assert.equal(JSON.parse(await ask('probe', 'env/HOME')), null, 'null removes a variable');
  });

  it('ROOT-01, ROOT-02, ROOT-03, VSC-26: tells a server the folder of the window as a root', async () => {
    await configure({ probe: probe() });
    await untilState('probe', 'ready');
    const { uri, name } = folder();
    assert.deepEqual(await rootsOf('probe'), {
      declared: { listChanged: true },
      result: { roots: [{ uri: pathToFileURL(uri.fsPath).href, name }] },
    });
  });

  describe('with inputs', () => {
    let pids: string;

    beforeEach(async () => {
      pids = join(temporaryFolder(), 'pids');
      await setInputs([
        { id: 'word', type: 'promptString', description: 'A word', default: 'grün' },
        { id: 'mode', type: 'pickString', options: ['slow', 'fast'], default: 'slow' },
      ]);
    });

    afterEach(async () => {
      await clear();
      await setInputs(undefined);
    });

    it('HOST-14: asks for a value when the server is started by hand, and once', async () => {
      const entry = probe({ PIDS: pids, WORD: '${input:word}', MODE: '${input:mode}' });
      await configure({ probe: entry });
      await until('the question is open', () => server('probe')?.because === 'inputNeeded');
      assert.deepEqual(numbersIn(pids), [], 'what starts by itself asks nothing');

      const started = run('startServer', { serverId: 'user/probe' });
      await until('the answers', async () => {
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return server('probe')?.state === 'ready';
      });
      await started;
      assert.equal(JSON.parse(await ask('probe', 'env/WORD')), 'grün');
      assert.equal(JSON.parse(await ask('probe', 'env/MODE')), 'slow');

      await run('restartServer', { serverId: 'user/probe' });
      await untilState('probe', 'ready');
      assert.equal(JSON.parse(await ask('probe', 'env/WORD')), 'grün');
      assert.equal(numbersIn(pids).length, 2);
    });
  });
});
