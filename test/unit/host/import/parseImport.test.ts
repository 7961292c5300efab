import assert from 'node:assert/strict';
import type { ImportedFile } from '../../../../src/host/import/importedServer.ts';
import type { ImportFormat } from '../../../../src/host/import/locations.ts';
import { parseImport } from '../../../../src/host/import/parseImport.ts';
import { findSecrets } from '../../../../src/host/import/secretPlaces.ts';

const around = { platform: 'linux', env: { HOME: '/home/ada', SET: 'x' }, folder: '/work/shop' };

function read(format: ImportFormat, value: unknown): ImportedFile {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return parseImport(format, 'file.json', text, around);
}

const url = 'https://a.example/mcp';

/** Files with one server: what it becomes. */
const single: readonly {
  readonly what: string;
  readonly format: ImportFormat;
  readonly server: object;
  readonly entry: object;
  /** Their ids. */
  readonly inputs?: readonly string[];
  readonly problems?: readonly string[];
}[] = [
  {
    what: 'VS Code: what has no counterpart among variables is asked for',
    format: 'vscode',
    server: {
      command: 'x${/}y${pathSeparator}${workspaceFolderBasename}',
      args: ['${config:a.b}', '${command:pick}'],
    },
    entry: { command: 'x/y/shop', args: ['${input:config-a.b}', '${input:command-pick}'] },
    inputs: ['config-a.b', 'command-pick'],
    problems: [
      'args[0]: `${config:a.b}` is not known here: you are asked for its value',
      'args[1]: `${command:pick}` is not known here: you are asked for its value',
    ],
  },
  {
    what: '.mcp.json: variables of a shell, with and without a default',
    format: 'mcpJson',
    server: {
      command: '${SET}/bin/x',
      args: ['${UNSET:-fallback}', '${SET:-other}', '$SET', '${CLAUDE_PROJECT_DIR:-.}/a'],
      env: { A: '${UNSET}' },
      timeout: 90_000,
    },
    entry: {
      command: '${env:SET}/bin/x',
      args: ['fallback', '${env:SET}', '$SET', '${workspaceFolder}/a'],
      env: { A: '${env:UNSET}' },
      timeouts: { requestSeconds: 90 },
    },
    problems: [
      'args[0]: the default of `UNSET` is taken, because the variable is not set',
      'args[1]: the default of `SET` is left out, because the variable is set',
      'env.A: the variable UNSET is not set where the editor runs',
    ],
  },
  {
    what: 'Claude Desktop: nothing is replaced there, and what would be here is named',
    format: 'claudeDesktop',
    server: { command: 'node', args: ['${HOME}/x.js'] },
    entry: { command: 'node', args: ['${HOME}/x.js'] },
    problems: ['args[0]: `${HOME}` is plain text for that program; here it is a variable'],
  },
  {
    what: 'VS Code: an input that nobody defines',
    format: 'vscode',
    server: { command: 'x', args: ['${input:nobody}'] },
    entry: { command: 'x', args: ['${input:nobody}'] },
    inputs: ['nobody'],
    problems: ['args[0]: `${input:nobody}` is not known here: you are asked for its value'],
  },
  {
    what: 'Cursor: environment, home folder',
    format: 'cursor',
    server: { command: '${userHome}/x', env: { A: '${env:A}' }, envFile: '.env' },
    entry: { command: '${userHome}/x', env: { A: '${env:A}' }, envFile: '.env' },
  },
  {
    what: 'Cursor: sign-in in capitals',
    format: 'cursor',
    server: { url, auth: { CLIENT_ID: 'c', CLIENT_SECRET: 'very secret', scopes: ['a'] } },
    entry: { url, oauth: { clientId: 'c', clientSecret: 'very secret', scopes: ['a'] } },
  },
  {
    what: 'Windsurf: serverUrl, a file as variable, a server that is switched off',
    format: 'windsurf',
    server: {
      serverUrl: url,
      headers: { Authorization: 'Bearer ${file:/run/token}' },
      disabled: true,
    },
    entry: { url, headers: { Authorization: 'Bearer ${input:file-run-token}' }, enabled: false },
    inputs: ['file-run-token'],
    problems: [
      'headers.Authorization: `${file:/run/token}` is not known here: you are asked for its value',
    ],
  },
  {
    what: 'Cline: limits in seconds, types by other names, approvals named',
    format: 'cline',
    server: { type: 'streamableHttp', url, timeout: 1200, autoApprove: ['a'], disabled: false },
    entry: { url, timeouts: { requestSeconds: 1200, totalSeconds: 1200 } },
    problems: ['autoApprove: is left out: each tool asks before its first call'],
  },
  {
    what: 'Roo Code: what is not supported is named',
    format: 'roo',
    server: { type: 'streamable-http', url, watchPaths: ['/x'], disabledTools: ['y'] },
    entry: { url },
    problems: ['not supported here, and left out: `watchPaths`, `disabledTools`'],
  },
];

