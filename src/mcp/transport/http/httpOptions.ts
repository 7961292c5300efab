/** What every transport over HTTP is made from, whatever it then does with requests and streams. */
import type { HttpAuthorizer } from '../../httpAuthorizer.ts';
import type { MessageTap } from '../../messageTap.ts';
import type { Route } from '../../network/route.ts';
import type { HttpLimits } from './httpLimits.ts';

export interface HttpTransportOptions {
  /** Of the endpoint; over HTTP+SSE that of the event stream. */
  readonly url: URL;
  /** A Unix socket, or a named pipe of Windows, to be spoken to instead of the URL's host. */
  readonly socketPath?: string;
  /** From the settings; the transport's own headers win over them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Signs the requests in. */
  readonly authorizer?: HttpAuthorizer | undefined;
  /** Where the requests can be looked at. */
  readonly tap?: MessageTap | undefined;
  /** Of a server with settings of its own for the way to it. */
  readonly route?: Route | undefined;
  /** Instead of the default ones. */
  readonly limits?: Partial<HttpLimits>;
}
