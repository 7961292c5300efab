import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { defaultTimeouts } from '../../../../src/host/config/parseLimits.ts';
import type { ConfigScope, HostConfig } from '../../../../src/host/config/serverConfig.ts';

const user: ConfigScope = { kind: 'user' };
const workspace: ConfigScope = { kind: 'workspace' };
const folder = (name: string): ConfigScope => ({
  kind: 'folder',
  uri: `file:///w/${name}`,
  name,
});

function parse(servers: unknown, inputs?: unknown): HostConfig {
  return parseConfig([{ scope: user, servers, inputs }]);
}

function messages(config: HostConfig): readonly string[] {
  return config.problems.map(
    ({ entry, field, message }) =>
      `${[entry, field].filter((part) => part !== undefined).join(' ')}: ${message}`,
  );
}

function only(servers: unknown) {
  const config = parse(servers);
  assert.deepEqual(messages(config), []);
  const [server, ...others] = config.servers;
  assert.ok(server);
  assert.equal(others.length, 0);
  return server;
}

describe('parseConfig: entries', () => {
  it('SEC-01: gives no two servers one id, whatever their folders and names', () => {
    const entry = { command: 'x' };
    const { servers } = parseConfig([
      { scope: folder('a'), servers: { 'b/srv': entry, 'b%2Fsrv': entry }, inputs: [] },
      { scope: folder('a/b'), servers: { srv: entry }, inputs: [] },
    ]);
    assert.equal(new Set(servers.map(({ id }) => id)).size, 3);
  });

  it('reads a server on stdio with everything given', () => {
    const server = only({
      files: {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg', '${workspaceFolder}'],
        env: { A: 'a', N: 5, B: true, GONE: null },
        envFile: '.env',
        cwd: 'sub',
        enabled: false,
        startup: 'onDemand',
        protocol: 'legacy',
        timeouts: { startSeconds: 0.5, requestSeconds: 5, totalSeconds: 50 },
        roots: ['app'],
        elicitation: false,
        sampling: false,
        bridge: false,
      },
    });
    assert.deepEqual(server, {
      id: 'user/files',
      name: 'files',
      scope: user,
      launch: {
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg', '${workspaceFolder}'],
        env: { A: 'a', N: '5', B: 'true', GONE: null },
        envFile: '.env',
        cwd: 'sub',
      },
      isEnabled: false,
      startup: 'onDemand',
      timeouts: { startMs: 500, requestMs: 5000, totalMs: 50_000 },
      protocol: 'legacy',
      roots: ['app'],
      elicitation: false,
      sampling: false,
      bridge: false,
      folders: { '${workspaceFolder}': '' },
    });
  });

  it('reads a server by URL and fills the defaults in', () => {
    assert.deepEqual(only({ web: { url: 'https://x.example/mcp', headers: { 'X-A': 'b' } } }), {
      id: 'user/web',
      name: 'web',
      scope: user,
      launch: { kind: 'http', url: 'https://x.example/mcp', headers: { 'X-A': 'b' } },
      isEnabled: true,
      startup: 'auto',
      timeouts: defaultTimeouts,
      protocol: 'auto',
      roots: 'all',
      elicitation: true,
      sampling: true,
      bridge: true,
    });
    assert.deepEqual(defaultTimeouts, { startMs: 60_000, requestMs: 60_000, totalMs: 600_000 });
  });

  it('reads limits of time and size in their units, 0 pings included', () => {
    const server = only({
      web: {
        url: 'https://x.example/mcp',
        timeouts: { pingSeconds: 0 },
        limits: {
          messageMegabytes: 1.5,
          memoryMegabytes: 3,
          listItems: 7,
          logMessagesPerSecond: 9,
        },
      },
    });
    assert.deepEqual(server?.timeouts, { ...defaultTimeouts, pingMs: 0 });
    assert.deepEqual(server.limits, {
      messageBytes: 1.5 * 1024 * 1024,
      memoryBytes: 3 * 1024 * 1024,
      listItems: 7,
      logsPerSecond: 9,
    });
  });

  it('keeps a server whose entry has a field that nobody knows, and says what was meant', () => {
    const config = parse({
      a: { command: 'x', agrs: [], timeouts: { startSecond: 1 }, disabled: true, quite: 1 },
    });
    assert.equal(config.servers.length, 1);
    assert.equal(config.servers[0]?.isEnabled, true);
    assert.deepEqual(messages(config), [
      'a timeouts.startSecond: is not a known field and has no effect; did you mean `startSeconds`?',
      'a agrs: is not a known field and has no effect; did you mean `args`?',
      'a disabled: has no effect: write "enabled": false to switch the server off',
      'a quite: is not a known field and has no effect',
    ]);
  });

  it('says where a field of the other kind of server belongs', () => {
    assert.deepEqual(
      messages(parse({ a: { url: 'http://h/', args: [] }, b: { command: 'x', headers: {} } })),
      [
        'a args: has no effect: it belongs to servers with `command`',
        'b headers: has no effect: it belongs to servers with `url`',
      ],
    );
  });

  const unusable: readonly (readonly [unknown, string])[] = [
    ['npx', 'bad: must be an object with `command` or `url`, not a text'],
    [null, 'bad: must be an object with `command` or `url`, not null'],
    [{}, 'bad: needs `command` (a program to start) or `url` (a server to reach)'],
    [
      { command: 'x', url: 'http://h' },
      'bad: has both `command` and `url`: a server is either started or reached',
    ],
    [
      { command: 'x', limits: { listItems: 2_000_000 } },
      'bad limits.listItems: must be at most 1000000 items',
    ],
    [
      { command: 'x', limits: { elicitationsPerMinute: 0 } },
      'bad limits.elicitationsPerMinute: must be more than 0 questions',
    ],
    [
      { command: 'x', limits: { samplingPerMinute: 0.5 } },
      'bad limits.samplingPerMinute: must be a whole number of requests',
    ],
    [
      { command: 'x', timeouts: { pingSeconds: -1 } },
      'bad timeouts.pingSeconds: must be 0 or more seconds',
    ],
    [{ command: 7 }, 'bad command: must be a text (write "7"), not a number'],
    [{ command: ' ' }, 'bad command: must be a text that is not empty'],
    [
      { command: 'x', type: 'http' },
      'bad type: does not fit: a server with `command` is of type "stdio"',
    ],
    [
      { url: 'http://h', type: 'stdio' },
      'bad type: does not fit: a server with `url` is of type "http", "sse" or "websocket"',
    ],
    [
      { url: 'http://h', type: 'streamable-http' },
      'bad type: must be "stdio", "http", "sse", "websocket" or "ws"; did you mean "http"?',
    ],
    [
      { command: 'x', protocol: '2025-06-8' },
      'bad protocol: must be "auto", "modern", "legacy", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26" or "2024-11-05"; did you mean "2025-06-18"?',
    ],
    [
      { command: 'x', protocol: 'stateless' },
      'bad protocol: must be "auto", "modern", "legacy", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26" or "2024-11-05"; did you mean "modern"?',
    ],
    [{ command: 'x', args: '-y' }, 'bad args: must be a list of texts, not a text: write ["-y"]'],
    [
      { command: 'x', args: ['-p', 3000] },
      'bad args[1]: must be a text (write "3000"), not a number',
    ],
    [{ command: 'x', env: ['A=b'] }, 'bad env: must be an object, not a list'],
    [
      { command: 'x', env: { A: {} } },
      'bad env.A: must be a text, or null to remove the variable, not an object',
    ],
    [
      { command: 'x', env: { 'A=B': 'c' } },
      'bad env.A=B: must have a valid variable name: not empty, without "="',
    ],
    [{ command: 'x', envFile: '' }, 'bad envFile: must be a text that is not empty'],
    [{ command: 'x', cwd: false }, 'bad cwd: must be a text (write "false"), not a boolean'],
    [
      { url: 'ftp://h/' },
      'bad url: must be a URL without spaces that begins with http://, https://, ws://, wss://, unix:/// or pipe:///',
    ],
    [
      { url: 'ws://h/', type: 'http' },
      'bad type: does not fit: a URL with ws:// or wss:// is of type "websocket"',
    ],
    [
      { url: 'http://h/', type: 'ws' },
      'bad type: does not fit: a server of type "websocket" has a URL that begins with ws:// or wss://',
    ],
    [
      { url: 'ws://h/', type: 'WebSocket' },
      'bad type: must be "stdio", "http", "sse", "websocket" or "ws"; did you mean "websocket"?',
    ],
    [
      { url: 'http://h/', headers: { 'A B': 'c' } },
      'bad headers.A B: must have a valid header name: letters, digits and hyphens',
    ],
    [
      { url: 'http://h/', headers: { A: 'b\r\nC: d' } },
      'bad headers.A: must be a text without line breaks',
    ],
    [
      { url: 'http://h/', headers: { a: '1', A: '2' } },
      'bad headers.A: is the same header as `a`: keep one of them',
    ],
    [{ command: 'x', enabled: 'false' }, 'bad enabled: must be true or false, not a text'],
    [
      { command: 'x', startup: 'manuel' },
      'bad startup: must be "auto", "onDemand" or "manual"; did you mean "manual"?',
    ],
    [{ command: 'x', timeouts: 5 }, 'bad timeouts: must be an object, not a number'],
    [
      { command: 'x', timeouts: { startSeconds: '5' } },
      'bad timeouts.startSeconds: must be a number of seconds, not a text',
    ],
    [
      { command: 'x', timeouts: { totalSeconds: 0 } },
      'bad timeouts.totalSeconds: must be more than 0 seconds',
    ],
    [
      { command: 'x', timeouts: { requestSeconds: 60_000 } },
      'bad timeouts.requestSeconds: is given in seconds and must be at most 3600; 60000 looks like milliseconds: write 60',
    ],
    [
      { command: 'x', roots: 'app' },
      'bad roots: must be "all", "none" or a list of folder names: for one folder write ["app"]',
    ],
    [{ command: 'x', roots: [1] }, 'bad roots[0]: must be a text (write "1"), not a number'],
  ];
  for (const [entry, message] of unusable) {
    it(`leaves out ${JSON.stringify(entry)} and no other server`, () => {
      const config = parse({ before: { command: 'x' }, bad: entry, after: { url: 'http://h/' } });
      assert.deepEqual(
        config.servers.map(({ name }) => name),
        ['before', 'after'],
      );
      assert.deepEqual(messages(config), [message]);
    });
  }

  it('reports a setting that is no object, and takes a missing one for empty', () => {
    assert.deepEqual(messages(parse([], {})), [
      ': must be a list of objects, not an object',
      ': must be an object of servers by name, not a list',
    ]);
    assert.deepEqual(messages(parse(undefined, undefined)), []);
  });
});

