// A server of the user's own settings that takes something out of the workspace asks first, and says what it takes.
import assert from 'node:assert/strict';
import { newFile } from '../support/ground.ts';
import { linesOf, pidsIn, scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

describe('A server of the user that takes something from the workspace', () => {
  const pids = newFile('pids.txt');
  const plainPids = newFile('plain.txt');
  const { args, ...entry } = scripted('showcase.mjs', { PIDS: pids });
  const { tree, dialog } = inWindow({
    servers: {
      plain: scripted('showcase.mjs', { PIDS: plainPids }),
      taking: { ...entry, args: ['--import', '${workspaceFolder}/loaded.mjs', ...args] },
    },
    files: { 'loaded.mjs': '// of whoever wrote the workspace\n' },
  });

  it('SEC-01: does not start with the window, where one that takes nothing does', async () => {
    await pidsIn(plainPids, 1);
    await tree.expectRow('taking', 'needs your consent');
    assert.deepEqual(await linesOf(pids), []);
  });

  it('SEC-01, HOST-06: the dialog names what it takes; allowed, it runs', async () => {
    await tree.clickInlineAction('taking', 'Start Server');
    const { detail } = await dialog.expect('Start the MCP server "taking"');
    assert.match(detail, /Takes .*loaded\.mjs.* from this workspace, whose authors may change it/);
    await dialog.answer('Allow');
    await pidsIn(pids, 1);
  });
});
