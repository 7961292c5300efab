/** Commands on settings and on remembered answers: open the settings, roots, consents, inputs. */
import type { RootsSource } from '../../host/roots/workspaceRoots.ts';
import * as vscode from 'vscode';
import { offer } from '../editor/offer.ts';
import { pickOne } from '../editor/pickOne.ts';
import { isObject } from '../../base/json.ts';
import type { ConfigProblem, ConfigScope, HostConfig } from '../../host/config/serverConfig.ts';
import {
  asksForInputs,
  inputOf,
  inputsOf,
  type InputValues,
  type StoredInput,
  useOfInput,
} from '../../host/launch/inputs.ts';
import type { StartConsent } from '../../host/launch/startConsent.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Root } from '../../mcp/types/methods.ts';
import { commandId, section } from '../ids.ts';
import { neverAborted } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import { scopeText } from '../config/scopeText.ts';
import { serverNamed, serverOf } from '../servers/pickServer.ts';
import type { WorkbenchCommands } from '../editor/registerCommands.ts';

export interface SettingsServices {
  readonly host: McpHost;
  readonly roots: RootsSource;
  readonly consents: StartConsent;
  readonly inputs: () => InputValues;
  readonly config: { readonly current: HostConfig };
}

export function settingsCommands(services: SettingsServices) {
  const { host, roots, consents, inputs } = services;
  return {
    openSettings: (argument) => openSettings(placeOf(host, argument)),
    showRoots: () => showRoots(host, roots),
    forgetConsents: () => forgetConsents(consents),
    changeInput: (argument) => changeInput(argument, services),
    forgetInputs: () => forgetInputs(inputs()),
  } satisfies Partial<WorkbenchCommands>;
}

/** A place in the settings. */
interface SettingsPlace {
  readonly scope: ConfigScope;
  readonly setting: ConfigProblem['setting'];
  readonly entry?: string;
}

/** The place of the command's server or problem. */
function placeOf(host: McpHost, argument: unknown): SettingsPlace {
  if (isProblem(argument)) {
    return argument.problem;
  }
  const config = serverNamed(host, argument)?.config;
  return config === undefined
    ? { scope: { kind: 'user' }, setting: `${section}.servers` }
    : { scope: config.scope, setting: `${section}.servers`, entry: config.name };
}

function isProblem(value: unknown): value is { readonly problem: ConfigProblem } {
  return isObject(value) && value['kind'] === 'problem';
}

/** Shows the settings.json of a scope at the entry; without an entry, adds a missing setting. */
async function openSettings({ scope, setting, entry }: SettingsPlace): Promise<void> {
  const argument = entry === undefined ? { revealSetting: { key: setting, edit: true } } : {};
  switch (scope.kind) {
    case 'workspace':
      await vscode.commands.executeCommand('workbench.action.openWorkspaceSettingsFile', argument);
      break;
    case 'folder':
      await vscode.window.showTextDocument(
        vscode.Uri.joinPath(vscode.Uri.parse(scope.uri), '.vscode', 'settings.json'),
      );
      break;
    case 'followed':
      await vscode.window.showTextDocument(vscode.Uri.file(scope.path));
      break;
    case 'user':
      await vscode.commands.executeCommand('workbench.action.openSettingsJson', argument);
      break;
    case 'remote':
      await vscode.commands.executeCommand('workbench.action.openRemoteSettingsFile', argument);
      break;
    case 'extension':
      // A contributed server is in no settings: the user can only change the extension.
      await vscode.commands.executeCommand('workbench.extensions.search', `@id:${scope.id}`);
      return;
  }
  const editor = vscode.window.activeTextEditor;
  if (entry !== undefined && editor !== undefined) {
    revealEntry(editor, setting, entry);
  }
}

/**
 * Finds the entry by text, since the editor reveals settings but not what is inside them. An entry written with escapes
 * is not found, which only loses the jump.
 */
