/** Another extension, as far as types go: what api/mcpHost.d.ts is for. It is compiled, never run. */
import type { CancellationToken, Event, ExtensionContext } from 'vscode';
import type { McpHostError, McpHostExports, McpServerDefinition } from '../../api/mcpHost.d.ts';

export async function useApi(
  host: McpHostExports,
  context: ExtensionContext,
  token: CancellationToken,
  onDidChangeServerDefinitions: Event<void>,
): Promise<string> {
  const api = host.getAPI(1, context.extension.id);
  host.getAPI(1, context.extension);
  // @ts-expect-error -- there is no such version
  host.getAPI(2, context.extension.id);
  context.subscriptions.push(api.onDidChangeServers(() => undefined));
  const definition: McpServerDefinition = {
    name: 'acme',
    command: 'node',
    args: ['server.js'],
    env: { TOKEN: '${input:token}', OFF: null },
    timeouts: { requestSeconds: 5 },
  };
  context.subscriptions.push(
    api.registerServerDefinitionProvider({
      onDidChangeServerDefinitions,
      provideServerDefinitions: () => [definition, { name: 'far', url: 'https://example.com/mcp' }],
      provideInput: (_server, id) => context.secrets.get(id),
    }),
  );
  const [server] = api.listServers();
  if (server === undefined) {
    return 'none';
  }
  const names = api.listTools(server.id).map(({ name, inputSchema }) => name + inputSchema['type']);
  const { content, problems } = await api.callTool(
    server.id,
    'a',
    {},
    { token, onProgress: noProgress },
  );
  const [contents] = await api.readResource(server.id, 'a:b');
  const { messages } = await api.getPrompt(server.id, 'p', { who: 'me' }, { token });
  const read = contents?.kind === 'text' ? contents.text : contents?.bytes.length;
  return [...names, content[0]?.type, problems[0], read, messages[0]?.role].join();
}

export function explain({ code, message }: McpHostError): string {
  return code === 'denied' ? 'not allowed' : message;
}

function noProgress({ progress }: { readonly progress: number }): void {
  void progress;
}
