/** A conversation with one server, in any revision and over any channel. Code above this file knows nothing of eras. */
import type { Event } from '../../base/event.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { McpError } from '../errors.ts';
import type { Extensions } from '../extensions.ts';
import type { UserWait } from '../httpAuthorizer.ts';
import type { MessageTap } from '../messageTap.ts';
import type { Era, ProtocolChoice, Revision } from '../revisions.ts';
import type { InFlight, Progress, WithMeta } from '../rpc/peer.ts';
import type { Peer } from '../rpc/rpcPeer.ts';
import type { CloseReason, Diagnostic } from '../transport/transport.ts';
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  ElicitUrlRequest,
} from '../types/clientFeatures.ts';
import type {
  Implementation,
  LoggingLevel,
  LoggingMessage,
  Method,
  ParamsOf,
  ResultOf,
  Root,
  ServerCapabilities,
} from '../types/methods.ts';

export type { CloseReason, Diagnostic };

export type { InFlight, Progress, RunningRequest } from '../rpc/peer.ts';

export interface ServerDescription {
  readonly revision: Revision;
  readonly era: Era;
  /** The transport's name in the specification: `stdio`, `Streamable HTTP`. */
  readonly transport: string;
  readonly info: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
}

/** What goes with a server's request to the client. */
export interface AskContext {
  /** Aborts when the server cancels the request, or the connection ends. */
  readonly signal: AbortSignal;
  /** Decides which kinds of content the result may hold. */
  readonly revision: Revision;
}

/**
 * The features that the client offers to a server. A capability is declared exactly when its function is
 * present (CAP-02). When a handler throws an RpcError, the server gets its code and message.
 */
export interface ClientFeatures {
  /** Deprecated by revision 2026-07-28. */
  readonly listRoots?: (signal: AbortSignal) => Promise<readonly Root[]>;
  readonly elicit?: (request: ElicitRequest, context: AskContext) => Promise<ElicitResult>;
  /**
   * Lets the user visit the URLs of error -32042. True when all were visited, so that the request may be sent again.
   */
  readonly visitAll?: (
    requests: readonly ElicitUrlRequest[],
    signal: AbortSignal,
  ) => Promise<boolean>;
  /** The server reports that the user has completed a URL elicitation (`notifications/elicitation/complete`). */
  readonly elicitationCompleted?: (elicitationId: string) => void;
  /** The protocol extensions that may be used with the server. Default: none (EXT-01). */
  readonly extensions?: Extensions;
  /** Deprecated by revision 2026-07-28. */
  readonly sample?: (
    request: CreateMessageRequest,
    context: AskContext,
  ) => Promise<CreateMessageResult>;
}

/** Time limits for one request, in milliseconds. */
export interface RequestTimes {
  /** Time without a sign of life. The request itself and each progress notification for it are signs of life. */
  readonly idleMs: number;
  /** From start to end, whatever happens (TIME-03). */
  readonly totalMs: number;
  /** Part of the error message when the limit of that name is over: how to change it ("which … can raise"). */
  readonly idleHint?: string;
  readonly totalHint?: string;
}

/** What becomes of a task that may outlive the connection. */
export interface KeptTask {
  /** A task of an earlier connection: it is followed to its result, and the call is not sent again. */
  readonly id?: string;
  /** Called when the server has made the call a task. */
  began(id: string): void;
  /** True when the task is to go on although nobody waits for it: it will be asked for later. */
  isLeft(): boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** True to ask the server even if its last answer is still valid. */
  readonly isFresh?: boolean;
  /** For a tool call: repeating it changes nothing, so it may be sent again after its connection broke. */
  readonly isRepeatable?: boolean;
  readonly times?: Partial<RequestTimes>;
  readonly onProgress?: (progress: Progress) => void;
  /** For a tool call: keeps its task, if it becomes one, beyond the connection. */
  readonly kept?: KeptTask;
  /** Who made the call, in the caller's own terms. {@link Session.inFlight} hands it back; nothing here reads it. */
  readonly origin?: unknown;
}

