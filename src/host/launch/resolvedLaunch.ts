/** What is run or connected to, with all variables replaced. */
import type { AuthSettings } from '../../mcp/auth/authSettings.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';

/** A launch with every variable replaced; never log it unredacted. */
export type ResolvedLaunch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The complete environment of the server's process. */
      readonly env: Readonly<Record<string, string>>;
      /** What `command`, started without environment, reads from descriptor 3 instead. Absent: it starts with `env`. */
      readonly handedOver?: string;
      readonly cwd: string;
    }
  | {
      readonly kind: 'http';
      readonly url: string;
      /** A Unix socket, or a named pipe of Windows, to connect to instead of the URL's host. */
      readonly socketPath?: string;
      /** `sse`: only HTTP+SSE. Absent: Streamable HTTP first, else what the server speaks. */
      readonly transport?: 'sse';
      readonly headers: Readonly<Record<string, string>>;
      /** How to sign in when the server asks for it; absent where nobody does. */
      readonly auth?: AuthSettings;
      /** Absent where only the editor's settings count. */
      readonly connection?: ConnectionSettings;
    }
  | {
      readonly kind: 'webSocket';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly auth?: AuthSettings;
      readonly connection?: ConnectionSettings;
    };
