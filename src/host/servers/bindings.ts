/**
 * ResolvedLaunch → the transports for the server, in the order to try. The only file of the host that knows transports;
 * a new one is a line here. It is loaded with the protocol, not at activation.
 */
import type { ResolvedLaunch } from '../launch/launchGate.ts';
import type { MemoryAccount } from '../../base/memory.ts';
import type { Binding } from '../../mcp/client/connect.ts';
import { type HttpAuthorizer, observed } from '../../mcp/httpAuthorizer.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import { SseTransport } from '../../mcp/transport/http/sse.ts';
import { WebSocketTransport } from '../../mcp/transport/webSocket/webSocket.ts';
import type { Route } from '../../mcp/network/route.ts';
import { ModernHttpTransport } from '../../mcp/transport/http/modernHttp.ts';
import { StdioTransport } from '../../mcp/transport/stdio/stdio.ts';
import { StreamableHttpTransport } from '../../mcp/transport/http/streamableHttp.ts';
import { raisedBy, type ServerLimits } from '../config/serverConfig.ts';

interface BindingParts {
  /** Signs HTTP requests in. */
  readonly authorizer?: HttpAuthorizer | undefined;
  /** Receives HTTP requests for inspection. */
  readonly tap?: MessageTap | undefined;
  /** Of the server's entry. */
  readonly limits?: ServerLimits | undefined;
  /** To a server whose entry has connection settings of its own. */
  readonly route?: Route | undefined;
  readonly memory?: MemoryAccount | undefined;
}

export function toBindings(
  launch: ResolvedLaunch,
  { authorizer, tap, limits: given = {}, route, memory }: BindingParts = {},
): readonly Binding[] {
  const limits = {
    limitHint: raisedBy('limits.messageMegabytes'),
    memory,
    ...(given.messageBytes !== undefined && { maxMessageBytes: given.messageBytes }),
  };
  switch (launch.kind) {
    case 'stdio': {
      const { command, args, env, cwd, handedOver } = launch;
      return [
        {
          label: 'stdio',
          wire: 'pipe',
          eras: ['modern', 'legacy'],
          connect: () =>
            new StdioTransport({
              command,
              args,
              cwd,
              env: handedOver === undefined ? env : {},
              handedOver,
              limits,
            }),
        },
      ];
    }
    case 'http': {
      const { headers, socketPath, transport } = launch;
      const url = new URL(launch.url);
      const place = { url, socketPath, headers, route, tap, limits };
      const sse: Binding = {
        label: 'HTTP+SSE',
        wire: 'pipe',
        eras: ['legacy'],
        connect: () => new SseTransport({ ...place, authorizer }),
      };
      if (transport === 'sse') {
        return [sse];
      }
      const signedIn = authorizer && observed(authorizer);
      return [
        {
          label: 'Streamable HTTP',
          wire: 'http',
          eras: ['modern'],
          ...(signedIn && { onDidChangeAuthorization: signedIn.onDidChange }),
          connect: () => new ModernHttpTransport({ ...place, authorizer: signedIn }),
        },
        {
          label: 'Streamable HTTP',
          wire: 'http',
          eras: ['legacy'],
          connect: () => new StreamableHttpTransport({ ...place, authorizer }),
        },
        sse,
      ];
    }
    case 'webSocket': {
      const { headers } = launch;
      const url = new URL(launch.url);
      return [
        {
          label: 'WebSocket',
          wire: 'pipe',
          eras: ['modern', 'legacy'],
          connect: () => new WebSocketTransport({ url, headers, authorizer, route, tap, limits }),
        },
      ];
    }
  }
}
