/**
 * Entry point of the bundle that serves the configured servers to clients of this machine. The
 * extension loads it when it publishes them, and imports it by type only.
 */
import type { Bridge, BridgeParts } from './bridge/bridge.ts';
import { LoopbackBridge } from './bridge/loopbackBridge.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

export function createBridge(parts: BridgeParts): Bridge {
  return new LoopbackBridge(parts);
}
