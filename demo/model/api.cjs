// Uses the API of MCP Host as another extension does, with what the settings of the demo say.
const { writeFileSync, renameSync } = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/**
 * Contributes the servers of `mcpHostDemo.contribute`, and has a command that makes the call that is typed, and writes
 * its outcome to api.json beside the status file.
 * @param {vscode.ExtensionContext} context
 */
exports.useApi = async function useApi({ extension, subscriptions }) {
  const host = await vscode.extensions.getExtension('mcp-host.mcp-host')?.activate();
  const api = host?.getAPI?.(1, extension.id);
  if (!api) return;
  subscriptions.push(
    api.registerServerDefinitionProvider({
      provideServerDefinitions: () => setting('contribute'),
      provideInput: (server, id) => `${id} of ${server}`,
    }),
    vscode.commands.registerCommand('mcpHostDemo.callApi', async () => {
      const title = 'Name of a method, and its arguments, as a list in JSON';
      const text = await vscode.window.showInputBox({ title, ignoreFocusOut: true });
      if (!text) return;
      const [method, ...args] = JSON.parse(text);
      report(
        await api[method](...args).then(
          (result) => ({ result }),
          ({ code, message }) => ({ error: { code, message } }),
        ),
      );
    }),
  );
};

function setting(name) {
  return vscode.workspace.getConfiguration('mcpHostDemo').get(name);
}

function report(outcome) {
  const file = path.join(path.dirname(setting('statusFile')), 'api.json');
  // A reader never sees half a file.
  writeFileSync(`${file}.new`, JSON.stringify(outcome));
  renameSync(`${file}.new`, file);
}
