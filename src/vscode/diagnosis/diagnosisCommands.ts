/** "Why Does This Server Not Start?": all that is known of a start, in one document to read and to share. */
import * as vscode from 'vscode';
import { isMcpError, type McpError, isAboutTls } from '../../mcp/errors.ts';
import type { LaunchInspection, LaunchInspector } from '../../host/launch/launchGate.ts';
import { errorOf } from '../../host/servers/connectionState.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { type ShownCertificate, shownCertificate } from '../../host/diagnosis/shareable.ts';
import { serverOf } from '../servers/pickServer.ts';
import type { WorkbenchCommands } from '../editor/registerCommands.ts';
import type { OutputLogs } from '../editor/logs.ts';
import type { KeepFile } from '../text/wholeText.ts';
import { startReport } from './startReport.ts';

export interface DiagnosisServices {
  readonly host: McpHost;
  readonly logs: OutputLogs;
  readonly keepFile: KeepFile;
  readonly launchGate: () => LaunchInspector;
}

export function diagnosisCommands(
  parts: DiagnosisServices,
): Pick<WorkbenchCommands, 'diagnoseServer'> {
  return {
    diagnoseServer: async (argument) => {
      const connection = await serverOf(parts.host, argument, {
        placeHolder: vscode.l10n.t('Which server does not start?'),
        fits: ({ state }) => state.kind !== 'ready',
        none: vscode.l10n.t('All MCP servers are running.'),
      });
      if (connection === undefined) {
        return;
      }
      const launch = await inspected(connection, parts.launchGate());
      const { redactor } = parts.logs.open(connection.config);
      const certificate = await refusedCertificate(connection, launch);
      const uri = parts.keepFile(startReport(connection, { launch, certificate }, redactor));
      if (uri !== undefined) {
        await vscode.commands.executeCommand('markdown.showPreview', uri);
      }
    },
  };
}

/** The certificate of a server whose TLS was refused. */
async function refusedCertificate(
  { state }: ServerConnection,
  launch: LaunchInspection | McpError,
): Promise<ShownCertificate | undefined> {
  const error = errorOf(state);
  return error === undefined ||
    !isAboutTls(error) ||
    'message' in launch ||
    launch.launch.kind === 'stdio'
    ? undefined
    : shownCertificate(launch.launch.url, launch.launch.connection);
}

async function inspected(
  { config }: ServerConnection,
  inspector: LaunchInspector,
): Promise<LaunchInspection | McpError> {
  try {
    return await inspector.inspect(config);
  } catch (error) {
    if (isMcpError(error)) {
      return error;
    }
    throw error;
  }
}
