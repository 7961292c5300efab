/**
 * Settings of the editor, often set by an organisation, that keep its own chat from taking the servers
 * of an extension. Pure.
 */
import { isObject } from '../../base/json.ts';

/** The settings as the editor gives them. */
export interface EditorAccess {
  /** `chat.mcp.access` */
  readonly access: unknown;
  /** `chat.mcp.allowedServers` */
  readonly allowedServers: unknown;
  /** `chat.mcp.deniedServers` */
  readonly deniedServers: unknown;
  /** `chat.mcp.allowManagedServersOnly` */
  readonly allowManagedServersOnly: unknown;
  /** `chat.customizations.strictPluginOnlyCustomization` */
  readonly strictPluginOnlyCustomization: unknown;
  /** `chat.disableAIFeatures` */
  readonly disableAIFeatures: unknown;
}

/** The names of these settings. */
export const accessSettings: Readonly<Record<keyof EditorAccess, string>> = {
  access: 'chat.mcp.access',
  allowedServers: 'chat.mcp.allowedServers',
  deniedServers: 'chat.mcp.deniedServers',
  allowManagedServersOnly: 'chat.mcp.allowManagedServersOnly',
  strictPluginOnlyCustomization: 'chat.customizations.strictPluginOnlyCustomization',
  disableAIFeatures: 'chat.disableAIFeatures',
};

/** The setting that keeps the editor from taking a server of this name, whatever else is set. */
export function blockingSetting(access: EditorAccess, label: string): string | undefined {
  const { allowedServers, deniedServers } = access;
  if (access.access === 'none') {
    return accessSettings.access;
  }
  if (access.strictPluginOnlyCustomization === true) {
    return accessSettings.strictPluginOnlyCustomization;
  }
  if (access.disableAIFeatures === true) {
    return accessSettings.disableAIFeatures;
  }
  if (names(deniedServers).includes(label)) {
    return accessSettings.deniedServers;
  }
  return Array.isArray(allowedServers) && !mayMatch(allowedServers, label)
    ? accessSettings.allowedServers
    : undefined;
}

/**
 * A setting that may be why the editor has not taken a server that it was asked to start: versions of
 * the editor, and rules by URL, differ in what they do.
 */
export function suspectSetting(access: EditorAccess): string | undefined {
  if (access.access !== undefined && access.access !== 'all') {
    return accessSettings.access;
  }
  if (access.allowManagedServersOnly === true) {
    return accessSettings.allowManagedServersOnly;
  }
  if (Array.isArray(access.deniedServers) && access.deniedServers.length > 0) {
    return accessSettings.deniedServers;
  }
  return Array.isArray(access.allowedServers) ? accessSettings.allowedServers : undefined;
}

/** Rules by URL are the editor's to judge. */
function mayMatch(rules: readonly unknown[], label: string): boolean {
  return (
    names(rules).includes(label) || rules.some((rule) => isObject(rule) && 'serverUrl' in rule)
  );
}

function names(rules: unknown): readonly unknown[] {
  return Array.isArray(rules)
    ? rules.map((rule: unknown) => (isObject(rule) ? rule['serverName'] : undefined))
    : [];
}
