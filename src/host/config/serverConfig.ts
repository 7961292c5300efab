/** What `mcpHost.servers` and `mcpHost.inputs` say, after parsing: the types. Texts still hold their variables. */
import type { ProtocolChoice } from '../../mcp/revisions.ts';

/** Where a setting comes from. An entry comes whole from one scope; scopes are never merged. */
export type ConfigScope =
  | { readonly kind: 'user' }
  /** The machine of a remote window. Its settings are not only the user's: a devcontainer.json writes them. */
  | { readonly kind: 'remote' }
  | { readonly kind: 'workspace' }
  | { readonly kind: 'folder'; readonly uri: string; readonly name: string }
  /** Another extension contributes the entry; `name` is for people. */
  | { readonly kind: 'extension'; readonly id: string; readonly name: string }
  | FollowedScope;

/** A file of another program whose servers are shown as they are there. It is read and never written. */
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

/** Of a command line that keeps a program in a sandbox. */
export interface Sandboxed {
  /** The program: what has to be found on PATH, too. */
  readonly program: string;
  /** Whether the tool that sets the bounds reads the environment of the program, and has none itself. */
  readonly isHandedEnvironment: boolean;
}

export interface StdioLaunch {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** null removes a variable that the editor's own environment has. */
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
  /** Present where it says more than the URL does. */
  readonly type?: 'sse' | 'websocket';
  readonly headers: Readonly<Record<string, string>>;
  /** False: nobody signs in. Absent: as the server asks for. */
  readonly oauth?: OAuthEntry | false;
  readonly tls?: TlsEntry;
  /** URL of an HTTP proxy. False: none, not even the editor's. Absent: as the editor's settings say. */
  readonly proxy?: string | false;
}

/** Whom to trust and as whom to appear, in paths or texts of PEM. */
export interface TlsEntry {
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  /** A variable. */
  readonly passphrase?: string;
  /** The server's certificate is not to be checked. */
  readonly insecure?: true;
}

/** How to sign in, as the entry says it. Secrets are variables; see `mcp/auth/authSettings.ts` for what each is. */
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
  /** Of the enterprise, for `enterpriseManaged`. */
  readonly identityProvider?: {
    readonly tokenEndpoint: string;
    readonly clientId: string;
    readonly clientSecret?: string;
    readonly idToken: string;
  };
  /** Of the platform, for `workloadIdentity`. */
  readonly assertion?: string;
  /** Path of a file that holds it. */
  readonly assertionFile?: string;
}

export type Launch = StdioLaunch | HttpLaunch;

/** `auto`: when the window opens. `onDemand`: when something of it is first needed. `manual`: by command only. */
export type Startup = 'auto' | 'onDemand' | 'manual';

export interface Timeouts {
  /** From the start of the process, or of the first request, to the end of the handshake. */
  readonly startMs: number;
  /** Without any sign of life from a request, progress included. */
  readonly requestMs: number;
  /** From start to end of a request, whatever happens. */
  readonly totalMs: number;
  /** Between two pings of a server that nobody uses; 0: none. Absent: as livenessRules has it. */
  readonly pingMs?: number;
}

/** What a server may do, where its entry changes it. What is absent is as the constant beside the code has it. */
export interface ServerLimits {
  /** Of one message from the server. */
  readonly messageBytes?: number;
  /** Of all that is held of the server's data. */
  readonly memoryBytes?: number;
  /** Of one list. */
  readonly listItems?: number;
  /** Log messages, observations of the connection, lines of standard error: each. */
  readonly logsPerSecond?: number;
  readonly elicitationsPerMinute?: number;
  readonly samplingPerMinute?: number;
}

/** For whoever is told of a limit: how to change it. @param field dotted, as in `limits.listItems` */
export function raisedBy(field: string): string {
  return `which \`${field}\` of its entry can raise`;
}

/** What a program may do of what its user may; everything can be read. */
export interface SandboxSettings {
  /** Paths of files and folders, their variables not yet replaced. */
  readonly write: readonly string[];
  readonly network: boolean;
}

