/**
 * Connects to a server once, to show what it offers before it is saved. Nothing is kept: the server is started without
 * retries, its lists are read, and it is ended. Whether it may run was decided before.
 */
import type { Connector } from './connector.ts';
import type { RootsSource } from '../roots/workspaceRoots.ts';
import type { ClientFeatures, ServerDescription, Session } from '../../mcp/session/session.ts';
import { featuresFor } from './features.ts';
import { type ListKind, listKinds } from '../catalog/catalog.ts';
import type { Resolution } from '../launch/launchGate.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import { type Authorizers, createCatalog, openSession } from './connectionServices.ts';
import { budgetOf, type ServerMemory } from './serverMemory.ts';
import type { ServerOutput } from './serverOutput.ts';

export interface TrialFindings {
  readonly server: ServerDescription;
  /** Lists that the server declares, with the number of their items. */
  readonly counts: ReadonlyMap<ListKind, number>;
  /** Declared lists that could not be read. */
  readonly failed: readonly ListKind[];
}

export interface TrialParts {
  readonly connector: () => Connector;
  readonly roots: RootsSource;
  readonly serverMemory: ServerMemory;
  readonly signIns?: Authorizers;
}

/** @throws McpError what the start failed with, without secrets; the output has the last lines of stderr */
export async function tryServer(
  server: ServerConfig,
  { launch, ...told }: Resolution,
  { connector, serverMemory, roots, signIns }: TrialParts,
  output: ServerOutput,
  signal: AbortSignal,
): Promise<TrialFindings> {
  output.forget();
  output.prepared(told);
  const memory = serverMemory.open(budgetOf(server.limits));
  const catalog = createCatalog({ connector, memory }, server);
  let session: Session | undefined;
  try {
    // The server is only inspected: it may not ask the user.
    const features = (): ClientFeatures => featuresFor(server, { roots });
    const trial = { config: server, output };
    const run = { memory, signal };
    session = await openSession({ connector, features, signIns }, trial, launch, run, () => true);
    const description = session.server;
    catalog.attach(session, signal);
    await catalog.whenLoaded();
    signal.throwIfAborted();
    const lists = listKinds.map((kind) => ({ kind, list: catalog.list(kind) }));
    return {
      server: description,
      counts: new Map(
        lists.flatMap(({ kind, list }) =>
          list.kind === 'ready' ? [[kind, list.items.length] as const] : [],
        ),
      ),
      failed: lists.flatMap(({ kind, list }) => (list.kind === 'failed' ? [kind] : [])),
    };
  } catch (error) {
    throw output.toError(error);
  } finally {
    catalog.dispose();
    memory.dispose();
    await session?.close();
  }
}