describe('parseConfig: whatever stands in the settings', () => {
  const field = fc.constantFrom(
    'command',
    'args',
    'env',
    'url',
    'headers',
    'timeouts',
    'roots',
    'type',
    'cwd',
  );
  const entry = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue()));

  it('gives each entry to the host or a reason to the user, and never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), entry), fc.jsonValue(), (servers, inputs) => {
        const config = parse(servers, inputs);
        const told = new Set([
          ...config.servers.map(({ name }) => name),
          ...config.problems.map((problem) => problem.entry),
        ]);
        assert.deepEqual(
          Object.keys(servers).filter((name) => !told.has(name)),
          [],
        );
      }),
    );
  });
});

describe('parseConfig: names', () => {
  for (const name of ['', '  ', ' a', 'a\n', 'a\u0000b', 'a\u202eb', 'a\u200b', 'x'.repeat(101)]) {
    it(`refuses ${encodeURI(JSON.stringify(name))}`, () => {
      const config = parse({ [name]: { command: 'x' }, ok: { command: 'x' } });
      assert.deepEqual(
        config.servers.map((server) => server.name),
        ['ok'],
      );
      assert.deepEqual(
        config.problems.map(({ entry }) => entry),
        [name],
      );
    });
  }

  it('takes no entry that is larger than what can be looked through in a moment, and all others', () => {
    const [huge, large] = [64, 60].map((size) => ({ command: 'a'.repeat(size * 1024) }));
    const config = parse({ huge, large });
    assert.deepEqual(messages(config), [
      'huge: is larger than 64 KiB: move long texts into a file',
    ]);
    assert.deepEqual(
      config.servers.map(({ name }) => name),
      ['large'],
    );
  });

  it('takes names of other scripts, with blanks, slashes, and 100 characters', () => {
    const names = ['Wetter & Züge', 'io.github/x', '天気', '👩\u200d💻', '𝒳'.repeat(100)];
    const config = parse(Object.fromEntries(names.map((name) => [name, { command: 'x' }])));
    assert.deepEqual(
      config.servers.map(({ name }) => name),
      names,
    );
  });

  it('takes names that objects have of their own for names', () => {
    const servers: unknown = JSON.parse(
      '{"__proto__": {"command": "p", "env": {"__proto__": "v"}}, "constructor": {"command": "c"}, "toString": {"url": "http://h/"}}',
    );
    const config = parse(servers);
    assert.deepEqual(messages(config), []);
    assert.deepEqual(
      config.servers.map(({ name }) => name),
      ['__proto__', 'constructor', 'toString'],
    );
    const [first] = config.servers;
    assert.ok(first?.launch.kind === 'stdio');
    assert.deepEqual(Object.entries(first.launch.env), [['__proto__', 'v']]);
    assert.equal(Object.getPrototypeOf(first.launch.env), Object.prototype);
    assert.equal('command' in Object.prototype, false);
  });

  it('does not take what an entry inherits for a field of it', () => {
    const entry: unknown = JSON.parse('{"__proto__": {"command": "evil"}, "url": "http://h/"}');
    const config = parse({ a: entry });
    assert.equal(config.servers[0]?.launch.kind, 'http');
    assert.deepEqual(messages(config), ['a __proto__: is not a known field and has no effect']);
  });
});

