/** Creates the audit log, its folder and its commands. */
import * as vscode from 'vscode';
import { AuditLog } from '../../host/audit/auditLog.ts';
import { type AuditCommands, auditCommands } from './auditCommands.ts';
import { auditFolder } from './auditFolder.ts';

export interface AuditParts {
  readonly log: AuditLog;
  readonly commands: AuditCommands;
}

/** @param storage the extension's own folder, which all windows share */
export function createAudit(storage: vscode.Uri, onFailure: (error: unknown) => void): AuditParts {
  const folder = vscode.Uri.joinPath(storage, 'audit');
  const log = new AuditLog({
    folder: auditFolder(folder.fsPath),
    source: { workspace: vscode.workspace.name ?? '' },
    now: () => new Date(),
    onFailure,
  });
  return { log, commands: auditCommands(log, folder) };
}
