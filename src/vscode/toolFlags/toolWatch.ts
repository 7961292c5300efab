/** What is odd about a tool, and how it has changed, in words for people; the rules are in host/toolApproval. */
import * as vscode from 'vscode';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ToolQuestion } from '../../host/toolApproval/approvals.ts';
import { definitionText } from '../../host/toolApproval/toolDefinition.ts';
import {
  type FlaggedPart,
  type InstructionPattern,
  type ToolFlag,
  ToolFlags,
} from '../../host/toolApproval/toolFlags.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import { oneLine } from '../text/labelText.ts';
import { lineDifference } from '../text/lineDifference.ts';

/** One sentence per flag; empty for none. */
export type FlagSentences = (server: ServerConfig, tool: Tool) => readonly string[];

export interface ToolWatch {
  readonly flagsOf: FlagSentences;
  /** Lines with `- ` and `+ `; none when either definition is unknown. */
  readonly differenceOf: (question: Pick<ToolQuestion, 'before' | 'tool'>) => readonly string[];
}

export function createToolWatch(host: Pick<McpHost, 'servers'>): ToolWatch {
  const flags = new ToolFlags(() =>
    [...host.servers.values()].map(({ config, catalog }) => ({
      config,
      tools: catalog.items('tools'),
    })),
  );
  return {
    flagsOf: (server, tool) => flags.of(server, tool).map(flagText),
    differenceOf: ({ before, tool }) => {
      const now = definitionText(tool);
      return before === undefined || now === undefined ? [] : lineDifference(before, now);
    },
  };
}

/** Further servers are only counted. */
const maxServersNamed = 3;

function flagText(flag: ToolFlag): string {
  switch (flag.kind) {
    case 'sharedName':
      return vscode.l10n.t(
        'Another server has a tool of the same name: {0}',
        serverNames(flag.servers),
      );
    case 'hiddenCharacter':
      return vscode.l10n.t(
        'There are characters in {0} that nobody can see ({1})',
        partText(flag.part),
        flag.character,
      );
    case 'instruction':
      return patternText(flag.pattern, partText(flag.part));
  }
}

function serverNames(servers: readonly string[]): string {
  const named = servers.slice(0, maxServersNamed).map((name) => oneLine(name, 60));
  const left = servers.length - named.length;
  return left > 0 ? vscode.l10n.t('{0} and {1} more', named.join(', '), left) : named.join(', ');
}

function partText(part: FlaggedPart): string {
  const { t } = vscode.l10n;
  const texts: Readonly<Record<FlaggedPart, string>> = {
    name: t('its name'),
    title: t('its title'),
    description: t('its description'),
    inputSchema: t('what it says of its input'),
  };
  return texts[part];
}

function patternText(pattern: InstructionPattern, part: string): string {
  const { t } = vscode.l10n;
  const texts: Readonly<Record<InstructionPattern, string>> = {
    tag: t('There are tags in {0} that give orders to models', part),
    comment: t('There is an HTML comment in {0}, which models read', part),
    override: t('There are words in {0} that tell the model to ignore others', part),
    secrecy: t('There are words in {0} that tell the model to hide something', part),
    secretFile: t('There are names of files in {0} that hold keys or passwords', part),
    gap: t('There is a gap in {0} that pushes words out of sight', part),
    long: t('There is more text in {0} than anybody reads', part),
  };
  return texts[pattern];
}

/** With a warning and its reasons if there are any, as in the view. */
export function toolItem(
  server: ServerConfig,
  tool: Tool,
  flagsOf: FlagSentences,
): Pick<vscode.QuickPickItem, 'label' | 'detail'> {
  const label = oneLine(displayLabel(tool), 80);
  const flags = flagsOf(server, tool);
  return flags.length === 0
    ? { label }
    : { label: `$(warning) ${label}`, detail: oneLine(flags.join(' '), 300) };
}