describe('parseConfig: scopes', () => {
  it("a workspace cannot change one field of a user's server", () => {
    const config = parseConfig([
      {
        scope: user,
        servers: { git: { command: 'git-mcp', args: ['--safe'], env: { TOKEN: '${input:t}' } } },
        inputs: [{ id: 't', type: 'promptString', password: true }],
      },
      { scope: workspace, servers: { git: { args: ['--evil'] } }, inputs: undefined },
    ]);
    assert.deepEqual(
      config.servers.map(({ id, hiddenBy }) => [id, hiddenBy]),
      [['user/git', undefined]],
    );
    const [server] = config.servers;
    assert.ok(server?.launch.kind === 'stdio');
    assert.deepEqual(server.launch.args, ['--safe']);
    assert.deepEqual(messages(config), [
      'git: needs `command` (a program to start) or `url` (a server to reach)',
    ]);
    assert.deepEqual(config.problems[0]?.scope, workspace);
  });

  it("takes nothing of the user's entry into a whole entry of the workspace", () => {
    const config = parseConfig([
      { scope: workspace, servers: { git: { command: 'other' } }, inputs: undefined },
      {
        scope: user,
        servers: { git: { command: 'git-mcp', env: { TOKEN: 'abc' }, startup: 'manual' } },
        inputs: undefined,
      },
    ]);
    const [near, far] = config.servers;
    assert.deepEqual(near?.launch, { kind: 'stdio', command: 'other', args: [], env: {} });
    assert.equal(near.startup, 'auto');
    assert.equal(near.hiddenBy, undefined);
    assert.deepEqual(far?.hiddenBy, workspace);
  });

  it('lets several folders have a server of one name, and hides the farther ones', () => {
    const config = parseConfig(
      [user, workspace, folder('a'), folder('b')].map((scope) => ({
        scope,
        servers: { s: { command: scope.kind } },
        inputs: undefined,
      })),
    );
    assert.deepEqual(
      config.servers.map(({ id, hiddenBy }) => [id, hiddenBy?.kind]),
      [
        ['user/s', 'folder'],
        ['workspace/s', 'folder'],
        ['folder:file:///w/a/s', undefined],
        ['folder:file:///w/b/s', undefined],
      ],
    );
  });

  it("SEC-01: an entry of the remote machine is its own, and hides none of the user's", () => {
    const config = parseConfig([
      { scope: { kind: 'remote' }, servers: { s: { command: 'x' } }, inputs: undefined },
      { scope: user, servers: { s: { command: 'y' } }, inputs: undefined },
    ]);
    assert.deepEqual(
      config.servers.map(({ id, hiddenBy }) => [id, hiddenBy]),
      [
        ['remote/s', user],
        ['user/s', undefined],
      ],
    );
  });

  it('takes names that differ in what nobody sees for one name', () => {
    const pairs = [
      ['👩💻', '👩\u200d💻'],
      ['کارها', 'کار\u200cها'],
      ['ภาษาไทย', 'ภาษา\u200bไทย'],
    ] as const;
    for (const [own, other] of pairs) {
      const config = parseConfig([
        { scope: user, servers: { [own]: { command: 'x' } }, inputs: undefined },
        { scope: workspace, servers: { [other]: { command: 'y' } }, inputs: undefined },
      ]);
      assert.deepEqual(
        config.servers.map(({ name, hiddenBy }) => [name, hiddenBy]),
        [
          [own, workspace],
          [other, undefined],
        ],
      );
    }
  });

  it('does not hide a server behind an entry that cannot be used', () => {
    const config = parseConfig([
      { scope: user, servers: { s: { command: 'x' } }, inputs: undefined },
      { scope: workspace, servers: { s: { command: 1 } }, inputs: undefined },
    ]);
    assert.deepEqual(
      config.servers.map(({ id, hiddenBy }) => [id, hiddenBy]),
      [['user/s', undefined]],
    );
  });
});

