import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { nearest } from '../../../../src/host/config/entryReader.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { parseEntry } from '../../../support/launches.ts';
import { defaultTimeouts } from '../../../../src/host/config/parseLimits.ts';
import type { ConfigScope, HostConfig } from '../../../../src/host/config/serverConfig.ts';

const user: ConfigScope = { kind: 'user' };
const workspace: ConfigScope = { kind: 'workspace' };
const folder = (name: string): ConfigScope => ({ kind: 'folder', uri: `file:///w/${name}`, name });

function parse(servers: unknown, inputs?: unknown): HostConfig {
  return parseConfig([{ scope: user, servers, inputs }]);
}

function messages(config: HostConfig): readonly string[] {
  return config.problems.map(
    ({ entry, field, message }) =>
      `${[entry, field].filter((part) => part !== undefined).join(' ')}: ${message}`,
  );
}

function names({ servers }: HostConfig): readonly string[] {
  return servers.map(({ name }) => name);
}

/** Servers of these scopes; each entry is a command, unless it is given whole. */
function parseScopes(
  ...scopes: readonly (readonly [ConfigScope, Readonly<Record<string, unknown>>])[]
): HostConfig {
  return parseConfig(
    scopes.map(([scope, entries]) => {
      const servers = Object.entries(entries).map(([name, entry]) => [
        name,
        typeof entry === 'string' ? { command: entry } : entry,
      ]);
      return { scope, servers: Object.fromEntries(servers), inputs: undefined };
    }),
  );
}

/** The id of each server, and the scope that hides it. */
function hiding({ servers }: HostConfig): readonly unknown[] {
  return servers.map(({ id, hiddenBy }) => [id, hiddenBy?.kind]);
}

