/** `mcpHost.trustedServers`: its scope is `application`, so a workspace cannot trust a server. */
import * as vscode from 'vscode';
import { isString } from '../../base/json.ts';
import type { TrustSetting } from '../../host/toolApproval/trustedServers.ts';
import { section } from '../ids.ts';
import { writeSetting } from '../editor/writeSetting.ts';

const key = 'trustedServers';

export const trustSetting: TrustSetting = {
  names: () => {
    const value: unknown = vscode.workspace.getConfiguration(section).inspect(key)?.globalValue;
    return Array.isArray(value) ? value.filter(isString) : [];
  },
  set: async (names) =>
    writeSetting(key, names.length === 0 ? undefined : names, vscode.ConfigurationTarget.Global),
};
