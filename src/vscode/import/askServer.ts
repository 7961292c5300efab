/**
 * The box of "Add Server", which takes any text by which people name or share a server: a command, a URL, a package, an
 * image, JSON, a link. Shows what each text would run or reach. Starts nothing.
 */
import * as vscode from 'vscode';
import { baseName } from '../../host/import/commandLine.ts';
import type { ImportedFile, Surroundings } from '../../host/import/importedServer.ts';
import { commandOf, findPackage, type PackageName } from '../../host/import/packages.ts';
import { translateServer } from '../../host/import/translateServer.ts';
import { type Reading, readTyped } from '../../host/import/typedServer.ts';
import { isHttpError } from '../../mcp/errors.ts';
import { askBundle } from './bundleFile.ts';
import type { AddServices } from './importServers.ts';
import type { Asked } from './saveServer.ts';
import { searchPick, type SearchRow } from '../editor/searchPick.ts';
import { pickStep, type StepItem } from '../forms/step.ts';
import { cancellable } from '../text/cancellation.ts';
import { errorText } from '../text/errorText.ts';
import { section } from '../ids.ts';
import { isCutOnOneLine, oneLine } from '../text/labelText.ts';

/** Characters of a command or URL in its row. */
const maxShown = 200;

/** @returns undefined when the user closed it; `back` to change what was typed */
export type Step<T> = (typed: string) => Promise<T | 'back' | undefined>;

/**
 * @param ways to a server besides a text, also for what is typed
 * @param take the servers of a text
 * @returns undefined when the user closed the box, or a step behind it
 */
export async function askServer<T>(
  around: Surroundings,
  services: AddServices,
  ways: (typed: string) => Promise<readonly SearchRow<Step<T>>[]>,
  take: (asked: Asked) => Promise<T | 'back' | undefined>,
): Promise<T | undefined> {
  const rowOf = (reading: Reading): SearchRow<Step<T>> => {
    const { label, detail, step } = shown(reading, around, services);
    return {
      label,
      detail,
      alwaysShow: true,
      ...(step && {
        choice: async () => {
          const asked = await step();
          return asked === 'back' ? asked : take(asked);
        },
      }),
    };
  };
  let value = '';
  for (;;) {
    const found = await searchPick<Step<T>>({
      takesFirst: true,
      look: {
        title: vscode.l10n.t('Add MCP Server'),
        placeholder: vscode.l10n.t(
          'Paste or type a command, URL, npm or PyPI package, Docker image, JSON or install link',
        ),
        ignoreFocusOut: true,
        value,
      },
      find: async (typed) => {
        const readings = readTyped(await withLineEnds(typed), around);
        return { rows: [...readings.map(rowOf), ...(await ways(typed.trim()))] };
      },
    });
    const end = await found?.choice(found.typed);
    if (found === undefined || end !== 'back') {
      return end === 'back' ? undefined : end;
    }
    value = found.typed;
  }
}

/**
 * The box takes line ends out of a pasted text, and with them the ends of comments, and what joined the lines of a command:
 * the clipboard still has them.
 */
