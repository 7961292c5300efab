/** What the extension exports: a read-only view of its servers, and the API for other extensions on demand. */
import type { McpHostExports, McpServer } from '../../../api/mcpHost.d.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { lazily } from '../../base/lazily.ts';
import { listKinds } from '../../host/catalog/catalog.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import type { Registry } from '../editor/registerCommands.ts';
import type { createExtensionApis, ExtensionApis, ExtensionApiServices } from './extensionApis.ts';

export type ServerSummary = McpServer;

/** This view is for our own tests and demo; other extensions have `getAPI`. */
export interface Exports extends McpHostExports {
  servers(): readonly ServerSummary[];
  readonly onDidChange: Event<void>;
}

/** @param services for the API; called when an extension first asks for it */
export function createExports(
  {
    own,
    bundles,
    host,
  }: Registry & {
    readonly bundles: {
      readonly workbench: () => { readonly createExtensionApis: typeof createExtensionApis };
    };
    readonly host: McpHost;
  },
  services: () => Omit<ExtensionApiServices, 'listServers' | 'onDidChange'>,
): { readonly exports: Exports; readonly apis: () => ExtensionApis } {
  const changed = own(new Emitter<void>());
  own(host.onDidChangeServers(() => changed.fire()));
  own(host.onDidChangeServer(() => changed.fire()));
  const servers = (): readonly ServerSummary[] => [...host.servers.values()].map(summarize);
  const onDidChange = changed.event;
  const apis = lazily(() =>
    own(
      bundles.workbench().createExtensionApis({
        ...services(),
        listServers: servers,
        onDidChange,
      }),
    ),
  );
  const getAPI: Exports['getAPI'] = (version, caller) => apis().open(version, caller);
  return { exports: { servers, onDidChange, getAPI }, apis };
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
