/**
 * Connects to servers as their entries say, and remembers which protocol era they speak. It is loaded with the protocol:
 * others import its types only.
 */
import { t } from '../../base/l10n.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import { listAll } from '../../mcp/client/listing.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import type { ClientFeatures, Diagnostic, Session } from '../../mcp/session/session.ts';
import { type ServerConfig, type ServerId, type Timeouts } from '../config/serverConfig.ts';
import type { ResolvedLaunch } from '../launch/launchGate.ts';
import type { Memory } from '../storage.ts';
import { toBindings } from './bindings.ts';
import { EraMemory } from './eraMemory.ts';
import { connect } from '../../mcp/client/connect.ts';
import { RecentMessages } from '../../mcp/recentMessages.ts';
import { Route } from '../../mcp/network/route.ts';
import type { Implementation } from '../../mcp/types/methods.ts';

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

/**
 * @param client this client's name and version for servers
 * @param notes of eras from one start to the next
 * @param keepsMessages whether the newest messages of a connection are kept for inspection
 */
export function createConnector(
  client: Implementation,
  notes?: Memory,
  keepsMessages: () => boolean = () => true,
): Connector {
  const eras = notes && new EraMemory(notes);
  return {
    async connect(request) {
      const { launch, entry, features, authorizer, timeouts, memory, tap } = request;
      const isRemembered = entry?.protocol === 'auto';
      const lastEra = isRemembered ? eras?.recall(entry) : undefined;
      const settings = launch.kind === 'stdio' ? undefined : launch.connection;
      const route = settings && new Route(settings);
      if (tap !== undefined) {
        tap.recent = keepsMessages() ? new RecentMessages(memory) : undefined;
      }
      let isCertain = false;
      let isLate = false;
      const session = await connect(
        toBindings(launch, { authorizer, tap, limits: entry?.limits, route, memory }),
        {
          client,
          features,
          protocol: entry?.protocol,
          lastEra,
          onRefusal: () => (isCertain = true),
          // The session goes on in its era; the next one may use another.
          onLateAnswer: () => {
            isLate = true;
            if (entry !== undefined) {
              void eras?.forget(entry.id);
            }
          },
          times: {
            idleMs: timeouts.requestMs,
            totalMs: timeouts.totalMs,
            idleHint: raised('timeouts.requestSeconds'),
            totalHint: raised('timeouts.totalSeconds'),
          },
          openMs: timeouts.startMs,
          openHint: raised('timeouts.startSeconds'),
          userWait: authorizer?.userWait,
          memory,
          tap,
        },
        request.signal,
        request.onDiagnostic,
      );
      if (isRemembered && !isLate) {
        // Not awaited: the editor writes slowly, and the server is ready already.
        void eras?.remember(entry, session.server, { isCertain });
      }
      return session;
    },
    listAll,
    async forgetGuess(id) {
      await eras?.forgetGuess(id);
    },
  };
}

/** Completes an error about a limit. */
function raised(field: string): string {
  return t('which `{0}` of its entry can raise', field);
}
