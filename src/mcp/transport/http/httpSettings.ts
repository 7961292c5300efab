/** What an entry says of a server over HTTP or WebSocket, checked before anything is sent there. */
import { McpError } from '../../errors.ts';
import { httpModule } from './httpModules.ts';

type Headers = Readonly<Record<string, string>>;

/** The transport sets these headers; a setting for one of them would break it. */
const ownNames: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
]);

/**
 * The headers from the settings, without those of the transport, in one spelling: header names are
 * case-insensitive, and a setting must not go out beside the transport's own header.
 * @throws McpError `invalidConfig` naming the header that HTTP does not allow
 */
export function readSettings(headers: Headers): Headers {
  const kept: Record<string, string> = {};
  const { validateHeaderName, validateHeaderValue } = httpModule();
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      // No `cause`: it may quote the value.
      const message = `The header "${name}" holds a character that HTTP does not allow`;
      throw new McpError('invalidConfig', message);
    }
    if (!ownNames.has(name.toLowerCase())) {
      kept[name.toLowerCase()] = value;
    }
  }
  return kept;
}

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
