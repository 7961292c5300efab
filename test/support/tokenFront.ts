/**
 * Stands in front of an endpoint of the bridge for clients that can send no header of their own: adds
 * the token, and turns its own address in `Host` and `Origin` into that of the bridge. Anything else
 * goes through as it came.
 */
import { createServer, request as forward } from 'node:http';
import type { BridgeEndpoint } from '../../src/host/editorChat/editorChat.ts';
import { listen, shut } from './listening.ts';

export interface TokenFront {
  readonly url: string;
  close(): Promise<void>;
}

export async function openTokenFront({ url, headers }: BridgeEndpoint): Promise<TokenFront> {
  const target = new URL(url);
  const server = createServer((request, response) => {
    const here = [`127.0.0.1:${port}`, `localhost:${port}`];
    const { host = '', origin } = request.headers;
    const isHere = origin !== undefined && here.some((name) => origin === `http://${name}`);
    const passed = forward(
      target,
      {
        method: request.method,
        agent: false,
        headers: {
          ...request.headers,
          ...headers,
          host: here.includes(host) ? target.host : host,
          ...(isHere ? { origin: target.origin } : {}),
        },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    response.once('close', () => passed.destroy());
    request.pipe(passed);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/`, close: () => shut(server) };
}
