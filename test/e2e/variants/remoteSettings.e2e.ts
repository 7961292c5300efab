// What a devcontainer.json writes into the settings of the remote machine changes no server of the user's, and starts none.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ground } from '../support/ground.ts';
import { type OwnServer, startOwnServer, stopOwnServer } from '../support/ownServer.ts';
import { linesOf, pidsIn, scripted } from '../support/servers.ts';
import { openWorkbench } from '../support/workbench.ts';
import type { Workbench } from '../support/workbench.ts';

describe('Settings of the remote machine', () => {
  let server: OwnServer;
  let workbench: Workbench;
  let folder: string;
  const inFolder = (name: string): string => path.join(folder, name);

  before(async () => {
    folder = await mkdtemp(path.join(ground().folder, 'remote-'));
    await mkdir(inFolder('editor/Machine'), { recursive: true });
    const servers = {
      mine: { env: { PIDS: inFolder('changed') } },
      planted: scripted('showcase.mjs', { PIDS: inFolder('planted') }),
    };
    await writeFile(
      inFolder('editor/Machine/settings.json'),
      JSON.stringify({ 'mcpHost.servers': servers }),
    );
    server = await startOwnServer(inFolder('editor'));
    workbench = await openWorkbench({
      server,
      userSettings: {
        'mcpHost.servers': { mine: scripted('showcase.mjs', { PIDS: inFolder('mine') }) },
      },
    });
    await workbench.tree.show();
  });

  after(async () => {
    await workbench.close();
    await stopOwnServer(server);
  });

  it('SEC-01: start a server of the user’s as the user wrote it, and none of their own without consent', async () => {
    await workbench.extension.waitForServer('mine', 'ready');
    await pidsIn(inFolder('mine'), 1);
    await workbench.tree.waitForRows('a server that needs consent', (rows) =>
      rows.some(
        ({ label, description }) =>
          label === 'planted' && description.includes('needs your consent'),
      ),
    );
    assert.deepEqual(await linesOf(inFolder('changed')), []);
    assert.deepEqual(await linesOf(inFolder('planted')), []);
    await workbench.screenshot('remote-settings');
  });

  it('HOST-06: the dialog says whose settings they are', async () => {
    await workbench.tree.clickInlineAction('planted', 'Start Server');
    const { message, detail } = await workbench.dialog.expect();
    assert.match(`${message} ${detail}`, /remote machine/);
    await workbench.screenshot('remote-consent');
    await workbench.dialog.answer('Cancel');
    assert.deepEqual(await linesOf(inFolder('planted')), []);
  });
});
