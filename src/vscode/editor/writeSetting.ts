/** Writes a setting of this extension; a failure says which one and why. Reads none. */
import * as vscode from 'vscode';
import { toError } from '../../base/async.ts';
import { isMcpError, McpError } from '../../mcp/errors.ts';
import { section } from '../ids.ts';

/** The editor could not write a setting. Recognized by a member: each bundle has its own copy of the class. */
export class SettingNotWritten extends McpError {
  readonly unwritten: vscode.ConfigurationTarget;

  /** @param key below `mcpHost` */
  constructor(
    target: vscode.ConfigurationTarget,
    key: string,
    why: string,
    options?: ErrorOptions,
  ) {
    const message = vscode.l10n.t('The setting {0} was not written: {1}', `${section}.${key}`, why);
    super('invalidConfig', message, options);
    this.unwritten = target;
  }
}

/** Opens the settings that could not be written. Undefined for any other error. */
export function openUnwritten(error: unknown): (() => Thenable<unknown>) | undefined {
  if (!isMcpError(error) || !('unwritten' in error)) {
    return undefined;
  }
  const command =
    error.unwritten === vscode.ConfigurationTarget.Global
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openWorkspaceSettingsFile';
  // Names no setting to reveal: the editor would add it, to a file that may be invalid JSON.
  return () => vscode.commands.executeCommand(command);
}

/**
 * @param key below `mcpHost`
 * @param value undefined removes the setting
 * @throws McpError `invalidConfig`, such as for a settings.json with invalid JSON
 */
export async function writeSetting(
  key: string,
  value: unknown,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(section).update(key, value, target);
  } catch (error) {
    throw new SettingNotWritten(target, key, toError(error).message, { cause: error });
  }
}
