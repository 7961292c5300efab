/**
 * `mcpHost.follow` → the programs whose servers are shown as they are in their own files. Pure. What is wrong
 * is reported and left out.
 */
import { isString } from '../../base/json.ts';
import { didYouMean, typeName } from './entryReader.ts';
import type { ConfigProblem } from './serverConfig.ts';
import { nearest } from './suggest.ts';

/** The words of the setting → names of programs, as people know them. */
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

const setting = 'mcpHost.follow';

/** @param value of the user's settings alone: no workspace says which files of the user are read */
export function parseFollow(value: unknown): {
  /** Names of programs. */
  readonly programs: readonly string[];
  readonly problems: readonly ConfigProblem[];
} {
  const scope = { kind: 'user' } as const;
  if (value === undefined || value === null) {
    return { programs: [], problems: [] };
  }
  if (!Array.isArray(value)) {
    const message = `must be a list of programs, not ${typeName(value)}`;
    return { programs: [], problems: [{ scope, setting, message }] };
  }
  const programs = new Set<string>();
  const problems: ConfigProblem[] = [];
  for (const word of value as readonly unknown[]) {
    const program = isString(word) ? followable.get(word) : undefined;
    if (program !== undefined) {
      programs.add(program);
      continue;
    }
    const hint = isString(word)
      ? didYouMean(nearest(word, [...followable.keys()]), (near) => JSON.stringify(near))
      : '';
    const shown = isString(word) ? JSON.stringify(word) : typeName(word);
    problems.push({
      scope,
      setting,
      message: `${shown} is no program that can be followed${hint}`,
    });
  }
  return { programs: [...programs], problems };
}
