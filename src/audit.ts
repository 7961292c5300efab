/**
 * Entry point of the bundle that keeps the audit. The extension loads it with the first entry, or when
 * one of its commands is run, and imports it by type only.
 */
export { type AuditParts, createAudit } from './vscode/audit/createAudit.ts';
