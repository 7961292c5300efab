/**
 * The audit and its commands. Their bundle is loaded with the first entry or command, and its failures reach no caller.
 */
import type * as vscode from 'vscode';
import type { Audit } from '../../host/audit/audit.ts';
import type { Registry } from '../editor/registerCommands.ts';
import type { AuditParts, createAudit } from './auditCommands.ts';

/** Whose `close` resolves when all entries are written, or have failed. */
export interface KeptAudit extends Audit {
  close(): Promise<void>;
}

export function registerAudit({
  addCommands,
  bundles,
  storage,
  onError,
}: Registry & {
  readonly bundles: { readonly workbench: () => { readonly createAudit: typeof createAudit } };
  readonly storage: vscode.Uri;
  readonly onError: (error: unknown) => void;
}): KeptAudit {
  let created: AuditParts | undefined;
  const audit = (): AuditParts => (created ??= bundles.workbench().createAudit(storage, onError));
  addCommands({
    openAuditLog: () => audit().commands.openAuditLog(),
    exportAuditLog: (target) => audit().commands.exportAuditLog(target),
  });
  return {
    record: (entry) => {
      try {
        audit().log.record(entry);
      } catch (error) {
        onError(error);
      }
    },
    close: async () => created?.log.flush(),
  };
}
