/** The options of every HTTP transport. */
import type { HttpAuthorizer } from '../../httpAuthorizer.ts';
import type { MessageTap } from '../../messageTap.ts';
import type { Route } from '../../network/route.ts';
import type { HttpLimits } from '../limits.ts';

export interface HttpTransportOptions {
  /** The URL of the endpoint; over HTTP+SSE the URL of the event stream. */
  readonly url: URL;
  /** A Unix socket, or a Windows named pipe, to connect to instead of the URL's host. */
  readonly socketPath?: string;
  /** From the settings. The transport's own headers override them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Authorizes the requests. */
  readonly authorizer?: HttpAuthorizer | undefined;
  /** Lets an observer see the requests. */
  readonly tap?: MessageTap | undefined;
  /** Set if the server has network settings of its own. */
  readonly route?: Route | undefined;
  /** Override the default limits. */
  readonly limits?: Partial<HttpLimits>;
}
