/** Shows the audit log to the user, and exports it. */
import * as vscode from 'vscode';
import type { AuditLog } from '../../host/audit/auditLog.ts';
import { jsonLines, saveFile } from '../editor/saveFile.ts';

interface AuditCommands {
  openAuditLog(): Promise<void>;
  /** @param target the file to write; the user is asked unless it is a URI */
  exportAuditLog(target: unknown): Promise<void>;
}

export function auditCommands(log: AuditLog, folder: vscode.Uri): AuditCommands {
  const files = async (): Promise<readonly vscode.Uri[]> => {
    await log.flush();
    const names = await log.files();
    return names.map((name) => vscode.Uri.joinPath(folder, name));
  };
  return {
    openAuditLog: async () => {
      const newest = (await files()).at(-1);
      if (newest === undefined) {
        tellNothing();
        return;
      }
      await show(newest);
    },
    exportAuditLog: async (given) => {
      const all = await files();
      if (all.length === 0) {
        tellNothing();
        return;
      }
      const read = async (): Promise<Uint8Array> =>
        Buffer.concat(await Promise.all(all.map((file) => vscode.workspace.fs.readFile(file))));
      if (given instanceof vscode.Uri) {
        await vscode.workspace.fs.writeFile(given, await read());
        return;
      }
      const title = vscode.l10n.t('Export Audit Log');
      await saveFile({ title, name: 'mcp-audit.jsonl', filters: jsonLines }, read);
    },
  };
}

/** Shows the end of the file, which has the newest entries. */
async function show(file: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const end = document.lineAt(Math.max(0, document.lineCount - 1)).range.end;
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(end, end) });
  await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
}

/** Not awaited: a message stays until it is closed. */
function tellNothing(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The audit log is empty: no server has been started or called.'),
  );
}
