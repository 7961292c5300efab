/**
 * The types of what MCP Host exports to other extensions. Copy this file into your extension; it needs nothing but
 * `@types/vscode`. What each call asks of the user is told in docs/api.md.
 *
 *     const mcpHost = vscode.extensions.getExtension<McpHostExports>('mcp-host.mcp-host');
 *     const api = (await mcpHost?.activate())?.getAPI(1, context.extension.id);
 */
import type { CancellationToken, Disposable, Event, ProviderResult } from 'vscode';

export interface McpHostExports {
  /**
   * @param version the one that you were written for; a later MCP Host still knows it
   * @param caller your own extension, or its id (`context.extension.id`). Users see it in every question
   *   as what you say that you are.
   * @throws Error when this MCP Host does not know the version, or the extension is not installed
   */
  getAPI(version: 1, caller: string | { readonly id: string }): McpHostApi;
}

export interface McpHostApi {
  /** The servers of all settings and extensions, those that do not run included. Asks nobody. */
  listServers(): readonly McpServer[];
  /** A server came or went, or its state or one of its lists is another. */
  readonly onDidChangeServers: Event<void>;
  /** What a running server offers, as it was listed last; empty for one that does not run. Asks nobody. */
  listTools(serverId: string): readonly McpTool[];
  listPrompts(serverId: string): readonly McpPrompt[];
  listResources(serverId: string): readonly McpResource[];

  /**
   * Runs a tool once the user has allowed it, or has before. A server that starts on demand is started.
   * @throws McpHostError
   */
  callTool(
    serverId: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options?: McpToolCallOptions,
  ): Promise<McpToolResult>;
  /** @throws McpHostError */
  readResource(
    serverId: string,
    uri: string,
    options?: McpCallOptions,
  ): Promise<readonly McpResourceContents[]>;
  /** @throws McpHostError */
  getPrompt(
    serverId: string,
    prompt: string,
    values?: Readonly<Record<string, string>>,
    options?: McpCallOptions,
  ): Promise<McpPromptResult>;

  /** Adds servers until the result is disposed. None of them starts before the user has allowed it. */
  registerServerDefinitionProvider(provider: McpServerDefinitionProvider): Disposable;
}

export interface McpServer {
  /** For the other calls; the same over restarts of server and window. */
  readonly id: string;
  /** Not unique: two scopes may have a server of one name. */
  readonly name: string;
  readonly scope: 'user' | 'remote' | 'workspace' | 'folder' | 'extension' | 'followed';
  /** The id of the extension that it is from. */
  readonly extension?: string;
  readonly state: 'stopped' | 'starting' | 'ready' | 'waiting' | 'stopping' | 'failed';
  /** Why a server that could run does not, in one word such as `disabled`, `hidden` or `consentNeeded`. */
  readonly because?: string;
  /** A list is being fetched: the counts are not final. */
  readonly isLoading: boolean;
  /** The revision of the protocol, once it is agreed upon. */
  readonly revision?: string;
  readonly transport?: string;
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
  readonly resourceTemplates: number;
  /** Of `failed` and `waiting`. */
  readonly error?: string;
}

/** As the server lists it. All texts are the server's own and not to be trusted. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}

export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

export interface McpCallOptions {
  /** Also ends the wait for the user. */
  readonly token?: CancellationToken;
}

export interface McpToolCallOptions extends McpCallOptions {
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
}

export interface McpToolResult {
  /** Content blocks of MCP: `{ type: 'text', text }`, `{ type: 'image', data, mimeType }` and so on. */
  readonly content: readonly McpContent[];
  readonly structuredContent?: unknown;
  /** The tool says that it failed; `content` says why. */
  readonly isError: boolean;
  /** What was sent: the user may have changed it. */
  readonly input: Readonly<Record<string, unknown>>;
  /** In what `structuredContent` does not fit the tool's output schema; empty when it does. */
  readonly problems: readonly string[];
}

export type McpContent = {
  readonly type: 'text' | 'image' | 'audio' | 'resource_link' | 'resource';
} & Readonly<Record<string, unknown>>;

export type McpResourceContents = {
  /** May lie below the URI that was read. */
  readonly uri: string;
  readonly mimeType?: string;
} & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
);

export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: McpContent;
  }[];
}

/** What calls reject with. Branch on `code`; `message` is for people. */
export interface McpHostError extends Error {
  readonly code:
    | 'denied' // the user, or a rule of the user, said no: do not ask again on your own
    | 'cancelled' // your token, or the user stopped the server
    | 'invalidInput' // no such server, tool or prompt, or the input does not fit its schema
    | 'closed' // the server does not run, or ended before its answer
    | 'timeout'
    | 'rpc' // the server answered with an error
    | (string & {});
}

export interface McpServerDefinitionProvider {
  /** Fire it when the definitions, or values of inputs, are others. */
  readonly onDidChangeServerDefinitions?: Event<void>;
  /** Called once after the registration, and after each change. */
  provideServerDefinitions(
    token: CancellationToken,
  ): ProviderResult<readonly McpServerDefinition[]>;
  /**
   * The value of `${input:id}` in the definition of this server, asked for at each start, after the user's
   * consent. The place for secrets: users see `${input:id}` in its stead, and logs do not show it.
   */
  provideInput?(serverName: string, id: string, token: CancellationToken): ProviderResult<string>;
}

/** A server as an entry of the setting `mcpHost.servers`, variables included; docs/settings.md has each field. */
export type McpServerDefinition = {
  /** Unique among those of your extension. */
  readonly name: string;
  readonly startup?: 'auto' | 'onDemand' | 'manual';
} & (
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string | number | boolean | null>>;
      readonly envFile?: string;
      readonly cwd?: string;
    }
  | {
      readonly url: string;
      readonly type?: 'http' | 'sse' | 'websocket' | 'ws';
      readonly headers?: Readonly<Record<string, string>>;
    }
) & { readonly [field: string]: unknown };
