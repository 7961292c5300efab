/**
 * What the host needs from an editor. A port exists only where the host needs an answer; what merely
 * shows the host's state listens to it instead.
 */
import type { listAll } from '../mcp/listing.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { Log, Redactor } from '../base/log.ts';
import type { MemoryAccount } from '../base/memory.ts';
import type { ClientFeatures, Diagnostic, Session } from '../mcp/era/session.ts';
import type { AuthSettings } from '../mcp/auth/authSettings.ts';
import type { HttpAuthorizer } from '../mcp/httpAuthorizer.ts';
import type { MessageTap } from '../mcp/messageTap.ts';
import type { ConnectionSettings } from '../mcp/network/connectionSettings.ts';
import type { JsonSchema } from '../mcp/types/lists.ts';
import type { Root } from '../mcp/types/methods.ts';
import type { Turn, later } from './asks/questionQueue.ts';
import type {
  InputDefinition,
  ManagedAccess,
  ServerConfig,
  ServerId,
  Timeouts,
} from './config/serverConfig.ts';
import type { LaunchDescription } from './consent/launchDescription.ts';
import type { ToolAnswer, ToolQuestion } from './consent/toolQuestion.ts';

/** Small values that survive a restart of the editor, for this workspace. Never secrets. */
export interface Memory {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}

/** A folder of the workspace. `path` is a path of the machine that servers run on. */
export interface WorkspaceFolder {
  readonly uri: string;
  readonly name: string;
  readonly path: string;
}

export interface Workspace {
  readonly isTrusted: boolean;
  /** What an organization allows its people. Absent: everything. */
  readonly access?: ManagedAccess;
  readonly onDidGrantTrust: Event<void>;
  readonly folders: readonly WorkspaceFolder[];
  readonly onDidChangeFolders: Event<void>;
}

export interface InputPrompt {
  /** The user's value, undefined when the question was closed, or `later` when it was put off. */
  ask(
    server: string,
    input: InputDefinition,
    turn: Turn,
  ): Promise<string | typeof later | undefined>;
}

export interface ConsentPrompt {
  /** True when the user allowed the start. Closing the dialog is a no; `later` puts it off. */
  confirmStart(description: LaunchDescription, turn: Turn): Promise<boolean | typeof later>;
}

export interface ApprovalPrompt {
  /** Closing the question is a no. */
  confirmTool(question: ToolQuestion, turn: Turn): Promise<ToolAnswer>;
}

/** A launch with every variable replaced; nothing of it may be logged unredacted. */
export type ResolvedLaunch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The complete environment of the server's process. */
      readonly env: Readonly<Record<string, string>>;
      /** What `command` takes that environment from, on descriptor 3: it is started without one. Absent: it is given it. */
      readonly handedOver?: string;
      readonly cwd: string;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      /** A Unix socket, or a named pipe of Windows, to be spoken to instead of the URL's host. */
      readonly socketPath?: string;
      /** `sse`: HTTP+SSE alone. Absent: what the server speaks, Streamable HTTP first. */
      readonly transport?: 'sse';
      readonly headers: Readonly<Record<string, string>>;
      /** How to sign in when the server asks for it; absent where nobody is to. */
      readonly auth?: AuthSettings;
      /** Absent where the editor's settings alone say how servers are reached. */
      readonly connection?: ConnectionSettings;
    }
  | {
      readonly kind: 'webSocket';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly auth?: AuthSettings;
      readonly connection?: ConnectionSettings;
    };

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

/** Implemented by the schema bundle (ajv), which is loaded on first use. */
export interface SchemaChecker {
  /** One sentence per violation, empty when the value fits. @throws McpError `unsupported` for a schema that cannot be used. */
  check(schema: JsonSchema, value: unknown): readonly string[];
  /**
   * The same for schemas of any size that {@link check} says of that they take too long, holding
   * nobody up meanwhile. @throws McpError `unsupported`
   */
  checkApart(schema: JsonSchema, value: unknown): Promise<readonly string[]>;
}

/** One log per server, with a redactor that knows the secrets of that server. */
export interface ServerLogs {
  open(server: ServerConfig): { readonly log: Log; readonly redactor: Redactor };
  close(id: ServerId): void;
}

/** The folders that a server is told of. */
export interface RootsSource {
  /** Those that can be reached now: it is looked at within a second. */
  rootsFor(server: ServerConfig): Promise<readonly Root[]>;
  /** Calls `onChange` when they have become others (ROOT-04), within seconds of a folder that comes or goes. */
  watch(server: ServerConfig, onChange: () => void): Disposable;
}
