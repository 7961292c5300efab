/** Notifications of a running server, for their receivers. */
import type { ServerChange } from '../../mcp/session/session.ts';
import type { LoggingMessage } from '../../mcp/types/methods.ts';

export type ServerNotice =
  | ServerChange
  | { readonly kind: 'log'; readonly message: LoggingMessage };
