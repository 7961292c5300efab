/**
 * Settings of the editor, often set by an organisation, that keep its own chat from taking the servers
 * of an extension. Pure.
 */
import { forbiddingSetting, managedSettings } from '../config/managedAccess.ts';
import type { ManagedAccess } from '../config/serverConfig.ts';

/** The settings as the editor gives them. */
export interface EditorAccess extends ManagedAccess {
  /** `chat.customizations.strictPluginOnlyCustomization` */
  readonly strictPluginOnlyCustomization: unknown;
  /** `chat.disableAIFeatures` */
  readonly disableAIFeatures: unknown;
}

/** The names of these settings. */
export const accessSettings: Readonly<Record<keyof EditorAccess, string>> = {
  ...managedSettings,
  strictPluginOnlyCustomization: 'chat.customizations.strictPluginOnlyCustomization',
  disableAIFeatures: 'chat.disableAIFeatures',
};

/** The setting that keeps the editor from taking a server of this name, whatever else is set. */
export function blockingSetting(access: EditorAccess, label: string): string | undefined {
  if (access.access !== 'none' && access.strictPluginOnlyCustomization === true) {
    return accessSettings.strictPluginOnlyCustomization;
  }
  if (access.access !== 'none' && access.disableAIFeatures === true) {
    return accessSettings.disableAIFeatures;
  }
  // Rules by URL are the editor's to judge: to it, ours are on this machine.
  return forbiddingSetting(access, { name: label });
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
