/**
 * An HTTP server of this process on 127.0.0.1 that is built with the official SDK v2. `both` and `modern`
 * use its handler for revision 2026-07-28, the former with its stateless service of earlier revisions;
 * `legacy` is its Streamable HTTP with sessions.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler, fromJsonSchema } from '@modelcontextprotocol/server';
import { listen } from '../support/listening.ts';

export type Flavour = 'both' | 'modern' | 'legacy';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const noInput = fromJsonSchema({ type: 'object', properties: {} });
const anything = fromJsonSchema({});

export class SdkHttpServer {
  readonly #server: Server;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #notify: { toolsChanged(): void; resourceUpdated(uri: string): void } | undefined;
  /** The argument of `query` is also a header. */
  isMarked = false;
  readonly verbs: string[] = [];

  constructor(flavour: Flavour) {
    const build = (): McpServer => this.#build();
    let handle: Handle;
    if (flavour === 'legacy') {
      handle = this.#withSessions(build);
    } else {
      const legacy = flavour === 'both' ? 'stateless' : 'reject';
      const handler = createMcpHandler(build, { legacy });
      this.#notify = handler.notify;
      this.#closers.push(() => handler.close());
      handle = toNodeHandler(handler);
    }
    this.#server = createServer((request, response) => {
      this.verbs.push(request.method ?? '');
      handle(request, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<string> {
    const port = await listen(this.#server);
    return `http://127.0.0.1:${port}/mcp`;
  }

  toolsChanged(): void {
    this.#notify?.toolsChanged();
  }

  noteChanged(): void {
    this.#notify?.resourceUpdated('mem://note');
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    await Promise.all(this.#closers.map((close) => close()));
    this.#server.closeAllConnections();
    await closed;
  }

  #withSessions(build: () => McpServer): Handle {
    const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
    return async (request, response) => {
      const id = String(request.headers['mcp-session-id'] ?? '');
      let transport = sessions.get(id);
      if (transport === undefined) {
        const opened = new NodeStreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (newId) => void sessions.set(newId, opened),
        });
        this.#closers.push(() => opened.close());
        await build().connect(opened);
        transport = opened;
      }
      await transport.handleRequest(request, response);
    };
  }

  #build(): McpServer {
    const server = new McpServer(
      { name: 'sdk-http', version: '2.4.0' },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
    );
    const region = { type: 'string', ...(this.isMarked && { 'x-mcp-header': 'Region' }) };
    const level = { type: 'integer', ...(this.isMarked && { 'x-mcp-header': 'Level' }) };
    const query = fromJsonSchema<{ region?: string; level?: number }>({
      type: 'object',
      properties: { region, level },
    });
    server.registerTool('query', { inputSchema: query }, async (input) => ({
      content: [{ type: 'text', text: JSON.stringify(input) }],
    }));
    server.registerTool('null', { inputSchema: noInput, outputSchema: anything }, async () => ({
      content: [],
      structuredContent: null,
    }));
    server.registerTool('progress', { inputSchema: noInput }, async (_input, { mcpReq }) => {
      const progressToken = mcpReq['_meta']?.progressToken ?? 0;
      for (const progress of [1, 2, 3]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress },
        });
      }
      return { content: [{ type: 'text', text: 'done' }] };
    });
    server.registerResource('note', 'mem://note', { mimeType: 'text/plain' }, async () => ({
      contents: [{ uri: 'mem://note', text: 'a note' }],
    }));
    server.registerPrompt('hëllo', { description: 'Says hello' }, async () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
    }));
    return server;
  }
}
