/** Checks a server's URL before anything is sent there. */
import { McpError } from '../../errors.ts';

/**
 * @param scheme without the `s` of TLS, which is accepted too
 * @throws McpError `invalidConfig` for another scheme, and for a user name or password in the URL
 */
export function checkUrl(url: URL, scheme: 'http' | 'ws'): void {
  if (url.protocol !== `${scheme}:` && url.protocol !== `${scheme}s:`) {
    throw new McpError('invalidConfig', `"${url.protocol}" is not ${scheme}: or ${scheme}s:`);
  }
  if (url.username !== '' || url.password !== '') {
    const message = `The URL of ${url.origin} holds a user name or password: use a header instead`;
    throw new McpError('invalidConfig', message);
  }
}
