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

/** Where a file is: in each workspace folder, at home, among data of desktop programs, or in a folder `User`. */
type Base = 'folder' | 'home' | 'data' | 'claude' | 'codex' | 'user';
type Place = readonly [
  base: Base,
  program: string,
  format: ImportFormat,
  file: string,
  extensions?: readonly string[],
];

const blocks = ['.yaml', '.yml', '.json'];
const storage = 'globalStorage';

const places: readonly Place[] = [
  ['folder', 'VS Code', 'vscode', '.vscode/mcp.json'],
  ['folder', 'Claude Code', 'mcpJson', '.mcp.json'],
  ['folder', 'Cursor', 'cursor', '.cursor/mcp.json'],
  ['folder', 'Roo Code', 'roo', '.roo/mcp.json'],
  ['folder', 'Gemini CLI', 'gemini', '.gemini/settings.json'],
  ['folder', 'Codex', 'codex', '.codex/config.toml'],
  ['folder', 'Continue', 'continue', '.continue/mcpServers', blocks],
  ['data', 'Claude Desktop', 'claudeDesktop', 'Claude/claude_desktop_config.json'],
  ['claude', 'Claude Code', 'claudeCode', '.claude.json'],
  ['home', 'Cursor', 'cursor', '.cursor/mcp.json'],
  ['home', 'Windsurf', 'windsurf', '.codeium/windsurf/mcp_config.json'],
  ['home', 'Gemini CLI', 'gemini', '.gemini/settings.json'],
  ['codex', 'Codex', 'codex', 'config.toml'],
  ['home', 'Continue', 'continue', '.continue/config.yaml'],
  ['home', 'Continue', 'continue', '.continue/config.json'],
  ['home', 'Continue', 'continue', '.continue/mcpServers', blocks],
  ['user', 'VS Code', 'vscode', 'mcp.json'],
  ['user', 'Cline', 'cline', `${storage}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`],
  ['user', 'Roo Code', 'roo', `${storage}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`],
];

/** Every location to check, without duplicates. */
export function importLocations(machine: ImportMachine): readonly ImportLocation[] {
  const { home, env, folders, userData, platform } = machine;
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const data = dataFolder(machine, paths);
  // This editor, and its best known siblings.
  const editors = ['Code', 'Code - Insiders'].map((name) => paths.join(data, name, 'User'));
  const bases: Readonly<Record<Base, readonly string[]>> = {
    folder: folders,
    home: [home],
    data: [data],
    claude: [env['CLAUDE_CONFIG_DIR'] || home],
    codex: [env['CODEX_HOME'] || paths.join(home, '.codex')],
    user: [userData, ...editors],
  };
  const all = places.flatMap(([base, program, format, file, extensions]) =>
    bases[base].map((folder) => ({
      program,
      format,
      path: paths.join(folder, file),
      ...(base === 'folder' && { folder }),
      ...(extensions && { extensions }),
    })),
  );
  // The first counts: what a workspace may have brought has narrower limits.
  const seen = new Set<string>();
  return all.filter(({ path: file }) => !seen.has(file) && seen.add(file));
}

/** The folder for data of desktop programs. */
function dataFolder({ platform, home, env }: ImportMachine, paths: path.PlatformPath): string {
  switch (platform) {
    case 'win32':
      return env['APPDATA'] || paths.join(home, 'AppData', 'Roaming');
    case 'darwin':
      return paths.join(home, 'Library', 'Application Support');
    default:
      return env['XDG_CONFIG_HOME'] || paths.join(home, '.config');
  }
}
