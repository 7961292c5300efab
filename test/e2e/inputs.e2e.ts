// Values that are asked for: once, kept as a secret, forgotten on request; never in the settings nor in a log.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { typedSecrets } from '../support/issuedSecrets.ts';
import { ground } from './support/ground.ts';
import { scripted } from './support/servers.ts';
import { eventually, openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const secret = 'swordfish-8261-Zanzibar';

describe('A server with a secret input', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          vault: scripted('showcase.mjs', { TOKEN: '${input:token}' }),
          second: { ...scripted('showcase.mjs', { TOKEN: '${input:token}' }), startup: 'manual' },
        },
        'mcpHost.inputs': [
          { id: 'token', type: 'promptString', description: 'Token of the vault', password: true },
        ],
      },
    });
    await workbench.tree.show();
  });

  after(() => workbench.close());

  it('does not ask before somebody starts it', async () => {
    await workbench.tree.waitForRows('the line', (rows) =>
      rows.some(({ label, description }) => label === 'vault' && /value/.test(description)),
    );
    await workbench.screenshot('input-needed');
  });

  it('asks once, and the value reaches the environment of each server that needs it', async () => {
    await workbench.tree.clickInlineAction('vault', 'Start Server');
    const { quickInput } = workbench;
    await quickInput.expectTitle(/"vault".*token/);
    await quickInput.expectMessage(/Token of the vault/);
    const box = workbench.page.locator('.quick-input-box input');
    await eventually(
      () => box.getAttribute('type'),
      (type) => assert.equal(type, 'password'),
    );
    typedSecrets.add(secret);
    await quickInput.fill(secret);
    await workbench.screenshot('input-password');
    await quickInput.accept();
    await workbench.extension.waitForServer('vault', 'ready');
    await expectToken();
    await workbench.tree.clickInlineAction('second', 'Start Server');
    await workbench.extension.waitForServer('second', 'ready');
  });

  it('keeps the value over a reload of the window', async () => {
    await workbench.load();
    await workbench.extension.waitForServer('vault', 'ready');
    await workbench.tree.show();
    await expectToken();
  });

  it('writes it neither into the settings nor into a log', async () => {
    assert.ok(!(await workbench.settings.userText()).includes(secret));
    const logs = path.join(ground().trusted.profile, 'logs');
    const texts = await until(
      'the logs of the servers among the files',
      async () => {
        const files = await readdir(logs, { recursive: true, withFileTypes: true });
        return Promise.all(
          files
            .filter((file) => file.isFile())
            .map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
        );
      },
      (all) => all.some((text) => text.includes('showcase: listening')),
    );
    assert.ok(texts.every((text) => !text.includes(secret)));
  });

  it('asks again once it was forgotten', async () => {
    await workbench.runCommand('MCP Host: Forget Stored Inputs…');
    const { detail } = await workbench.dialog.expect();
    await workbench.screenshot('forget-inputs');
    assert.match(detail, /\$\{input:token\} \(user settings\)/);
    await workbench.dialog.answer('Forget');
    await workbench.tree.show();
    await workbench.tree.clickInlineAction('vault', 'Restart Server');
    await workbench.quickInput.expectTitle(/token/);
    await workbench.quickInput.cancel();
    await workbench.extension.waitForServer('vault', 'stopped');
  });

  async function expectToken(): Promise<void> {
    await workbench.tree.expand('vault', 'Tools');
    await workbench.tree.clickInlineAction('token', 'Run Tool');
    await workbench.dialog.expect();
    await workbench.dialog.answer('Run');
    const hash = createHash('sha256').update(secret).digest('hex');
    const text = await until(
      'the answer',
      () => workbench.editors.text(),
      (shown) => shown.includes(hash),
    );
    assert.match(text, new RegExp(`^${secret.length} ${hash}$`, 'm'));
  }
});
