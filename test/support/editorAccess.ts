/** The settings of an editor whose chat takes every server. */
import type { EditorAccess } from '../../src/host/editorChat/editorAccess.ts';

export const openAccess: EditorAccess = {
  access: 'all',
  allowedServers: null,
  deniedServers: null,
  allowManagedServersOnly: false,
  strictPluginOnlyCustomization: false,
  disableAIFeatures: false,
};
