/** The handshake era, revisions 2024-11-05 to 2025-11-25, as an EraAdapter. */
import { toError } from '../../base/async.ts';
import { McpError, isMcpError } from '../errors.ts';
import { openLegacySession } from './legacySession.ts';
import type { EraAdapter } from '../session/session.ts';

export const legacyEra: EraAdapter = {
  era: 'legacy',
  async open(peer, { label }, hello, signal) {
    try {
      return { kind: 'open', session: await openLegacySession(peer, label, hello, signal) };
    } catch (error) {
      return {
        kind: 'failed',
        error: isMcpError(error)
          ? error
          : new McpError('protocol', toError(error).message, { cause: error }),
      };
    }
  },
};
