/** What the agent needs of a server, and which servers take part in a chat. Starts servers on demand. */
import { raceSignal, settlesWithin } from '../../base/async.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { ServerResources } from '../resources/resources.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { SkillServer } from '../skills/skills.ts';
import type { ConnectionState } from '../servers/connectionState.ts';

/** The part of a connection that is needed here. */
export interface AgentServer extends SkillServer {
  readonly id: ServerId;
  readonly state: ConnectionState;
  /** The start waits for an answer of the user, who may have postponed it. */
  readonly isHeldUp: boolean;
  readonly catalog: SkillServer['catalog'] & {
    items(kind: 'tools'): readonly Tool[];
    whenLoaded(): Promise<void>;
    renew(): void;
    whenSettled(kind: 'tools'): Promise<void>;
  };
  readonly resources: Pick<ServerResources, 'read'>;
  start(): Promise<unknown>;
}

/** A chat waits no longer than this for servers to start. Their tools are added when they come. */
export const startLimitMs = 20_000;
const settleLimitMs = 3_000;

/** The servers whose tools the model may get: running ones, and those that are restarting. */
export function runningServers<S extends AgentServer>(servers: Iterable<S>): readonly S[] {
  return [...servers].filter(({ state }) => state.kind === 'ready' || state.kind === 'waiting');
}

/**
 * Starts the servers that run on demand, and waits for those that are just starting. A server that waits for the user's
 * consent or input, or that has failed, is left alone.
 * @param onWait called with the servers that are waited for, if any
 * @returns the servers that could not be started, each with the reason
 */
export async function startNeeded<S extends AgentServer>(
  servers: Iterable<S>,
  onWait: (servers: readonly S[]) => void,
  signal: AbortSignal,
): Promise<readonly { readonly server: S; readonly error: unknown }[]> {
  const all = [...servers];
  for (const { catalog } of all) {
    catalog.renew();
  }
  const due = all.filter(isDue);
  if (due.length === 0) {
    return [];
  }
  onWait(due);
  const failures: { readonly server: S; readonly error: unknown }[] = [];
  const starts = due.map(async (server) => {
    try {
      await server.start();
      await server.catalog.whenLoaded();
    } catch (error) {
      if (!isCancelled(error)) {
        failures.push({ server, error });
      }
    }
  });
  await raceSignal(settlesWithin(Promise.all(starts), startLimitMs), signal);
  return [...failures];
}

/**
 * A call may have changed its server's tools: waits until lists with an announced change are fetched, so that the next
 * request has the new tools (VSC-27). The wait for a slow server is short.
 * @throws the signal's reason when it aborts
 */
export async function settleTools(
  servers: readonly AgentServer[],
  signal: AbortSignal,
): Promise<void> {
  const settled = Promise.all(servers.map(({ catalog }) => catalog.whenSettled('tools')));
  await raceSignal(settlesWithin(settled, settleLimitMs), signal);
}

function isDue({ state, config, isHeldUp }: AgentServer): boolean {
  return (
    (state.kind === 'starting' && !isHeldUp) ||
    (state.kind === 'stopped' && state.because === undefined && config.startup === 'onDemand')
  );
}
