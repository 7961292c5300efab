/** Which rows of the tree are drawn anew: no more than need be, since a click is lost on those that are. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settlesWithin } from '../../src/base/async.ts';
import { SeenMessages } from '../../src/host/prompts/prompts.ts';
import { ServerMemory } from '../../src/host/servers/serverMemory.ts';
import type { Resource, ResourceTemplate } from '../../src/mcp/types/lists.ts';
import { usePrompt } from '../../src/vscode/prompts/promptCommands.ts';
import { PromptPreviews } from '../../src/vscode/prompts/promptPreview.ts';
import { ResultFiles } from '../../src/vscode/text/resultFiles.ts';
import { nodeId, type TreeNode } from '../../src/vscode/tree/nodes.ts';
import { serverItem } from '../../src/vscode/tree/serverItem.ts';
import { deferred } from '../support/deferred.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { until, untilTab } from './support/host.ts';
import { createTree, type TreeOfTests } from './support/treeParts.ts';

const notes = stdioServer('notes', { startup: 'auto' });
const web = stdioServer('web');
const one: Resource = { uri: 'demo://one', name: 'one' };
const two: Resource = { uri: 'demo://two', name: 'two' };

describe('what the tree draws anew', () => {
  let parts: TreeOfTests;
  let resources: readonly Resource[];
  let templates: Promise<readonly ResourceTemplate[]>;
  /** Of each time that the editor was told. */
  let told: (readonly string[])[];

  beforeEach(async () => {
    resources = [one];
    templates = Promise.resolve([]);
    parts = createTree({
      'resources/list': () => ({ resources }),
      'resources/templates/list': async () => ({ resourceTemplates: await templates }),
    });
    told = [];
    parts.tree.onDidChangeTreeData((nodes) => {
      const rows = Array.isArray(nodes) ? nodes : [nodes];
      told.push(rows.map((node) => (node === undefined ? 'everything' : nodeId(node))));
    });
    parts.reconcile(notes, web);
    await until('the list', () => connection()?.catalog.list('resources').kind === 'ready');
    draw();
  });

  afterEach(() => {
    parts.tree.dispose();
    parts.host.dispose();
  });

  function connection(): ReturnType<typeof parts.host.servers.get> {
    return parts.host.servers.get(notes.id);
  }

  /** As the editor does where everything is open: rows by their ids. */
  function draw(parent?: TreeNode): Map<string, TreeNode> {
    const rows = new Map<string, TreeNode>();
    for (const node of parts.tree.getChildren(parent)) {
      const { id } = parts.tree.getTreeItem(node);
      assert.ok(id);
      rows.set(id, node);
      draw(node).forEach((inside, of) => rows.set(of, inside));
    }
    return rows;
  }

  function drawnGroups(): readonly string[] {
    return [...draw().keys()].filter((id) => id.startsWith('group/'));
  }

  it('VSC-21: a changed entry: its row, and none for a setting that changes no server', async () => {
    const before = draw();
    parts.reconcile(notes, { ...web, isEnabled: false });
    parts.tree.refresh();
    await until('the redraw', () => told.length > 0);
    assert.deepEqual(told, [['server/user/web']]);
    // The editor knows a row by the object that it was given.
    for (const [id, node] of draw()) {
      if (node.kind === 'server' || node.kind === 'group') {
        assert.equal(node, before.get(id));
      }
    }
  });

  it('a server that comes, goes, or has another place: everything', async () => {
    for (const servers of [[notes], [notes, web], [web, notes]]) {
      parts.reconcile(...servers);
      await until('the redraw', () => told.length > 0);
      assert.deepEqual(told, [['everything']], servers.map(({ name }) => name).join());
      draw();
      told.length = 0;
    }
  });

  it('a server that goes and comes again before the editor has asked: rows that it knows', async () => {
    const before = draw();
    parts.reconcile(web);
    parts.reconcile(notes, web);
    await until('the list', () => connection()?.catalog.list('resources').kind === 'ready');
    assert.equal(
      draw().get('group/user/notes/resources'),
      before.get('group/user/notes/resources'),
    );
  });

  it('a sign-in: the row of the server, and nothing where it has none', async () => {
    parts.signIn('user/gone');
    parts.signIn(web.id);
    await until('the redraw', () => told.length > 0);
    assert.deepEqual(told, [['server/user/web']]);
  });

  it('a list that has changed: the group, and not the server, whose other groups would be closed', async () => {
    resources = [one, two];
    connection()?.catalog.refresh();
    await until('the redraw', () => told.length > 0);
    assert.deepEqual(told, [['group/user/notes/resources']]);
  });

  it('the editor’s chat, which comes when a server has started: nothing before somebody has looked at the tooltip', async () => {
    const server = draw().get('server/user/notes');
    assert.ok(server);
    parts.setOffer({ kind: 'inUse', label: 'notes' });
    resources = [one, two];
    connection()?.catalog.refresh();
    await until('a redraw for another reason', () => told.length > 0);
    assert.deepEqual(told, [['group/user/notes/resources']]);
    draw();
    const item = parts.tree.getTreeItem(server);
    assert.equal(item.tooltip, undefined);
    const { tooltip } = parts.tree.resolveTreeItem(item, server);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.match(tooltip.value, /chat/);
    parts.setOffer({ kind: 'waiting' });
    await until('the redraw', () => told.length > 1);
    assert.deepEqual(told.slice(1), [['server/user/notes']]);
  });

  it('the editor’s chat: what a server offers there while it runs, and that it will once it does not', async () => {
    parts.setOffer({ kind: 'inUse', label: 'notes' });
    assert.match(tooltipOfNotes(), /prompts as \S*mcp\S*notes/);
    await connection()?.stop();
    assert.match(tooltipOfNotes(), /offered as soon as the server runs/);
    assert.doesNotMatch(tooltipOfNotes(), /agent mode/);
  });

  it('a server that does not run: its menu has why, also where it cannot be started', async () => {
    const mayAskWhy = (id: string): boolean => {
      const server = draw().get(`server/${id}`);
      assert.ok(server);
      return /\bcanDiagnose\b/u.test(parts.tree.getTreeItem(server).contextValue ?? '');
    };
    assert.equal(mayAskWhy('user/notes'), false);
    parts.reconcile(notes, { ...web, isEnabled: false });
    assert.equal(mayAskWhy('user/web'), true);
    await connection()?.stop();
    assert.equal(mayAskWhy('user/notes'), true);
  });

  it('a server: its row is read aloud with the words that it shows, in remote windows also where it runs', async () => {
    const team = stdioServer('team', { scope: { kind: 'workspace' } });
    const url = { kind: 'http', url: 'https://example.com', headers: {} } as const;
    parts.reconcile(
      notes,
      web,
      { ...stdioServer('off'), isEnabled: false, isSwitched: true },
      { ...stdioServer('twice'), hiddenBy: team.scope },
      { ...stdioServer('banned'), forbiddenBy: 'chat.mcp.access' },
      team,
      { ...stdioServer('url'), launch: url },
    );
    const rows = (remoteName: string | undefined): readonly unknown[] =>
      [...parts.host.servers.values()].map((server) => {
        const facts = { offer: { kind: 'waiting' }, isSignedIn: false, remoteName } as const;
        const { description, accessibilityInformation } = serverItem(server, facts);
        return [description, accessibilityInformation?.label];
      });
    assert.deepEqual(rows(undefined), [
      ['', 'notes, ready'],
      ['stopped', 'web, stopped'],
      ['off in this workspace', 'off, off in this workspace'],
      ['hidden by workspace settings', 'twice, hidden by workspace settings'],
      ['not allowed by chat.mcp.access', 'banned, not allowed by chat.mcp.access'],
      ['stopped · workspace', 'team, stopped, workspace'],
      ['stopped', 'url, stopped'],
    ]);
    const places = [
      ['ssh-remote', 'over SSH', 'reached from ssh-remote'],
      ['some-remote', 'some-remote', 'reached from some-remote'],
    ] as const;
    for (const [remoteName, program, address] of places) {
      const [ready, , , , , , last] = rows(remoteName);
      assert.deepEqual(ready, [program, `notes, ready, ${program}`]);
      assert.deepEqual(last, [`stopped · ${address}`, `url, stopped, ${address}`]);
    }
    // The browser shows this address.
    assert.deepEqual(rows('localhost:8080'), rows(undefined));
  });

  function tooltipOfNotes(): string {
    const server = draw().get('server/user/notes');
    assert.ok(server);
    const { tooltip } = parts.tree.resolveTreeItem(parts.tree.getTreeItem(server), server);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    return tooltip.value;
  }

  it('templates: no row while they load, and the row of the server once there are some', async () => {
    const answer = deferred<readonly ResourceTemplate[]>();
    templates = answer.promise;
    await connection()?.stop();
    await connection()?.start();
    await until('the list', () => connection()?.catalog.list('resources').kind === 'ready');
    assert.equal(connection()?.catalog.list('resourceTemplates').kind, 'loading');
    assert.deepEqual(drawnGroups(), ['group/user/notes/resources']);
    told.length = 0;
    answer.resolve([{ uriTemplate: 'demo://{name}', name: 'any' }]);
    await until('the redraw', () => told.length > 0);
    assert.deepEqual(told, [['server/user/notes']]);
    assert.deepEqual(drawnGroups(), [
      'group/user/notes/resources',
      'group/user/notes/resourceTemplates',
    ]);
  });
});

