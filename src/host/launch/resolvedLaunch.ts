/** What is run or reached, with nothing left to replace. */
import type { AuthSettings } from '../../mcp/auth/authSettings.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';

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
