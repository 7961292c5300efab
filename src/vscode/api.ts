/** What the extension exports: a read-only view of its servers. */
import type { Event } from '../base/event.ts';
import { listKinds } from '../host/catalog/catalog.ts';
import type { ServerConnection } from '../host/servers/connection.ts';
import type { McpHost } from '../host/servers/host.ts';

export interface ServerSummary {
  readonly id: string;
  readonly name: string;
  readonly scope: 'user' | 'workspace' | 'folder';
  readonly state: string;
  /** Why a server that could run does not. */
  readonly because?: string;
  /** Whether a list is being fetched: the counts are then not final. */
  readonly isLoading: boolean;
  readonly revision?: string;
  readonly transport?: string;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  readonly error?: string;
}

export interface McpHostApi {
  servers(): readonly ServerSummary[];
  readonly onDidChange: Event<void>;
}

export function createApi(host: McpHost, onDidChange: Event<void>): McpHostApi {
  return { servers: () => [...host.servers.values()].map(summarize), onDidChange };
}

function summarize({ config, state, catalog }: ServerConnection): ServerSummary {
  return {
    id: config.id,
    name: config.name,
    scope: config.scope.kind,
    state: state.kind,
    isLoading: listKinds.some((kind) => catalog.list(kind).kind === 'loading'),
    ...(state.kind === 'stopped' && state.because !== undefined ? { because: state.because } : {}),
    ...(state.kind === 'ready'
      ? { revision: state.server.revision, transport: state.server.transport }
      : {}),
    ...(state.kind === 'failed' ? { error: state.error.message } : {}),
    ...(state.kind === 'waiting' ? { error: state.cause.message } : {}),
    tools: catalog.items('tools').length,
    prompts: catalog.items('prompts').length,
    resources: catalog.items('resources').length,
    resourceTemplates: catalog.items('resourceTemplates').length,
  };
}
