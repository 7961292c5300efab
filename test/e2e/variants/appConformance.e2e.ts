// The conformance page: what a view can see of its host, in a tab of ours and in the editor's own chat. docs/apps.md has the
// outcome as a table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { scripted } from '../support/servers.ts';
import { inWindow } from '../support/workbench.ts';

const document = path.join(import.meta.dirname, '../../../docs/apps.md');

interface Line {
  readonly isPassed: boolean;
  readonly requirement: string;
  readonly sentence: string;
}

describe('The conformance page of MCP Apps', () => {
  const workbench = inWindow({
    servers: { checks: scripted('appConformance.mjs') },
    files: {
      // Of the editor.
      '.vscode/mcp.json': JSON.stringify({ servers: { own: scripted('appConformance.mjs') } }),
    },
    ready: ['checks'],
  });
  const { chat, dialog, editors, quickInput } = workbench;

  before(() => chat.open());

  it('APP-32: passes every check in our tab', async () => {
    await chat.send('conformance {"word": "seen"}');
    await dialog.answer('Run', '"conformance"');
    await workbench.runCommand('View: New Editor Group to the Right');
    await chat.clickButton('Open App');
    const shell = await editors.webview('https://declared.example');
    await shell.getByText('Show App', { exact: true }).click();
    await dialog.answer('Allow This Tool', /"work"/u);
    await dialog.answer('Decline', /other\.example/u);
    await dialog.answer('Decline', /wants to write/u);
    await dialog.answer(
      'Allow Once',
      /The app of MCP server "checks".*wants to use a language model/u,
    );
    await dialog.answer('Send', /Send this answer to the app of MCP server "checks"/u);
    await quickInput.cancel();
    const lines = await linesOf(await editors.webview('of 43 passed'));
    assert.deepEqual(
      lines.filter(({ isPassed }) => !isPassed),
      [],
    );
    assert.deepEqual(rows('here'), lines);
    await workbench.closeEditors();
  });

  it('VSC-04: passes over the bridge what it passes in the editor’s own chat without us', async () => {
    const ofBridge = await inChat('mcp_checks_conformance', () => dialog.answer('Run'));
    const ofEditor = await inChat('mcp_scripted_conformance');
    assert.deepEqual(ofBridge, ofEditor);
    assert.deepEqual(rows('editor'), ofEditor);
  });

  /** In a chat of its own: then there is one page, which the editor may make anew. */
  async function inChat(tool: string, allow?: () => Promise<unknown>): Promise<readonly Line[]> {
    await workbench.closeEditors();
    await workbench.runCommand('Chat: New Chat Editor');
    await chat.send(`${tool} {"word": "seen"}`, 'agent');
    await allow?.();
    await dialog.answer('Cancel', /open the external website/u);
    return linesOf(await editors.webview('of 43 passed'));
  }
});

/** The lines of the page when it has checked everything. */
async function linesOf(page: Frame): Promise<readonly Line[]> {
  const cells = await page
    .locator('tr')
    .evaluateAll((found) =>
      found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
    );
  return cells.map(([mark, requirement = '', sentence = '']) => ({
    isPassed: mark === '✔',
    requirement,
    sentence,
  }));
}

/** The table in the documents. */
function rows(column: 'here' | 'editor'): readonly Line[] {
  const row =
    /^\| (?<sentence>.+?) +\| (?<requirement>APP-\d+) +\| (?<here>\S+) +\| (?<editor>\S+) +\|$/gmu;
  return [...readFileSync(document, 'utf8').matchAll(row)].map(({ groups = {} }) => ({
    isPassed: groups[column] === 'yes',
    requirement: groups['requirement'] ?? '',
    sentence: groups['sentence'] ?? '',
  }));
}
