/** A window of an editor whose API has neither `chat` nor `lm`: what needs neither works, and the rest says why not. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settlesWithin } from '../../../src/base/async.ts';
import { commandId, commandNames } from '../../../src/vscode/ids.ts';
import { stdioServer } from '../../support/serverConfigs.ts';
import { clear, configure, document, everything, server, until } from '../support/host.ts';
import { createTree } from '../support/treeParts.ts';

describe('an editor without chat, language models and MCP', () => {
  before(async () => {
    assert.deepEqual(
      [Reflect.get(vscode, 'chat'), Reflect.get(vscode, 'lm')],
      [undefined, undefined],
    );
    await configure({ all: everything() });
  });

  after(clear);

  it('has every command, and servers with their lists', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      commandNames.map(commandId).filter((id) => !registered.has(id)),
      [],
    );
    await until('its lists', () => {
      const { tools = 0, prompts = 0, resources = 0 } = server('all') ?? {};
      return tools > 0 && prompts > 0 && resources > 0;
    });
  });

  it('says in the log why @mcp and the language model tools are not there', async () => {
    await vscode.commands.executeCommand(commandId('showLog'));
    for (const text of ['@mcp is not there', 'mcp_find_tools and the like are not there']) {
      await until(`"${text}" in the log`, () =>
        vscode.workspace.textDocuments.some(
          (one) => one.uri.scheme === 'output' && one.getText().includes(text),
        ),
      );
    }
  });

  it('reads resources', async () => {
    const uri = document('all', 'demo://resource/static/document/architecture.md', 'a.md');
    assert.match(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), /\w/u);
  });

  it('uses a prompt by hand: its messages are shown', async () => {
    const argument = { server: 'all', prompt: 'simple-prompt' };
    const used = vscode.commands.executeCommand(commandId('usePrompt'), argument);
    await until('the page of the prompt', () =>
      vscode.window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ label }) => label === 'Simple Prompt'),
      ),
    );
    await until('the question to be closed', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return settlesWithin(Promise.resolve(used), 500);
    });
  });

  it('says in the row of a server why the editor’s chat does not have it', () => {
    const parts = createTree({});
    parts.reconcile(stdioServer('notes'));
    parts.setOffer({ kind: 'unsupported' });
    const [row] = parts.tree.getChildren();
    assert.ok(row);
    const { tooltip } = parts.tree.resolveTreeItem(parts.tree.getTreeItem(row), row);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /this editor takes no MCP servers from extensions/u);
    parts.tree.dispose();
    parts.host.dispose();
  });
});
