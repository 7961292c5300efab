/** Creates what every call of a tool needs, whoever makes it: the approvals, and which tools are on. */
import { lazily } from '../../base/lazily.ts';
import type { Audit } from '../../host/audit/audit.ts';
import { ToolSelection } from '../../host/chat/toolSelection.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { ApproveTool } from '../../host/editorChat/approveTool.ts';
import { visitsFor } from '../../host/servers/features.ts';
import type { CallHistory } from '../../host/history/callHistory.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { ToolCallServices } from '../../host/tools/callTool.ts';
import type { KeptTasks } from '../../host/tools/keptTasks.ts';
import type { ConfigSource } from '../config/configSource.ts';
import type { FlagSentences } from '../toolFlags/toolWatch.ts';
import type { Questions } from './createQuestions.ts';
import type { Shared } from './shared.ts';

export function createToolCalls(
  parts: Shared &
    Questions & {
      readonly audit: Audit;
      readonly history: CallHistory;
      readonly tasks: KeptTasks;
      readonly config: ConfigSource;
      readonly host: McpHost;
    },
) {
  const selection = new ToolSelection(parts.memory);
  const approval = lazily(() => parts.bundles.chat().createApproval(parts));
  const visits = (server: ServerConfig): ToolCallServices => visitsFor(server, parts);
  const flagsOf: FlagSentences = (server, tool) => approval().watch.flagsOf(server, tool);
  const approveTool: ApproveTool = (...call) => approval().approveTool(...call);
  return {
    selection,
    visits,
    flagsOf,
    approveTool,
    /** The parts for whoever calls tools. */
    callParts: lazily(() => {
      const { approvals, appApprovals, skillApprovals, skills } = approval();
      const asked = { approvals, appApprovals, skillApprovals, skills };
      return { ...parts, ...asked, selection, visits, flagsOf };
    }),
  };
}
