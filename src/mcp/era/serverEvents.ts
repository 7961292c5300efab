/** Turns a server's notifications into events of a Session. Pure. */
import { isString } from '../../base/json.ts';
import { listCapabilities } from '../listItems.ts';
import { metaOf, type Notification } from '../rpc/peer.ts';
import type { LoggingLevel, LoggingMessage } from '../types/methods.ts';
import type { ServerChange } from '../session/session.ts';

export type ServerEvent =
  | { readonly kind: 'change'; readonly change: ServerChange }
  | { readonly kind: 'log'; readonly message: LoggingMessage }
  | { readonly kind: 'elicitationCompleted'; readonly elicitationId: string };

/** The specification's log levels, and those of other logging systems that servers pass on. */
const levels: ReadonlyMap<string, LoggingLevel> = new Map([
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['info', 'info'],
  ['notice', 'notice'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['error', 'error'],
  ['critical', 'critical'],
  ['fatal', 'critical'],
  ['alert', 'alert'],
  ['emergency', 'emergency'],
]);

/**
 * Undefined for a notification that is not an event of a Session. A `list_changed` counts even without the
 * capability (CAP-08); a log message with an unknown level becomes `info`.
 */
export function toServerEvent({ method, params }: Notification): ServerEvent | undefined {
  const meta = metaOf(params);
  const list = listCapabilities.find((kind) => method === `notifications/${kind}/list_changed`);
  if (list !== undefined) {
    return { kind: 'change', change: { kind: list, ...meta } };
  }
  switch (method) {
    case 'notifications/resources/updated': {
      const uri = params['uri'];
      return isString(uri)
        ? { kind: 'change', change: { kind: 'resource', uri, ...meta } }
        : undefined;
    }
    case 'notifications/message': {
      const { level, logger, data } = params;
      const known = isString(level) ? levels.get(level.toLowerCase()) : undefined;
      const name = isString(logger) ? logger : undefined;
      return { kind: 'log', message: { level: known ?? 'info', logger: name, data, ...meta } };
    }
    case 'notifications/elicitation/complete': {
      const { elicitationId } = params;
      return isString(elicitationId) ? { kind: 'elicitationCompleted', elicitationId } : undefined;
    }
    default:
      return undefined;
  }
}
