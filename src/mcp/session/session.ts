/**
 * A conversation with one server, whatever revision and channel carry it. Everything above this file
 * is unaware of eras.
 */
import type { Event } from '../../base/event.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { McpError } from '../errors.ts';
import type { ExtensionId } from '../extensions.ts';
import type { UserWait } from '../httpAuthorizer.ts';
import type { MessageTap } from '../messageTap.ts';
import type { Era, ProtocolChoice, Revision } from '../revisions.ts';
import type { WithMeta } from '../rpc/notificationMeta.ts';
import type { Peer, Progress } from '../rpc/peer.ts';
import type { InFlight } from '../rpc/runningRequest.ts';
import type { CloseReason, Diagnostic } from '../transport/transport.ts';
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
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

export type { Progress } from '../rpc/peer.ts';
export type { InFlight, RunningRequest } from '../rpc/runningRequest.ts';

export interface ServerDescription {
  readonly revision: Revision;
  readonly era: Era;
  /** How the server is reached, in the words of the specification: `stdio`, `Streamable HTTP`. */
  readonly transport: string;
  readonly info: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
}

/** What is known of a question that a server asks. */
export interface AskContext {
  /** Aborts when the server withdraws the question, or the connection ends. */
  readonly signal: AbortSignal;
  /** Decides which kinds of content may be sent back. */
  readonly revision: Revision;
}

/**
 * What a server may ask of us. A capability is declared exactly when its function is present (CAP-02).
 * A handler that throws an RpcError has its code and message sent to the server.
 */
export interface ClientFeatures {
  /** Deprecated by revision 2026-07-28. */
  readonly listRoots?: (signal: AbortSignal) => Promise<readonly Root[]>;
  readonly elicit?: (request: ElicitRequest, context: AskContext) => Promise<ElicitResult>;
  /** The server says that what it asked for by URL is done (`notifications/elicitation/complete`). */
  readonly elicitationCompleted?: (elicitationId: string) => void;
  /** Of the protocol: those that may be used with the server. None unless they are named (EXT-01). */
  readonly extensions?: readonly ExtensionId[];
  /** Deprecated by revision 2026-07-28. */
  readonly sample?: (
    request: CreateMessageRequest,
    context: AskContext,
  ) => Promise<CreateMessageResult>;
}

/** Limits of time for one request, in milliseconds. */
export interface RequestTimes {
  /** Since the last sign of life: the request itself or a progress notification for it. */
  readonly idleMs: number;
  /** From start to end, whatever happens (TIME-03). */
  readonly totalMs: number;
  /** Said when the limit of that name is over: how to change it ("which … can raise"). */
  readonly idleHint?: string;
  readonly totalHint?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** True to ask the server, also where its last answer says that it still holds. */
  readonly isFresh?: boolean;
  /** Of a tool call: a second one changes nothing more, so that one whose connection broke may be sent again. */
  readonly isRepeatable?: boolean;
  readonly times?: Partial<RequestTimes>;
  readonly onProgress?: (progress: Progress) => void;
  /** Who wants it, in terms of the caller: handed back by {@link Session.inFlight}, and not looked into. */
  readonly origin?: unknown;
}

export type ServerChange = WithMeta &
  (
    | { readonly kind: 'tools' | 'prompts' | 'resources' }
    | { readonly kind: 'resource'; readonly uri: string }
  );

export interface Session {
  /**
   * Replaced when the conversation was opened anew, or the server declares other things than before;
   * `onDidChange` then fires for every list.
   */
  readonly server: ServerDescription;
  readonly onDidChange: Event<ServerChange>;
  readonly onDidLog: Event<LoggingMessage>;
  /** Fires exactly once. */
  readonly onDidClose: Event<CloseReason>;
  readonly onDidDiagnose: Event<Diagnostic>;
  /** What waits for the server, calls that run as tasks included. */
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
  /** The resources to be told about from now on; replaces the set before. Survives a new session. */
  watch(uris: readonly string[]): Promise<void>;
  /** Deprecated by revision 2026-07-28. Survives a new session. Does nothing if the server has no `logging`. */
  setLogLevel(level: LoggingLevel): Promise<void>;
  /** Deprecated by revision 2026-07-28, where a server asks for roots each time that it needs them: absent there. */
  rootsChanged?(): void;
  close(): Promise<void>;
}

/** What an era has to know of the channel that it is opened on. */
export interface Channel {
  /** In the words of the specification: `stdio`, `Streamable HTTP`. */
  readonly label: string;
  /**
   * `http`: each request is an exchange of its own, with headers; silence is an outage. `pipe`: all
   * messages share one stream, and a server that does not know a message may ignore it or end.
   */
  readonly wire: 'http' | 'pipe';
  /** Requests are signed in with another token from now on; fires before the first one is sent. */
  readonly onDidChangeAuthorization?: Event<void>;
}

/** Who we are and what we can do, for the opening of a conversation. */
export interface ClientOptions {
  /** Default `auto`. */
  readonly protocol?: ProtocolChoice;
  readonly client: Implementation;
  readonly features: ClientFeatures;
  readonly times: RequestTimes;
  /** Limit for the opening itself, in milliseconds. */
  readonly openMs: number;
  /** Said when that is over: how to change it. */
  readonly openHint?: string;
  /** While the user is waited for, {@link openMs} and the idle limits of requests rest. */
  readonly userWait?: UserWait | undefined;
  /** How long the answer to a first question in the modern era may take, in milliseconds. */
  readonly probeMs?: number;
  /** The era in which this server was last spoken to: tried first, never taken for granted. */
  readonly lastEra?: Era;
  /** Called when the server answers that it does not speak the modern era: no silence, end or outage is that (ERA-01). */
  readonly onRefusal?: () => void;
  /** Called when the server shows that it speaks the modern era after it was taken for one that does not. */
  readonly onLateAnswer?: () => void;
  /** Of the server: what is kept of its data adds to it. */
  readonly memory?: MemoryAccount | undefined;
  /** Where the messages can be looked at. */
  readonly tap?: MessageTap | undefined;
}

/** Of a server that was taken for one that does not know the question. */
export interface LateAnswer {
  /** Set once the server has answered that it speaks this era: opens the conversation on the same channel. */
  open?: () => Session;
}

/** How one era opens a conversation. Expected outcomes are values. */
export interface EraAdapter {
  readonly era: Era;
  open(peer: Peer, channel: Channel, hello: ClientOptions, signal: AbortSignal): Promise<Opening>;
}

export type Opening =
  | { readonly kind: 'open'; readonly session: Session }
  /** Nothing shows that the server speaks this era; another one may do. */
  | { readonly kind: 'otherEra'; readonly because: McpError; readonly late?: LateAnswer }
  | { readonly kind: 'failed'; readonly error: McpError };
