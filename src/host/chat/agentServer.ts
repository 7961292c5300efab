/** What the agent needs of a server, and which servers take part in a chat. Starts servers on demand. */
import { raceSignal, settlesWithin } from '../../base/async.ts';
import { isCancelled } from '../../mcp/errors.ts';
import type { ServerConnection } from '../servers/connection.ts';
import type { SkillServer } from '../skills/skills.ts';

/** The part of a connection that is needed here. */
export type AgentServer = Pick<ServerConnection, 'id' | 'state'> &
  SkillServer & {
    readonly catalog: Pick<
      ServerConnection['catalog'],
      'items' | 'list' | 'refresh' | 'whenLoaded' | 'renew' | 'whenSettled'
    >;
    readonly resources: Pick<ServerConnection['resources'], 'read'>;
    start(): Promise<unknown>;
  };

/** A chat waits no longer than this for servers to start. Their tools are added when they come. */
export const startLimitMs = 20_000;

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

/** A start that waits for an answer of the user is not: the answer may be postponed. */
function isDue({ state, config }: AgentServer): boolean {
  return (
    (state.kind === 'starting' && state.waitsFor === undefined) ||
    (state.kind === 'stopped' && state.because === undefined && config.startup === 'onDemand')
  );
}
