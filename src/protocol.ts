/**
 * Entry point of the bundle that holds the protocol client and its transports. The extension loads it
 * when a server is first started, and imports it by type only.
 */
import { raisedBy } from './host/config/serverConfig.ts';
import type { Connector, Memory } from './host/ports.ts';
import { toBindings } from './host/servers/bindings.ts';
import { EraMemory } from './host/servers/eraMemory.ts';
import { connect } from './mcp/connect.ts';
import { loadRoute } from './mcp/network/lateRoute.ts';
import type { Implementation } from './mcp/types/methods.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';
/** For other processes of ours than servers: there is one for all. */
export { reaper } from './mcp/transport/reaper.ts';

/**
 * @param client what this client calls itself to servers
 * @param memory for what is remembered of servers from one start to the next
 */
export function createConnector(client: Implementation, memory?: Memory): Connector {
  const eras = memory && new EraMemory(memory);
  return {
    async connect(request) {
      const { launch, entry, features, authorizer, timeouts, tap } = request;
      const isRemembered = entry?.protocol === 'auto';
      const lastEra = isRemembered ? eras?.recall(entry) : undefined;
      const route = launch.kind === 'stdio' ? undefined : await loadRoute(launch.connection);
      let isCertain = false;
      const session = await connect(
        toBindings(launch, authorizer, tap, entry?.limits, route, request.memory),
        {
          client,
          features,
          protocol: entry?.protocol,
          lastEra,
          onRefusal: () => (isCertain = true),
          // The conversation goes on as it began; the next one need not.
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
        // The editor takes its time to write; the server is ready all the same.
        void eras?.remember(entry, session.server, { isCertain });
      }
      return session;
    },
    async forgetGuess(id) {
      await eras?.forgetGuess(id);
    },
  };
}
