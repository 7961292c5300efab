/** What the failure of one way to reach a server says about the next way. Pure. */
import { type McpError, isHttpError } from '../errors.ts';

/**
 * `nextBinding`: the server is there but does not know this way of speaking to it.
 * `stop`: another way would fail alike, or hide the real cause.
 */
export type NextStep = 'nextBinding' | 'stop';

/**
 * 400, 404 and 405 are how a server refuses a transport that it does not have
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility);
 * 401, 403 and 5xx are answers about something else.
 */
export function classify(error: McpError): NextStep {
  return isHttpError(error) && [400, 404, 405].includes(error.status) ? 'nextBinding' : 'stop';
}
