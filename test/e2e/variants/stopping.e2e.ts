// What is left of servers after the window is closed: nothing.
import assert from 'node:assert/strict';
import { newFile } from '../support/ground.ts';
import { isAlive, pidsIn, published, scripted, untilGone } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

/** What the extension promises is 4 s at most, and the editor gives its extensions 5 s; the rest is for a busy machine. */
const goneMs = 30_000;

describe('The processes of servers', () => {
  const [unwilling, willing] = [newFile('unwilling'), newFile('willing')];
  const workbench = inWindow({
    servers: {
      unwilling: scripted('unwilling.mjs', { PIDS: unwilling }),
      willing: scripted('showcase.mjs', { PIDS: willing }),
      everything: published('server-everything', 'stdio'),
    },
    ready: ['unwilling', 'everything'],
  });

  it('STDIO-07: closing the window ends all of them', async () => {
    const pids = [...(await pidsIn(unwilling, 2)), ...(await pidsIn(willing, 1))];
    assert.ok(pids.every(isAlive));
    await workbench.page.close({ runBeforeUnload: true });
    await untilGone(pids, goneMs);
  });
});
