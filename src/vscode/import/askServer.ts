/** Asks for the server to add: a command, a URL, a package, or copied text. Starts nothing. */
import * as vscode from 'vscode';
import { baseName, splitCommandLine } from '../../host/import/commandLine.ts';
import { socketUrlStart } from '../../host/config/socketUrl.ts';
import type { ImportedFile, Surroundings } from '../../host/import/importedServer.ts';
import { parsePasted } from '../../host/import/pasted.ts';
import { findNpmPackage, type NpmName, readNpmName } from '../../host/import/registrySearch.ts';
import { translateServer } from '../../host/import/translateServer.ts';
import { cancellable } from '../text/cancellation.ts';
import { errorText } from '../text/errorText.ts';
import { section } from '../ids.ts';
import { oneLine } from '../text/labelText.ts';
import type { Draft } from './saveServer.ts';

/** The result of a step: what to add, and the typed text, which is shown again when the user comes back. */
export interface Asked {
  readonly add: Draft | ImportedFile;
  readonly typed: string;
}

interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder: string;
  readonly validateInput: (value: string) => string | undefined;
}

/** @param typed initial text of the box */
function askText(typed: string | undefined, question: Question): Thenable<string | undefined> {
  const given = typed === undefined ? {} : { value: typed };
  return vscode.window.showInputBox({ ...question, ...given, ignoreFocusOut: true });
}

/** The typed text uses the variables of our own settings. */
const own = { variables: {} };

export async function askCommand(
  typed: string | undefined,
  around: Surroundings,
): Promise<Asked | undefined> {
  const line = await askText(typed, {
    title: vscode.l10n.t('Add MCP Server (1/3): command line'),
    prompt: vscode.l10n.t('The command with its arguments. It is not run through a shell.'),
    placeHolder: 'npx -y @modelcontextprotocol/server-everything',
    validateInput: (value) => {
      const words = splitCommandLine(value);
      if (words === undefined) {
        return vscode.l10n.t('A quote is not closed.');
      }
      return words.length === 0 ? vscode.l10n.t('Enter a command.') : undefined;
    },
  });
  if (line === undefined) {
    return undefined;
  }
  const [server] = parsePasted(line, around).servers;
  return server?.isUsable === true ? { add: { server }, typed: line } : undefined;
}

export async function askUrl(
  typed: string | undefined,
  around: Surroundings,
): Promise<Asked | undefined> {
  const line = await askText(typed, {
    title: vscode.l10n.t('Add MCP Server (1/3): URL'),
    prompt: vscode.l10n.t('The MCP endpoint of the server.'),
    placeHolder: 'https://example.com/mcp',
    validateInput: (value) =>
      hostOf(value) === undefined
        ? vscode.l10n.t(
            'Enter a URL that starts with https://, http://, wss://, ws://, unix:/// or pipe:///.',
          )
        : undefined,
  });
  const name = line === undefined ? undefined : hostOf(line);
  if (line === undefined || name === undefined) {
    return undefined;
  }
  const server = translateServer({ name, raw: { url: line.trim() } }, own, around);
  return { add: { server }, typed: line };
}

function hostOf(text: string): string | undefined {
  const trimmed = text.trim();
  const socket = socketUrlStart.exec(trimmed)?.[0];
  if (socket !== undefined) {
    return baseName(trimmed.slice(socket.length).split(/[#:]/u, 1)[0] ?? '');
  }
  const url = URL.parse(trimmed);
  return url !== null && /^(?:https?|wss?):$/u.test(url.protocol) ? url.hostname : undefined;
}

/** Asks for copied text. The box turns line ends into blanks, which JSON and command lines tolerate. */
export async function askPasted(
  typed: string | undefined,
  around: Surroundings,
): Promise<Asked | undefined> {
  const text = await askText(typed, {
    title: vscode.l10n.t('Add MCP Server (1/3): paste'),
    prompt: vscode.l10n.t(
      'JSON with servers, a command line such as npx … or claude mcp add …, an install link, or a URL.',
    ),
    placeHolder: '{ "mcpServers": { … } }',
    validateInput: (value) => {
      const problem = value.trim() === '' ? undefined : whyUnusable(parsePasted(value, around));
      return problem === undefined ? undefined : oneLine(problem, 200);
    },
  });
  return text === undefined || text.trim() === ''
    ? undefined
    : { add: parsePasted(text, around), typed: text };
}

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

export async function askNpmPackage(
  typed: string | undefined,
  around: Surroundings,
): Promise<Asked | undefined> {
  const text = await askText(typed, {
    title: vscode.l10n.t('Add MCP Server (1/3): npm package'),
    prompt: vscode.l10n.t('The name of the package, with a version if you like.'),
    placeHolder: '@modelcontextprotocol/server-everything',
    validateInput: (value) =>
      readNpmName(value) === undefined
        ? vscode.l10n.t('Enter the name of a package, such as @scope/name or name@1.2.3.')
        : undefined,
  });
  const wanted = text === undefined ? undefined : readNpmName(text);
  if (text === undefined || wanted === undefined) {
    return undefined;
  }
  const spec = await chooseVersion(wanted);
  if (spec === undefined) {
    return undefined;
  }
  const raw = { command: 'npx', args: ['-y', spec] };
  const server = translateServer({ name: baseName(wanted.name), raw }, own, around);
  return { add: { server }, typed: text };
}

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
  const base = vscode.workspace
    .getConfiguration(section)
    .get<string>('npmRegistryUrl', defaultNpmRegistry);
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

const defaultNpmRegistry = 'https://registry.npmjs.org';

function item(spec: string, description: string, detail: string): SpecItem {
  return { label: `npx -y ${spec}`, description, detail, spec };
}
