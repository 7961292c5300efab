/** Writes a setting of this extension, so that a failure says which one and why. Reads none. */
import * as vscode from 'vscode';
import { toError } from '../base/async.ts';
import { McpError } from '../mcp/errors.ts';
import { section } from './ids.ts';

/**
 * @param key below `mcpHost`
 * @param value undefined removes the setting
 * @throws McpError `invalidConfig`, such as for a settings.json that is no JSON at the moment
 */
export async function writeSetting(
  key: string,
  value: unknown,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(section).update(key, value, target);
  } catch (error) {
    const why = toError(error).message;
    throw new McpError(
      'invalidConfig',
      vscode.l10n.t('The setting {0} was not written: {1}', `${section}.${key}`, why),
      { cause: error },
    );
  }
}