describe('Import of other programs’ settings', () => {
  it('VS Code: comments, inputs of each type, variables, null in env', () => {
    const { servers, problems } = read(
      'vscode',
      `{
        // my servers
        "inputs": [
          { "type": "promptString", "id": "git token", "description": "Token", "password": true },
          { "type": "pickString", "id": "level", "options": ["low", { "label": "High", "value": "high" }], "default": "low" },
          { "type": "command", "id": "cmd", "command": "my.command" },
        ],
        "servers": {
          "git": {
            "type": "stdio", "command": "npx", "args": ["-y", "git-mcp", "\${workspaceFolder}"],
            "env": { "TOKEN": "\${input:git token}", "LEVEL": "\${input:level}", "GONE": null, "N": 3 },
            "envFile": "\${workspaceFolder}/.env", "gallery": true, "sandboxEnabled": true,
            "dev": { "watch": "src/**", "debug": { "type": "debugpy", "debugpyPath": "\${workspaceFolder}/d" } }
          },
          "web": { "type": "http", "url": "https://a.example/mcp", "headers": { "X-Id": "\${input:cmd}" } },
          "old": { "type": "sse", "url": "https://a.example/sse" },
        },
      }`,
    );
    assert.deepEqual(problems, []);
    const [git, web, old] = servers;
    assert.deepEqual(git?.entry, {
      command: 'npx',
      args: ['-y', 'git-mcp', '${workspaceFolder}'],
      env: { TOKEN: '${input:git-token}', LEVEL: '${input:level}', GONE: null, N: 3 },
      envFile: '${workspaceFolder}/.env',
      sandbox: true,
      dev: { watch: 'src/**', debug: { type: 'debugpy', debugpyPath: '${workspaceFolder}/d' } },
    });
    assert.deepEqual(git.inputs, [
      { id: 'git-token', description: 'Token', type: 'promptString', password: true },
      { id: 'level', type: 'pickString', options: ['low', 'high'], default: 'low' },
    ]);
    assert.deepEqual(git.problems, ['not supported here, and left out: `gallery`']);
    assert.equal(git.summary, 'npx -y git-mcp ${workspaceFolder}');
    assert.deepEqual(web?.entry, {
      url: 'https://a.example/mcp',
      headers: { 'X-Id': '${input:cmd}' },
    });
    assert.deepEqual(web.inputs, [{ id: 'cmd', type: 'promptString' }]);
    assert.deepEqual(old?.entry, { type: 'sse', url: 'https://a.example/sse' });
    assert.ok(servers.every(({ isUsable }) => isUsable));
  });

  for (const { what, format, server, entry, inputs = [], problems = [] } of single) {
    it(what, () => {
      const key = format === 'vscode' ? 'servers' : 'mcpServers';
      const [imported] = read(format, { [key]: { one: server } }).servers;
      assert.ok(imported?.isUsable);
      assert.deepEqual(imported.entry, entry);
      assert.deepEqual(
        [imported.inputs.map(({ id }) => id), imported.problems],
        [inputs, problems],
      );
    });
  }

  it('Claude Code: servers of the user and of each project, sign-in, WebSocket', () => {
    const { servers } = read('claudeCode', {
      mcpServers: {
        mine: {
          type: 'http',
          url,
          oauth: { clientId: 'c', callbackPort: 8080, scopes: 'a b', authServerMetadataUrl: 'u' },
          headersHelper: '/bin/x',
        },
      },
      projects: {
        '/work/a': { mcpServers: { live: { type: 'ws', url: 'wss://a.example' } } },
        '/work/b': { allowedTools: [] },
      },
    });
    const [mine, live] = servers;
    assert.equal(servers.length, 2);
    const oauth = { clientId: 'c', callbackPort: 8080, scopes: ['a', 'b'] };
    assert.deepEqual(mine?.entry, { url, oauth });
    assert.deepEqual(mine.problems, [
      'oauth.authServerMetadataUrl: is left out: it is not supported here',
      'headersHelper: is left out: no program is run for headers; write them to `headers`, with `${input:…}`',
    ]);
    assert.equal(live?.project, '/work/a');
    assert.deepEqual(live.entry, { type: 'websocket', url: 'wss://a.example' });
  });

  it('Gemini CLI: url is HTTP+SSE, httpUrl is not; $NAME; excluded servers', () => {
    const httpUrl = url;
    const { servers } = read('gemini', {
      mcp: { excluded: ['off'] },
      mcpServers: {
        events: { url: 'https://a.example/sse', timeout: 5000, trust: true },
        web: { httpUrl, headers: { A: '$SET ${SET}' } },
        typed: { url, type: 'http' },
        off: { command: 'x' },
        signed: { httpUrl, oauth: { enabled: false } },
      },
    });
    assert.deepEqual(
      servers.map(({ entry }) => entry),
      [
        { type: 'sse', url: 'https://a.example/sse', timeouts: { requestSeconds: 5 } },
        { url, headers: { A: '${env:SET} ${env:SET}' } },
        { url, type: 'http' },
        { command: 'x', enabled: false },
        { url, oauth: false },
      ],
    );
    assert.deepEqual(servers[0]?.problems, [
      'trust: is left out: each tool asks before its first call',
    ]);
  });

  it('Codex: TOML, tokens by the names of variables', () => {
    const { servers, problems } = parseImport(
      'codex',
      'config.toml',
      `model = "x" # as I like it
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
startup_timeout_sec = 20
tool_timeout_sec = 45
env_vars = ["A"]
enabled_tools = ["t"]
[mcp_servers.docs.env]
LEVEL = "debug"
[mcp_servers."remote one"]
url = "${url}"
bearer_token_env_var = "TOKEN"
http_headers = { "X-A" = "1" }
env_http_headers = { "X-B" = "B_VAR" }
enabled = false
`,
      around,
    );
    assert.deepEqual(problems, []);
    const timeouts = { startSeconds: 20, requestSeconds: 45 };
    const headers = { Authorization: 'Bearer ${env:TOKEN}', 'X-A': '1', 'X-B': '${env:B_VAR}' };
    assert.deepEqual(Object.fromEntries(servers.map(({ name, entry }) => [name, entry])), {
      docs: { command: 'npx', args: ['-y', 'docs'], timeouts, env: { LEVEL: 'debug' } },
      'remote one': { url, headers, enabled: false },
    });
    assert.deepEqual(servers[0]?.problems, [
      'env_vars: is left out: servers get the environment of the editor',
      'not supported here, and left out: `enabled_tools`',
    ]);
  });

  it('Continue: a list in YAML, secrets as templates, headers in requestOptions', () => {
    const { servers, problems } = parseImport(
      'continue',
      'config.yaml',
      `name: mine
mcpServers:
  - name: Docs
    type: streamable-http
    url: https://a.example/mcp
    requestOptions:
      headers:
        Authorization: Bearer \${{ secrets.DOCS_TOKEN }}
      verifySsl: false
      caBundlePath: /etc/corp.pem
      clientCertificate: { cert: /me.pem, key: /me.key, passphrase: pw1 }
      proxy: http://ada:p%40ss@proxy.example:3128
  - name: Local
    command: uvx # the runner
    args: [docs]
    connectionTimeout: 4000
`,
      around,
    );
    assert.deepEqual(problems, []);
    const [docs, local] = servers;
    assert.equal(docs?.name, 'Docs');
    const tls = { ca: '/etc/corp.pem', cert: '/me.pem', key: '/me.key', passphrase: 'pw1' };
    const headers = { Authorization: 'Bearer ${input:DOCS_TOKEN}' };
    const proxy = 'http://ada:p%40ss@proxy.example:3128';
    assert.deepEqual(docs.entry, { url, headers, tls, proxy });
    assert.deepEqual(
      findSecrets(docs.entry).map(({ field, value, isRequired }) => [field, value, isRequired]),
      [
        ['tls.passphrase', 'pw1', true],
        ['proxy', 'p@ss', true],
      ],
    );
    assert.deepEqual([docs.inputs[0]?.id, docs.inputs[0]?.['password']], ['DOCS_TOKEN', true]);
    assert.match(docs.problems.join(), /requestOptions\.verifySsl: is left out: certificates are/);
    const timeouts = { startSeconds: 4 };
    assert.deepEqual(local?.entry, { command: 'uvx', args: ['docs'], timeouts });
  });

  it('Continue: JSON of older versions, with a transport inside', () => {
    const entry = { command: 'npx', args: ['x'], env: { A: 'b' } };
    const modelContextProtocolServers = [{ transport: { type: 'stdio', ...entry } }];
    const { servers } = read('continue', { experimental: { modelContextProtocolServers } });
    assert.deepEqual([servers[0]?.name, servers[0]?.entry], ['continue-1', entry]);
  });

  /** Each line has the one before it ten times. */
  const growing = Array.from('abcdefghi', (key, at) => {
    const item = at === 0 ? 'x' : `*${'abcdefghi'[at - 1]}`;
    return `${key}: &${key} [${Array.from({ length: 10 }, () => item).join()}]`;
  }).join('\n');

  describe('of bad input', () => {
    const bad: readonly (readonly [string, string, string, RegExp])[] = [
      ['truncated JSON', 'a.json', '{"mcpServers": {"a": {\n"command"', /^is not JSON: line 2: /],
      ['a list', 'a.json', '[]', /^must hold an object, not a list$/],
      ['a number', 'a.yaml', '3', /^must hold an object, not a number$/],
      [
        'servers that are a text',
        'a.json',
        '{"mcpServers": "x"}',
        /must be an object, not a text$/,
      ],
      ['deep nesting', 'a.json', '['.repeat(200_000), /^(?:is not JSON|cannot be read)/],
      ['broken TOML', 'a.toml', 'a = 1\nb = ', /^is not TOML: line 2$/],
      ['broken YAML', 'a.yaml', 'a: [1\nb: }', /^is not YAML: line \d$/],
      ['YAML that grows', 'a.yaml', growing, /^cannot be read/],
      ['a huge JSON with comments', 'a.json', `${' '.repeat(300_000)}{} //`, /larger than 256 KiB/],
    ];
    for (const [what, file, text, expected] of bad) {
      it(`says what is wrong with ${what}`, () => {
        const { servers, problems } = parseImport('cursor', file, text.padStart(1), around);
        assert.deepEqual(servers, []);
        assert.equal(problems.length, 1);
        assert.match(problems[0] ?? '', expected);
      });
    }

    it('one server that is nested without end, or is huge, costs itself alone', () => {
      const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
      const huge = JSON.stringify('x'.repeat(64 * 1024));
      const { servers, problems } = read(
        'mcpJson',
        `{"mcpServers":{"deep":{"command":"x","env":${deep}},"huge":{"command":${huge}},"b":{"command":"x"}}}`,
      );
      assert.deepEqual(problems, []);
      assert.deepEqual(
        servers.map(({ name, isUsable, problems: own }) => [name, isUsable, own]),
        [
          ['deep', false, ['is nested too deeply']],
          ['huge', false, ['is larger than 64 KiB: move long texts into a file']],
          ['b', true, []],
        ],
      );
    });

    it('takes the last of two keys of YAML, as in JSON', () => {
      const text = 'mcpServers:\n  a:\n    command: x\n    command: y\n';
      const { servers } = parseImport('continue', 'a.yaml', text, around);
      assert.deepEqual(servers[0]?.entry, { command: 'y' });
    });

    it('keeps the good servers of a file with bad ones, and says what is wrong', () => {
      const { servers } = read(
        'cursor',
        '{"mcpServers": {"a": 3, "b": {"command": 7}, "c": {}, "d": {"command": "x", "timeout": 5, "type": "smoke"}, "__proto__": {"command": "y"}, " ": {"command": "x"}}}',
      );
      assert.deepEqual(
        servers.map(({ name, isUsable }) => [name, isUsable]),
        [
          ['a', false],
          ['b', false],
          ['c', false],
          ['d', true],
          ['__proto__', true],
          [' ', false],
        ],
      );
      assert.ok(servers.every(({ name, problems }) => name === '__proto__' || problems.length > 0));
      assert.deepEqual(servers[4]?.entry, { command: 'y' });
    });

    it('finds nothing in an empty file', () => {
      assert.deepEqual(read('cursor', '\n'), { servers: [], problems: [], isUnread: true });
    });
  });
});
