/** The error of a start or request that needs the user to sign in. Apart, so that it loads nothing else. */
import { McpError } from '../../mcp/errors.ts';

/** Nobody is there to be asked. */
export function signInNeeded(server: string): McpError {
  return new McpError('signInNeeded', `${server} needs you to sign in: start it to do so`);
}
