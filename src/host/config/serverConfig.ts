/** Types of `mcpHost.servers` and `mcpHost.inputs` after parsing. Texts still hold their variables. */
import type { ProtocolChoice } from '../../mcp/revisions.ts';

/** Where a setting comes from. An entry comes whole from one scope; scopes are never merged. */
export type ConfigScope =
  | { readonly kind: 'user' }
  /** The machine of a remote window. Its settings are not only the user's: a devcontainer.json can write them. */
  | { readonly kind: 'remote' }
  | { readonly kind: 'workspace' }
  | { readonly kind: 'folder'; readonly uri: string; readonly name: string }
  /** Another extension contributes the entry; `name` is for people. */
  | { readonly kind: 'extension'; readonly id: string; readonly name: string }
  | FollowedScope;

/** A file of another program whose servers are shown directly from it. It is read and never written. */
export interface FollowedScope {
  readonly kind: 'followed';
  /** The program's name, as people know it. */
  readonly program: string;
  readonly path: string;
  /** The workspace folder that the file is in. */
  readonly folder?: { readonly uri: string; readonly name: string };
}

/** Unique over all scopes: the scope's key, a slash, the server's name. */
export type ServerId = string;

/** How a command line runs a program in a sandbox. */
export interface Sandboxed {
  /** The program inside, which has to be found on PATH, too. */
  readonly program: string;
  /** Whether the sandbox tool itself starts without environment and reads that of the program from us. */
  readonly isHandedEnvironment: boolean;
  /** How many of the arguments are those of the program: the last ones. */
  readonly ownArgs: number;
}

export interface StdioLaunch {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** null removes a variable of the editor's own environment. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly envFile?: string;
  readonly cwd?: string;
  readonly sandboxed?: Sandboxed;
}

/** A server that is reached by URL. */
export interface HttpLaunch {
  readonly kind: 'http';
  /** `http(s)`, `ws(s)`, or one of the forms of a local socket (see socketUrl.ts). */
  readonly url: string;
  /** Present where the URL does not say it. */
  readonly type?: 'sse' | 'websocket';
  readonly headers: Readonly<Record<string, string>>;
  /** False: nobody signs in. Absent: the server decides. */
  readonly oauth?: OAuthEntry | false;
  readonly tls?: TlsEntry;
  /** URL of an HTTP proxy. False: none, not even the editor's. Absent: the editor's settings decide. */
  readonly proxy?: string | false;
}

/** Whom to trust, and which client certificate to send, as paths or PEM texts. */
export interface TlsEntry {
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  /** Exactly one variable. */
  readonly passphrase?: string;
  /** The server's certificate is not to be checked. */
  readonly insecure?: true;
}

/** How to sign in. Secrets are variables; see `mcp/auth/authSettings.ts` for the meaning of each field. */
export interface OAuthEntry {
  readonly grant:
    | 'authorizationCode'
    | 'clientCredentials'
    | 'enterpriseManaged'
    | 'workloadIdentity';
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly clientMetadataUrl?: string;
  readonly callbackPort?: number;
  readonly scopes?: readonly string[];
  readonly issuer?: string;
  readonly provider?: string;
  readonly dpop: boolean;
  readonly privateKey?: {
    /** Path of a PKCS #8 key in PEM. */
    readonly file: string;
    readonly algorithm: string;
    readonly keyId?: string;
  };
  /** The enterprise's identity provider, for `enterpriseManaged`. */
  readonly identityProvider?: {
    readonly tokenEndpoint: string;
    readonly clientId: string;
    readonly clientSecret?: string;
    readonly idToken: string;
  };
  /** The platform's assertion, for `workloadIdentity`. */
  readonly assertion?: string;
  /** Path of a file that holds the assertion. */
  readonly assertionFile?: string;
}

export type Launch = StdioLaunch | HttpLaunch;

/** `auto`: when the window opens. `onDemand`: when something of it is first needed. `manual`: by command only. */
export type Startup = 'auto' | 'onDemand' | 'manual';

export interface Timeouts {
  /** From the start of the process, or from the first request, to the end of the handshake. */
  readonly startMs: number;
  /** Without any sign of life of a request; progress counts as one. */
  readonly requestMs: number;
  /** From start to end of a request, with or without progress. */
  readonly totalMs: number;
  /** Between two pings of an idle server; 0: no pings. Absent: the default in livenessRules. */
  readonly pingMs?: number;
}

/** Limits that the entry changes. For an absent one, the constant beside the code counts. */
export interface ServerLimits {
  /** Of one message from the server. */
  readonly messageBytes?: number;
  /** Of all data of the server that is held. */
  readonly memoryBytes?: number;
  /** Of one list. */
  readonly listItems?: number;
  /** For each of log messages, observations of the connection, and lines of standard error. */
  readonly logsPerSecond?: number;
  readonly elicitationsPerMinute?: number;
  readonly samplingPerMinute?: number;
}

/** Completes a message about a limit: how to change it. @param field dotted, as in `limits.listItems` */
export function raisedBy(field: string): string {
  return `which \`${field}\` of its entry can raise`;
}

/** What the program may do out of all its user may; it can read everything. */
export interface SandboxSettings {
  /** Paths of files and folders, with their variables. */
  readonly write: readonly string[];
  readonly network: boolean;
}

/** Named as in VS Code's mcp.json. */
export interface DevSettings {
  /** Glob patterns relative to the entry's folder; a `!` in front excludes files. Empty: nothing is watched. */
  readonly watch: readonly string[];
  readonly debug?: DebugSettings;
}

