/**
 * ResolvedLaunch → the ways to reach the server, in the order to try. The only file of the host that
 * knows transports; a new one is a line here. It is loaded with the protocol, not at activation.
 */
import type { Binding } from '../../mcp/connect.ts';
import type { HttpAuthorizer } from '../../mcp/httpAuthorizer.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import { ObservedAuthorizer } from '../../mcp/observedAuthorizer.ts';
import { createModernHttpTransport } from '../../mcp/transport/modernHttp.ts';
import { createSseTransport } from '../../mcp/transport/sse.ts';
import { createStdioTransport } from '../../mcp/transport/stdio.ts';
import { createStreamableHttpTransport } from '../../mcp/transport/streamableHttp.ts';
import { createWebSocketTransport } from '../../mcp/transport/webSocket.ts';
import type { ResolvedLaunch } from '../ports.ts';

/**
 * @param authorizer signs in what goes over HTTP
 * @param tap where HTTP requests can be looked at
 */
export function toBindings(
  launch: ResolvedLaunch,
  authorizer?: HttpAuthorizer,
  tap?: MessageTap,
): readonly Binding[] {
  switch (launch.kind) {
    case 'stdio': {
      const { command, args, env, cwd } = launch;
      return [
        {
          label: 'stdio',
          wire: 'pipe',
          eras: ['modern', 'legacy'],
          connect: () => createStdioTransport({ command, args, env, cwd }),
        },
      ];
    }
    case 'http': {
      const { headers, socketPath, transport } = launch;
      const url = new URL(launch.url);
      const sse: Binding = {
        label: 'HTTP+SSE',
        wire: 'pipe',
        eras: ['legacy'],
        connect: () => createSseTransport({ url, socketPath, headers, authorizer, tap }),
      };
      if (transport === 'sse') {
        return [sse];
      }
      const observed = authorizer && new ObservedAuthorizer(authorizer);
      return [
        {
          label: 'Streamable HTTP',
          wire: 'http',
          eras: ['modern'],
          ...(observed && { onDidChangeAuthorization: observed.onDidChange }),
          connect: () =>
            createModernHttpTransport({ url, socketPath, headers, authorizer: observed, tap }),
        },
        {
          label: 'Streamable HTTP',
          wire: 'http',
          eras: ['legacy'],
          connect: () =>
            createStreamableHttpTransport({ url, socketPath, headers, authorizer, tap }),
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
          connect: () => createWebSocketTransport({ url, headers, authorizer, tap }),
        },
      ];
    }
  }
}
