/**
 * Settings of the user other than servers and inputs: `mcpHost.follow`, `mcpHost.extensions`, `mcpHost.bridge.*`. Pure.
 * Callers pass the values of the user settings only: a workspace must not decide which files are read, what servers may
 * use, or who confirms calls. A wrong value is reported and replaced by the default.
 */
import { t } from '../../base/l10n.ts';
import { isString } from '../../base/json.ts';
import { didYouMean, EntryReader, nearest, typeName } from './entryReader.ts';
import type { ConfigProblem, SettingName } from './serverConfig.ts';
import { type NamedExtension, extensionIds } from '../../mcp/extensions.ts';

/** @param value of the user's settings only */
export function parseWords<T extends string>(
  setting: SettingName,
  value: unknown,
  known: readonly T[],
  texts: {
    /** Of a value that is no list, by what it is. */
    readonly noList: (what: string) => string;
    /** Of a word that is not known. */
    readonly unknown: (word: string) => string;
  },
): { readonly words: readonly T[]; readonly problems: readonly ConfigProblem[] } {
  const problem = (message: string): ConfigProblem => ({
    scope: { kind: 'user' },
    setting,
    message,
  });
  if (!Array.isArray(value ?? [])) {
    return { words: [], problems: [problem(texts.noList(typeName(value)))] };
  }
  const given = new Set<unknown>(Array.isArray(value) ? value : []);
  const unknown = [...given].filter((one) => !known.some((word) => word === one));
  const problems = unknown.map((one) => {
    const hint = isString(one) ? didYouMean(nearest(one, known), JSON.stringify) : '';
    const shown = isString(one) ? JSON.stringify(one) : typeName(one);
    return problem(texts.unknown(shown) + hint);
  });
  return { words: [...given].flatMap((one) => known.find((word) => word === one) ?? []), problems };
}

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
    noList: (what) => t('must be a list of programs, not {0}', what),
    unknown: (word) => t('{0} is not a program that can be followed', word),
  });
  return { programs: words.map((word) => followable.get(word) ?? word), problems };
}

/** @param value of the user's settings only: a workspace must not decide what servers may use */
export function parseExtensions(value: unknown): {
  readonly extensions: readonly NamedExtension[];
  readonly problems: readonly ConfigProblem[];
} {
  const { words, problems } = parseWords('mcpHost.extensions', value, extensionIds, {
    noList: (what) => t('must be a list of extensions of the protocol, not {0}', what),
    unknown: (word) => t('{0} is not an extension of the protocol that can be used', word),
  });
  return { extensions: words, problems };
}

/** `mcpHost`: this extension's approvals decide. `vscode`: the editor alone does. */
export type BridgeConfirmation = 'mcpHost' | 'vscode';

export interface BridgeSettings {
  /** Whether servers are offered to the editor's own chat at all. */
  readonly isEnabled: boolean;
  readonly confirmation: BridgeConfirmation;
}

/** The user's raw settings, not yet checked. */
export interface RawBridgeSettings {
  readonly enabled: unknown;
  readonly confirmation: unknown;
}

export function parseBridgeSettings(raw: RawBridgeSettings): {
  readonly settings: BridgeSettings;
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = [];
  // The editor has null for a setting that is not set.
  const given = Object.entries(raw).filter(([, value]) => value !== null);
  const reader = new EntryReader(Object.fromEntries(given), (field, message) => {
    const setting = field === 'enabled' ? 'mcpHost.bridge.enabled' : 'mcpHost.bridge.confirmation';
    problems.push({ scope: { kind: 'user' }, setting, message });
  });
  const isEnabled = reader.boolean('enabled') ?? true;
  const confirmation =
    reader.oneOf<BridgeConfirmation>('confirmation', ['mcpHost', 'vscode']) ?? 'mcpHost';
  return { settings: { isEnabled, confirmation }, problems };
}

/** How long calls are kept. */
export const historyDaysLimits = { least: 1, most: 365, unsaid: 30 } as const;

/** @param value of the user's setting `mcpHost.history.days` */
export function historyDays(value: unknown): number {
  const { least, most, unsaid } = historyDaysLimits;
  const isDays = typeof value === 'number' && value >= least && value <= most;
  return isDays ? value : unsaid;
}
