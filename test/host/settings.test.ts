/** Settings that change while the window is open: servers come, go and restart, each alone. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { offersSkills, showsApps } from '../../src/vscode/config/editorWorkspace.ts';
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
  });

  it('settles on the last of several quick changes, with one process', async () => {
    await configure({ probe: probe({ PIDS: pids, WORD: '0' }) });
    for (const word of ['1', '2', '3', '4', '5']) {
      await configure({ probe: probe({ PIDS: pids, WORD: word }) });
    }
    // Between two processes there is none to answer.
    await until('the last change', async () => {
      const word = await ask('probe', 'env/WORD').catch(() => 'none');
      return word === '"5"';
    });
    await until('one process', () => numbersIn(pids).filter(isAlive).length === 1);
  });

  it('ends the process of a server that is removed', async () => {
    await configure({ first: probe(), second: probe({ PIDS: pids }) });
    await Promise.all([untilState('first', 'ready'), untilState('second', 'ready')]);
    const [pid] = numbersIn(pids);
    assert.ok(pid !== undefined);
    await configure({ first: probe() });
    await until('the process is gone', () => !isAlive(pid));
    assert.deepEqual(
      servers().map(({ name }) => name),
      ['first'],
    );
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

  it('survives a setting that is no object at all', async () => {
    await configure({ first: probe({ PIDS: pids }) });
    await untilState('first', 'ready');
    await configure(['no', 'object']);
    await until('no server', () => servers().length === 0);
    await configure({ first: probe(), worse: null });
    await untilState('first', 'ready');
  });

  it('HOST-12: does not start a server that is switched off, and ends one that is switched off', async () => {
    await configure({ on: probe({ PIDS: pids }), off: probe({}, { enabled: false }) });
    await untilState('on', 'ready');
    assert.deepEqual([server('off')?.state, server('off')?.because], ['stopped', 'disabled']);
    await configure({ on: probe({ PIDS: pids }, { enabled: false }), off: probe() });
    await untilState('off', 'ready');
    await until('switched off', () => server('on')?.because === 'disabled');
    const [pid] = numbersIn(pids);
    assert.ok(pid !== undefined);
    await until('the process is gone', () => !isAlive(pid));
  });

  it('starts a manual server by command only', async () => {
    await configure({ manual: probe({ PIDS: pids }, { startup: 'manual' }), auto: probe() });
    await untilState('auto', 'ready');
    assert.equal(server('manual')?.state, 'stopped');
    await assert.rejects(ask('manual', 'pid'), /"manual" is not running/);
    assert.deepEqual(numbersIn(pids), []);
    await run('startServer', { serverId: 'user/manual' });
    await untilState('manual', 'ready');
    assert.deepEqual(numbersIn(pids), [Number(await ask('manual', 'pid'))]);
  });

  it('starts a server on demand when one of its resources is read', async () => {
    await configure({ lazy: probe({ PIDS: pids }, { startup: 'onDemand' }), auto: probe() });
    await untilState('auto', 'ready');
    assert.equal(server('lazy')?.state, 'stopped');
    assert.deepEqual(numbersIn(pids), []);
    const pid = Number(await ask('lazy', 'pid'));
    assert.deepEqual(numbersIn(pids), [pid]);
    assert.equal(server('lazy')?.state, 'ready');
  });

  describe('of a workspace', () => {
    it('hide the user’s server of the same name, and give it back', async () => {
      await configure({ same: probe({ PIDS: pids }) });
      await untilState('same', 'ready');
      const [pid] = numbersIn(pids);
      assert.ok(pid !== undefined);
      const own = join(temporaryFolder(), 'pids');
      await configure({ same: probe({ PIDS: own }) }, ConfigurationTarget.Workspace);
      const hidden = await until('the user’s is hidden', () => {
        const summary = server('user/same');
        return summary?.because === 'hidden' && summary;
      });
      assert.equal(hidden.scope, 'user');
      await until('the process is gone', () => !isAlive(pid));
      await until('consent', () => server('workspace/same')?.because === 'consentNeeded');
      assert.equal(server('workspace/same')?.state, 'stopped');
      await configure(undefined, ConfigurationTarget.Workspace);
      await untilState('user/same', 'ready');
      assert.deepEqual(numbersIn(own), [], 'nothing of the workspace has run');
    });

    it('do not change a field of the user’s server', async () => {
      await configure({ same: probe({ WORD: 'mine' }, { startup: 'manual' }) });
      await until('the server', () => server('user/same'));
      await configure({ same: { env: { WORD: 'theirs' } } }, ConfigurationTarget.Workspace);
      await configure({ same: probe({ WORD: 'mine' }) });
      await untilState('user/same', 'ready');
      assert.equal(await ask('user/same', 'env/WORD'), '"mine"');
      assert.equal(server('workspace/same'), undefined, 'half an entry is no server');
    });

    it('SEC-01, VSC-01: start nothing without consent (@smoke)', async () => {
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
});
