// The demo's helper: a scripted language model, a participant that calls tools, a tool, an account of the editor, and a file
// that says how the MCP servers are.
// It is no part of the product and not in the VSIX; it reads nothing but what the product exports.
const { randomUUID } = require('node:crypto');
const { mkdirSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { useApi } = require('./api.cjs');
const { reply } = require('./script.cjs');

/** @param {vscode.ExtensionContext} context */
exports.activate = async function activate(context) {
  const { subscriptions } = context;
  subscriptions.push(vscode.lm.registerLanguageModelChatProvider('mcp-host-demo', provider));
  // A model of an extension is in the picker only after somebody has asked for models.
  void Promise.resolve(vscode.lm.selectChatModels({ vendor: 'mcp-host-demo' })).catch(() => {});

  subscriptions.push(vscode.chat.createChatParticipant('mcp-host-demo.agent', callNamedTool));

  subscriptions.push(vscode.lm.registerTool('demo_reverse', reverse));

  subscriptions.push(
    vscode.authentication.registerAuthenticationProvider(
      'mcp-host-demo',
      'MCP Host Demo',
      accounts,
    ),
  );

  subscriptions.push(
    vscode.commands.registerCommand('mcpHostDemo.openInstallLink', openInstallLink),
  );

  const settings = vscode.workspace.getConfiguration('mcpHostDemo');
  if (settings.get('showServers')) {
    await vscode.commands.executeCommand('workbench.view.extension.mcpHost');
  }
  const file = settings.get('statusFile');
  if (file) await reportStatus(file, subscriptions);
  await useApi(context);
};

/** Opens the link that a page would have for the server whose JSON is typed. */
async function openInstallLink() {
  const json = await vscode.window.showInputBox({
    title: 'JSON of a server',
    ignoreFocusOut: true,
  });
  if (json === undefined) return;
  const link = `${vscode.env.uriScheme}://mcp-host.mcp-host/install?${encodeURIComponent(json)}`;
  // As a link on a page of the editor: `openExternal` would have the browser leave the editor.
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(link));
}

/**
 * Writes {"active", "error"?, "servers"} to `file`, now and on each change.
 * @param {string} file
 * @param {vscode.Disposable[]} subscriptions
 */
async function reportStatus(file, subscriptions) {
  const write = (status) => {
    mkdirSync(path.dirname(file), { recursive: true });
    // A reader never sees half a file.
    writeFileSync(`${file}.new`, JSON.stringify(status));
    renameSync(`${file}.new`, file);
  };
  try {
    const extension = vscode.extensions.getExtension('mcp-host.mcp-host');
    if (!extension) throw new Error('The extension mcp-host.mcp-host is not installed.');
    const host = await extension.activate();
    const report = () => write({ active: true, servers: host?.servers?.() ?? [] });
    report();
    if (host?.onDidChange) subscriptions.push(host.onDidChange(report));
  } catch (error) {
    write({ active: false, error: String(error?.message ?? error), servers: [] });
  }
}

/**
 * `@agent name {"input": 1}` calls the tool of the editor with that name, as an agent does; without a name it lists them.
 * @type {vscode.ChatRequestHandler}
 */
async function callNamedTool({ prompt, toolInvocationToken }, _context, response, token) {
  const [, name, input] = /^(\S*)\s*([^]*)$/.exec(prompt.trim());
  const tools = vscode.lm.tools.map((tool) => tool.name).filter((tool) => tool.startsWith('mcp_'));
  if (!tools.includes(name)) {
    response.markdown(`Tools: ${tools.map((tool) => `\`${tool}\``).join(', ')}.`);
    return;
  }
  try {
    const options = { input: input === '' ? {} : JSON.parse(input), toolInvocationToken };
    const { content } = await vscode.lm.invokeTool(name, options, token);
    const images = content.filter((part) => part instanceof vscode.LanguageModelDataPart);
    const kinds = images.map(({ mimeType }) => mimeType).join(', ');
    response.markdown(
      `Result:\n\n\`\`\`\n${partsText(content)}\n\`\`\`\n\nData: ${kinds || 'none'}.`,
    );
  } catch (error) {
    response.markdown(`Failed: ${error?.name}: ${error?.message}`);
  }
}

/** @type {vscode.LanguageModelTool<{ text: string }>} */
const reverse = {
  prepareInvocation: ({ input }) => ({
    invocationMessage: 'Reversing',
    confirmationMessages: { title: 'Reverse a text', message: `Reverse “${input.text}”?` },
  }),
  invoke: async ({ input }) => {
    const text = input.text.split('').toReversed().join('');
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  },
};

/** @type {vscode.LanguageModelChatProvider} */
const provider = {
  provideLanguageModelChatInformation: () => [
    {
      id: 'scripted',
      name: 'Demo Model (scripted)',
      family: 'scripted',
      version: '1',
      maxInputTokens: vscode.workspace.getConfiguration('mcpHostDemo').get('maxInputTokens'),
      maxOutputTokens: 10_000,
      capabilities: { toolCalling: true, imageInput: false },
    },
  ],
  provideLanguageModelChatResponse: async (_model, messages, options, progress) => {
    for (const part of reply(messages.map(plainMessage), options.tools ?? [])) {
      progress.report(
        part.kind === 'text'
          ? new vscode.LanguageModelTextPart(part.text)
          : new vscode.LanguageModelToolCallPart(part.id, part.name, part.input),
      );
    }
  },
  // Four characters to a token, as is usual for an estimate.
  provideTokenCount: async (_model, text) => Math.ceil(contentText(text).length / 4),
};

/** @type {vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>} */
const accountsChanged = new vscode.EventEmitter();
/** For as long as the window is open; nowhere else. @type {vscode.AuthenticationSession[]} */
let sessions = [];

/** @type {vscode.AuthenticationProvider} */
const accounts = {
  onDidChangeSessions: accountsChanged.event,
  getSessions: async (scopes) =>
    sessions.filter((session) => scopes?.every((scope) => session.scopes.includes(scope)) ?? true),
  createSession: async (scopes) => {
    const url = vscode.workspace.getConfiguration('mcpHostDemo').get('accountUrl');
    const response = await fetch(url, { method: 'POST', body: scopes.join(' ') });
    if (!response.ok) throw new Error(`${url} answered with HTTP ${response.status}.`);
    const { token, account } = await response.json();
    const session = {
      id: randomUUID(),
      accessToken: token,
      account: { id: account, label: account },
      scopes,
    };
    sessions.push(session);
    accountsChanged.fire({ added: [session], removed: [], changed: [] });
    return session;
  },
  removeSession: async (id) => {
    const removed = sessions.filter((session) => session.id === id);
    sessions = sessions.filter((session) => session.id !== id);
    accountsChanged.fire({ added: [], removed, changed: [] });
  },
};

/** @param {vscode.LanguageModelChatRequestMessage} message */
function plainMessage(message) {
  const isUser = message.role === vscode.LanguageModelChatMessageRole.User;
  const results = message.content.filter((p) => p instanceof vscode.LanguageModelToolResultPart);
  const text = message.content
    .filter((part) => part instanceof vscode.LanguageModelTextPart)
    .map((part) => part.value)
    .join('');
  return { isUser, text, toolResults: results.map(({ content }) => partsText(content)) };
}

function contentText(text) {
  return typeof text === 'string' ? text : partsText(text.content);
}

function partsText(parts) {
  return parts
    .filter((part) => part instanceof vscode.LanguageModelTextPart)
    .map((part) => part.value)
    .join('\n');
}
