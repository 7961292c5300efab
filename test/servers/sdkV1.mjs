// A stdio server built with the official SDK v1, which knows no revision after 2025-11-25.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
server.registerTool('echo', {}, async () => ({ content: [{ type: 'text', text: 'echo' }] }));
await server.connect(new StdioServerTransport());
