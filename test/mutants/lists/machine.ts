/** What a start makes of its settings: sandbox, variables, inputs, environment. */
import { mutantsOf } from '../mutant.ts';

const unit = 'unit/host/launch';
const start = 'Before a server starts';
const secrets = 'Secrets and sign-ins';

export const machineMutants = [
  ...mutantsOf(
    'src/host/launch/sandbox.ts',
    [`${unit}/sandbox.test.ts`, 'protocol/sandbox.test.ts'],
    [
      ['sandbox-keeps-namespaces', 'SEC-03', `    '--unshare-all',\n`, ''],
      ['sandbox-with-network', 'SEC-03', `...(network ? ['--share-net'] : []),`, `'--share-net',`],
      ['sandbox-writes-all', 'SEC-03', `    '--ro-bind',\n`, `    '--bind',\n`],
      ['sandbox-with-capabilities', 'SEC-03', `    '--cap-drop',\n    'ALL',\n`, ''],
      ['sandbox-of-same-session', 'SEC-03', `    '--new-session',\n`, ''],
      [
        'sandbox-sees-run',
        'SEC-03',
        `const hidden: readonly string[] = ['/run', '/tmp'];`,
        `const hidden: readonly string[] = ['/tmp'];`,
      ],
      ['seatbelt-with-network', 'SEC-03', `network ? '' : '(deny network*)'`, `''`],
      ['seatbelt-writes-all', 'SEC-03', '(deny file-write*)', ''],
      [
        'debugger-in-sandbox',
        'SEC-03',
        'if (dev?.debug !== undefined && !sandbox.network) {',
        'if (false) {',
      ],
      [
        'sandbox-on-windows-ignored',
        'SEC-03',
        'if (wrap === undefined) {',
        'if (wrap === undefined) {\n    return server;\n  }\n  if (false) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/launch/resolver.ts',
    [`${unit}/resolveLaunch.test.ts`],
    [
      ['nul-in-field', 'STDIO-02', `if (value.includes('\\0')) {`, 'if (false) {'],
      [
        'password-in-log',
        'SEC-11',
        `if (input.type === 'promptString' && input.password) {`,
        'if (false) {',
      ],
      ['variable-in-log', 'SEC-11', 'secrets.addPrivate(name, value);', ''],
    ],
  ),
  ...mutantsOf(
    'src/host/launch/inputs.ts',
    [`${unit}/inputs.test.ts`],
    [
      ['workspaces-share-inputs', secrets, `scope.kind === 'user' ? '' : this.#workspaceId`, `''`],
      [
        'scopes-share-inputs',
        secrets,
        '[scope.kind, workspace, scopeKey(scope), id]',
        `['user', workspace, '', id]`,
      ],
      ['removed-option-used', 'HOST-14', ' && !input.options.includes(value)', ' && false'],
      [
        'input-of-another-scope',
        secrets,
        'config.inputs.get(scopeKey(scope)) ?? []',
        '[...config.inputs.values()].flat()',
      ],
      [
        'inputs-of-all-forgotten',
        'HOST-14',
        'if (scope === undefined || stored.scope === scope) {',
        'if (true) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/config/variables.ts',
    ['unit/host/config/variables.test.ts'],
    [
      [
        'variable-in-a-value',
        start,
        `    result += text.slice(end, match.index) + value;`,
        `    result += text.slice(end, match.index) + (value.includes('\${') ? await substitute(value, values) : value);`,
      ],
      [
        'unknown-variable-stays',
        start,
        `    case 'unknown':\n      throw unknownVariable(reference);`,
        `    case 'unknown':\n      return reference.text;`,
      ],
      ['any-of-several-folders', start, 'if (others.length > 0) {', 'if (false) {'],
      ['any-folder-of-one-name', start, 'if (found.length > 1) {', 'if (false) {'],
      [
        'folder-by-ambiguous-name',
        start,
        'ofThisName.length === 1 ? ofThisName[0] : undefined',
        'ofThisName[0]',
        ['unit/host/config/variables.test.ts', `${unit}/resolveLaunch.test.ts`],
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/config/environment.ts',
    ['unit/host/config/environment.test.ts', `${unit}/resolveLaunch.test.ts`],
    [
      [
        'variables-of-the-editor',
        'STDIO-02',
        '/^(?:ELECTRON_RUN_AS_NODE|VSCODE_.*)$/iu',
        '/^ELECTRON_RUN_AS_NODE$/iu',
      ],
      ['removed-variable-stays', 'STDIO-02', 'merged.delete(variableKey(platform, name));', ''],
      [
        'names-with-case-on-windows',
        'STDIO-02',
        `platform === 'win32' ? name.toUpperCase() : name`,
        'name',
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/launch/resolveLaunch.ts',
    [`${unit}/resolveLaunch.test.ts`],
    [
      [
        'password-in-configured-url',
        'AUTH-30',
        `if (url.username !== '' || url.password !== '') {`,
        'if (false) {',
      ],
      ['line-break-in-header', 'HTTP-28', 'if (/[\\r\\n]/u.test(value)) {', 'if (false) {'],
      ['empty-command', 'STDIO-02', `if (command.trim() === '') {`, 'if (false) {'],
      [
        'file-over-own-environment',
        'STDIO-02',
        '[inherited(machine.env), file, own]',
        '[inherited(machine.env), own, file]',
      ],
      ['secret-of-file-in-log', 'SEC-11', 'secrets.addPrivate(name, value);', ''],
      ['secret-argument-in-log', 'SEC-11', 'secrets.addFromArguments(args);', ''],
      ['any-scheme-of-url', 'SEC-08', '!/^(?:https?|wss?):$/u.test(url.protocol)', 'false'],
      [
        'sandbox-tool-missing',
        'SEC-03',
        'if (sandboxed !== undefined && !(await machine.programs.isProgram(program))) {',
        'if (false) {',
        [`${unit}/resolveLaunch.test.ts`, `${unit}/sandbox.test.ts`],
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/launch/resolveOauth.ts',
    [`${unit}/resolveOauth.test.ts`],
    [
      [
        'sign-in-beside-a-header',
        'AUTH-02',
        'if (oauth === false || hasHeader) {',
        'if (oauth === false) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/launch/launchContext.ts',
    [`${unit}/resolveLaunch.test.ts`],
    [
      [
        'large-environment-file',
        'While it runs',
        'if (text.length > maxEnvFileChars) {',
        'if (false) {',
        [`${unit}/resolveLaunch.test.ts`, `${unit}/describeLaunch.test.ts`],
      ],
      [
        'unset-variable-is-empty',
        start,
        '  if (value === undefined) {\n    throw new McpError(',
        `  if (value === undefined) {\n    return '';\n  }\n  if (false) {\n    throw new McpError(`,
      ],
      [
        'home-of-another-user',
        'STDIO-02',
        '/^~(?=$|\\/)/u',
        '/^~/u',
        [`${unit}/resolveLaunch.test.ts`, `${unit}/describeLaunch.test.ts`],
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/launch/secrets.ts',
    [`${unit}/resolveLaunch.test.ts`],
    [
      ['credentials-without-scheme', 'SEC-11', 'if (credentials !== undefined) {', 'if (false) {'],
      [
        'lines-of-a-key',
        'SEC-11',
        '...lines.filter(isLongEnough)',
        '',
        [
          `${unit}/resolveOauth.test.ts`,
          `${unit}/resolveLaunch.test.ts`,
          `${unit}/resolveConnection.test.ts`,
        ],
      ],
    ],
  ),
  ...mutantsOf(
    'src/host/launch/programSearch.ts',
    [`${unit}/resolveLaunch.test.ts`, `${unit}/localMachine.test.ts`],
    [
      [
        'shell-asked-each-time',
        'STDIO-10',
        'if (needsNoSearch || (await findProgram(command, env, machine)) !== undefined) {',
        'if (needsNoSearch) {',
      ],
      [
        'path-of-shell-first',
        'STDIO-10',
        '[...pathFolders(platform, env), ...pathFolders(platform, { PATH: shellPath })]',
        '[...pathFolders(platform, { PATH: shellPath }), ...pathFolders(platform, env)]',
      ],
    ],
  ),
];
