/**
 * The parts that run servers: the launch with its review, the protocol client with its transports, the audit log, and
 * the bridge to the editor's own chat. Needs no editor.
 */
export { setUnexpectedErrorHandler } from '../base/event.ts';
export { setTranslator } from '../base/l10n.ts';
export { LoopbackBridge } from '../bridge/loopbackBridge.ts';
export { AuditLog } from '../host/audit/auditLog.ts';
export { WholeScopes } from '../host/config/wholeScopes.ts';
export { InputValues } from '../host/launch/inputs.ts';
export { LaunchPreparation } from '../host/launch/launchPreparation.ts';
export { localMachine, loginShell } from '../host/launch/localMachine.ts';
export { createConnector } from '../host/servers/connector.ts';
/** Also for processes of ours that are no servers: one reaper serves all. */
export { reaper } from '../mcp/transport/stdio/reaper.ts';
