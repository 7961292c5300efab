/**
 * A window of an editor whose API has nothing for chat, language models and MCP, but perhaps the empty names `chat` and
 * `lm`: what needs none of it works, and the rest says why not.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settlesWithin } from '../../../src/base/async.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { DisposableStore } from '../../../src/base/disposable.ts';
import { EditorChat } from '../../../src/host/editorChat/editorChat.ts';
import { EditorMcpClient } from '../../../src/vscode/editorChat/offerServers.ts';
import { ServerMemory } from '../../../src/host/servers/serverMemory.ts';
import { KeptInputs } from '../../../src/host/tools/keptInputs.ts';
import { commandId, commandNames } from '../../../src/vscode/ids.ts';
import { ResultFiles } from '../../../src/vscode/text/resultFiles.ts';
import { runTool, type RunServices } from '../../../src/vscode/tools/runTool.ts';
import { FakeApprovals, FakeMemory } from '../../support/fakeApprovals.ts';
import { FakeLogs } from '../../support/fakeLogs.ts';
import { stdioServer } from '../../support/serverConfigs.ts';
import {
  clear,
  configure,
  document,
  everything,
  server,
  until,
  untilTab,
} from '../support/host.ts';
import { createTree } from '../support/treeParts.ts';

const classes = [
  'ChatResponseMarkdownPart',
  'LanguageModelError',
  'LanguageModelTextPart',
  'McpHttpServerDefinition',
];

describe('an editor without chat, language models and MCP', () => {
  before(async () => {
    const empty = process.env['MCP_HOST_TEST_API'] === 'empty' ? {} : undefined;
    const names = ['chat', 'lm', ...classes];
    assert.deepEqual(
      names.map((name) => Reflect.get(vscode, name)),
      [empty, empty, ...classes.map(() => undefined)],
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

  it('says in the log why @mcp, the language model tools and the servers in its chat are not there', async () => {
    await vscode.commands.executeCommand(commandId('showLog'));
    for (const text of [
      '@mcp is not there',
      'mcp_find_tools and the like are not there',
      'its own chat is not offered any',
    ]) {
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

  it('runs a tool by hand: its result is shown', async () => {
    const tool = { name: 'sum', inputSchema: { type: 'object' } };
    const parts = createTree({ 'tools/call': () => ({ content: [{ type: 'text', text: '5' }] }) });
    parts.reconcile(stdioServer('notes', { startup: 'auto' }));
    // An editor that runs tests refuses modal dialogs.
    const { approvals, questions, asked } = new FakeApprovals();
    const services: RunServices = {
      host: parts.host,
      approvals,
      questions,
      results: new ResultFiles(new ServerMemory().open()),
      inputs: new KeptInputs(new FakeMemory()),
      checker: () => ({ check: async () => [] }),
      callServices: () => ({}),
      editText: () => assert.fail('nothing is typed'),
      flagsOf: () => [],
      showApp: () => undefined,
    };
    await runTool(services, { kind: 'tool', serverId: 'user/notes', index: 0, tool });
    assert.equal(asked.length, 1);
    await untilTab('Result of sum');
    parts.tree.dispose();
    parts.host.dispose();
  });

  it('uses a prompt by hand: its messages are shown', async () => {
    const argument = { server: 'all', prompt: 'simple-prompt' };
    const used = vscode.commands.executeCommand(commandId('usePrompt'), argument);
    await untilTab('Simple Prompt');
    await until('the question to be closed', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return settlesWithin(Promise.resolve(used), 500);
    });
  });

  it('says in the row of a server why the editor’s chat does not have it', () => {
    const store = new DisposableStore();
    const services = {
      settings: () => ({ isEnabled: true, confirmation: 'mcpHost' }) as const,
      isTrusted: () => true,
      bridge: () => assert.fail('no server is offered'),
      editor: store.add(new EditorMcpClient()),
      clock: systemClock,
      log: new FakeLogs().hostLog,
    };
    const parts = createTree({}, undefined, (host) =>
      store.add(new EditorChat({ ...services, host })),
    );
    parts.reconcile(stdioServer('notes'));
    const [row] = parts.tree.getChildren();
    assert.ok(row);
    const { tooltip } = parts.tree.resolveTreeItem(parts.tree.getTreeItem(row), row);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /this editor takes no MCP servers from extensions/u);
    parts.tree.dispose();
    parts.host.dispose();
    store.dispose();
  });
});