async function withLineEnds(typed: string): Promise<string> {
  if (!/^\s*(?:[{"[]|mcpServers:|\/[/*])|[\\^`]\s/u.test(typed)) {
    return typed;
  }
  const copied = await vscode.env.clipboard.readText();
  return copied.replaceAll(/\s/gu, '') === typed.replaceAll(/\s/gu, '') ? copied : typed;
}

interface Shown {
  readonly label: string;
  readonly detail: string;
  /** Absent for a text that cannot be added. */
  readonly step?: () => Promise<Asked | 'back'>;
}

function shown(reading: Reading, around: Surroundings, services: AddServices): Shown {
  if (reading.kind === 'bundle') {
    return {
      label: `$(archive) ${oneLine(reading.text, 200)}`,
      detail: vscode.l10n.t('The bundle, unpacked and shown before anything runs'),
      step: () => askBundle({ source: reading.text }, services, around),
    };
  }
  if (reading.kind === 'package') {
    return {
      label: `$(package) ${oneLine(reading.text, 200)}`,
      detail:
        reading.name.registry === 'npm'
          ? vscode.l10n.t('The npm package, looked up by its name')
          : vscode.l10n.t('The PyPI package, looked up by its name'),
      step: () => lookedUp(reading.name, around),
    };
  }
  const { file, text } = reading;
  const problem = whyUnusable(file);
  if (problem !== undefined) {
    return { label: `$(error) ${oneLine(problem, 200)}`, detail: '' };
  }
  if (reading.kind === 'held') {
    const names = file.servers.filter(({ isUsable }) => isUsable).map(({ name }) => name);
    return {
      label: `$(json) ${oneLine(names.join(', '), 120)}`,
      detail: vscode.l10n.t('What this text holds, shown before anything runs'),
      step: async () => ({ file, origin: vscode.l10n.t('what was pasted') }),
    };
  }
  const isUrl = reading.kind === 'url';
  // What the row cannot show is shown before it runs.
  const origin = isCutOnOneLine(text, maxShown) ? { origin: vscode.l10n.t('what was pasted') } : {};
  return {
    label: `$(${isUrl ? 'globe' : 'terminal'}) ${oneLine(text, maxShown)}`,
    detail: isUrl
      ? vscode.l10n.t('The server that is reached at this URL')
      : vscode.l10n.t('This command with its arguments. It is not run through a shell.'),
    step: async () => ({ file, ...origin }),
  };
}

/** Why nothing in a text can be added. */
export function whyUnusable({ servers, problems }: ImportedFile): string | undefined {
  if (servers.some(({ isUsable }) => isUsable)) {
    return undefined;
  }
  const [ofText] = problems;
  if (ofText !== undefined) {
    return vscode.l10n.t('This cannot be added: it {0}', ofText);
  }
  const [ofServer] = servers.flatMap((server) => server.problems);
  return vscode.l10n.t('This cannot be added: {0}', ofServer ?? vscode.l10n.t('no server in it'));
}

interface SpecItem extends StepItem {
  /** Absent on a row that only says something. */
  readonly spec?: string;
}

/** Shows the commands that could be run, one per version. */
async function lookedUp(wanted: PackageName, around: Surroundings): Promise<Asked | 'back'> {
  const title = vscode.l10n.t('Looking for {0}…', oneLine(wanted.name, 80));
  const items = await cancellable(title, (signal) => specItems(wanted, signal));
  const frame = { title: vscode.l10n.t('Add MCP Server: what is run') };
  const { item } = await pickStep({ items }, frame, { canGoBack: true });
  if (item?.spec === undefined) {
    return 'back';
  }
  const raw = commandOf(wanted.registry, item.spec);
  const server = translateServer({ name: baseName(wanted.name), raw }, {}, around);
  return { file: { servers: [server], problems: [] } };
}

/** The addresses of the registries that the user has set. */
export function packageRegistries(): Readonly<Record<PackageName['registry'], string>> {
  const settings = vscode.workspace.getConfiguration(section);
  return {
    npm: settings.get<string>('npmRegistryUrl', 'https://registry.npmjs.org'),
    pypi: settings.get<string>('pypiUrl', 'https://pypi.org'),
  };
}

async function specItems(wanted: PackageName, signal: AbortSignal): Promise<SpecItem[]> {
  const { name, registry } = wanted;
  const item = (version: string | undefined, description: string, detail: string): SpecItem => {
    const spec = version === undefined ? name : `${name}@${version}`;
    const { command, args } = commandOf(registry, spec);
    return { label: [command, ...args].join(' '), description, detail, spec };
  };
  try {
    const found = await findPackage(packageRegistries(), wanted, signal);
    const detail = found.hasProgram
      ? oneLine(found.description, 200)
      : `$(warning) ${vscode.l10n.t('The package has no program that npx could run.')}`;
    return [
      item(found.version, vscode.l10n.t('always this version'), detail),
      ...(wanted.version === undefined
        ? [item('latest', vscode.l10n.t('the newest version at each start'), detail)]
        : []),
    ];
  } catch (error) {
    signal.throwIfAborted();
    const own = item(wanted.version, vscode.l10n.t('not looked up'), '');
    const why = packageErrorText(error, own.spec ?? name);
    return isUnknownPackage(error)
      ? [{ label: `$(error) ${why}`, detail: vscode.l10n.t('Back to what was typed') }]
      : [{ ...own, detail: `$(warning) ${why}` }];
  }
}

/** Why a package was not found. */
export function packageErrorText(error: unknown, name: string): string {
  return isUnknownPackage(error)
    ? vscode.l10n.t('The registry knows no package {0}', oneLine(name, 100))
    : errorText(error);
}

function isUnknownPackage(error: unknown): boolean {
  return isHttpError(error) && error.status === 404;
}