describe('parseConfig: entries', () => {
  it('SEC-01: gives no two servers one id, whatever their folders and names', () => {
    const near = { 'b/srv': 'x', 'b%2Fsrv': 'x' };
    const { servers } = parseScopes([folder('a'), near], [folder('a/b'), { srv: 'x' }]);
    assert.equal(new Set(servers.map(({ id }) => id)).size, 3);
  });

  it('reads a server on stdio with everything given', () => {
    const { server } = parseEntry(
      {
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
        apps: false,
        skills: false,
        bridge: false,
      },
      { scope: user },
    );
    assert.deepEqual(server, {
      id: 'user/srv',
      name: 'srv',
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
      apps: false,
      skills: false,
      bridge: false,
      folders: { '${workspaceFolder}': '' },
    });
  });

  it('reads a server by URL and fills the defaults in', () => {
    const entry = { url: 'https://x.example/mcp', headers: { 'X-A': 'b' } };
    assert.deepEqual(parseEntry(entry, { scope: user }).server, {
      id: 'user/srv',
      name: 'srv',
      scope: user,
      launch: { kind: 'http', url: 'https://x.example/mcp', headers: { 'X-A': 'b' } },
      isEnabled: true,
      startup: 'auto',
      timeouts: defaultTimeouts,
      protocol: 'auto',
      roots: 'all',
      elicitation: true,
      sampling: true,
      apps: true,
      skills: true,
      bridge: true,
    });
    assert.deepEqual(defaultTimeouts, { startMs: 60_000, requestMs: 60_000, totalMs: 600_000 });
  });

  it('reads limits of time and size in their units, 0 pings included', () => {
    const limits = { messageMegabytes: 1.5, memoryMegabytes: 3, listItems: 7 };
    const { server } = parseEntry({
      url: 'https://x.example/mcp',
      timeouts: { pingSeconds: 0 },
      limits: { ...limits, logMessagesPerSecond: 9 },
    });
    assert.deepEqual(server.timeouts, { ...defaultTimeouts, pingMs: 0 });
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

  for (const [word, meant] of [
    ['ulr', 'url'],
    ['evn', 'env'],
    ['dve', 'dev'],
    ['tsl', 'tls'],
    ['ur', 'url'],
    ['xyz', undefined],
    ['abc', undefined],
  ] as const) {
    it(`takes ${word} for ${meant ?? 'no field'}`, () => {
      assert.equal(nearest(word, ['url', 'env', 'dev', 'tls', 'command']), meant);
    });
  }

  it('says where a field of the other kind of server belongs', () => {
    assert.deepEqual(
      messages(parse({ a: { url: 'http://h/', args: [] }, b: { command: 'x', headers: {} } })),
      [
        'a args: has no effect: it belongs to servers with `command`',
        'b headers: has no effect: it belongs to servers with `url`',
      ],
    );
  });

  const types = '"stdio", "http", "sse", "websocket" or "ws"';
  const revisions =
    '"auto", "modern", "legacy", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26" or "2024-11-05"';
  /** What is put at a path of an entry, and what is said of it; of another path, where that is given. */
  type Wrong = readonly [path: string, value: unknown, message: string, field?: string];
  const ofPrograms: readonly Wrong[] = [
    ['command', 7, 'must be a text (write "7"), not a number'],
    ['command', ' ', 'must be a text that is not empty'],
    ['limits.listItems', 2_000_000, 'must be at most 1000000 items'],
    ['limits.elicitationsPerMinute', 0, 'must be more than 0 questions'],
    ['limits.samplingPerMinute', 0.5, 'must be a whole number of requests'],
    ['timeouts', 5, 'must be an object, not a number'],
    ['timeouts.pingSeconds', -1, 'must be 0 or more seconds'],
    ['timeouts.startSeconds', '5', 'must be a number of seconds, not a text'],
    [
      'timeouts.requestSeconds',
      60_000,
      'is given in seconds and must be at most 3600; 60000 looks like milliseconds: write 60',
    ],
    ['type', 'http', 'does not fit: a server with `command` is of type "stdio"'],
    ['protocol', '2025-06-8', `must be ${revisions}; did you mean "2025-06-18"?`],
    ['protocol', 'stateless', `must be ${revisions}; did you mean "modern"?`],
    ['args', '-y', 'must be a list of texts, not a text: write ["-y"]'],
    ['args', ['-p', 3000], 'must be a text (write "3000"), not a number', 'args[1]'],
    ['env', ['A=b'], 'must be an object, not a list'],
    ['env.A', {}, 'must be a text, or null to remove the variable, not an object'],
    ['env.A=B', 'c', 'must have a valid variable name: not empty, without "="'],
    ['enabled', 'false', 'must be true or false, not a text'],
    ['startup', 'manuel', 'must be "auto", "onDemand" or "manual"; did you mean "manual"?'],
    ['roots', 'app', 'must be "all", "none" or a list of folders: for one folder write ["app"]'],
  ];
  const ofUrls: readonly Wrong[] = [
    [
      'url',
      'ftp://h/',
      'must be a URL without spaces that begins with http://, https://, ws://, wss://, unix:/// or pipe:///',
    ],
    ['type', 'stdio', 'does not fit: a server with `url` is of type "http", "sse" or "websocket"'],
    ['type', 'streamable-http', `must be ${types}; did you mean "http"?`],
    ['type', 'WebSocket', `must be ${types}; did you mean "websocket"?`],
    [
      'type',
      'ws',
      'does not fit: a server of type "websocket" has a URL that begins with ws:// or wss://',
    ],
    ['headers.A B', 'c', 'must have a valid header name: letters, digits and hyphens'],
    ['headers.A', 'b\r\nC: d', 'must be a text without line breaks'],
  ];
  const within =
    (entry: object) =>
    ([path, value, message, field = path]: Wrong) => {
      const [outer = '', inner] = path.split('.');
      const changed = inner === undefined ? value : { [inner]: value };
      return [{ ...entry, [outer]: changed }, ` ${field}: ${message}`] as const;
    };
  for (const [entry, problem] of [
    ['npx', ': must be an object with `command` or `url`, not a text'] as const,
    [{}, ': needs `command` (a program to start) or `url` (a server to reach)'] as const,
    [
      { command: 'x', url: 'http://h' },
      ': has both `command` and `url`: a server is either started or reached',
    ] as const,
    [
      { url: 'ws://h/', type: 'http' },
      ' type: does not fit: a URL with ws:// or wss:// is of type "websocket"',
    ] as const,
    ...ofPrograms.map(within({ command: 'x' })),
    ...ofUrls.map(within({ url: 'http://h/' })),
  ]) {
    it(`leaves out ${JSON.stringify(entry)} and no other server`, () => {
      const config = parse({ before: { command: 'x' }, bad: entry, after: { url: 'http://h/' } });
      assert.deepEqual(names(config), ['before', 'after']);
      assert.deepEqual(messages(config), [`bad${problem}`]);
    });
  }

  it('takes no header twice', () => {
    const config = parse({ bad: { url: 'http://h/', headers: { a: '1', A: '2' } } });
    assert.deepEqual(messages(config), [
      'bad headers.A: is the same header as `a`: keep one of them',
    ]);
  });

  it('reports a setting that is no object, and takes a missing one for empty', () => {
    assert.deepEqual(messages(parse([], {})), [
      ': must be a list of objects, not an object',
      ': must be an object of servers by name, not a list',
    ]);
    assert.deepEqual(messages(parse(undefined, undefined)), []);
  });
});

describe('parseConfig: whatever stands in the settings', () => {
  const fields = ['command', 'args', 'env', 'url', 'headers', 'timeouts', 'roots', 'type', 'cwd'];
  const entry = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()));

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
  it('takes no entry that is larger than what can be looked through in a moment, and all others', () => {
    const [huge, large] = [64, 60].map((size) => ({ command: 'a'.repeat(size * 1024) }));
    const config = parse({ huge, large });
    assert.deepEqual(messages(config), [
      'huge: is larger than 64 KiB: move long texts into a file',
    ]);
    assert.deepEqual(names(config), ['large']);
  });

  it('takes names of other scripts, and refuses those with unseen characters alone', () => {
    const good = ['Wetter & Züge', 'io.github/x', '天気', '👩\u200d💻'];
    const all = [...good, 'a\u202eb'].map((name) => [name, { command: 'x' }]);
    const config = parse(Object.fromEntries(all));
    assert.deepEqual(names(config), good);
    assert.deepEqual(
      config.problems.map(({ entry }) => entry),
      ['a\u202eb'],
    );
  });

  it('takes names that objects have of their own for names', () => {
    const servers: unknown = JSON.parse(
      '{"__proto__": {"command": "p", "env": {"__proto__": "v"}}, "constructor": {"command": "c"}, "toString": {"url": "http://h/"}}',
    );
    const config = parse(servers);
    assert.deepEqual(messages(config), []);
    assert.deepEqual(names(config), ['__proto__', 'constructor', 'toString']);
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
    assert.deepEqual(hiding(config), [['user/git', undefined]]);
    const [server] = config.servers;
    assert.ok(server?.launch.kind === 'stdio');
    assert.deepEqual(server.launch.args, ['--safe']);
    assert.deepEqual(messages(config), [
      'git: needs `command` (a program to start) or `url` (a server to reach)',
    ]);
    assert.deepEqual(config.problems[0]?.scope, workspace);
  });

  it("takes nothing of the user's entry into a whole entry of the workspace", () => {
    const mine = { command: 'git-mcp', env: { TOKEN: 'abc' }, startup: 'manual' };
    const config = parseScopes([workspace, { git: 'other' }], [user, { git: mine }]);
    const [near] = config.servers;
    assert.deepEqual(near?.launch, { kind: 'stdio', command: 'other', args: [], env: {} });
    assert.equal(near.startup, 'auto');
  });

  const unseen = [
    ['👩💻', '👩\u200d💻'],
    ['کارها', 'کار\u200cها'],
    ['ภาษาไทย', 'ภาษา\u200bไทย'],
  ] as const;
  for (const [rule, config, expected] of [
    [
      'lets several folders have a server of one name, and hides the farther ones, which follow',
      parseScopes(
        [user, { s: 'x' }],
        [workspace, { s: 'x' }],
        [folder('a'), { s: 'x' }],
        [folder('b'), { s: 'x' }],
      ),
      [
        ['folder:file:///w/a/s', undefined],
        ['folder:file:///w/b/s', undefined],
        ['workspace/s', 'folder'],
        ['user/s', 'folder'],
      ],
    ],
    [
      "SEC-01: an entry of the remote machine is its own, and hides none of the user's",
      parseScopes([{ kind: 'remote' }, { s: 'x' }], [user, { s: 'y' }]),
      [
        ['user/s', undefined],
        ['remote/s', 'user'],
      ],
    ],
    [
      'does not hide a server behind an entry that cannot be used',
      parseScopes([user, { s: 'x' }], [workspace, { s: { command: 1 } }]),
      [['user/s', undefined]],
    ],
    ...unseen.map(
      ([own, other]) =>
        [
          `takes names that differ in what nobody sees for one name: ${own}`,
          parseScopes([user, { [own]: 'x' }], [workspace, { [other]: 'y' }]),
          [
            [`workspace/${encodeURIComponent(other)}`, undefined],
            [`user/${encodeURIComponent(own)}`, 'workspace'],
          ],
        ] as const,
    ),
  ] as const) {
    it(rule, () => assert.deepEqual(hiding(config), expected));
  }
});

