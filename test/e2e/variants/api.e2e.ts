// Another extension contributes servers and calls what servers offer: nothing of it without the user, who reads which
// extension says that it asks.
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { scripted } from '../support/servers.ts';
import { inWindow, until } from '../support/workbench.ts';

const claim = 'An extension that says it is "MCP Host Demo Model" (mcp-host.demo-model)';

describe('The API for other extensions', () => {
  const contributed = {
    name: 'contributed',
    ...scripted('showcase.mjs', { GREETING: '${input:greeting}' }),
  };
  const workbench = inWindow({
    servers: { showcase: scripted('showcase.mjs') },
    userSettings: { 'mcpHostDemo.contribute': [contributed] },
    ready: ['showcase'],
  });
  const { tree, dialog, quickInput, notifications, extension } = workbench;
  const outcomeFile = path.join(workbench.folder, '../api.json');

  /** Has the demo extension call the API. */
  async function call(...words: readonly unknown[]): Promise<void> {
    await rm(outcomeFile, { force: true });
    await workbench.runCommand('MCP Host Demo: Call the API');
    await quickInput.enter(JSON.stringify(words));
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
    await tree.expectRow('contributed', 'needs your consent · MCP Host Demo Model');
    await notifications.answer('"contributed" waits for your consent', 'Review…');
    const { detail } = await dialog.expect();
    assert.match(detail, /^From: the extension "MCP Host Demo Model" \(mcp-host\.demo-model\)$/m);
    assert.match(detail, /\$\{input:greeting\} → env\.GREETING/);
    await dialog.answer('Allow');
    await extension.waitForServer('contributed', 'ready');
  });

  it('TOOL-05, HOST-06: a tool runs after a question that names the extension as what it says it is', async () => {
    await call('callTool', 'user/showcase', 'add_note', { text: 'from afar' });
    const { message, detail } = await dialog.expect();
    assert.ok(message.startsWith(claim), message);
    assert.match(message, /wants to run "Add a Note" on the MCP server "showcase"/);
    assert.match(detail, /cannot be checked/);
    await dialog.answer('Run');
    assert.match(await outcome(), /"text":"Kept: from afar"/);
    await call('callTool', 'user/showcase', 'add_note', { text: 'again' });
    await dialog.answer('Deny');
    assert.match(await outcome(), /"code":"denied"/);
  });

  it('a resource and a prompt are read after one question, which can be remembered and taken back', async () => {
    await call('readResource', 'user/showcase', 'demo://notes/colours.json');
    const { message, detail } = await dialog.expect();
    assert.ok(message.startsWith(claim), message);
    assert.match(detail, /Resource: demo:\/\/notes\/colours\.json/);
    await dialog.answer('Allow and Remember…');
    await quickInput.pick('This Session');
    assert.match(await outcome(), /"kind":"text"/);
    await call('getPrompt', 'user/showcase', 'greet');
    assert.match(await outcome(), /"messages":\[/);
    await workbench.runCommand('MCP Host: Manage Approvals…');
    await quickInput.pick('mcp-host.demo-model');
    await quickInput.waitForItems(
      'the extension to be gone',
      (items) => items.length > 0 && !items.includes('mcp-host.demo-model'),
    );
    await quickInput.cancel();
  });
});
