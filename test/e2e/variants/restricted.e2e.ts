// A window in Restricted Mode: nothing starts, until it is trusted.
import assert from 'node:assert/strict';
import { newFile } from '../support/ground.ts';
import { expectLines, linesOf, scripted } from '../support/servers.ts';
import { eventually, inWindow } from '../support/workbench.ts';

describe('A window in Restricted Mode', () => {
  const pids = newFile('pids.txt');
  const workbench = inWindow({
    trusted: false,
    servers: { mine: scripted('showcase.mjs', { PIDS: pids }) },
    workspaceServers: { theirs: scripted('showcase.mjs', { PIDS: pids }) },
  });
  const { tree, notifications, extension } = workbench;

  it('VSC-01: starts no server, whatever settings it comes from, and says so', async () => {
    await tree.expectRow('mine', 'Restricted Mode');
    await eventually(
      () => extension.status(),
      ({ servers }) =>
        assert.deepEqual(
          servers.map(({ name, state }) => [name, state]),
          [['mine', 'stopped']],
          'settings of the workspace are not even read',
        ),
    );
    assert.ok(!(await tree.inlineActions('mine')).includes('Start Server'));
    await expectLines(pids, []);
  });

  it('VSC-01: trusted, starts the user’s servers and asks for those of the workspace', async () => {
    await tree.clickRow('mine');
    await workbench.page
      .locator('.workspace-trust-editor .monaco-button')
      .getByText('Trust', { exact: true })
      .click();
    await extension.waitForServer('mine', 'ready');
    await notifications.waitFor('waits for your consent');
    await eventually(
      () => linesOf(pids),
      ({ length }) => assert.equal(length, 1),
    );
  });
});
