// A server of the user's own settings that takes something out of the workspace asks first, and says what it takes.
import assert from 'node:assert/strict';
import { newFile } from './support/ground.ts';
import { linesOf, pidsIn, scripted } from './support/servers.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('A server of the user that takes something from the workspace', () => {
  let workbench: Workbench;
  let pids: string;
  let plainPids: string;

  before(async () => {
    pids = await newFile('pids.txt');
    plainPids = await newFile('plain.txt');
    const { args, ...entry } = scripted('showcase.mjs', { PIDS: pids });
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          plain: scripted('showcase.mjs', { PIDS: plainPids }),
          taking: { ...entry, args: ['--import', '${workspaceFolder}/loaded.mjs', ...args] },
        },
      },
    });
    await workbench.writeFile('loaded.mjs', '// of whoever wrote the workspace\n');
    await workbench.tree.show();
  });

  after(() => workbench.close());

  it('SEC-01: does not start with the window, where one that takes nothing does', async () => {
    await pidsIn(plainPids, 1);
    await workbench.tree.waitForRows('a server that needs consent', (rows) =>
      rows.some(
        ({ label, description }) =>
          label === 'taking' && description.includes('needs your consent'),
      ),
    );
    assert.deepEqual(await linesOf(pids), []);
  });

  it('SEC-01, HOST-06: the dialog names what it takes; allowed, it runs', async () => {
    await workbench.tree.clickInlineAction('taking', 'Start Server');
    const { detail } = await workbench.dialog.expect('Start the MCP server "taking"');
    assert.match(detail, /Takes .*loaded\.mjs.* from this workspace, whose authors may change it/);
    await workbench.screenshot('taken-from-workspace');
    await workbench.dialog.answer('Allow');
    await pidsIn(pids, 1);
  });
});