describe('a favorite prompt', () => {
  it('has a row while its server is stopped, and a click starts the server', async () => {
    const prompt = { name: 'greet', title: 'Greeting' };
    const parts = createTree({
      'prompts/list': () => ({ prompts: [prompt] }),
      'prompts/get': () => ({ messages: [] }),
    });
    parts.reconcile(web);
    await parts.favorites.add(web.id, prompt.name);
    await parts.favorites.add('user/gone', prompt.name);
    const favorite = (): vscode.TreeItem => {
      const [first, ...others] = parts.tree.getChildren();
      assert.ok(first);
      assert.deepEqual(others.map(nodeId), ['server/user/web']);
      return parts.tree.getTreeItem(first);
    };
    const { label, description, contextValue, command } = favorite();
    assert.deepEqual([label, description, contextValue], ['greet', 'web', 'starred']);
    const services = {
      host: parts.host,
      previews: new PromptPreviews(new ResultFiles(new ServerMemory().open()), new SeenMessages()),
      editText: () => assert.fail('nothing is asked'),
    };
    const used = usePrompt(services, command?.arguments?.[0]);
    await untilTab(prompt.title);
    await until('the preview to be closed', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return settlesWithin(used, 500);
    });
    const { label: listed, contextValue: menu } = favorite();
    assert.deepEqual([listed, menu], ['Greeting', 'prompt starred']);
    parts.tree.dispose();
    parts.host.dispose();
  });
});
