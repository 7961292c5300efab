// What a devcontainer.json writes into the settings of the remote machine changes no server of the user's, and starts none.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type OwnServer, startOwnServer, stopOwnServer } from '../support/ownServer.ts';
import { newFolder } from '../support/ground.ts';
import { linesOf, pidsIn, scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

describe('Settings of the remote machine', () => {
  const folder = newFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  let server: OwnServer;
  const { tree, dialog, extension } = inWindow(async () => {
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
    return {
      server,
      servers: { mine: scripted('showcase.mjs', { PIDS: inFolder('mine') }) },
      ready: ['mine'],
    };
  });

  after(() => stopOwnServer(server));

  it('SEC-01: start a server of the user’s as the user wrote it, and none of their own without consent', async () => {
    await extension.waitForServer('mine', 'ready');
    await pidsIn(inFolder('mine'), 1);
    await tree.expectRow('planted', 'needs your consent');
    assert.deepEqual(await linesOf(inFolder('changed')), []);
    assert.deepEqual(await linesOf(inFolder('planted')), []);
  });

  it('HOST-06: the dialog says whose settings they are', async () => {
    await tree.clickInlineAction('planted', 'Start Server');
    const { message, detail } = await dialog.expect();
    assert.match(`${message} ${detail}`, /remote machine/);
    await dialog.answer('Cancel');
    assert.deepEqual(await linesOf(inFolder('planted')), []);
  });
});
