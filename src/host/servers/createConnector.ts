/** Connects to servers as their entries say, and remembers which protocol era they speak. */
import type { Connector } from './connector.ts';
import { raisedBy } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';
import { toBindings } from './bindings.ts';
import { EraMemory } from './eraMemory.ts';
import { connect } from '../../mcp/client/connect.ts';
import { listAll } from '../../mcp/client/listing.ts';
import { Route } from '../../mcp/network/route.ts';
import type { Implementation } from '../../mcp/types/methods.ts';

/**
 * @param client this client's name and version for servers
 * @param memory of eras from one start to the next
 */
export function createConnector(client: Implementation, memory?: Memory): Connector {
  const eras = memory && new EraMemory(memory);
  return {
    async connect(request) {
      const { launch, entry, features, authorizer, timeouts, tap } = request;
      const isRemembered = entry?.protocol === 'auto';
      const lastEra = isRemembered ? eras?.recall(entry) : undefined;
      const settings = launch.kind === 'stdio' ? undefined : launch.connection;
      const route = settings && new Route(settings);
      let isCertain = false;
      const session = await connect(
        toBindings(launch, authorizer, tap, entry?.limits, route, request.memory),
        {
          client,
          features,
          protocol: entry?.protocol,
          lastEra,
          onRefusal: () => (isCertain = true),
          // The session goes on in its era; the next one may use another.
          onLateAnswer: () => entry && void eras?.forget(entry.id),
          times: {
            idleMs: timeouts.requestMs,
            totalMs: timeouts.totalMs,
            idleHint: raisedBy('timeouts.requestSeconds'),
            totalHint: raisedBy('timeouts.totalSeconds'),
          },
          openMs: timeouts.startMs,
          openHint: raisedBy('timeouts.startSeconds'),
          userWait: authorizer?.userWait,
          memory: request.memory,
          tap,
        },
        request.signal,
        request.onDiagnostic,
      );
      if (isRemembered) {
        // Not awaited: the editor writes slowly, and the server is ready already.
        void eras?.remember(entry, session.server, { isCertain });
      }
      return session;
    },
    listAll,
    async forgetGuess(id) {
      await eras?.forgetGuess(id);
    },
  };
}
