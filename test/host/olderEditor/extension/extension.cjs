// Gives MCP Host and its tests, which are loaded later, an API without `chat` and `lm`.
const Module = require('node:module');

exports.activate = () => {
  /* oxlint-disable eslint/no-underscore-dangle -- what the editor itself replaces to answer `require('vscode')` */
  const load = Module._load;
  Module._load = function (request, parent, ...rest) {
    const api = load.call(this, request, parent, ...rest);
    const isOurs = request === 'vscode' && parent?.filename !== __filename;
    return isOurs
      ? Object.create(api, { chat: { value: undefined }, lm: { value: undefined } })
      : api;
  };
};
