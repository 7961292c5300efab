/** The host's access to the protocol client. */
import type { MemoryAccount } from '../../base/memory.ts';
import type { listAll } from '../../mcp/client/listing.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import type { ClientFeatures, Diagnostic, Session } from '../../mcp/session/session.ts';
import type { ServerConfig, ServerId, Timeouts } from '../config/serverConfig.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';

/** Opens a session. Implemented by the protocol bundle, which is loaded on first use. */
export interface Connector {
  /** @throws McpError */
  connect(request: {
    readonly launch: ResolvedLaunch;
    /** Absent for a server without entry: any revision is allowed, and nothing is remembered. */
    readonly entry?: Pick<ServerConfig, 'id' | 'launch' | 'protocol' | 'limits'>;
    readonly features: ClientFeatures;
    /** Signs requests in when the server asks for it. */
    readonly authorizer?: HttpAuthorizer | undefined;
    readonly timeouts: Timeouts;
    /** All data of the server that is held is added to it; absent: nothing is counted. */
    readonly memory?: MemoryAccount;
    /** Receives messages for inspection; absent: none. */
    readonly tap?: MessageTap;
    /** Receives what is observed until the session is open or has failed; later the session reports it. */
    readonly onDiagnostic: (diagnostic: Diagnostic) => void;
    readonly signal: AbortSignal;
  }): Promise<Session>;
  /** Reads all pages of a list. */
  readonly listAll: typeof listAll;
  /** Forgets the era of a server that never said itself which revisions it speaks: the next start asks it again. */
  forgetGuess(id: ServerId): Promise<void>;
}
