/** Creates the question before a tool runs, and the watch for odd tools. */
import type { BridgeSettings } from '../../host/config/userSettings.ts';
import { type ApprovalServices, ToolApprovals } from '../../host/toolApproval/approvals.ts';
import type { ToolRule } from '../../host/toolApproval/toolRules.ts';
import { AppApprovals } from '../../host/toolApproval/appApprovals.ts';
import { approveWith } from '../../host/editorChat/approveTool.ts';
import { ShownApps } from '../../host/apps/shownApps.ts';
import { SkillApprovals } from '../../host/skills/skillApprovals.ts';
import { Skills } from '../../host/skills/skills.ts';
import { systemClock } from '../../base/clock.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { type ToolApprovalServices, toolApprovalDialog } from './toolApprovalDialog.ts';
import { skillDialog } from '../skills/skillDialog.ts';
import type { Registry } from '../editor/registerCommands.ts';
import { createToolWatch, type ToolWatch } from '../toolFlags/toolWatch.ts';
import { callCount } from './callCount.ts';

export interface Approval {
  readonly watch: ToolWatch;
  readonly approvals: ToolApprovals;
  /** For calls of MCP apps, whoever draws them. */
  readonly appApprovals: AppApprovals;
  readonly shownApps: ShownApps;
  readonly skillApprovals: SkillApprovals;
  readonly skills: Skills;
  /** References of the skills that the editor's own chat has loaded. */
  readonly actingInEditor: Set<string>;
  /** Asks about calls of the editor's own chat. */
  readonly approveTool: ReturnType<typeof approveWith>;
}

export function createApproval(
  services: Omit<ToolApprovalServices, 'watch'> &
    Omit<ApprovalServices, 'prompt' | 'rules'> &
    Pick<Registry, 'own'> & {
      readonly config: { readonly bridge: BridgeSettings; readonly rules: readonly ToolRule[] };
      readonly host: Pick<McpHost, 'servers'>;
    },
): Approval {
  const watch = createToolWatch(services.host);
  const prompt = toolApprovalDialog({ ...services, watch });
  const approvals = new ToolApprovals({
    ...services,
    prompt,
    rules: () => services.config.rules,
  });
  const skillApprovals = new SkillApprovals({
    ...services,
    prompt: skillDialog(services.keepFile),
  });
  const skills = new Skills(skillApprovals);
  const appApprovals = new AppApprovals(approvals, systemClock);
  services.own(callCount(appApprovals));
  const actingInEditor = new Set<string>();
  const settings = (): BridgeSettings => services.config.bridge;
  const approveTool = approveWith(approvals, appApprovals, settings, actingInEditor);
  const skillParts = { skillApprovals, skills, actingInEditor };
  const shownApps = new ShownApps(services);
  return { watch, approvals, appApprovals, shownApps, approveTool, ...skillParts };
}
