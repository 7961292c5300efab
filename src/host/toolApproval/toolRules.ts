/**
 * `mcpHost.rules`: which calls of tools are denied, asked about or allowed, by the names of server and tool. Of the rules
 * that fit a call, deny wins over ask, and ask over allow. Pure.
 */
import { t } from '../../base/l10n.ts';
import { isObject } from '../../base/json.ts';
import { isLike } from '../../base/wildcard.ts';
import { EntryReader, typeName } from '../config/entryReader.ts';
import type { ConfigProblem, ConfigScope, ServerConfig } from '../config/serverConfig.ts';

/** Where rules are set. A repository can write the settings of the remote machine. */
const kinds = ['user', 'remote', 'workspace'] as const;

/** The strictest first. */
const decisions = ['deny', 'ask', 'allow'] as const;

export interface ToolRule {
  readonly decision: (typeof decisions)[number];
  /** A name in the settings; `*` stands for any characters. */
  readonly server: string;
  /** A name as the server lists it; `*` as above. */
  readonly tool: string;
  readonly scope: Extract<ConfigScope, { kind: (typeof kinds)[number] }>;
}

/** Only the user may allow. A rule with a mistake is reported and has no effect. */
export function parseRules(raw: Readonly<Record<(typeof kinds)[number], unknown>>): {
  readonly rules: readonly ToolRule[];
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = [];
  const rules = kinds.flatMap((kind) =>
    parseScope(raw[kind] ?? [], { kind }, (message) => {
      problems.push({ scope: { kind }, setting: 'mcpHost.rules', message, isFatal: true });
    }),
  );
  return { rules, problems };
}

function parseScope(
  list: unknown,
  scope: ToolRule['scope'],
  report: (message: string) => void,
): readonly ToolRule[] {
  if (!Array.isArray(list)) {
    report(t('must be a list of rules, not {0}', typeName(list)));
    return [];
  }
  return (list as readonly unknown[]).flatMap((value, index) => {
    const fail = (message: string): void => report(t('rule {0}: {1}', index + 1, message));
    if (!isObject(value)) {
      fail(t('must be an object with "decision", not {0}', typeName(value)));
      return [];
    }
    const reader = new EntryReader(value, (field, message) => fail(`${field ?? ''} ${message}`));
    reader.require('decision');
    const decision = reader.oneOf('decision', decisions);
    const server = reader.text('server') ?? '*';
    const tool = reader.text('tool') ?? '*';
    reader.warnOfOthers();
    if (!reader.isUsable || decision === undefined) {
      return [];
    }
    if (decision === 'allow' && scope.kind !== 'user') {
      fail(
        t(
          'a workspace or a remote machine may deny tools and have them asked about, not allow them',
        ),
      );
      return [];
    }
    return [{ decision, server, tool, scope }];
  });
}

/** One that allows fits only servers of the user's own settings: others choose their names themselves. */
function isFor(rule: ToolRule, { name, scope }: Pick<ServerConfig, 'name' | 'scope'>): boolean {
  return isLike(rule.server, name) && (rule.decision !== 'allow' || scope.kind === 'user');
}

/** Whether a rule allows tools of this server. */
export function allowsTools(
  rules: readonly ToolRule[],
  server: Pick<ServerConfig, 'name' | 'scope'>,
): boolean {
  return rules.some((rule) => rule.decision === 'allow' && isFor(rule, server));
}

/** The strictest rule that fits. */
export function ruleFor(
  rules: readonly ToolRule[],
  server: Pick<ServerConfig, 'name' | 'scope'>,
  tool: string,
): ToolRule | undefined {
  const fitting = rules.filter((rule) => isFor(rule, server) && isLike(rule.tool, tool));
  return decisions
    .map((decision) => fitting.find((rule) => rule.decision === decision))
    .find((rule) => rule !== undefined);
}

export interface DeniedByRule {
  readonly kind: 'denied';
  /** Who or what did not allow it: a sentence without its end. */
  readonly why: string;
  /** Nobody was asked. */
  readonly isRuled: true;
}

export type Ruled = DeniedByRule | 'ask' | 'allow';

/** What the rules say of a call; undefined: nothing. */
export function ruledBy(
  rules: readonly ToolRule[],
  server: Pick<ServerConfig, 'name' | 'scope'>,
  tool: string,
): Ruled | undefined {
  const rule = ruleFor(rules, server, tool);
  if (rule?.decision !== 'deny') {
    return rule?.decision;
  }
  const why = t('The rule "{0}" in mcpHost.rules does not allow this call', ruleText(rule));
  return { kind: 'denied', why, isRuled: true };
}

/** `deny delete_* of github` */
export function ruleText({ decision, server, tool }: ToolRule): string {
  return `${decision} ${tool} of ${server}`;
}
