/**
 * The contract of the bridge: the configured servers served again as MCP servers on one loopback
 * port, for clients of the same machine such as VS Code's own. What it gives and what it needs; how
 * it is done is in the files beside this one.
 */
import type { ApproveTool } from '../host/editorChat/approveTool.ts';
import type { Event } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { ServerConfig, ServerId } from '../host/config/serverConfig.ts';
import type { Memory } from '../host/storage.ts';
import type { McpHost } from '../host/servers/host.ts';
import type { ToolCallServices } from '../host/tools/callTool.ts';

/** How a client reaches one server. Good until the bridge closes; port, path and token are new each time. */
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
   * Another one when the server's entry, its description or one of its lists is another. While a client
   * is connected it stays: VS Code would end the connection, and hears of changes by notification.
   */
  readonly version: string;
  /** What it offers is known, so that a client that connects starts nothing. */
  readonly isKnown: boolean;
  /** A client is connected to it. */
  readonly isInUse: boolean;
}

export interface Bridge {
  /** Opens the listener; idempotent. @throws McpError `unreachable` when no port can be had */
  start(): Promise<void>;
  /** One for each published server, in the order of the configuration. Empty until started. */
  readonly endpoints: readonly BridgeEndpoint[];
  /** The endpoints are others, or the version or the use of one is. Fires once for a burst of changes. */
  readonly onDidChange: Event<void>;
  /** Ends every session and the listener; resolves when no socket is left. */
  close(): Promise<void>;
}

export interface BridgeParts {
  readonly host: McpHost;
  /** Which servers are served. One that is not has no endpoint, and its sessions end. */
  readonly isPublished: (server: ServerConfig) => boolean;
  readonly onDidChangePublished: Event<void>;
  /**
   * Whether a tool may be called, asked before each call. Returns the arguments to send, which the
   * user may have edited. @throws McpError `denied`, or the signal's reason when it aborts
   */
  readonly approveTool: ApproveTool;
  /** Which tools clients are told of, by name; the user has switched the others off. */
  readonly isToolOn: (server: ServerId, tool: string) => boolean;
  readonly onDidChangeTools: Event<void>;
  /** What goes with a call of this server's tools: visits to URLs first, and its record. */
  readonly visits: (server: ServerConfig) => ToolCallServices;
  /** Keeps what servers offered when they last ran, for those that are started only when needed. */
  readonly memory: Memory;
  readonly log: Log;
}
