/** How the host gets at the protocol client. */
import type { MemoryAccount } from '../../base/memory.ts';
import type { listAll } from '../../mcp/client/listing.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import type { ClientFeatures, Diagnostic, Session } from '../../mcp/session/session.ts';
import type { ServerConfig, ServerId, Timeouts } from '../config/serverConfig.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';

/** Opens a conversation. Implemented by the protocol bundle, which is loaded on first use. */
export interface Connector {
  /** @throws McpError */
  connect(request: {
    readonly launch: ResolvedLaunch;
    /** Absent where there is none: any revision may be spoken then, and nothing is remembered. */
    readonly entry?: Pick<ServerConfig, 'id' | 'launch' | 'protocol' | 'limits'>;
    readonly features: ClientFeatures;
    /** Signs in the requests, where the server asks for it. */
    readonly authorizer?: HttpAuthorizer | undefined;
    readonly timeouts: Timeouts;
    /** Of the server: all that is held of its data adds to it; absent: it is not counted. */
    readonly memory?: MemoryAccount;
    /** Where the messages can be looked at; absent: nowhere. */
    readonly tap?: MessageTap;
    /** What is observed until the conversation is open, also when that fails; then the session tells it. */
    readonly onDiagnostic: (diagnostic: Diagnostic) => void;
    readonly signal: AbortSignal;
  }): Promise<Session>;
  /** Reads a whole list. */
  readonly listAll: typeof listAll;
  /** Drops what is remembered of a server that never said itself which revisions it speaks: it is asked anew. */
  forgetGuess(id: ServerId): Promise<void>;
}
