/** "Check for Update…": whether newer versions of servers' packages and images are published, and what would run then. */
import * as vscode from 'vscode';
import { newestImage } from '../../host/import/imageTags.ts';
import {
  type PinnedImage,
  pinnedImage,
  type PinnedPackage,
  pinnedPackage,
} from '../../host/import/pinnedPackage.ts';
import {
  findPackage,
  isExact,
  isNewer,
  type PublishedPackage,
} from '../../host/import/packages.ts';
import { summaryOf } from '../../host/import/translateServer.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { McpError } from '../../mcp/errors.ts';
import { pickOne } from '../editor/pickOne.ts';
import { askAboutLaunch, updateQuestion } from '../launch/launchQuestion.ts';
import { serverNamed } from '../servers/pickServer.ts';
import { cancellable } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { packageErrorText, packageRegistries } from './askServer.ts';
import { SettingsTarget } from './settingsTarget.ts';
import { byHand } from './trial.ts';

export interface UpdateServices {
  readonly host: McpHost;
  /** The folder `User` of the editor. */
  readonly userData: vscode.Uri;
  readonly keepFile: KeepFile;
}

interface Pinned {
  readonly server: string;
  readonly target: SettingsTarget;
  readonly found: PinnedPackage | PinnedImage;
}

interface LookedUp extends Pinned {
  /** What is published, or why that is not known. */
  readonly newest: Published | { readonly error: string };
}

type Published = Pick<PublishedPackage, 'version' | 'description'>;

/**
 * @param argument a row of the view; with anything else all servers are checked, and the user picks one
 * @throws McpError when the server has no version that could be changed, or the registry cannot be asked
 */
export async function checkForUpdate(
  argument: unknown,
  { host, userData, keepFile }: UpdateServices,
): Promise<void> {
  const { t } = vscode.l10n;
  const named = serverNamed(host, argument);
  const pinned = (named === undefined ? [...host.servers.values()] : [named]).flatMap(
    ({ config }) => pinnedIn(config, userData) ?? [],
  );
  if (named !== undefined && pinned.length === 0) {
    const text = t(
      '"{0}" runs no package of npm or PyPI and no container image at an exact version that your user or workspace settings name.',
      oneLine(named.config.name, 80),
    );
    throw new McpError('invalidInput', text);
  }
  const [only] = pinned;
  const title =
    named === undefined || only === undefined
      ? t('Looking for updates…')
      : t('Looking for {0}…', oneLine(only.found.name, 80));
  const lookedUp = await cancellable(title, (signal) =>
    Promise.all(pinned.map((one) => lookUp(one, signal))),
  );
  const chosen = named === undefined ? await pickServer(lookedUp) : lookedUp[0];
  if (chosen !== undefined) {
    await offerUpdate(chosen, keepFile);
  }
}

async function lookUp(pinned: Pinned, signal: AbortSignal): Promise<LookedUp> {
  try {
    return { ...pinned, newest: await newestOf(pinned.found, signal) };
  } catch (error) {
    signal.throwIfAborted();
    return { ...pinned, newest: { error: packageErrorText(error, pinned.found.name) } };
  }
}

async function newestOf(found: Pinned['found'], signal: AbortSignal): Promise<Published> {
  const { registry, name } = found;
  if (registry === 'oci') {
    return { version: await newestImage(found, signal), description: '' };
  }
  const newest = await findPackage(packageRegistries(), { registry, name }, signal);
  if (!isExact({ registry, name, version: newest.version })) {
    const text = vscode.l10n.t('The registry names no version of {0}.', oneLine(name, 100));
    throw new McpError('protocol', text);
  }
  return newest;
}

/** Those with a newer version first. */
async function pickServer(lookedUp: readonly LookedUp[]): Promise<LookedUp | undefined> {
  const { t } = vscode.l10n;
  const items = lookedUp
    .map((one) => ({ label: oneLine(one.server, 80), description: stateOf(one), one }))
    .toSorted((a, b) => Number(hasNewer(b.one)) - Number(hasNewer(a.one)));
  const none = t(
    'No server of your user or workspace settings runs a package of npm or PyPI, or a container image, at an exact version.',
  );
  const picked = await pickOne(items, none, {
    title: t('Updates of MCP servers'),
    placeHolder: t('Choose one to see what would run'),
    ignoreFocusOut: true,
  });
  return picked?.one;
}

function hasNewer({ found, newest }: LookedUp): boolean {
  return 'version' in newest && isNewer(newest.version, found.version);
}

function stateOf(one: LookedUp): string {
  const { found, newest } = one;
  if ('error' in newest) {
    return `$(warning) ${oneLine(newest.error, 200)}`;
  }
  return hasNewer(one)
    ? `$(arrow-up) ${found.version} → ${newest.version}`
    : vscode.l10n.t('{0}, the newest version', found.version);
}

async function offerUpdate(one: LookedUp, keepFile: KeepFile): Promise<void> {
  const { t } = vscode.l10n;
  const { server, found, target, newest } = one;
  if ('error' in newest) {
    throw new McpError('unreachable', newest.error);
  }
  const name = oneLine(server, 80);
  if (!hasNewer(one)) {
    const text = t('"{0}" runs the newest version, {1}.', name, found.version);
    void vscode.window.showInformationMessage(text);
    return;
  }
  const entry = found.at(newest.version);
  const about = newest.description === '' ? [] : ['', oneLine(newest.description, 200)];
  const question = updateQuestion(server, summaryOf(found.at(found.version)), summaryOf(entry));
  const answer = await askAboutLaunch(
    {
      ...question,
      lines: [...question.lines, ...about],
      buttons: [{ title: t('Update'), answer: 'update', commits: true }],
    },
    keepFile,
    byHand,
  );
  if (answer === 'update') {
    await target.write({ servers: { [server]: entry }, inputs: [] });
  }
}

/** Undefined for an entry that is elsewhere, or names no exact version. */
function pinnedIn({ name, scope }: ServerConfig, userData: vscode.Uri): Pinned | undefined {
  if (scope.kind !== 'user' && scope.kind !== 'workspace') {
    return undefined;
  }
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const target = new SettingsTarget(scope.kind === 'user' ? Global : Workspace, userData);
  const entry = target.entry(name);
  const found = pinnedPackage(entry) ?? pinnedImage(entry);
  return found && { server: name, target, found };
}
