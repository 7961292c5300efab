/** What a start makes of its settings: sandbox, variables, inputs, environment. */
import type { Changes } from '../mutant.ts';

export const machineMutants: Changes = {
  'src/host/launch/sandbox.ts': {
    'sandbox-keeps-namespaces: SEC-03': `«    '--unshare-all',\n→»`,
    'sandbox-with-network: SEC-03': `«...(network ? ['--share-net'] : [])→'--share-net'»,`,
    'sandbox-writes-all: SEC-03': `    '--«ro-→»bind',\n`,
    'sandbox-with-capabilities: SEC-03': `«    '--cap-drop',\n    'ALL',\n→»`,
    'sandbox-of-same-session: SEC-03': `«    '--new-session',\n→»`,
    'sandbox-sees-run: SEC-03': `const hidden: readonly string[] = ['/«run', '/→»tmp'];`,
    'seatbelt-with-network: SEC-03': `«network ? '' : '(deny network*)→'»'`,
    'seatbelt-writes-all: SEC-03': '«(deny file-write*)→»',
    'debugger-in-sandbox: SEC-03': 'if («dev?.debug !== undefined && !sandbox.network→false») {',
    'sandbox-on-windows-ignored: SEC-03':
      'if (wrap === undefined) {«→\n    return server;\n  }\n  if (false) {»',
  },
  'src/host/launch/resolver.ts': {
    'nul-in-field: STDIO-02': `if («value.includes('\\0')→false») {`,
    'password-in-log: SEC-11': `if («input.type === 'promptString' && input.password→false») {`,
    'variable-in-log: SEC-11': '«secrets.addPrivate(name, value);→»',
  },
  'src/host/launch/contributedServers.ts': {
    'value-of-another-extension: Secrets and sign-ins': '«extension.id === scope.id &&→»',
  },
  'src/host/launch/inputs.ts': {
    'workspaces-share-inputs: Secrets and sign-ins': `«scope.kind === 'user' ? '' : this.#workspaceId()→''»`,
    'scopes-share-inputs: Secrets and sign-ins': `[«scope.kind, workspace, scopeKey(scope)→'user', workspace, ''», id]`,
    'removed-option-used: HOST-14': ' && «!input.options.includes(value)→false»',
    'input-of-another-scope: Secrets and sign-ins':
      '«config.inputs.get(scopeKey(scope)) ?? []→[...config.inputs.values()].flat()»',
    'inputs-of-all-forgotten: HOST-14': 'if («which(stored)→true») {',
  },
  'src/host/config/variables.ts': {
    'variable-in-a-value: Before a server starts':
      "    result += text.slice(end, match.index) + «value→(value.includes('${') ? await substitute(value, values) : value)»;",
    'unknown-variable-stays: Before a server starts': `    case 'unknown':\n      «throw unknownVariable(reference)→return reference.text»;`,
    'any-of-several-folders: Before a server starts': 'if («others.length > 0→false») {',
    'any-folder-of-one-name: Before a server starts': 'if («found.length > 1→false») {',
    'folder-by-name: Before a server starts':
      'folders.find((folder) => folder.«uri === own.uri→name === own.name»)',
  },
  'src/host/config/environment.ts': {
    'variables-of-the-editor: STDIO-02':
      '/^«(?:ELECTRON_RUN_AS_NODE|VSCODE_.*)$→ELECTRON_RUN_AS_NODE$»/iu',
    'removed-variable-stays: STDIO-02': '«merged.delete(variableKey(platform, name));→»',
    'names-with-case-on-windows: STDIO-02': `«platform === 'win32' ? name.toUpperCase() : →»name`,
  },
  'src/host/launch/resolveLaunch.ts': {
    'password-in-configured-url: AUTH-30': `if («url.username !== '' || url.password !== ''→false») {`,
    'nul-in-name-of-variable: SEC-03': `if («name.includes('\\0')→false») {`,
    'nul-in-environment-file: SEC-03': `if («value.includes('\\0')→false») {`,
    'line-break-in-header: HTTP-28': 'if («/[\\r\\n]/u.test(value)→false») {',
    'empty-command: STDIO-02': `if («command.trim() === ''→false») {`,
    'file-over-own-environment: STDIO-02': '[inherited(machine.env), «file, own→own, file»]',
    'secret-of-file-in-log: SEC-11': '«secrets.addPrivate(name, value);→»',
    'secret-argument-in-log: SEC-11': '«secrets.addFromArguments(args);→»',
    'any-scheme-of-url: SEC-08': '«!/^(?:https?|wss?):$/u.test(url.protocol)→false»',
    'sandbox-tool-missing: SEC-03':
      'if («sandboxed !== undefined && !(await machine.programs.isProgram(program))→false») {',
  },
  'src/host/launch/resolveOauth.ts': {
    'sign-in-beside-a-header: AUTH-02': 'if (oauth === false« || hasHeader→») {',
  },
  'src/host/launch/launchContext.ts': {
    'large-environment-file: While it runs': 'if («text.length > maxEnvFileChars→false») {',
    'home-of-another-user: STDIO-02': '/^~«(?=$|\\/)→»/u',
    'unset-variable-is-empty: Before a server starts': `  if (value === undefined) {\n    «→return '';\n  }\n  if (false) {\n    »throw new McpError(`,
  },
  'src/host/launch/secrets.ts': {
    'credentials-without-scheme: SEC-11': 'if («credentials !== undefined→false») {',
    'lines-of-a-key: SEC-11': '«...lines.filter(isLongEnough)→»',
  },
  'src/host/launch/programSearch.ts': {
    'shell-asked-each-time: STDIO-10':
      'if («(await findProgram(command, env, machine)) !== undefined→command === `none`») {',
    'added-path-first: STDIO-10':
      "[«env['PATH'] ?? '', ...folders.filter((folder) => !known.includes(folder))→...folders, env['PATH'] ?? ''»]",
    'path-in-workspace: STDIO-10':
      'isOne« && (await (await WorkspacePaths.of(folders, machine)).folderOf(folder)) === undefined→»',
  },
};
