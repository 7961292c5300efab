// Servers of other programs: found, looked at, picked, renamed, their secrets put away, written, started.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { variant } from './support/variant.ts';
import { ground, newFile } from './support/ground.ts';
import { linesOf, published, scripted } from './support/servers.ts';
import { eventually, inWindow, until } from './support/workbench.ts';

/** Put together here, so that no text of this file looks like a token to scanners. */
const secret = `ghp_${'a1B2'.repeat(9)}`;

const url = 'http://127.0.0.1:9/mcp';

/**
 * What programs keep for their user, below the profile of the editor: file, text, name of the server, our entry. The
 * editor itself would start what it finds in a `mcp.json` there; the one of the folder has that format, too.
 */
const ofUser: readonly (readonly [string, string | object, string, object])[] = [
  [
    'User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    { mcpServers: { 'of-cline': { type: 'streamableHttp', url, timeout: 30 } } },
    'of-cline',
    { url, timeouts: { requestSeconds: 30 } },
  ],
  [
    'home/.continue/config.yaml',
    `name: mine\nmcpServers:\n  - name: of-continue # remote\n    url: ${url}\n`,
    'of-continue',
    { url },
  ],
];

describe('Import from other programs', () => {
  const { profile } = ground().trusted;
  const { command, args } = published('server-everything', 'stdio');
  const ofFolder: Readonly<Record<string, object>> = {
    '.vscode/mcp.json': {
      servers: { everything: { type: 'stdio', command, args, env: { GITHUB_TOKEN: secret } } },
    },
    '.mcp.json': {
      mcpServers: {
        weather: {
          type: 'http',
          url: 'http://127.0.0.1:9/mcp',
          headers: { Authorization: 'Bearer ${WEATHER_TOKEN:-none}' },
          headersHelper: '/bin/token',
        },
        broken: { args: ['x'] },
      },
    },
    '.roo/mcp.json': { mcpServers: { followed: { command: 'no-such-program' } } },
  };
  const workbench = inWindow(async () => {
    for (const [place, text] of ofUser) {
      const file = path.join(profile, place);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text));
    }
    return {
      userText: [
        '  "mcpHost.servers": {',
        '    // of our own documents',
        '    "docs": { "command": "nowhere", "startup": "manual" } // not yet',
        '  }',
      ].join('\n'),
      files: {
        ...Object.fromEntries(
          Object.entries(ofFolder).map(([name, content]) => [name, JSON.stringify(content)]),
        ),
        '.codex/config.toml':
          '[mcp_servers.docs]\ncommand = "docs-server"\nenabled = false\nenabled_tools = ["a"]\n',
        '.cursor/mcp.json': '{ "mcpServers": {',
      },
    };
  });
  const { tree, dialog, quickInput, extension, notifications, settings } = workbench;

  before(() => extension.waitForServer('docs', 'stopped'));

  // Other tests share the profile, and know of no other programs.
  after(() => Promise.all(ofUser.map(([place]) => rm(path.join(profile, place), { force: true }))));

  async function offerImport(): Promise<void> {
    await workbench.runCommand('MCP Host: Add Server…');
    await quickInput.pick('Import');
    await quickInput.expectItem('everything');
  }

  variant('offers what it finds, with what cannot be taken over', async () => {
    await offerImport();
    const items = await quickInput.waitForItems('the servers', (labels) =>
      ['everything', 'weather', 'broken', 'docs'].every((name) => labels.includes(name)),
    );
    assert.ok(
      items.some((label) => label.includes('.cursor/mcp.json')),
      items.join(),
    );
    const text = await until(
      'what is wrong',
      () => workbench.page.locator('.quick-input-list').innerText(),
      (shown) => shown.includes('needs `command`'),
    );
    assert.match(text, /is not JSON: line 1/);
    assert.match(text, /headersHelper: is left out/);
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('copies what is checked, asks for a name that is taken, and keeps secrets out of the settings', async () => {
    await offerImport();
    await quickInput.pick('everything');
    await quickInput.pick('docs');
    await quickInput.accept();
    await quickInput.pick('For me');
    await quickInput.expectItem('Import as docs-2');
    await quickInput.clickButton('Back');
    await quickInput.expectItem('For me');
    await quickInput.clickButton('Back');
    // What was checked still is.
    await quickInput.expectItem('everything');
    await quickInput.accept();
    await quickInput.pick('For me');
    await quickInput.pick('Import as docs-2');
    await quickInput.expectItem('env.GITHUB_TOKEN');
    await quickInput.accept();
    await dialog.answer('Back', 'Import 2 MCP servers?');
    await quickInput.expectItem('env.GITHUB_TOKEN');
    await quickInput.accept();
    const { detail } = await dialog.expect('Import 2 MCP servers?');
    assert.match(detail, /docs-server/);
    assert.ok(detail.includes(secret), 'what is imported is shown whole');
    assert.doesNotMatch(await settings.userText(), /everything/);
    await dialog.answer('Import and Start');
    await extension.waitForServer('everything', 'ready');
    const text = await until(
      'the entries in the settings',
      () => settings.userText(),
      (written) => written.includes('"docs-2"'),
    );
    assert.doesNotMatch(text, new RegExp(secret));
    assert.match(text, /"GITHUB_TOKEN": "\$\{input:everything-GITHUB_TOKEN\}"/);
    assert.match(text, /"id": "everything-GITHUB_TOKEN"/);
    assert.match(
      text,
      /\/\/ of our own documents\n +"docs": \{ "command": "nowhere", "startup": "manual" \}, \/\/ not yet\n/,
    );
    assert.match(text, /\/\/ not yet/);
  });

  it('HOST-13: reads what other programs keep for their user, as JSON or YAML', async () => {
    await offerImport();
    await quickInput.fill('of-');
    const names = ofUser.map(([, , name]) => name);
    await quickInput.waitForItems('one of each', (items) =>
      names.every((name) => items.includes(name)),
    );
    for (const name of names) {
      await quickInput.pick(name);
    }
    await quickInput.accept();
    await quickInput.pick('For me');
    await dialog.expect('Import 2 MCP servers?');
    await dialog.answer('Import Only');
    await eventually(
      async () => {
        // Empty for a moment while the editor writes it.
        const written: { 'mcpHost.servers'?: Readonly<Record<string, object>> } | undefined = parse(
          await settings.userText(),
        );
        return written?.['mcpHost.servers'];
      },
      (entries) => {
        for (const [, , name, entry] of ofUser) {
          assert.deepEqual(entries?.[name], { ...entry, startup: 'manual' }, name);
        }
      },
    );
  });

  variant(
    'follows a program without a copy: changes show, and nothing starts without consent',
    async () => {
      const pids = newFile('pids.txt');
      const later = scripted('showcase.mjs', { PIDS: pids });
      const mcpServers = { followed: { command: 'no-such-program' }, 'of-cline': { command: 'x' } };
      await workbench.writeFile('.roo/mcp.json', JSON.stringify({ mcpServers }));
      await workbench.runCommand('MCP Host: Add Server…');
      await quickInput.pick('Follow');
      await quickInput.clickButton('Back');
      await quickInput.expectTitle(/^Add MCP Server$/u);
      await quickInput.pick('Follow');
      await quickInput.pick('Roo Code');
      await quickInput.accept();
      await notifications.waitFor(
        '2 servers of other programs are shown. Not used, since entries of the same name come first: of-cline',
      );
      await tree.waitForRows('the followed server', (rows) =>
        rows.some(
          ({ label, description }) =>
            label === 'followed' && /needs your consent · from Roo Code/.test(description),
        ),
      );
      assert.match(await settings.userText(), /"mcpHost\.follow": \[\s*"roo-code"\s*\]/);
      await workbench.runCommand('MCP Host: Start Server');
      await quickInput.pick('followed');
      const { detail } = await dialog.expect('Start the MCP server "followed"?');
      assert.match(detail, /^From: Roo Code, followed: \.roo\/mcp\.json$/m);
      assert.ok(detail.includes('no-such-program'), detail);
      await dialog.answer('Cancel');
      await workbench.writeFile('.roo/mcp.json', JSON.stringify({ mcpServers: { later } }));
      await tree.waitForRows(
        'the change',
        (rows) =>
          rows.some(({ label, description }) => label === 'later' && /consent/.test(description)) &&
          rows.every(({ label }) => label !== 'followed'),
      );
      await workbench.runCommand('MCP Host: Start Server');
      await quickInput.pick('later');
      await dialog.answer('Allow', 'later');
      await extension.waitForServer('later', 'ready');
      // Another program that is followed changes nothing of it.
      await workbench.runCommand('MCP Host: Add Server…');
      await quickInput.pick('Follow');
      await quickInput.pick('Codex');
      await quickInput.accept();
      await notifications.waitFor('come first: docs');
      assert.equal((await linesOf(pids)).length, 1);
    },
  );
});