function revealEntry(editor: vscode.TextEditor, setting: string, entry: string): void {
  const text = editor.document.getText();
  const key = JSON.stringify(entry);
  const start = text.indexOf(key, Math.max(0, text.indexOf(JSON.stringify(setting))));
  if (start >= 0) {
    const position = editor.document.positionAt(start + 1);
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(
      new vscode.Range(position, position),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }
}

/** One row for each folder, with the servers that are told of it. */
export async function showRoots(host: McpHost, roots: RootsSource): Promise<void> {
  const { t } = vscode.l10n;
  const told = await Promise.all(
    [...host.servers.values()]
      .filter(({ config }) => config.hiddenBy === undefined)
      .map(async ({ id, config, state }) => {
        const server = {
          label: oneLine(config.name, 60),
          description: scopeText(config.scope),
          id,
        };
        const chosen = roots.foldersFor(config);
        // Nobody may have allowed a look at the folders of a server that does not run.
        const found = state.kind === 'ready' ? await roots.rootsFor(config) : chosen;
        const isMissing = ({ uri }: Root): boolean => !found.some((root) => root.uri === uri);
        return chosen.length === 0
          ? [{ root: undefined, server, isMissing: false }]
          : chosen.map((root) => ({ root, server, isMissing: isMissing(root) }));
      }),
  );
  const folders = Map.groupBy(told.flat(), ({ root }) => root?.uri);
  const items = [...folders.values()].map((rows) => {
    const servers = rows.map(({ server }) => server);
    const root = rows[0]?.root;
    const isMissing = rows.some((row) => row.isMissing);
    const names = oneLine(servers.map(({ label }) => label).join(', '), 400);
    const icon = isMissing ? 'warning' : 'root-folder';
    return {
      label:
        root === undefined
          ? `$(circle-slash) ${t('no folder')}`
          : `$(${icon}) ${oneLine(root.name ?? root.uri, 60)}`,
      description: root && oneLine(pathOrUri(root.uri), 200),
      detail: isMissing ? t('Not found, so these are not told of it: {0}', names) : names,
      servers,
    };
  });
  const title = t('Roots: the folders that servers are told of');
  const folder = await pickOne(items, t('No MCP servers are configured.'), {
    title,
    placeHolder: t('A hint to servers, not a limit. Choose a line to change it in the settings.'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const [only, ...others] = folder?.servers ?? [];
  const server =
    others.length === 0
      ? only
      : await vscode.window.showQuickPick(folder?.servers ?? [], {
          title,
          placeHolder: t('Which server’s entry should be opened?'),
        });
  if (server !== undefined) {
    await vscode.commands.executeCommand(commandId('openSettings'), { serverId: server.id });
  }
}

function pathOrUri(text: string): string {
  const uri = vscode.Uri.parse(text);
  return uri.scheme === 'file' ? uri.fsPath : text;
}

async function forgetConsents(consents: StartConsent): Promise<void> {
  const given = consents.list();
  if (given.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('You have not allowed any server of this workspace to start.'),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(
    given.map((id) => ({
      label: oneLine(id.slice(id.lastIndexOf('/') + 1), 80),
      description: oneLine(id, 200),
      id,
    })),
    {
      title: vscode.l10n.t('Servers that you allowed to start'),
      placeHolder: vscode.l10n.t('Chosen ones ask again before their next start'),
      canPickMany: true,
    },
  );
  for (const { id } of picked ?? []) {
    await consents.forget(id);
  }
}

/** Asks for another value of an input that a server uses. The old one stays until there is another. */
async function changeInput(
  argument: unknown,
  { host, inputs, config }: SettingsServices,
): Promise<void> {
  const { t } = vscode.l10n;
  const connection = await serverOf(host, argument, {
    placeHolder: t('Which server gets another value?'),
    fits: (one) => asksForInputs(one.config),
    none: t('No MCP server of this window needs a value.'),
  });
  if (connection === undefined) {
    return;
  }
  const { config: server } = connection;
  const items = inputsOf(server).map((id) => ({
    label: `\${input:${oneLine(id, 60)}}`,
    description: oneLine(useOfInput(server, id).fields.join(', '), 200),
    id,
  }));
  const placeHolder = t('Which value is changed?');
  const picked =
    items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder });
  if (picked === undefined) {
    return;
  }
  const input = inputOf(config.current, server.scope, picked.id);
  const isChanged = await inputs().change(server, [input], neverAborted);
  if (isChanged && connection.state.kind === 'ready') {
    const text = t(
      'MCP server "{0}" gets the new value when it starts next.',
      oneLine(server.name, 60),
    );
    offer(vscode.window.showInformationMessage, text, t('Restart'), () =>
      vscode.commands.executeCommand(commandId('restartServer'), { serverId: connection.id }),
    );
  }
}

async function forgetInputs(inputs: InputValues): Promise<void> {
  const items = (await inputs.stored()).map(({ id, scope }) => ({
    label: `\${input:${oneLine(id, 60)}}`,
    description: scopeName(scope),
    key: JSON.stringify([scope, id]),
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No input values are stored.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Stored values of inputs'),
    placeHolder: vscode.l10n.t('Check those to forget: servers that need them ask again'),
    canPickMany: true,
    matchOnDescription: true,
  });
  const keys = new Set(picked?.map(({ key }) => key));
  await inputs.forget(({ id, scope }) => keys.has(JSON.stringify([scope, id])));
}

function scopeName(scope: StoredInput['scope']): string {
  switch (scope) {
    case 'folder':
      return vscode.l10n.t('folder settings');
    case 'followed':
      return vscode.l10n.t('followed programs');
    case 'user':
    case 'remote':
    case 'workspace':
      return scopeText({ kind: scope });
  }
}
