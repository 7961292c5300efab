/**
 * Settings of the editor, often set by an organization, that prevent its own chat from using an extension's servers.
 * Pure.
 */
import { forbiddingSetting, managedSettings } from '../config/managedAccess.ts';
import type { ManagedAccess } from '../config/serverConfig.ts';

/** The settings as the editor gives them. */
export interface EditorAccess extends ManagedAccess {
  /** `chat.customizations.strictPluginOnlyCustomization` */
  readonly strictPluginOnlyCustomization?: unknown;
  /** `chat.disableAIFeatures` */
  readonly disableAIFeatures?: unknown;
}

/** The names of these settings. */
export const accessSettings: Readonly<Record<keyof EditorAccess, string>> = {
  ...managedSettings,
  strictPluginOnlyCustomization: 'chat.customizations.strictPluginOnlyCustomization',
  disableAIFeatures: 'chat.disableAIFeatures',
};

/** The setting that certainly prevents the editor from using a server of this name. */
export function blockingSetting(access: EditorAccess, label: string): string | undefined {
  if (access.access !== 'none' && access.strictPluginOnlyCustomization === true) {
    return accessSettings.strictPluginOnlyCustomization;
  }
  if (access.access !== 'none' && access.disableAIFeatures === true) {
    return accessSettings.disableAIFeatures;
  }
  // The editor itself matches rules by URL: for it, our servers are on this machine.
  return forbiddingSetting(access, { name: label });
}

/**
 * A setting that may be the reason why the editor did not start a server on request: the effect differs between
 * versions of the editor and for rules by URL.
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