export type ServerChange = WithMeta &
  (
    | { readonly kind: 'tools' | 'prompts' | 'resources' }
    | { readonly kind: 'resource'; readonly uri: string }
  );

export interface Session {
  /**
   * Is replaced when the conversation is opened again, or when the server's declaration changes.
   * `onDidChange` then fires for every list.
   */
  readonly server: ServerDescription;
  readonly onDidChange: Event<ServerChange>;
  readonly onDidLog: Event<LoggingMessage>;
  /** Fires exactly once. */
  readonly onDidClose: Event<CloseReason>;
  readonly onDidDiagnose: Event<Diagnostic>;
  /** Requests that wait for the server, including calls that run as tasks. */
  readonly inFlight: InFlight;
  /**
   * Sends one request. @throws McpError: `rpc` (as RpcError), `timeout`, `cancelled`, `closed`,
   * `http`, `unsupported` when the server did not declare the capability (CAP-01).
   */
  call<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<ResultOf<M>>;
  /** Sets the resources to subscribe to, in place of the previous set. Survives a new session. */
  watch(uris: readonly string[]): Promise<void>;
  /** Deprecated by revision 2026-07-28. Survives a new session. Does nothing if the server has no `logging`. */
  setLogLevel(level: LoggingLevel): Promise<void>;
  /** Deprecated by revision 2026-07-28. Absent there: such a server asks for roots each time it needs them. */
  rootsChanged?(): void;
  close(): Promise<void>;
}

/** What an era has to know about its channel. */
export interface Channel {
  /** The transport's name in the specification: `stdio`, `Streamable HTTP`. */
  readonly label: string;
  /**
   * `http`: each request is an exchange of its own, with headers; silence means an outage. `pipe`: all
   * messages share one stream, and a server may ignore an unknown message, or exit.
   */
  readonly wire: 'http' | 'pipe';
  /** Fires when requests get another token, before the first request that carries it. */
  readonly onDidChangeAuthorization?: Event<void>;
}

/** Who the client is and what it can do, for opening a conversation. */
export interface ClientOptions {
  /** Default `auto`. */
  readonly protocol?: ProtocolChoice;
  readonly client: Implementation;
  readonly features: ClientFeatures;
  readonly times: RequestTimes;
  /** Time limit for opening, in milliseconds. */
  readonly openMs: number;
  /** Part of the error message when {@link openMs} is over: how to change it. */
  readonly openHint?: string;
  /** {@link openMs} and the idle limits of requests pause while the client waits for the user. */
  readonly userWait?: UserWait | undefined;
  /** How long the server may take to answer the first request of the modern era, in milliseconds. */
  readonly probeMs?: number;
  /** The era last spoken with this server: tried first, never taken for granted. */
  readonly lastEra?: Era;
  /**
   * Called when the server answers that it does not speak the modern era. Silence, exit or outage do not
   * count (ERA-01).
   */
  readonly onRefusal?: () => void;
  /** Called when the server, taken for a legacy one, turns out to speak the modern era: the next opening may use it. */
  readonly onLateAnswer?: () => void;
  /** The server's memory account: data that is kept for the server counts towards it. */
  readonly memory?: MemoryAccount | undefined;
  /** Lets an observer see the messages. */
  readonly tap?: MessageTap | undefined;
}

/** Opens a conversation in one era. Expected outcomes are values. @throws McpError */
export type OpenEra = (
  peer: Peer,
  channel: Channel,
  hello: ClientOptions,
  signal: AbortSignal,
) => Promise<Opening>;

export type Opening =
  | { readonly kind: 'open'; readonly session: Session }
  /** Nothing shows that the server speaks this era; it may speak another. */
  | {
      readonly kind: 'otherEra';
      readonly because: McpError;
      /** Whether the server, which was silent, has answered since that it speaks this era. */
      readonly hasAnswered?: () => boolean;
    }
  | { readonly kind: 'failed'; readonly error: McpError };
