/**
 * Entry point of the bundle that holds the protocol client and its transports. The extension loads it
 * when a server is first started, and imports it by type only.
 */
import type { Connector } from './host/ports.ts';
import { toBindings } from './host/servers/bindings.ts';
import { connect } from './mcp/connect.ts';
import type { Implementation } from './mcp/types/methods.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

/** @param client what this client calls itself to servers */
export function createConnector(client: Implementation): Connector {
  return {
    connect: ({ launch, features, timeouts, onDiagnostic, signal }) =>
      connect(
        toBindings(launch),
        {
          client,
          features,
          times: { idleMs: timeouts.requestMs, totalMs: timeouts.totalMs },
          openMs: timeouts.startMs,
        },
        signal,
        onDiagnostic,
      ),
  };
}