describe('parseConfig: inputs', () => {
  it('reads them by scope', () => {
    const config = parseConfig([
      {
        scope: user,
        servers: undefined,
        inputs: [{ id: 't', type: 'promptString', description: 'Token', password: true }],
      },
      {
        scope: folder('a'),
        servers: undefined,
        inputs: [
          { id: 't', type: 'promptString', default: 'x' },
          { id: 'm', type: 'pickString', options: ['a', 'b'], default: 'b' },
        ],
      },
    ]);
    assert.deepEqual(messages(config), []);
    assert.deepEqual(
      [...config.inputs],
      [
        ['user', [{ id: 't', description: 'Token', type: 'promptString', password: true }]],
        [
          'folder:file:///w/a',
          [
            { id: 't', description: 't', type: 'promptString', password: false, default: 'x' },
            { id: 'm', description: 'm', type: 'pickString', options: ['a', 'b'], default: 'b' },
          ],
        ],
      ],
    );
  });

  const bad: readonly (readonly [unknown, string])[] = [
    [5, '[1]: must be an object, not a number'],
    [{ type: 'promptString' }, '[1] id: is missing'],
    [
      { id: 'a}', type: 'promptString' },
      'a} id: must consist of letters, digits, ".", "_" and "-"',
    ],
    [{ id: 'x' }, 'x type: is missing'],
    [{ id: 'x', type: 'command' }, 'x type: must be "promptString" or "pickString"'],
    [
      { id: 'x', type: 'promptStrng' },
      'x type: must be "promptString" or "pickString"; did you mean "promptString"?',
    ],
    [{ id: 'x', type: 'pickString' }, 'x options: is missing'],
    [
      { id: 'x', type: 'pickString', options: [] },
      'x options: must hold at least one text to pick',
    ],
    [
      { id: 'x', type: 'pickString', options: ['a'], default: 'b' },
      'x default: must be one of the options',
    ],
    [
      { id: 'x', type: 'promptString', password: 'yes' },
      'x password: must be true or false, not a text',
    ],
    [
      { id: 'x', type: 'promptString', default: 1 },
      'x default: must be a text (write "1"), not a number',
    ],
    [
      { id: 'first', type: 'promptString' },
      'first id: is used twice: the first input of this name counts',
    ],
  ];
  for (const [input, message] of bad) {
    it(`leaves out ${JSON.stringify(input)} and no other input`, () => {
      const config = parse(undefined, [
        { id: 'first', type: 'promptString' },
        input,
        { id: 'last', type: 'promptString' },
      ]);
      assert.deepEqual(
        config.inputs.get('user')?.map(({ id }) => id),
        ['first', 'last'],
      );
      assert.deepEqual(messages(config), [message]);
    });
  }

  it('takes no default for a password, and says why', () => {
    const config = parse(undefined, [
      { id: 'p', type: 'promptString', password: true, default: 'hunter2', options: [] },
    ]);
    assert.deepEqual(config.inputs.get('user'), [
      { id: 'p', description: 'p', type: 'promptString', password: true },
    ]);
    assert.deepEqual(messages(config), [
      'p options: has no effect: it belongs to inputs of type "pickString"',
      'p default: has no effect: a password in the settings would not be secret',
    ]);
  });
});

