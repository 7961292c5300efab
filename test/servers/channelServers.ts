/** One server for each channel that begins with HTTP, with and without TLS, at any loopback address. */
import { legacyServer } from './httpScripted.ts';
import { startSdkWebSocket } from './sdkWebSocket.ts';
import { oldServer } from './sseScripted.ts';
import { type FrontOptions, withTls } from './tlsFront.ts';

export const channels = ['Streamable HTTP', 'HTTP+SSE', 'WebSocket'] as const;
export type ChannelName = (typeof channels)[number];

/** Runs `use` with the port of a plain server of the channel on 127.0.0.1. */
export async function serving(
  channel: ChannelName,
  use: (port: number) => Promise<void>,
): Promise<void> {
  if (channel === 'WebSocket') {
    const socket = await startSdkWebSocket((server) =>
      server.registerTool('t', {}, async () => ({ content: [] })),
    );
    try {
      await use(Number(new URL(socket.url).port));
    } finally {
      await socket.close();
    }
    return;
  }
  const server =
    channel === 'HTTP+SSE'
      ? oldServer((exchange) => exchange.answer(405))
      : legacyServer({}, { sessionId: 's-1' });
  await server.start();
  try {
    await use(server.port);
  } finally {
    await server.close();
  }
}

/** Runs `use` with host and port at which TLS is spoken for such a server. */
export function servingTls(
  channel: ChannelName,
  front: FrontOptions,
  use: (authority: string) => Promise<void>,
): Promise<void> {
  const { host = '127.0.0.1' } = front;
  return serving(channel, (plain) => withTls(plain, (port) => use(`${host}:${port}`), front));
}
