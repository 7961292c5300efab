/** "Manage Approvals…": what may run without a question. Decides nothing. */
import * as vscode from 'vscode';
import type { ToolApprovals } from '../../host/toolApproval/approvals.ts';
import type { Approval } from '../../host/toolApproval/rememberedApproval.ts';
import type { Access, ExtensionAccess } from '../../host/extensions/extensionAccess.ts';
import { ruleFor, ruleText, type ToolRule } from '../../host/toolApproval/toolRules.ts';
import { displayLabel } from '../../host/catalog/labels.ts';
import type { ShownApp, ShownApps } from '../../host/apps/shownApps.ts';
import type { TrustedServers } from '../../host/toolApproval/trustedServers.ts';
import type { SkillApproval, SkillApprovals } from '../../host/skills/skillApprovals.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { commandId, section } from '../ids.ts';
import { separator } from '../forms/step.ts';
import { confirmChoice } from '../questions/modal.ts';
import { rememberedText, scopeText } from '../config/scopeText.ts';
import { dotted, oneLine } from '../text/labelText.ts';

export interface ApprovalCommandServices {
  readonly host: McpHost;
  readonly approvals: ToolApprovals;
  readonly skillApprovals: SkillApprovals;
  readonly shownApps: ShownApps;
  readonly trusted: TrustedServers;
  readonly config: { readonly rules: readonly ToolRule[] };
  readonly apis: () => { readonly access: ExtensionAccess };
}

type Item = vscode.QuickPickItem & {
  readonly act?: () => Promise<void>;
  /** What is shown then would be below the list. */
  readonly endsList?: boolean;
};

/** Stays open until it is closed: the user may want to revoke several. */
export async function manageApprovals(services: ApprovalCommandServices): Promise<void> {
  for (;;) {
    const picked = await vscode.window.showQuickPick(items(services), {
      title: vscode.l10n.t('Manage Approvals'),
      placeHolder: vscode.l10n.t(
        'Choose a tool to be asked about again, or a server to trust or not',
      ),
      matchOnDescription: true,
      // An app whose approval is taken back is drawn anew, and may take the focus.
      ignoreFocusOut: true,
    });
    if (picked?.act === undefined) {
      return;
    }
    await picked.act();
    if (picked.endsList === true) {
      return;
    }
  }
}

function items({
  host,
  approvals,
  skillApprovals,
  shownApps,
  trusted,
  config: { rules },
  apis,
}: ApprovalCommandServices): Item[] {
  const { access } = apis();
  const given = approvals.list().map((approval) => approvalItem(approvals, approval));
  const skills = skillApprovals.list().map((one) => skillItem(skillApprovals, one));
  const apps = shownApps.list().map((one) => appItem(shownApps, one));
  const extensions = access.list().map((one) => accessItem(access, one));
  const servers = [...host.servers.values()]
    .filter(({ config }) => config.hiddenBy === undefined)
    .map(({ config }) => serverItem(trusted, config));
  return [
    separator(vscode.l10n.t('Tools that run without a question')),
    ...(given.length === 0 ? [{ label: `$(info) ${vscode.l10n.t('None')}` }] : given),
    ...(skills.length === 0
      ? []
      : [separator(vscode.l10n.t('Skills that are loaded without a question')), ...skills]),
    ...(apps.length === 0
      ? []
      : [separator(vscode.l10n.t('Apps that reach sites without a question')), ...apps]),
    ...(extensions.length === 0
      ? []
      : [separator(vscode.l10n.t('Extensions that read without a question')), ...extensions]),
    ...(rules.length === 0
      ? []
      : [
          separator(vscode.l10n.t('Rules (mcpHost.rules)')),
          ...rules.map((rule) => ruleItem(rule, rules, host)),
        ]),
    separator(vscode.l10n.t('Servers')),
    ...servers,
  ];
}

