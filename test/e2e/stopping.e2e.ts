// What is left of servers: nothing, neither after Stop nor after the window is closed.
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import assert from 'node:assert/strict';
import { ground } from './support/ground.ts';
import { isAlive, pidsIn, published, scripted, untilGone } from './support/servers.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

/** What the extension promises is 4 s at most, and the editor gives its extensions 5 s; the rest is for a busy machine. */
const goneMs = 30_000;

describe('The processes of servers', () => {
  let workbench: Workbench;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(ground().folder, 'pids-'));
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          unwilling: scripted('unwilling.mjs', { PIDS: path.join(folder, 'first') }),
          another: scripted('unwilling.mjs', { PIDS: path.join(folder, 'second') }),
          willing: scripted('showcase.mjs', { PIDS: path.join(folder, 'third') }),
          everything: published('server-everything', 'stdio'),
        },
      },
    });
    await workbench.tree.show();
  });

  after(() => workbench.close());

  it('STDIO-07: Stop ends a server that ignores the end of input and SIGTERM, and its child', async () => {
    await workbench.extension.waitForServer('unwilling', 'ready');
    await workbench.extension.waitForServer('everything', 'ready');
    const pids = await pidsIn(path.join(folder, 'first'), 2);
    assert.ok(pids.every(isAlive));
    await workbench.tree.clickInlineAction('unwilling', 'Stop Server');
    await workbench.extension.waitForServer('unwilling', 'stopped');
    await untilGone(pids, goneMs);
    await workbench.screenshot('stopped');
  });

  it('STDIO-07: closing the window ends all of them', async () => {
    await workbench.extension.waitForServer('another', 'ready');
    await workbench.extension.waitForServer('everything', 'ready');
    const pids = [
      ...(await pidsIn(path.join(folder, 'second'), 2)),
      ...(await pidsIn(path.join(folder, 'third'), 1)),
    ];
    assert.ok(pids.every(isAlive));
    await workbench.page.close({ runBeforeUnload: true });
    await untilGone(pids, goneMs);
  });
});