function parseDev(dev: unknown, entry: object = { command: 'node' }) {
  const servers = { srv: { ...entry, dev } };
  const config = parseConfig([{ scope: { kind: 'user' }, servers, inputs: undefined }]);
  const [server] = config.servers;
  assert.ok(server, 'the server can be used whatever is wrong with `dev`');
  return { dev: server.dev, problems: config.problems.map(({ field }) => field) };
}

describe('dev', () => {
  for (const [given, wanted] of [
    [{ watch: 'src/**' }, { watch: ['src/**'] }],
    [{ watch: ['a', '!b'] }, { watch: ['a', '!b'] }],
    [{ debug: { type: 'node' } }, { watch: [], debug: { type: 'node' } }],
    [
      { debug: { type: 'debugpy', debugpyPath: '/d' } },
      { watch: [], debug: { type: 'debugpy', debugpyPath: '/d' } },
    ],
    [undefined, undefined],
  ] as const) {
    it(`takes ${JSON.stringify(given)}`, () => {
      assert.deepEqual(parseDev(given), { dev: wanted, problems: [] });
    });
  }

  for (const [given, field] of [
    ['src/**', 'dev'],
    [{ watch: 1 }, 'dev.watch'],
    [{ watch: [''] }, 'dev.watch'],
    [{ watch: ['!out/**'] }, 'dev.watch'],
    [{ wach: 'src/**' }, 'dev.wach'],
    [{ debug: 'node' }, 'dev.debug'],
    [{ debug: { type: 'ruby' } }, 'dev.debug.type'],
    [{ debug: { type: 'node', debugpyPath: 'x' } }, 'dev.debug.debugpyPath'],
  ] as const) {
    it(`says what is wrong with ${JSON.stringify(given)}, and goes without`, () => {
      assert.deepEqual(parseDev(given).problems, [field]);
    });
  }

  it('is for servers that are started, not for those that are reached', () => {
    const { dev, problems } = parseDev({ watch: '**' }, { url: 'https://example.com/mcp' });
    assert.equal(dev, undefined);
    assert.deepEqual(problems, ['dev']);
  });
});