export type DebugSettings =
  | { readonly type: 'node' }
  /** `debugpyPath`: the debugpy program, if it is not a module of the entry's Python. */
  | { readonly type: 'debugpy'; readonly debugpyPath?: string };

/** Which folders the server gets as roots: all of the workspace, none, or what a list says (roots/workspaceRoots.ts). */
export type RootsChoice = 'all' | 'none' | readonly string[];

export interface ServerConfig {
  readonly id: ServerId;
  /** The key in `mcpHost.servers`. */
  readonly name: string;
  readonly scope: ConfigScope;
  readonly launch: Launch;
  readonly isEnabled: boolean;
  /** Set when `isEnabled` is not that of the entry: the user has switched the server for this workspace. */
  readonly isSwitched?: true;
  readonly startup: Startup;
  readonly timeouts: Timeouts;
  readonly limits?: ServerLimits;
  /** The protocol revisions that may be used with the server. */
  readonly protocol: ProtocolChoice;
  readonly roots: RootsChoice;
  /** Whether the server may ask the user for input. */
  readonly elicitation: boolean;
  /** Whether the server may ask for answers of the editor's language models. */
  readonly sampling: boolean;
  /** Whether the server's MCP apps are shown. */
  readonly apps: boolean;
  /** Whether the server's skills are offered. */
  readonly skills: boolean;
  /** Whether the server is offered to the editor's own chat, if the bridge is on at all. */
  readonly bridge: boolean;
  /** Only for stdio servers. */
  readonly sandbox?: SandboxSettings;
  /** A consent is bound to the content of workspace files that the command line names; only for stdio servers. */
  readonly pinFiles?: true;
  /** For the server's developer; only for stdio servers. */
  readonly dev?: DevSettings;
  /**
   * Set for an entry that refers to folders of the workspace: each variable, and `.` where a folder is the base of
   * relative paths, with its path in this window. Grants to the server count only for these paths.
   */
  readonly folders?: Readonly<Record<string, string>>;
  /** Set for an entry with `tls.insecure` when the user's settings allow it. */
  readonly allowsInsecureTls?: true;
  /** The setting of the editor by which an organization forbids this server. */
  readonly forbiddenBy?: string;
  /** Set when a nearer scope has an entry of the same name: this one is shown, but not used. */
  readonly hiddenBy?: ConfigScope;
}

/**
 * Raw settings of the editor by which an organization says which servers its people may use. Their scope is
 * `application`: a workspace cannot set them.
 */
export interface ManagedAccess {
  /** `chat.mcp.access` */
  readonly access?: unknown;
  /** `chat.mcp.allowedServers` */
  readonly allowedServers?: unknown;
  /** `chat.mcp.deniedServers` */
  readonly deniedServers?: unknown;
  /** `chat.mcp.allowManagedServersOnly` */
  readonly allowManagedServersOnly?: unknown;
}

export type InputDefinition = {
  readonly id: string;
  readonly description: string;
} & (
  | { readonly type: 'promptString'; readonly password: boolean; readonly default?: string }
  | { readonly type: 'pickString'; readonly options: readonly string[]; readonly default?: string }
);

export type SettingName =
  | 'mcpHost.servers'
  | 'mcpHost.inputs'
  | 'mcpHost.follow'
  | 'mcpHost.extensions'
  | 'mcpHost.rules'
  | 'mcpHost.bridge.enabled'
  | 'mcpHost.bridge.confirmation';

/** A problem in the settings, in words for the user. */
export interface ConfigProblem {
  readonly scope: ConfigScope;
  readonly setting: SettingName;
  /** The server's name or the input's id. */
  readonly entry?: string | undefined;
  /** Dotted path inside the entry, such as `env.TOKEN` or `args[2]`. */
  readonly field?: string | undefined;
  /** A sentence that says what is wrong and what would be right. Does not repeat entry and field. */
  readonly message: string;
  /** The entry, or the setting, cannot be used as it is. */
  readonly isFatal?: boolean;
}

export interface HostConfig {
  readonly servers: readonly ServerConfig[];
  /** By {@link scopeKey}: a server sees only inputs of its own scope. */
  readonly inputs: ReadonlyMap<string, readonly InputDefinition[]>;
  readonly problems: readonly ConfigProblem[];
}

/** The two settings of one scope, not yet checked. */
export interface RawScope {
  readonly scope: ConfigScope;
  readonly servers: unknown;
  readonly inputs: unknown;
}

export function scopeKey(scope: ConfigScope): string {
  switch (scope.kind) {
    case 'user':
    case 'remote':
    case 'workspace':
      return scope.kind;
    case 'folder':
      return `folder:${scope.uri}`;
    case 'extension':
      return `extension:${scope.id}`;
    case 'followed':
      return `followed:${scope.path}`;
  }
}

/** An extension's claim of its identity. Nothing proves it: extensions share one process. */
export interface ExtensionClaim {
  /** `publisher.name`, in lower case. */
  readonly id: string;
  /** For display. */
  readonly name: string;
}

/**
 * "Always" is only for servers of the user's settings that are the same in every workspace: another workspace may have
 * another server of the same name, and another folder for `${workspaceFolder}`.
 */
export function rememberedScopes({ scope, folders }: ServerConfig): readonly RememberedScope[] {
  return scope.kind === 'user' && folders === undefined
    ? ['session', 'workspace', 'always']
    : ['session', 'workspace'];
}

/** How long an answer counts. `session`: until the window closes. */
export type ApprovalScope = 'once' | 'session' | 'workspace' | 'always';

export type RememberedScope = Exclude<ApprovalScope, 'once'>;
