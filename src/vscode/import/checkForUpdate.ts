/** "Check for Update…": whether a newer version of a server's package is published, and what would run then. */
import * as vscode from 'vscode';
import { type PinnedPackage, pinnedPackage } from '../../host/import/pinnedPackage.ts';
import { findPackage, isExact, isNewer } from '../../host/import/packages.ts';
import { summaryOf } from '../../host/import/translateServer.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { McpError } from '../../mcp/errors.ts';
import { confirmChoice } from '../questions/modal.ts';
import { serverOf } from '../servers/pickServer.ts';
import { cancellable } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import { packageRegistries } from './askServer.ts';
import { SettingsTarget } from './settingsTarget.ts';

export interface UpdateServices {
  readonly host: McpHost;
  /** The folder `User` of the editor. */
  readonly userData: vscode.Uri;
}

interface Pinned {
  readonly target: SettingsTarget;
  readonly found: PinnedPackage;
}

/**
 * @param argument a row of the view; with anything else the user picks a server
 * @throws McpError when the server has no version that could be changed, or the registry cannot be asked
 */
export async function checkForUpdate(
  argument: unknown,
  { host, userData }: UpdateServices,
): Promise<void> {
  const { t } = vscode.l10n;
  const connection = await serverOf(host, argument, {
    placeHolder: t('Which server is checked for an update?'),
    fits: (one) => pinnedIn(one, userData) !== undefined,
    none: t(
      'No server of your user or workspace settings runs a package of npm or PyPI at an exact version.',
    ),
  });
  if (connection === undefined) {
    return;
  }
  const { name } = connection.config;
  const pinned = pinnedIn(connection, userData);
  if (pinned === undefined) {
    const text = t(
      '"{0}" runs no package of npm or PyPI at an exact version that your user or workspace settings name.',
      oneLine(name, 80),
    );
    throw new McpError('invalidInput', text);
  }
  const { found, target } = pinned;
  const title = t('Looking for {0}…', oneLine(found.name, 80));
  const { registry, name: wanted } = found;
  const newest = await cancellable(title, (signal) =>
    findPackage(packageRegistries(), { registry, name: wanted }, signal),
  );
  if (!isExact({ ...found, version: newest.version })) {
    throw new McpError('protocol', `The registry names no version of ${found.name}`);
  }
  if (!isNewer(newest.version, found.version)) {
    const text = t('"{0}" runs the newest version, {1}.', oneLine(name, 80), found.version);
    void vscode.window.showInformationMessage(text);
    return;
  }
  const entry = found.at(newest.version);
  const detail = [
    t('It runs: {0}', summaryOf(found.at(found.version))),
    t('It would run: {0}', summaryOf(entry)),
    oneLine(newest.description, 200),
  ].join('\n\n');
  const question = t('Update the MCP server "{0}"?', oneLine(name, 80));
  if (await confirmChoice(question, detail, t('Update'))) {
    await target.write({ servers: { [name]: entry }, inputs: [] });
  }
}

/** Undefined for an entry that is elsewhere, or names no exact version. */
function pinnedIn({ config }: ServerConnection, userData: vscode.Uri): Pinned | undefined {
  const { kind } = config.scope;
  if (kind !== 'user' && kind !== 'workspace') {
    return undefined;
  }
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const target = new SettingsTarget(kind === 'user' ? Global : Workspace, userData);
  const found = pinnedPackage(target.entry(config.name));
  return found && { target, found };
}
