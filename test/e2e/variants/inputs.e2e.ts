// Values that are asked for: once, kept as a secret, forgotten on request; never in the settings nor in a log.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { typedSecrets } from '../../support/issuedSecrets.ts';
import { newFile } from '../support/ground.ts';
import { linesOf, logTexts, pidsIn, scripted } from '../support/servers.ts';
import { eventually, inWindow, until } from '../support/workbench.ts';

const secret = 'swordfish-8261-Zanzibar';

describe('A server with a secret input', () => {
  const pids = newFile('pids.txt');
  const workbench = inWindow({
    servers: {
      vault: scripted('showcase.mjs', { TOKEN: '${input:token}', PIDS: pids }),
      second: { ...scripted('showcase.mjs', { TOKEN: '${input:token}' }), startup: 'manual' },
    },
    userSettings: {
      'mcpHost.inputs': [
        { id: 'token', type: 'promptString', description: 'Token of the vault', password: true },
      ],
    },
  });
  const { tree, editors, dialog, quickInput, extension, notifications, settings } = workbench;

  it('does not ask before somebody starts it', async () => {
    await tree.waitForRows('the line', (rows) =>
      rows.some(({ label, description }) => label === 'vault' && /value/.test(description)),
    );
    await quickInput.waitForEnd();
  });

  it('asks once, and the value reaches the environment of each server that needs it', async () => {
    await tree.clickInlineAction('vault', 'Start Server');
    await quickInput.expectTitle(/"vault".*token/);
    await quickInput.expectMessage(/Token of the vault · Goes into env\.TOKEN of .*node/);
    const box = workbench.page.locator('.quick-input-box input');
    await eventually(
      () => box.getAttribute('type'),
      (type) => assert.equal(type, 'password'),
    );
    typedSecrets.add(secret);
    await quickInput.enter(secret);
    await extension.waitForServer('vault', 'ready');
    await expectToken();
    await tree.clickInlineAction('second', 'Start Server');
    await extension.waitForServer('second', 'ready');
  });

  it('keeps the value over a reload of the window', async () => {
    await workbench.load();
    await extension.waitForServer('vault', 'ready');
    await expectToken();
  });

  it('writes it neither into the settings nor into a log', async () => {
    assert.ok(!(await settings.userText()).includes(secret));
    const texts = await until('the logs of the servers among the files', logTexts, (all) =>
      all.some((text) => text.includes('showcase: listening')),
    );
    assert.ok(texts.every((text) => !text.includes(secret)));
  });

  it('takes another value from the menu of the server, which gets it after a restart', async () => {
    const other = `${secret}-2`;
    typedSecrets.add(other);
    await tree.chooseInMenu('vault', 'Change Value of an Input…');
    await quickInput.expectTitle(/"vault".*token/);
    await quickInput.enter(other);
    const { length } = await linesOf(pids);
    await notifications.answer('gets the new value when it starts next', 'Restart');
    await pidsIn(pids, length + 1);
    await extension.waitForServer('vault', 'ready');
    await expectToken(other);
  });

  it('asks again once it was forgotten', async () => {
    await workbench.runAsking('MCP Host: Forget Stored Inputs…');
    await quickInput.expectText('user settings');
    await quickInput.pick('${input:token}');
    await quickInput.accept();
    await quickInput.waitForEnd();
    await tree.show();
    await tree.clickInlineAction('vault', 'Restart Server');
    await quickInput.expectTitle(/token/);
    await quickInput.cancel();
    await extension.waitForServer('vault', 'stopped');
  });

  async function expectToken(value = secret): Promise<void> {
    await tree.expand('vault', 'Tools');
    await tree.clickInlineAction('token', 'Run Tool');
    await dialog.answer('Run');
    const hash = createHash('sha256').update(value).digest('hex');
    const text = await until(
      'the answer',
      () => editors.text(),
      (shown) => shown.includes(hash),
    );
    assert.match(text, new RegExp(`^${value.length} ${hash}$`, 'm'));
  }
});
