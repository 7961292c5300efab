/** The audit of elicitations: which server asked, in which mode, how the user answered, never with what content. */
import type { ElicitRequest } from '../../mcp/types/clientFeatures.ts';
import { type Audit, audited } from '../audit/audit.ts';
import { sizeOf } from '../audit/sizes.ts';
import type { ServerConfig } from '../config/serverConfig.ts';

export interface Answered<T> {
  readonly result: T;
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The content of a form. Only its size is recorded. */
  readonly content?: unknown;
}

const outcomes = { accept: 'allowed', decline: 'declined', cancel: 'dismissed' } as const;

export function recordElicitation<T>(
  audit: Audit,
  server: ServerConfig,
  request: ElicitRequest,
  ask: () => Promise<Answered<T>>,
): Promise<T> {
  const { mode } = request;
  const isLink = mode === 'url' && URL.canParse(request.url);
  const subject = { event: 'elicitation', caller: 'server', mode } as const;
  const where = isLink ? { host: new URL(request.url).host } : {};
  return audited(audit, server, { ...subject, ...where }, async (note) => {
    const { result, action, content } = await ask();
    note({ outcome: outcomes[action], by: 'hand' });
    if (content !== undefined) {
      note({ resultSize: sizeOf(content) });
    }
    return result;
  });
}
