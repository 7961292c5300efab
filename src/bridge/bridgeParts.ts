/** What the bridge and its servers are given. */
import type { Event } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { ServerConfig, ServerId } from '../host/config/serverConfig.ts';
import type { ApproveTool } from '../host/editorChat/approveTool.ts';
import type { DrawnCalls } from '../host/editorChat/drawnCalls.ts';
import type { ServerConnection } from '../host/servers/connection.ts';
import type { McpHost } from '../host/servers/host.ts';
import type { Memory } from '../host/storage.ts';
import type { ToolCallServices } from '../host/tools/callTool.ts';

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
  /** False when the user has switched MCP apps off. */
  readonly showsApps: () => boolean;
  readonly onDidChangeShowsApps: Event<void>;
  /** The value of `mcpHost.apps.domains`. */
  readonly appDomains: () => unknown;
  /** A client that renders MCP apps has read a page of one. */
  readonly takePage: (server: ServerConnection, uri: string, result: unknown) => void;
  readonly onDidChangeTools: Event<void>;
  /** False when the user has switched the server's prompts off for this workspace. */
  readonly showsPrompts: (server: ServerId) => boolean;
  readonly onDidChangePrompts: Event<void>;
  readonly callServices: (server: ServerConfig) => ToolCallServices;
  /** Keeps what servers offered when they last ran, for servers that start only on demand. */
  readonly memory: Memory;
  readonly log: Log;
}

export interface ServedParts extends BridgeParts {
  /** Calls of `@mcp` that are approved already. */
  readonly drawnCalls: Pick<DrawnCalls, 'take'>;
}
