/** Which requests one server may send to us: the switches of its entry, bound to the handlers. Both eras use these. */
import type { RootsSource } from '../roots/workspaceRoots.ts';
import type { ClientFeatures } from '../../mcp/session/session.ts';
import {
  appsExtension,
  appsSettings,
  type Extensions,
  type NamedExtension,
  skillsExtension,
} from '../../mcp/extensions.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { TrustedServers } from '../toolApproval/trustedServers.ts';
import type { Recorders, ToolCallServices } from '../tools/callTool.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Sampling } from '../sampling/sampling.ts';

export interface AskHandlers {
  readonly roots: RootsSource;
  /** MCP extensions that the user has turned on. */
  readonly extensions?: readonly NamedExtension[];
  /** Whether MCP apps can be shown: they are on, and a person is there (APP-04). */
  readonly apps?: boolean;
  /** Whether skills are on. */
  readonly skills?: boolean;
  /** Called when a server first elicits. */
  readonly elicitation?: () => Pick<Elicitation, 'elicit' | 'completed' | 'visitAll'>;
  /** Called when a server first samples. */
  readonly sampling?: () => Pick<Sampling, 'sample'>;
}

export function featuresFor(
  server: ServerConfig,
  { roots, extensions = [], apps, skills, elicitation, sampling }: AskHandlers,
): ClientFeatures {
  const declared: Extensions = {
    ...Object.fromEntries(extensions.map((id) => [id, {}])),
    ...(apps === true && server.apps && { [appsExtension]: appsSettings }),
    ...(skills === true && server.skills && { [skillsExtension]: {} }),
  };
  return {
    ...(server.roots !== 'none' && { listRoots: () => roots.rootsFor(server) }),
    ...(Object.keys(declared).length > 0 && { extensions: declared }),
    ...(server.elicitation &&
      elicitation && {
        elicit: async (request, context) => elicitation().elicit(server, request, context),
        visitAll: async (requests, signal) => elicitation().visitAll(server, requests, signal),
        elicitationCompleted: (id) => elicitation().completed(server, id),
      }),
    ...(server.sampling &&
      sampling && {
        sample: async (request, context) => sampling().sample(server, request, context),
      }),
  };
}

/** What the host adds to each call of the server's tools. */
export function callServicesFor(
  server: ServerConfig,
  {
    audit,
    history,
    runningCalls,
    trusted,
  }: Recorders & { readonly trusted?: Pick<TrustedServers, 'isTrusted'> },
): ToolCallServices {
  return {
    recorded: { audit, server, ...(history && { history }), ...(runningCalls && { runningCalls }) },
    ...(trusted?.isTrusted(server) === true && { isTrusted: true }),
  };
}
