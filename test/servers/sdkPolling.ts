/**
 * A server of the official SDK v1 on Streamable HTTP that ends its streams before the reply and lets itself be
 * polled (2025-11-25). The store of events that the SDK asks for is here.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { listen, shut } from '../support/listening.ts';

class Events implements EventStore {
  readonly #events: {
    readonly id: string;
    readonly stream: string;
    readonly message: JSONRPCMessage;
  }[] = [];

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `${stream}/${this.#events.length}`;
    this.#events.push({ id, stream, message });
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find((event) => event.id === id)?.stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#events.findIndex(({ id }) => id === last);
    const stream = this.#events[at]?.stream ?? '';
    for (const event of this.#events.slice(at + 1)) {
      if (event.stream === stream && Object.keys(event.message).length > 0) {
        await send(event.id, event.message);
      }
    }
    return stream;
  }
}

export interface PollingServer {
  readonly url: string;
  /** Verb and last event id of each request, with the time of its arrival. */
  readonly requests: readonly { readonly what: string; readonly at: number }[];
  close(): Promise<void>;
}

export async function startSdkPolling(
  retryInterval: number,
  workMs: number,
): Promise<PollingServer> {
  const server = new McpServer({ name: 'sdk-polling', version: '1.0.0' });
  server.registerTool('slow', {}, async ({ closeSSEStream, sendNotification, _meta: meta }) => {
    const progressToken = meta?.progressToken ?? '';
    const tell = (progress: number): Promise<void> =>
      sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    await tell(1);
    closeSSEStream?.();
    await new Promise((resolve) => {
      setTimeout(resolve, workMs);
    });
    await tell(2);
    return { content: [{ type: 'text', text: 'worked' }] };
  });
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    eventStore: new Events(),
    retryInterval,
  });
  await server.connect(transport);
  const requests: { readonly what: string; readonly at: number }[] = [];
  const http = createServer((request: IncomingMessage, response) => {
    const last = request.headers['last-event-id'];
    const what = `${request.method ?? ''}${last === undefined ? '' : ' with an id'}`;
    requests.push({ what, at: performance.now() });
    void transport.handleRequest(request, response);
  });
  const port = await listen(http);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    close: async () => {
      await server.close();
      await shut(http);
    },
  };
}