/** Named as in VS Code's mcp.json. */
export interface DevSettings {
  /** Glob patterns below the entry's folder; one with `!` before it leaves files out. Empty: nothing is watched. */
  readonly watch: readonly string[];
  readonly debug?: DebugSettings;
}

export type DebugSettings =
  | { readonly type: 'node' }
  /** `debugpyPath`: the program, where it is not to be run as a module of the entry's Python. */
  | { readonly type: 'debugpy'; readonly debugpyPath?: string };

/** Which workspace folders the server is told of as roots: all, none, or the folders of these names. */
export type RootsChoice = 'all' | 'none' | readonly string[];

export interface ServerConfig {
  readonly id: ServerId;
  /** The key in `mcpHost.servers`. */
  readonly name: string;
  readonly scope: ConfigScope;
  readonly launch: Launch;
  readonly isEnabled: boolean;
  readonly startup: Startup;
  readonly timeouts: Timeouts;
  readonly limits?: ServerLimits;
  /** The revisions in which the server may be spoken to. */
  readonly protocol: ProtocolChoice;
  readonly roots: RootsChoice;
  /** Whether the server may ask the user for input. */
  readonly elicitation: boolean;
  /** Whether the server may ask for answers of the editor's language models. */
  readonly sampling: boolean;
  /** Whether the editor's own chat is offered the server, where that is switched on at all. */
  readonly bridge: boolean;
  /** Of stdio servers alone. */
  readonly sandbox?: SandboxSettings;
  /** A consent counts for the content of the files of the workspace that the command line names; of stdio servers alone. */
  readonly pinFiles?: true;
  /** For whoever develops the server; of stdio servers alone. */
  readonly dev?: DevSettings;
  /**
   * Set for an entry that names folders of the workspace: each variable, and the path that it stands for in this window.
   * What is granted to the server counts for these alone.
   */
  readonly folders?: Readonly<Record<string, string>>;
  /** Set for an entry with `tls.insecure` when the user's settings let it have its way. */
  readonly allowsInsecureTls?: true;
  /** The setting of the editor by which an organization forbids this server. */
  readonly forbiddenBy?: string;
  /** Set when a nearer scope has an entry of the same name: this one is shown, but not used. */
  readonly hiddenBy?: ConfigScope;
}

/**
 * Settings of the editor, as it gives them, in which an organization says which servers its people may use. They are
 * for the application, so that no workspace has a say.
 */
export interface ManagedAccess {
  /** `chat.mcp.access` */
  readonly access: unknown;
  /** `chat.mcp.allowedServers` */
  readonly allowedServers: unknown;
  /** `chat.mcp.deniedServers` */
  readonly deniedServers: unknown;
  /** `chat.mcp.allowManagedServersOnly` */
  readonly allowManagedServersOnly: unknown;
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
  | 'mcpHost.bridge.enabled'
  | 'mcpHost.bridge.confirmation';

/** Something wrong in the settings, in words for the user. */
export interface ConfigProblem {
  readonly scope: ConfigScope;
  readonly setting: SettingName;
  /** The server's name or the input's id. */
  readonly entry?: string;
  /** Dotted path inside the entry, such as `env.TOKEN` or `args[2]`. */
  readonly field?: string;
  /** A sentence that names what is wrong and what would be right. Does not repeat entry and field. */
  readonly message: string;
  /** The entry, or the setting, cannot be used as it is. */
  readonly isFatal?: boolean;
}

export interface HostConfig {
  readonly servers: readonly ServerConfig[];
  /** By {@link scopeKey}: a server finds only inputs that its own scope defines. */
  readonly inputs: ReadonlyMap<string, readonly InputDefinition[]>;
  readonly problems: readonly ConfigProblem[];
}

/** The two settings as one scope has them, not yet looked at. */
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

/** An extension as it names itself. Nothing proves it: extensions share one process. */
export interface ExtensionClaim {
  /** `publisher.name`, in lower case. */
  readonly id: string;
  /** For people. */
  readonly name: string;
}
