/** The editor's own MCP client takes the servers of this extension, starts them, and gives them back. */
import * as vscode from 'vscode';
import { section } from '../../src/vscode/ids.ts';
import { clear, configure, ConfigurationTarget, probe, until, untilState } from './support/host.ts';

async function set(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(key, value, ConfigurationTarget.Global);
}

/** Tools that the editor has from the server `probe` by way of the bridge. */
function bridged(): readonly string[] {
  return vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_probe_'));
}

describe('the bridge to the editor’s own chat', () => {
  before(clear);
  after(async () => {
    await set('bridge.enabled', undefined);
    await clear();
  });

  it('brings the tools of a server before any message, by the editor’s own start (@smoke)', async () => {
    await configure({ probe: probe({ ITEMS: '2' }) });
    await untilState('probe', 'ready');
    await until('the tools', () => bridged().length === 2);
  });

  it('takes them back when it is switched off, and brings them again (@smoke)', async () => {
    await set('bridge.enabled', false);
    await until('no tools', () => bridged().length === 0);
    await set('bridge.enabled', true);
    await until('the tools', () => bridged().length === 2);
  });

  it('takes them back when the entry says so', async () => {
    await configure({ probe: probe({ ITEMS: '2' }, { bridge: false }) });
    await until('no tools', () => bridged().length === 0);
  });
});
