// Gives MCP Host and its tests, which are loaded later, an API without what it has for chat, language models and MCP.
//   MCP_HOST_TEST_API=empty  with `chat` and `lm`, but without their members
const Module = require('node:module');

const empty = process.env.MCP_HOST_TEST_API === 'empty' ? {} : undefined;

exports.activate = () => {
  /* oxlint-disable eslint/no-underscore-dangle -- what the editor itself replaces to answer `require('vscode')` */
  const load = Module._load;
  Module._load = function (request, parent, ...rest) {
    const api = load.call(this, request, parent, ...rest);
    const isOurs = request === 'vscode' && parent?.filename !== __filename;
    return isOurs ? Object.create(api, lacking(api)) : api;
  };
};

function lacking(api) {
  const classes = Object.keys(api).filter((name) => /^(?:Chat|LanguageModel|Mcp)[A-Z]/.test(name));
  return Object.fromEntries([
    ...classes.map((name) => [name, { value: undefined }]),
    ...['chat', 'lm'].map((name) => [name, { value: empty }]),
  ]);
}
