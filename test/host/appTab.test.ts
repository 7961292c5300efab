/** What an app in a tab that the user does not use may do to the editor. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import { AppPage } from '../../src/vscode/apps/appPage.ts';
import { TabUi } from '../../src/vscode/apps/tabUi.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { until } from './support/host.ts';

describe('an app in a tab that is not in use', () => {
  const config = stdioServer('a');
  const questions = new QuestionQueue(() => false);
  let panel: vscode.WebviewPanel;
  let inFront: vscode.WebviewPanel;
  let ui: TabUi;

  beforeEach(async () => {
    panel = vscode.window.createWebviewPanel('mcpHost.test', 'App', vscode.ViewColumn.Active);
    inFront = vscode.window.createWebviewPanel('mcpHost.test', 'B', vscode.ViewColumn.Active);
    const page = new AppPage(panel.webview, { script: '', state: {}, onEvent: () => undefined });
    const call = {
      id: '1',
      tool: { name: 'draw', inputSchema: {} },
      request: { server: 'a', serverId: config.id, tool: 'draw', input: {} },
      run: new Promise<never>(() => undefined),
    };
    ui = new TabUi(call, panel, page, {
      host: { servers: new Map([[config.id, { config }]]) },
      questions,
      contexts: { set: () => undefined },
      keepFile: () => assert.fail(),
    });
    await until('another tab in front', () => inFront.active && !panel.active);
  });

  afterEach(() => {
    panel.dispose();
    inFront.dispose();
  });

  it('APP-63: does not come to the front', async () => {
    assert.equal(await ui.setDisplayMode('fullscreen'), 'inline');
  });

  it('APP-73: opens no dialog for a file until the user wants to see it', async () => {
    const withdrawn = new AbortController();
    const file = { name: 'a.txt', bytes: new Uint8Array() };
    const saved = ui.saveFile(file, withdrawn.signal);
    assert.deepEqual(
      questions.waiting.map(({ text }) => text),
      ['a.txt'],
    );
    withdrawn.abort();
    await assert.rejects(saved);
  });
});
