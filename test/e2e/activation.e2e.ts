// The packed extension in a window as its user gets it: it is there, active and visible.
import assert from 'node:assert/strict';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('A window with the VSIX', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
  });

  after(() => workbench.close());

  it('has the extension active and no server without settings', async () => {
    const status = await workbench.status();
    assert.equal(status.active, true);
    assert.deepEqual(status.servers, []);
  });

  it('offers to add a server in its view', async () => {
    await workbench.showServers();
    await workbench.screenshot('welcome');
    assert.match(await workbench.sideBarText(), /No MCP servers are configured yet/);
  });
});
