/**
 * What the host tests share: the extension as it runs in this window, its settings, its servers, and
 * ways to wait for them. It knows no particular test.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { delay } from '../../../src/base/async.ts';
import type { Exports, ServerSummary } from '../../../src/vscode/extensions/exports.ts';
import { commandId, type CommandName, extensionId, section } from '../../../src/vscode/ids.ts';
import { toEditorUri } from '../../../src/vscode/text/resourceUri.ts';

/** Long enough for a start of several servers on a busy machine. */
export const limitMs = 30_000;

export const { ConfigurationTarget } = vscode;

export type Entries = Readonly<Record<string, unknown>>;

export function extension(): vscode.Extension<Exports> {
  const found = vscode.extensions.getExtension<Exports>(extensionId);
  if (found === undefined) {
    throw new Error(`There is no extension ${extensionId} in this window`);
  }
  return found;
}

/** A Node for test servers; the extension host's own program may be an editor. */
export const node = process.env['MCP_HOST_TEST_NODE'] ?? process.execPath;

/** The path of a file of this repository. */
export function fromRoot(...parts: readonly string[]): string {
  return join(extension().extensionPath, ...parts);
}

/** The first folder of the workspace. */
export function folder(): vscode.WorkspaceFolder {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (first === undefined) {
    throw new Error('The window has no folder');
  }
  return first;
}

/** Gives what `look` gives as soon as that is neither undefined nor false; fails after `ms` milliseconds. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = limitMs,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) {
      return seen;
    }
    if (performance.now() > end) {
      throw new Error(`Waited in vain for: ${what}. Servers: ${JSON.stringify(servers())}`);
    }
    await delay(20);
  }
}

export function servers(): readonly ServerSummary[] {
  return extension().exports.servers();
}

/** By its id (`user/name`), or by its name among the servers of the user's settings. */
export function server(name: string): ServerSummary | undefined {
  return servers().find(({ id }) => id === name || id === `user/${encodeURIComponent(name)}`);
}

/** Waits until the server is in this state, and gives what is known of it then. */
export function untilState(name: string, state: string, ms?: number): Promise<ServerSummary> {
  return until(
    `${name} ${state}`,
    () => {
      const summary = server(name);
      return summary?.state === state && summary;
    },
    ms,
  );
}

/** Waits until there is a tab with this label. */
export async function untilTab(label: string): Promise<void> {
  await until(`the tab "${label}"`, () =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => tab.label === label)),
  );
}

/** Sets `mcpHost.servers` of a scope; a list is none of the shapes that it may have. */
export async function configure(
  entries: Entries | readonly unknown[] | undefined,
  target = ConfigurationTarget.Global,
): Promise<void> {
  await vscode.workspace.getConfiguration(section).update('servers', entries, target);
}

/** No server is configured and none runs any more. */
export async function clear(): Promise<void> {
  await configure(undefined);
  if (vscode.workspace.getConfiguration(section).inspect('servers')?.workspaceValue !== undefined) {
    await configure(undefined, ConfigurationTarget.Workspace);
  }
  await until('no server', () => servers().length === 0);
  await vscode.commands.executeCommand(commandId('stopAllServers'));
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** An entry for test/servers/probe.mjs, which tells what it was given and does what it is asked to. */
export function probe(env: Entries = {}, more: Entries = {}): Entries {
  return { command: node, args: [fromRoot('test/servers/probe.mjs')], env, ...more };
}

/** An entry for the reference server that has one of everything. */
export function everything(...args: readonly string[]): Entries {
  const program = fromRoot('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  return { command: node, args: [program, ...args] };
}

let reads = 0;

/** What the scripted server says of itself now; each question is a URI of its own, so that none is answered from memory. */
export async function ask(name: string, what: string): Promise<string> {
  reads += 1;
  const bytes = await vscode.workspace.fs.readFile(document(name, `probe://host/${what}?${reads}`));
  return Buffer.from(bytes).toString();
}

/** The editor's URI of a resource of a server in the user's settings. */
export function document(name: string, uri: string, fileName = 'resource.txt'): vscode.Uri {
  const serverId = name.includes('/') ? name : `user/${name}`;
  return toEditorUri({ serverId, uri }, fileName);
}

/** Beside the output file, in the folder that the launcher removes at the end of the run. */
export function temporaryFolder(): string {
  const output = process.env['MCP_HOST_TEST_OUTPUT'];
  return mkdtempSync(join(output === undefined ? tmpdir() : dirname(output), 'test-'));
}

/** The numbers in a file, one a line; none while there is no file. */
export function numbersIn(file: string): readonly number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export function run(command: CommandName, ...args: readonly unknown[]): Thenable<void> {
  return vscode.commands.executeCommand(commandId(command), ...args);
}

/** The text of the report on why the server of this name in the user's settings does not start. */
export async function reportOn(name: string): Promise<string> {
  await run('diagnoseServer', { serverId: `user/${name}` });
  const report = await until('the report', () =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(`/${name}-start.md`)),
  );
  return report.getText();
}
