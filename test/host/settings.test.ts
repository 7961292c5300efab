/** Settings that change while the window is open: servers come, go and restart, each alone. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  offersSkills,
  onDidChangeShowsApps,
  showsApps,
} from '../../src/vscode/config/editorWorkspace.ts';
import {
  ask,
  clear,
  configure,
  ConfigurationTarget,
  isAlive,
  numbersIn,
  probe,
  run,
  server,
  servers,
  temporaryFolder,
  until,
  untilState,
} from './support/host.ts';

describe('settings', () => {
  let pids: string;

  beforeEach(() => {
    pids = join(temporaryFolder(), 'pids');
  });

  afterEach(clear);

  it('HOST-01: restarts the server alone whose entry has changed (@smoke)', async () => {
    await configure({ first: probe(), second: probe({ PIDS: pids, WORD: 'old' }) });
    await Promise.all([untilState('first', 'ready'), untilState('second', 'ready')]);
    const first = await ask('first', 'pid');
    const [second] = numbersIn(pids);
    assert.ok(second !== undefined);
    await configure({ first: probe(), second: probe({ PIDS: pids, WORD: 'new' }) });
    await until('another process', () => numbersIn(pids).length === 2);
    await untilState('second', 'ready');
    assert.equal(await ask('second', 'env/WORD'), '"new"');
    assert.ok(!isAlive(second), 'the process of the old entry is gone');
    assert.equal(await ask('first', 'pid'), first);
  });

  it('a server is switched off and on for the workspace alone, and its entry stays as it is', async () => {
    const entries = { first: probe({ PIDS: pids }), off: probe({}, { enabled: false }) };
    await configure(entries);
    await untilState('first', 'ready');
    await run('switchServerOff', { serverId: 'user/first' });
    const { because } = await untilState('first', 'stopped');
    assert.equal(because, 'disabled');
    await until('the end of it', () => !numbersIn(pids).some(isAlive));
    await run('switchServerOn', { serverId: 'user/off' });
    await untilState('off', 'ready');
    assert.deepEqual(
      vscode.workspace.getConfiguration('mcpHost').inspect('servers')?.globalValue,
      entries,
    );
    await run('switchServerOff', { serverId: 'user/off' });
    await untilState('off', 'stopped');
    await run('switchServerOn', { serverId: 'user/first' });
    await untilState('first', 'ready');
  });

  it('a workspace cannot switch on apps and skills that the user has switched off', async () => {
    const settings = vscode.workspace.getConfiguration('mcpHost');
    const told: boolean[] = [];
    const listening = onDidChangeShowsApps(() => told.push(showsApps()));
    for (const [setting, isOn] of [
      ['apps.enabled', showsApps],
      ['skills.enabled', offersSkills],
    ] as const) {
      assert.equal(isOn(), true);
      await settings.update(setting, false, ConfigurationTarget.Global);
      await settings.update(setting, true, ConfigurationTarget.Workspace);
      assert.equal(isOn(), false);
      await settings.update(setting, undefined, ConfigurationTarget.Global);
      assert.equal(isOn(), true);
      await settings.update(setting, false, ConfigurationTarget.Workspace);
      assert.equal(isOn(), false);
      await settings.update(setting, undefined, ConfigurationTarget.Workspace);
    }
    listening.dispose();
    assert.deepEqual([told[0], told.at(-1)], [false, true]);
  });

  it('lets a server be removed whose log could have the name of another', async () => {
    // The last is named as the extension's own log.
    const names = ['a', 'A', 'a?', 'Host'];
    const all = Object.fromEntries(names.map((name) => [name, probe()]));
    await configure(all);
    await Promise.all(names.map((name) => untilState(name, 'ready')));
    await configure({ A: all['A'], Host: all['Host'] });
    await until('two are left', () => servers().length === 2);
    for (const name of ['A', 'Host']) {
      await run('restartServer', { serverId: `user/${name}` });
      await untilState(name, 'ready');
    }
    await configure({ A: all['A'] });
    await until('one is left', () => servers().length === 1);
    await configure({ A: all['A'], Host: all['Host'] });
    await untilState('Host', 'ready');
  });

  it('SEC-01, VSC-01: of a workspace start nothing without consent (@smoke)', async () => {
    await configure({ auto: probe() });
    await configure(
      {
        theirs: probe({ PIDS: pids }),
        lazy: probe({ PIDS: pids }, { startup: 'onDemand' }),
      },
      ConfigurationTarget.Workspace,
    );
    await until('consent', () => server('workspace/theirs')?.because === 'consentNeeded');
    await untilState('user/auto', 'ready');
    // What opens the dialog opens none in a test: it is refused, and so is the start.
    await assert.rejects(ask('workspace/lazy', 'pid'));
    await run('startServer', { serverId: 'workspace/theirs' });
    await until('refused', () => server('workspace/theirs')?.state !== 'starting');
    assert.notEqual(server('workspace/theirs')?.state, 'ready');
    assert.deepEqual(numbersIn(pids), []);
  });
});
