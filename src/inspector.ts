/**
 * Entry point of the bundle that shows the messages of a server. The extension loads it when somebody wants
 * to see them, and imports it by type only.
 */
import { type InspectorParts, Inspectors } from './vscode/inspector/inspectors.ts';

/** For this bundle's own copy of the event code: what no caller can receive goes where the extension says. */
export { setUnexpectedErrorHandler } from './base/event.ts';

export function createInspectors(parts: InspectorParts): Inspectors {
  return new Inspectors(parts);
}
