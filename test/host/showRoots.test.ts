/** Show Roots beside servers that nobody has allowed. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import * as vscode from 'vscode';
import { showRoots } from '../../src/vscode/workbench/settingsCommands.ts';
import { stdioServer } from '../support/serverConfigs.ts';
import { until } from './support/host.ts';
import { createTree } from './support/treeParts.ts';

describe('Show Roots', () => {
  it('ROOT-05, SEC-01: looks at the folders of servers that run, and of no other', async () => {
    const looked = new Set<string>();
    const runs = stdioServer('runs', { startup: 'auto', roots: ['/runs'] });
    const asks = stdioServer('asks', { roots: ['/asks'] });
    const parts = createTree({}, async (path) => void looked.add(path));
    const { host, tree, roots } = parts;
    try {
      parts.reconcile(runs, asks);
      await until('it runs', () => host.servers.get(runs.id)?.state.kind === 'ready');
      let isClosed = false;
      const shown = showRoots(host, roots).finally(() => (isClosed = true));
      await until('the list', async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        return isClosed;
      });
      await shown;
      assert.deepEqual([...looked], [resolve('/runs')]);
    } finally {
      tree.dispose();
      host.dispose();
    }
  });
});