describe('parseConfig: inputs', () => {
  const types = '"promptString" or "pickString"';

  it('reads them by scope', () => {
    const token = { id: 't', type: 'promptString', description: 'Token', password: true };
    const text = { id: 't', type: 'promptString', default: 'x' };
    const pick = { id: 'm', type: 'pickString', options: ['a', 'b'], default: 'b' };
    const config = parseConfig([
      { scope: user, servers: undefined, inputs: [token] },
      { scope: workspace, servers: undefined, inputs: [text, pick] },
    ]);
    assert.deepEqual(messages(config), []);
    assert.deepEqual(config.inputs.get('user'), [token]);
    assert.deepEqual(config.inputs.get('workspace'), [
      { ...text, description: 't', password: false },
      { ...pick, description: 'm' },
    ]);
  });

  for (const [type, more, message] of [
    ['promptString', { id: 'a}' }, 'a} id: must consist of letters, digits, ".", "_" and "-"'],
    ['promptString', { id: undefined }, '[1] id: is missing'],
    [undefined, {}, 'x type: is missing'],
    ['command', {}, `x type: must be ${types}`],
    ['promptStrng', {}, `x type: must be ${types}; did you mean "promptString"?`],
    ['promptString', { password: 'yes' }, 'x password: must be true or false, not a text'],
    ['promptString', { default: 1 }, 'x default: must be a text (write "1"), not a number'],
    [
      'promptString',
      { id: 'first' },
      'first id: is used twice: the first input of this name counts',
    ],
    ['pickString', {}, 'x options: is missing'],
    ['pickString', { options: [] }, 'x options: must hold at least one text to pick'],
    ['pickString', { options: ['a'], default: 'b' }, 'x default: must be one of the options'],
  ] as const) {
    const input = { id: 'x', type, ...more };
    it(`leaves out ${JSON.stringify(input)} and no other input`, () => {
      const config = parse(undefined, [
        { id: 'first', type: 'promptString' },
        input,
        { id: 'last', type: 'promptString' },
      ]);
      const ids = config.inputs.get('user')?.map(({ id }) => id);
      assert.deepEqual(ids, ['first', 'last']);
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
      'p default: has no effect: a password in the settings would not be secret',
      'p options: has no effect: it belongs to inputs of type "pickString"',
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
