/**
 * The audit and its commands. The log is in the bundle that starts servers, which make its first entry; its failures
 * reach no caller.
 */
import * as vscode from 'vscode';
import type { Audit } from '../../host/audit/audit.ts';
import type { AuditLog } from '../../host/audit/auditLog.ts';
import type { Registry } from '../editor/registerCommands.ts';
import type { auditCommands } from './auditCommands.ts';

/** Whose `close` resolves when all entries are written, or have failed. */
export interface KeptAudit extends Audit {
  close(): Promise<void>;
}

/** @param parts.storage the extension's own folder, which all windows share */
export function registerAudit({
  addCommands,
  bundles,
  storage,
  onError,
}: Registry & {
  readonly bundles: {
    readonly servers: () => { readonly AuditLog: typeof AuditLog };
    readonly workbench: () => { readonly auditCommands: typeof auditCommands };
  };
  readonly storage: vscode.Uri;
  readonly onError: (error: unknown) => void;
}): KeptAudit {
  const folder = vscode.Uri.joinPath(storage, 'audit');
  let created: AuditLog | undefined;
  const log = (): AuditLog =>
    (created ??= new (bundles.servers().AuditLog)({
      folder: folder.fsPath,
      workspace: vscode.workspace.name ?? '',
      now: () => new Date(),
      onFailure: onError,
    }));
  const commands = () => bundles.workbench().auditCommands(log(), folder);
  addCommands({
    openAuditLog: () => commands().openAuditLog(),
    exportAuditLog: (target) => commands().exportAuditLog(target),
  });
  return {
    record: (entry) => {
      try {
        log().record(entry);
      } catch (error) {
        onError(error);
      }
    },
    close: async () => created?.flush(),
  };
}
