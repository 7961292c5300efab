/** Asks for the server to add in a box: a command, a URL, a package, or copied text. Starts nothing. */
import * as vscode from 'vscode';
import { baseName, splitCommandLine } from '../../host/import/commandLine.ts';
import type { ImportedFile, Surroundings } from '../../host/import/importedServer.ts';
import { isLaunchItself, nameOfUrl, parsePasted, serverAtUrl } from '../../host/import/pasted.ts';
import { findNpmPackage, type NpmName, readNpmName } from '../../host/import/registrySearch.ts';
import { translateServer } from '../../host/import/translateServer.ts';
import { cancellable } from '../text/cancellation.ts';
import { errorText } from '../text/errorText.ts';
import { section } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';

/** The result of a step. */
export interface Asked {
  readonly file: ImportedFile;
  /** Where it comes from, in words; absent when the user typed what is run or reached. */
  readonly origin?: string | undefined;
  /** Is shown again when the user comes back. */
  readonly typed: string;
}

/** A way to a server. @returns undefined when the user closed it */
export type Ask = (typed: string | undefined, around: Surroundings) => Promise<Asked | undefined>;

interface Box {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder: string;
  /** What is wrong with a text, said while it is typed. */
  readonly wrong: (text: string, around: Surroundings) => string | undefined;
  /** Absent for any text by which people share a server. */
  readonly read?: (text: string, around: Surroundings) => Promise<ImportedFile | undefined>;
  readonly origin?: string;
}

/** Where the box is a function, since the editor's language is not known yet when this module loads. */
function asker(boxOf: () => Box): Ask {
  return async (value, around) => {
    const { wrong, read, origin, ...look } = boxOf();
    const typed = await vscode.window.showInputBox({
      ...look,
      ...(value !== undefined && { value }),
      ignoreFocusOut: true,
      validateInput: (text) => wrong(text, around),
    });
    if (typed === undefined || typed.trim() === '') {
      return undefined;
    }
    if (read !== undefined) {
      const file = await read(typed, around);
      return file && { file, origin, typed };
    }
    return {
      file: parsePasted(typed, around),
      origin: origin ?? (isLaunchItself(typed, around) ? undefined : pastedText()),
      typed,
    };
  };
}

function pastedText(): string {
  return vscode.l10n.t('what was pasted');
}

export const askCommand = asker(() => ({
  title: vscode.l10n.t('Add MCP Server (1/3): command line'),
  prompt: vscode.l10n.t('The command with its arguments. It is not run through a shell.'),
  placeHolder: 'npx -y @modelcontextprotocol/server-everything',
  wrong: (text) => {
    const words = splitCommandLine(text);
    if (words === undefined) {
      return vscode.l10n.t('A quote is not closed.');
    }
    return words.length === 0 ? vscode.l10n.t('Enter a command.') : undefined;
  },
}));

export const askUrl = asker(() => ({
  title: vscode.l10n.t('Add MCP Server (1/3): URL'),
  prompt: vscode.l10n.t('The MCP endpoint of the server.'),
  placeHolder: 'https://example.com/mcp',
  wrong: (text) =>
    nameOfUrl(text.trim()) === undefined
      ? vscode.l10n.t(
          'Enter a URL that starts with https://, http://, wss://, ws://, unix:/// or pipe:///.',
        )
      : undefined,
  read: async (text, around) => {
    const url = text.trim();
    const name = nameOfUrl(url);
    return name === undefined ? undefined : serverAtUrl(name, url, around);
  },
}));

/** The box turns line ends into blanks, which JSON and command lines tolerate. */
export const askPasted = asker(() => ({
  title: vscode.l10n.t('Add MCP Server (1/3): paste'),
  prompt: vscode.l10n.t(
    'JSON with servers, a command line such as npx … or claude mcp add …, an install link, or a URL.',
  ),
  placeHolder: '{ "mcpServers": { … } }',
  wrong: (text, around) => {
    const problem = text.trim() === '' ? undefined : whyUnusable(parsePasted(text, around));
    return problem === undefined ? undefined : oneLine(problem, 200);
  },
  origin: pastedText(),
}));

/** Why nothing in a pasted text can be added. */
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

export const askNpmPackage = asker(() => ({
  title: vscode.l10n.t('Add MCP Server (1/3): npm package'),
  prompt: vscode.l10n.t('The name of the package, with a version if you like.'),
  placeHolder: '@modelcontextprotocol/server-everything',
  wrong: (text) =>
    readNpmName(text) === undefined
      ? vscode.l10n.t('Enter the name of a package, such as @scope/name or name@1.2.3.')
      : undefined,
  read: async (text, around) => {
    const wanted = readNpmName(text);
    const spec = wanted && (await chooseVersion(wanted));
    if (wanted === undefined || spec === undefined) {
      return undefined;
    }
    const raw = { command: 'npx', args: ['-y', spec] };
    const server = translateServer({ name: baseName(wanted.name), raw }, {}, around);
    return { servers: [server], problems: [] };
  },
}));

interface SpecItem extends vscode.QuickPickItem {
  readonly spec: string;
}

/** Shows the commands that could be run, one per version. */
async function chooseVersion(wanted: NpmName): Promise<string | undefined> {
  const title = vscode.l10n.t('Looking for {0}…', oneLine(wanted.name, 80));
  const items = await cancellable(title, (signal) => specItems(wanted, signal));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Add MCP Server (1/3): what is run'),
    ignoreFocusOut: true,
  });
  return picked?.spec;
}

async function specItems(wanted: NpmName, signal: AbortSignal): Promise<SpecItem[]> {
  const settings = vscode.workspace.getConfiguration(section);
  const base = settings.get<string>('npmRegistryUrl', 'https://registry.npmjs.org');
  const { name } = wanted;
  try {
    const found = await findNpmPackage(base, wanted, signal);
    const detail = found.hasProgram
      ? oneLine(found.description, 200)
      : `$(warning) ${vscode.l10n.t('The package has no program that npx could run.')}`;
    return [
      item(`${name}@${found.version}`, vscode.l10n.t('always this version'), detail),
      ...(wanted.version === undefined
        ? [item(`${name}@latest`, vscode.l10n.t('the newest version at each start'), detail)]
        : []),
    ];
  } catch (error) {
    signal.throwIfAborted();
    const detail = `$(warning) ${errorText(error)}`;
    const spec = wanted.version === undefined ? name : `${name}@${wanted.version}`;
    return [item(spec, vscode.l10n.t('not looked up'), detail)];
  }
}

function item(spec: string, description: string, detail: string): SpecItem {
  return { label: `npx -y ${spec}`, description, detail, spec };
}
