/** What the extension exports: a read-only view of its servers, and the API for other extensions on demand. */
import type { McpHostExports, McpServer } from '../../../api/mcpHost.d.ts';
import type { Event } from '../../base/event.ts';
import { listKinds } from '../../host/catalog/catalog.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';

export type ServerSummary = McpServer;

/** This view is for our own tests and demo; other extensions have `getAPI`. */
export interface Exports extends McpHostExports {
  servers(): readonly ServerSummary[];
  readonly onDidChange: Event<void>;
}

export function createExports(
  host: McpHost,
  onDidChange: Event<void>,
  getAPI: McpHostExports['getAPI'],
): Exports {
  return { servers: () => listServers(host), onDidChange, getAPI };
}

export function listServers(host: McpHost): readonly ServerSummary[] {
  return [...host.servers.values()].map(summarize);
}

function summarize({ config, state, catalog }: ServerConnection): ServerSummary {
  const { scope } = config;
  return {
    id: config.id,
    name: config.name,
    scope: scope.kind,
    ...(scope.kind === 'extension' ? { extension: scope.id } : {}),
    state: state.kind,
    isLoading: listKinds.some((kind) => catalog.list(kind).kind === 'loading'),
    ...(state.kind === 'stopped' && state.because !== undefined ? { because: state.because } : {}),
    ...(state.kind === 'ready'
      ? { revision: state.server.revision, transport: state.server.transport }
      : {}),
    ...(state.kind === 'failed' ? { error: state.error.message } : {}),
    ...(state.kind === 'waiting' ? { error: state.cause.message } : {}),
    tools: catalog.known('tools').length,
    prompts: catalog.known('prompts').length,
    resources: catalog.known('resources').length,
    resourceTemplates: catalog.known('resourceTemplates').length,
  };
}
