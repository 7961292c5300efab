/** The error of a start or request that needs a sign-in. In a file of its own, so that it loads nothing else. */
import { McpError } from '../../mcp/errors.ts';

/** For a start or request without a person to ask. */
export function signInNeeded(server: string): McpError {
  return new McpError('signInNeeded', `${server} needs you to sign in: start it to do so`);
}