function approvalItem(approvals: ToolApprovals, approval: Approval): Item {
  const { label } = rememberedText(approval.scope);
  return {
    label: `$(check) ${oneLine(approval.toolLabel, 80)}`,
    description: dotted(
      oneLine(approval.serverName, 60),
      label,
      approval.app && vscode.l10n.t('for its apps'),
      approval.extension && vscode.l10n.t('for the extension {0}', oneLine(approval.extension, 80)),
    ),
    detail: vscode.l10n.t('Choose it to be asked again.'),
    act: () => approvals.revoke(approval),
  };
}

function skillItem(approvals: SkillApprovals, one: SkillApproval): Item {
  return {
    label: `$(mortar-board) ${oneLine(one.name, 80)}`,
    description: `${oneLine(one.serverName, 60)} · ${rememberedText(one.scope).label}`,
    detail: vscode.l10n.t('Choose it to be asked again.'),
    act: () => approvals.revoke(one),
  };
}

function appItem(shownApps: ShownApps, one: ShownApp): Item {
  return {
    label: `$(window) ${oneLine(one.uri, 80)}`,
    description: `${oneLine(one.serverName, 60)} · ${rememberedText(one.scope).label}`,
    detail: vscode.l10n.t('Choose it to be asked again.'),
    act: () => shownApps.revoke(one),
  };
}

function accessItem(access: ExtensionAccess, one: Access): Item {
  return {
    label: `$(extensions) ${oneLine(one.extension, 80)}`,
    description: `${oneLine(one.serverName, 60)} · ${rememberedText(one.scope).label}`,
    detail: vscode.l10n.t('Choose it to be asked again.'),
    act: () => access.revoke(one),
  };
}

/** With the tools that it decides about now: those that no stricter rule decides about. */
function ruleItem(rule: ToolRule, rules: readonly ToolRule[], host: McpHost): Item {
  const covered = [...host.servers.values()]
    .filter(({ config }) => config.hiddenBy === undefined)
    .flatMap(({ config, catalog }) =>
      catalog
        .known('tools')
        .filter(({ name }) => ruleFor(rules, config, name) === rule)
        .map((tool) => `${config.name}: ${displayLabel(tool)}`),
    );
  const icons = { deny: 'circle-slash', ask: 'question', allow: 'check' } as const;
  return {
    label: `$(${icons[rule.decision]}) ${oneLine(ruleText(rule), 120)}`,
    description: scopeText(rule.scope),
    detail:
      covered.length === 0
        ? vscode.l10n.t('Fits no tool that is known now.')
        : oneLine(covered.join(', '), 300),
    endsList: true,
    act: async () => {
      const problem = { scope: rule.scope, setting: `${section}.rules` };
      await vscode.commands.executeCommand(commandId('openSettings'), { kind: 'problem', problem });
    },
  };
}

function serverItem(trusted: TrustedServers, server: ServerConfig): Item {
  const isTrusted = trusted.isTrusted(server);
  const state = isTrusted ? vscode.l10n.t('trusted') : vscode.l10n.t('not trusted');
  return {
    label: `$(${isTrusted ? 'verified' : 'shield'}) ${oneLine(server.name, 80)}`,
    description: `${scopeText(server.scope)} · ${state}`,
    detail: isTrusted
      ? vscode.l10n.t('Tools that it calls read-only run without a question.')
      : vscode.l10n.t('What it says about its tools is shown, but saves you no question.'),
    act: async () => {
      if (isTrusted || (await confirmTrust(server))) {
        await trusted.set(server, !isTrusted);
      }
    },
  };
}

async function confirmTrust(server: ServerConfig): Promise<boolean> {
  return confirmChoice(
    vscode.l10n.t(
      'Trust what the MCP server "{0}" says about its tools?',
      oneLine(server.name, 100),
    ),
    vscode.l10n.t(
      'Server: {0} ({1})\n\nTools that it calls read-only will run in chat without a question. Whether they only read, only the server knows. All other tools ask as before.',
      oneLine(server.name, 100),
      scopeText(server.scope),
    ),
    vscode.l10n.t('Trust'),
  );
}
