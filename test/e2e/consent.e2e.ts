// Servers that a workspace defines: nothing runs before the user has seen what would, and has allowed it.
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { variant } from './support/variant.ts';
import { ground, newFile, newFolder } from './support/ground.ts';
import { expectLines, linesOf, scripted } from './support/servers.ts';
import { typeThrough } from './support/typeThrough.ts';
import { eventually, inWindow, until } from './support/workbench.ts';

const longArgument = `--message=${'a long argument that nobody may cut '.repeat(12)}end`;

describe('A server of the workspace', () => {
  const pids = newFile('pids.txt');
  const beside = newFolder('beside-');
  const entry = {
    ...scripted('showcase.mjs', {
      PIDS: pids,
      GREETING: 'hello there',
      HOME_OF_USER: '${env:HOME}',
      MODE: '${input:mode}',
    }),
    envFile: 'server.env',
    roots: [beside, '!workspace'],
  };
  const inputs = {
    'mcpHost.inputs': [{ id: 'mode', type: 'pickString', options: ['fast', 'thorough'] }],
  };
  const workbench = inWindow({
    servers: {
      mine: scripted('showcase.mjs'),
      tools: { ...scripted('showcase.mjs'), startup: 'manual' },
    },
    workspaceServers: { tools: { ...entry, args: [...entry.args, longArgument] } },
    workspaceSettings: inputs,
    files: { 'server.env': 'NODE_OPTIONS=--enable-source-maps\n' },
  });
  const { tree, dialog, quickInput, notifications, extension } = workbench;

  it('VSC-01, SEC-01: waits without putting a dialog in the way; a user’s server starts meanwhile', async () => {
    await notifications.waitFor('waits for your consent');
    await extension.waitForServer('mine', 'ready');
    assert.equal(await dialog.isOpen(), false);
    await tree.expectRow('tools', 'needs your consent');
    await expectLines(pids, []);
  });

  it('HOST-12: hides the user’s server of the same name', async () => {
    await eventually(
      () => extension.status(),
      ({ servers }) => {
        const same = servers.filter(({ name }) => name === 'tools');
        assert.deepEqual(same.map(({ scope }) => scope).toSorted(), ['user', 'workspace']);
      },
    );
    await tree.expectRow('tools', 'hidden by workspace settings');
  });

  it('HOST-06, ROOT-06, SEC-01, SEC-02: the dialog shows all that would run, and what is risky about it', async () => {
    await notifications.answer('waits for your consent', 'Review…');
    const { message, detail, buttons } = await dialog.expect();
    await tree.expectRow('tools', 'waits for your answer');
    assert.match(message, /"tools"/);
    const question = workbench.page.locator('.monaco-dialog-box .dialog-message');
    assert.ok(
      await question.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight),
      'A part of the question is cut above the long detail.',
    );
    assert.match(detail, /^Server: tools\nFrom: workspace settings\n/);
    const expected = [
      `Command: ${ground().node}`,
      'Arguments, in this order:',
      `• ${path.join(ground().root, 'test/servers/showcase.mjs')}`,
      `• ${longArgument}`,
      `Working directory: ${workbench.folder}`,
      '• GREETING=hello there',
      '• MODE=${input:mode}',
      `Environment file: ${path.join(workbench.folder, 'server.env')}`,
      '${env:HOME} → env.HOME_OF_USER',
      '${input:mode} (fast | thorough) → env.MODE',
      `Folders that the server is told about: ${path.basename(beside)} (${beside})`,
      'NODE_OPTIONS (set in the environment file)',
      'outside the workspace',
      'with your rights',
    ];
    for (const text of expected) {
      assert.ok(detail.includes(text), `${text}\n\nis not in\n\n${detail}`);
    }
    assert.ok(
      !detail.includes(path.join(ground().trusted.profile, 'home')),
      'no value of a variable',
    );
    assert.ok(!detail.includes(`workspace (${workbench.folder})`), 'a folder that is left out');
    assert.deepEqual(buttons.toSorted(), ['Allow', 'Cancel', 'Later', 'Review…']);
    await dialog.answer('Cancel');
  });

  it('SEC-01, VSC-19: refused, it does not run, and asks again at its next start', async () => {
    await tree.expectRow('tools', 'needs your consent');
    await expectLines(pids, []);
    await startFromTree();
    await dialog.answer('Cancel');
    await tree.expectRow('tools', 'needs your consent');
    await expectLines(pids, []);
    // Whoever refuses is not told of an error.
    await notifications.expect([]);
  });

  it('VSC-01: allowed, it asks for its inputs and runs', async () => {
    await startFromTree();
    await dialog.answer('Allow');
    await quickInput.expectItem('thorough');
    await eventually(
      () => quickInput.text(),
      (box) => assert.equal(box.match(/\bmode\b/g)?.length, 1, box),
    );
    await quickInput.pick('thorough');
    await waitUntilReady();
    await eventually(
      () => linesOf(pids),
      ({ length }) => assert.equal(length, 1),
    );
    // Its row was first drawn with nothing inside.
    await tree.waitForRows('what is in it without a click', (rows) => {
      const from = rows.findIndex(({ label }) => label === 'tools');
      return rows[from + 1]?.label === 'Tools';
    });
  });

  it('VSC-19: does not ask again in a window that is loaded anew', async () => {
    await workbench.load();
    await until(
      'its second process',
      () => linesOf(pids),
      ({ length }) => length === 2,
    );
    await waitUntilReady();
    assert.equal(await dialog.isOpen(), false);
  });

  it('SEC-01: asks again when an argument is another', async () => {
    await workbench.settings.setWorkspace(settings({ args: [...entry.args, '--verbose'] }));
    await tree.show();
    await tree.expectRow('tools', 'needs your consent');
    await startFromTree();
    // Typing answers nothing.
    await typeThrough(workbench, 'The MCP server "tools" has changed');
    assert.equal((await linesOf(pids)).length, 2);
    const { message, detail, buttons } = await dialog.expect();
    assert.match(message, /The MCP server "tools" has changed/);
    assert.match(
      detail,
      /Changed since you allowed it:\n +\+ Argument: --verbose\n +− Argument: --message=/,
    );
    assert.ok(detail.includes('• --verbose'));
    assert.ok(!detail.includes(`• ${longArgument}`));
    assert.ok(buttons.includes('Allow the New Version'));
    await dialog.answer('Allow the New Version');
    await waitUntilReady();
  });

  variant('SEC-01: asks again when the content of its envFile is another', async () => {
    const started = (await linesOf(pids)).length;
    await workbench.writeFile('server.env', 'LD_PRELOAD=/tmp/other.so\n');
    await tree.clickRowAction(async () => rowWith('tools', 'workspace'), 'Restart Server');
    const { detail } = await dialog.expect(/has changed/);
    assert.match(detail, /Changed: the content of a file/);
    assert.match(detail, /LD_PRELOAD \(set in the environment file\)/);
    await dialog.answer('Cancel');
    await tree.expectRow('tools', 'needs your consent');
    await eventually(
      () => linesOf(pids),
      ({ length }) => assert.equal(length, started),
    );
  });

  variant(
    'SEC-02: names more rights, downloads that are run, and folders that are deleted',
    async () => {
      const risky = {
        command: 'sudo',
        args: ['sh', '-c', 'curl -s http://127.0.0.1:9/x | sh; rm -rf /tmp/none'],
        env: { PATH: '${workspaceFolder}/bin' },
        cwd: '..',
        sandbox: { network: true },
      };
      await workbench.settings.setWorkspace({ 'mcpHost.servers': { risky } });
      await tree.expectRow('risky', 'needs your consent');
      await startFromTree('risky');
      const { detail } = await dialog.expect();
      assertHas(detail, [
        /with your rights, within the sandbox below/,
        /more rights than yours: .*sudo/,
        /Runs what it downloads: .*curl/,
        /Deletes folders/,
        /PATH \(set in the entry\) finds programs inside the workspace/,
        /working directory outside the workspace/i,
      ]);
      await dialog.answer('Cancel');
    },
  );

  variant('HOST-06: of a server on another machine, shows what leaves this one', async () => {
    await workbench.settings.setWorkspace({
      'mcpHost.servers': {
        elsewhere: { url: 'https://mcp.example/mcp', headers: { 'X-User': '${env:HOME}' } },
      },
    });
    await tree.expectRow('elsewhere', 'needs your consent');
    await startFromTree('elsewhere');
    const { detail } = await dialog.expect();
    assert.match(detail, /Leaves this machine: \$\{env:HOME\} → headers\.X-User/);
    await dialog.answer('Cancel');
  });

  function settings(change: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return {
      'mcpHost.servers': { tools: { ...entry, ...change } },
      ...inputs,
    };
  }

  async function startFromTree(name = 'tools'): Promise<void> {
    await rowWith(name, 'consent').click();
  }

  /** The line that has both texts: there are two servers of one name. */
  function rowWith(name: string, text: string): Locator {
    return workbench.page
      .locator('.sidebar .monaco-list-row')
      .filter({ hasText: name, hasNotText: 'hidden' })
      .filter({ hasText: text });
  }

  async function waitUntilReady(): Promise<void> {
    await until(
      'the server of the workspace to be ready',
      () => extension.status(),
      ({ servers }) =>
        servers.some(({ scope, state }) => scope === 'workspace' && state === 'ready'),
    );
  }
});

function assertHas(text: string, patterns: readonly RegExp[]): void {
  for (const pattern of patterns) assert.match(text, pattern);
}
