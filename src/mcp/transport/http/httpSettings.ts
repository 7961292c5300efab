/** What an entry says of a server over HTTP or WebSocket, checked before anything is sent there. */
import { t } from '../../../base/l10n.ts';
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
      const message = t('The header "{0}" holds a character that HTTP does not allow', name);
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
    throw new McpError('invalidConfig', t('"{0}" is not {1}: or {1}s:', url.protocol, scheme));
  }
  if (url.username !== '' || url.password !== '') {
    const message = t(
      'The URL of {0} holds a user name or password: use a header instead',
      url.origin,
    );
    throw new McpError('invalidConfig', message);
  }
}
