/** The locations of other programs' MCP servers, by platform. A pure table: reads nothing. */
import path from 'node:path';
import type { Environment } from '../config/environment.ts';

/** The format of a file; see parseImport.ts. */
export type ImportFormat =
  | 'vscode'
  | 'mcpJson'
  | 'claudeDesktop'
  | 'claudeCode'
  | 'cursor'
  | 'windsurf'
  | 'cline'
  | 'roo'
  | 'gemini'
  | 'codex'
  | 'continue';

export interface ImportLocation {
  /** The program's name, as people know it. */
  readonly program: string;
  readonly format: ImportFormat;
  readonly path: string;
  /** Path of the workspace folder that it is in. */
  readonly folder?: string;
  /** Set: `path` is a directory, and each of its files with one of these endings counts. */
  readonly extensions?: readonly string[];
}

export interface ImportMachine {
  /** As in `process.platform`. */
  readonly platform: string;
  readonly home: string;
  readonly env: Environment;
  /** The folder `User` of this editor. */
  readonly userData: string;
  /** Paths of the workspace folders. */
  readonly folders: readonly string[];
}

const blockFiles = ['.yaml', '.yml', '.json'];

/**
 * The most bytes of a file that are read, by its ending, so that parsing blocks the editor's thread for about 0.1 s at
 * most; YAML is slowest. Of the user's own files Claude Code's is large, since it has the history, and is JSON.
 */
const maxBytes: readonly (readonly [ending: RegExp, ofUser: number, inFolder: number])[] = [
  [/\.ya?ml$/u, 64 * 1024, 8 * 1024],
  [/\.toml$/u, 256 * 1024, 64 * 1024],
  [/$/u, 32 * 1024 * 1024, 64 * 1024],
];

export function maxBytesOf({ folder }: ImportLocation, file: string): number {
  const [, own = 0, foreign = 0] = maxBytes.find(([ending]) => ending.test(file)) ?? [];
  return folder === undefined ? own : foreign;
}

/** Every location to check, without duplicates. */
export function importLocations(machine: ImportMachine): readonly ImportLocation[] {
  const all = [
    ...machine.folders.flatMap((folder) => inFolder(machine, folder)),
    ...ofUser(machine),
    ...userFolders(machine).flatMap((user) => inUserFolder(machine, user)),
  ];
  const seen = new Set<string>();
  return all.filter(({ path: file }) => !seen.has(file) && seen.add(file));
}

function inFolder(machine: ImportMachine, folder: string): readonly ImportLocation[] {
  const at = (...place: Place): ImportLocation => ({ ...located(machine, folder, place), folder });
  return [
    at('VS Code', 'vscode', '.vscode/mcp.json'),
    at('Claude Code', 'mcpJson', '.mcp.json'),
    at('Cursor', 'cursor', '.cursor/mcp.json'),
    at('Roo Code', 'roo', '.roo/mcp.json'),
    at('Gemini CLI', 'gemini', '.gemini/settings.json'),
    at('Codex', 'codex', '.codex/config.toml'),
    { ...at('Continue', 'continue', '.continue/mcpServers'), extensions: blockFiles },
  ];
}

function ofUser(machine: ImportMachine): readonly ImportLocation[] {
  const { home, env } = machine;
  const at = (folder: string, ...place: Place): ImportLocation => located(machine, folder, place);
  const data = dataFolder(machine);
  return [
    at(data, 'Claude Desktop', 'claudeDesktop', 'Claude/claude_desktop_config.json'),
    at(env['CLAUDE_CONFIG_DIR'] || home, 'Claude Code', 'claudeCode', '.claude.json'),
    at(home, 'Cursor', 'cursor', '.cursor/mcp.json'),
    at(home, 'Windsurf', 'windsurf', '.codeium/windsurf/mcp_config.json'),
    at(home, 'Gemini CLI', 'gemini', '.gemini/settings.json'),
    at(env['CODEX_HOME'] || pathsOf(machine).join(home, '.codex'), 'Codex', 'codex', 'config.toml'),
    at(home, 'Continue', 'continue', '.continue/config.yaml'),
    at(home, 'Continue', 'continue', '.continue/config.json'),
    { ...at(home, 'Continue', 'continue', '.continue/mcpServers'), extensions: blockFiles },
  ];
}

function inUserFolder(machine: ImportMachine, user: string): readonly ImportLocation[] {
  const at = (...place: Place): ImportLocation => located(machine, user, place);
  const storage = 'globalStorage';
  return [
    at('VS Code', 'vscode', 'mcp.json'),
    at('Cline', 'cline', `${storage}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`),
    at('Roo Code', 'roo', `${storage}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`),
  ];
}

type Place = readonly [program: string, format: ImportFormat, file: string];

function located(
  machine: ImportMachine,
  folder: string,
  [program, format, file]: Place,
): ImportLocation {
  return { program, format, path: pathsOf(machine).join(folder, file) };
}

/** The folders `User` of this editor and of its best known siblings. */
function userFolders(machine: ImportMachine): readonly string[] {
  const paths = pathsOf(machine);
  const siblings = ['Code', 'Code - Insiders'].map((name) =>
    paths.join(dataFolder(machine), name, 'User'),
  );
  return [machine.userData, ...siblings];
}

/** The folder for data of desktop programs. */
function dataFolder(machine: ImportMachine): string {
  const { platform, home, env } = machine;
  const paths = pathsOf(machine);
  switch (platform) {
    case 'win32':
      return env['APPDATA'] || paths.join(home, 'AppData', 'Roaming');
    case 'darwin':
      return paths.join(home, 'Library', 'Application Support');
    default:
      return env['XDG_CONFIG_HOME'] || paths.join(home, '.config');
  }
}

function pathsOf({ platform }: ImportMachine): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}
