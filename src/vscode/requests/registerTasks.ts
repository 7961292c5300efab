/** Tasks that outlive a window. What asks for those of an earlier one is loaded only if there are any. */
import type { McpHost } from '../../host/servers/host.ts';
import type { ServerConfig } from '../../host/config/serverConfig.ts';
import type { ToolCallServices } from '../../host/tools/callTool.ts';
import type { KeptTasks } from '../../host/tools/keptTasks.ts';
import type { Registry } from '../editor/registerCommands.ts';
import type { ToolRun } from '../tools/resultDocument.ts';
import type { resumeTasks } from './resumeTasks.ts';

/** Call it when the host knows its servers. */
export function registerTasks(
  parts: Pick<Registry, 'own'> & {
    readonly bundles: { readonly workbench: () => { readonly resumeTasks: typeof resumeTasks } };
    readonly host: McpHost;
    readonly tasks: KeptTasks;
  },
  visits: (server: ServerConfig) => ToolCallServices,
  showResult: (run: ToolRun) => Promise<void>,
): void {
  const { own, bundles, tasks } = parts;
  if (tasks.all.length > 0) {
    own(bundles.workbench().resumeTasks({ ...parts, visits, showResult }));
  }
}
