/** What a running server says unasked, for those who pass it on. */
import type { ServerChange } from '../../mcp/session/session.ts';
import type { LoggingMessage } from '../../mcp/types/methods.ts';

export type ServerNotice =
  | ServerChange
  | { readonly kind: 'log'; readonly message: LoggingMessage };
