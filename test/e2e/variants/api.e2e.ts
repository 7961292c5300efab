// Another extension contributes servers and calls what servers offer: nothing of it without the user, who reads which
// extension says that it asks.
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { scripted } from '../support/servers.ts';
import { openWorkbench, until, type Workbench } from '../support/workbench.ts';

const claim = 'An extension that says it is "MCP Host Demo Model" (mcp-host.demo-model)';

describe('The API for other extensions', () => {
  let workbench: Workbench;
  let outcomeFile: string;
  const servers = { showcase: scripted('showcase.mjs') };
  const contributed = {
    name: 'contributed',
    ...scripted('showcase.mjs', { GREETING: '${input:greeting}' }),
  };

  before(async () => {
    workbench = await openWorkbench({
      userSettings: { 'mcpHost.servers': servers, 'mcpHostDemo.contribute': [contributed] },
    });
    outcomeFile = path.join(workbench.folder, '../api.json');
    await workbench.extension.waitForServer('showcase', 'ready');
    await workbench.tree.show();
  });

  after(() => workbench.close());

  /** Has the demo extension call the API. */
  async function call(...words: readonly unknown[]): Promise<void> {
    await rm(outcomeFile, { force: true });
    await workbench.runCommand('MCP Host Demo: Call the API');
    await workbench.quickInput.fill(JSON.stringify(words));
    await workbench.quickInput.accept();
  }

  /** The text of what the call came to. */
  async function outcome(): Promise<string> {
    return until(
      'the outcome of the call',
      () => readFile(outcomeFile, 'utf8').catch(() => ''),
      (text) => text !== '',
    );
  }

  it('SEC-01, HOST-06: a contributed server waits for consent, which names the extension and shows no secret', async () => {
    await workbench.tree.waitForRows('the contributed server', (rows) =>
      rows.some(
        ({ label, description }) =>
          label === 'contributed' && description === 'needs your consent · MCP Host Demo Model',
      ),
    );
    await workbench.notifications.answer('"contributed" waits for your consent', 'Review…');
    const { detail } = await workbench.dialog.expect();
    await workbench.screenshot('api-consent');
    assert.match(detail, /^From: the extension "MCP Host Demo Model" \(mcp-host\.demo-model\)$/m);
    assert.match(detail, /\$\{input:greeting\} → env\.GREETING/);
    await workbench.dialog.answer('Allow');
    await workbench.extension.waitForServer('contributed', 'ready');
  });

  it('TOOL-05, HOST-06: a tool runs after a question that names the extension as what it says it is', async () => {
    await call('callTool', 'user/showcase', 'add_note', { text: 'from afar' });
    const { message, detail } = await workbench.dialog.expect();
    await workbench.screenshot('api-tool');
    assert.ok(message.startsWith(claim), message);
    assert.match(message, /wants to run "Add a Note" on the MCP server "showcase"/);
    assert.match(detail, /cannot be checked/);
    await workbench.dialog.answer('Run');
    assert.match(await outcome(), /"text":"Kept: from afar"/);
    await call('callTool', 'user/showcase', 'add_note', { text: 'again' });
    await workbench.dialog.expect();
    await workbench.dialog.answer('Deny');
    assert.match(await outcome(), /"code":"denied"/);
  });

  it('a resource and a prompt are read after one question, which can be remembered and taken back', async () => {
    await call('readResource', 'user/showcase', 'demo://notes/colours.json');
    const { message, detail } = await workbench.dialog.expect();
    await workbench.screenshot('api-access');
    assert.ok(message.startsWith(claim), message);
    assert.match(detail, /Resource: demo:\/\/notes\/colours\.json/);
    await workbench.dialog.answer('Allow and Remember…');
    await workbench.quickInput.pick('This Session');
    assert.match(await outcome(), /"kind":"text"/);
    await call('getPrompt', 'user/showcase', 'greet');
    assert.match(await outcome(), /"messages":\[/);
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await workbench.quickInput.waitForItems('the extension', (items) =>
      items.includes('mcp-host.demo-model'),
    );
    await workbench.screenshot('api-approvals');
    await workbench.quickInput.pick('mcp-host.demo-model');
    await workbench.quickInput.waitForItems(
      'the extension to be gone',
      (items) => items.length > 0 && !items.includes('mcp-host.demo-model'),
    );
    await workbench.quickInput.cancel();
  });

  it('HOST-07: the audit says which extension it was', async () => {
    await workbench.runCommand('MCP Host: Open Audit Log');
    await workbench.editors.waitForText('"event":"promptUse"');
    const text = await workbench.editors.waitForText('"extension":"mcp-host.demo-model"');
    assert.doesNotMatch(text, /from afar/);
  });

  it('a contributed server is gone with its registration', async () => {
    await call('dispose');
    await workbench.tree.waitForRows(
      'the contributed server to be gone',
      (rows) => rows.length > 0 && rows.every(({ label }) => label !== 'contributed'),
    );
  });
});
