/** `mcpHost.follow` → the programs whose servers are shown directly from their own files. Pure. */
import type { ConfigProblem } from './serverConfig.ts';
import { parseWords } from './wordList.ts';

/** Words of the setting → names of the programs. */
export const followable: ReadonlyMap<string, string> = new Map([
  ['vscode', 'VS Code'],
  ['claude-code', 'Claude Code'],
  ['claude-desktop', 'Claude Desktop'],
  ['cursor', 'Cursor'],
  ['windsurf', 'Windsurf'],
  ['cline', 'Cline'],
  ['roo-code', 'Roo Code'],
  ['continue', 'Continue'],
  ['gemini-cli', 'Gemini CLI'],
  ['codex', 'Codex'],
]);

/** @param value of the user's settings only: a workspace must not decide which files of the user are read */
export function parseFollow(value: unknown): {
  /** Names of programs. */
  readonly programs: readonly string[];
  readonly problems: readonly ConfigProblem[];
} {
  const { words, problems } = parseWords('mcpHost.follow', value, [...followable.keys()], {
    things: 'programs',
    thing: 'a program that can be followed',
  });
  return { programs: words.map((word) => followable.get(word) ?? word), problems };
}
