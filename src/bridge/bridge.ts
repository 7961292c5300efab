/**
 * The contract of the bridge: the configured servers served again as MCP servers on one loopback port, for clients of
 * the same machine such as VS Code's own. The files beside this one implement it.
 */
import type { ApproveTool } from '../host/editorChat/approveTool.ts';
import type { Event } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { ServerConfig, ServerId } from '../host/config/serverConfig.ts';
import type { Memory } from '../host/storage.ts';
import type { McpHost } from '../host/servers/host.ts';
import type { ToolCallServices } from '../host/tools/callTool.ts';

/** How a client reaches one server. Valid until the bridge closes; port, path and token change with each run. */
export interface BridgeEndpoint {
  /** One of `host.servers`. */
  readonly server: ServerId;
  /** The server's configured name. */
  readonly label: string;
  /** `http://127.0.0.1:<port>/<path that cannot be guessed>` */
  readonly url: string;
  /** `Authorization: Bearer <token>`. A secret: never logged, never kept. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Changes when the server's entry, its description or one of its lists changes. It stays while a client is connected:
   * VS Code would end the connection, and hears of changes by notification.
   */
  readonly version: string;
  /** The server's lists are known, so a client that connects does not start it. */
  readonly isKnown: boolean;
  /** A client is connected to it. */
  readonly isInUse: boolean;
}

export interface Bridge {
  /** Opens the listener; idempotent. @throws McpError `unreachable` when no port is free */
  start(): Promise<void>;
  /** One for each published server, in the order of the configuration. Empty until started. */
  readonly endpoints: readonly BridgeEndpoint[];
  /** Fires when the set of endpoints, or the version or use of one, changes. Fires once for a burst of changes. */
  readonly onDidChange: Event<void>;
  /** Ends every session and the listener; resolves when no socket is left. */
  close(): Promise<void>;
}

export interface BridgeParts {
  readonly host: McpHost;
  /** Which servers are served. Another has no endpoint, and its sessions end. */
  readonly isPublished: (server: ServerConfig) => boolean;
  readonly onDidChangePublished: Event<void>;
  /**
   * Whether a tool may be called, asked before each call. Returns the arguments to send, which the
   * user may have edited. @throws McpError `denied`, or the signal's reason when it aborts
   */
  readonly approveTool: ApproveTool;
  /** Which tools clients see, by name; the user has switched the others off. */
  readonly isToolOn: (server: ServerId, tool: string) => boolean;
  readonly onDidChangeTools: Event<void>;
  /** Services for a call of this server's tools: URL elicitations, and the audit record. */
  readonly visits: (server: ServerConfig) => ToolCallServices;
  /** Keeps what servers offered when they last ran, for servers that start only on demand. */
  readonly memory: Memory;
  readonly log: Log;
}
