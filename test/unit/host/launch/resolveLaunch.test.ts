import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Redactor } from '../../../../src/base/log.ts';
import { folder as a, resolveEntry, type ResolveOptions } from '../../../support/launches.ts';
import { programsAt } from '../../../support/programs.ts';
import type { ConfigScope } from '../../../../src/host/config/serverConfig.ts';

const b = { uri: 'file:///w/b', name: 'b', path: '/w/b' };
const inputs = [
  { id: 'pass', type: 'promptString', password: true },
  { id: 'text', type: 'promptString' },
];
const editors = { PATH: '/bin', SECRETISH: 'from-env-1', VSCODE_PID: '1' };

function resolve(entry: object, options: ResolveOptions = {}) {
  return resolveEntry(entry, { inputs, ...options, machine: { env: editors, ...options.machine } });
}

async function stdio(entry: object, options?: ResolveOptions) {
  const { launch, secrets } = await resolve(entry, options);
  assert.ok(launch.kind === 'stdio');
  return { ...launch, secrets };
}

async function http(entry: object, answers: Readonly<Record<string, string>> = {}) {
  const { launch, secrets } = await resolve(entry, { answers });
  assert.ok(launch.kind === 'http');
  return { ...launch, secrets };
}

function broken(code: string, text: string) {
  return { readFile: () => Promise.reject(Object.assign(new Error(text), { code })) };
}

describe('resolveLaunch: stdio', () => {
  it('STDIO-10: a program that only the login shell finds has its PATH behind our own', async () => {
    const programs = programsAt(['/opt/node/bin/npx', '/bin/sh'], '/opt/node/bin:/bin');
    const { launch, notes } = await resolve({ command: 'npx' }, { machine: { programs } });
    assert.ok(launch.kind === 'stdio');
    assert.equal(launch.command, 'npx');
    assert.equal(launch.env['PATH'], '/bin:/opt/node/bin');
    assert.match(notes?.join() ?? '', /"npx".*login shell.*\/opt\/node\/bin\/npx/);
    assert.equal(programs.asked.shell, 1);
  });

  it('STDIO-10: the login shell is asked about nothing that is found, named by its path, or nowhere else', async () => {
    const programs = programsAt(['/bin/sh', '/opt/sh'], '/opt');
    const options = { machine: { programs } };
    const own = { command: 'sh', env: { PATH: '/usr/local/bin' } };
    for (const [entry, path, asked] of [
      [{ command: 'sh' }, '/bin', 0],
      [{ command: '/opt/other' }, '/bin:/opt', 0],
      [own, '/usr/local/bin', 0],
      [{ command: 'uvx' }, '/bin', 1],
    ] as const) {
      assert.equal((await stdio(entry, options)).env['PATH'], path, entry.command);
      assert.equal(programs.asked.shell, asked, entry.command);
    }
  });

  it('STDIO-10: a script that is named by its path finds its interpreter beside it, after all others', async () => {
    const linked = programsAt([], undefined, { '/opt/linked': '/w/a/bin' });
    const cases: readonly (readonly [object, ResolveOptions, string | undefined])[] = [
      [{ command: '/nvm/bin/npx' }, {}, '/bin:/nvm/bin'],
      [{ command: '~/tools/run' }, {}, '/bin:/home/u/tools'],
      [{ command: '/bin/npx' }, {}, '/bin'],
      // What the author of a workspace puts there must not be found by a name.
      [{ command: './run.sh' }, {}, '/bin'],
      [{ command: '/opt/linked/npx' }, { machine: { programs: linked } }, '/bin'],
      [{ command: '/nvm:/w/npx' }, {}, '/bin'],
      [{ command: '/nvm/bin/npx', env: { PATH: '/own' } }, {}, '/own'],
      [{ command: '/nvm/bin/npx', env: { PATH: null } }, {}, undefined],
      [{ command: 'C:\\node\\npx.cmd' }, { machine: { platform: 'win32' } }, '/bin'],
    ];
    for (const [entry, options, path] of cases) {
      const { env } = await stdio(entry, options);
      assert.equal(env['PATH'], path, JSON.stringify(entry));
    }
  });

  it('STDIO-02: builds command, arguments and environment: inherited, then envFile, then env', async () => {
    const launch = await stdio(
      {
        command: 'npx',
        args: ['-y', '${workspaceFolder}/x', '${input:text}', 'C:\\a "b"'],
        envFile: '.env',
        env: { OWN: '${env:SECRETISH}', BOTH: 'env', PATH: null },
      },
      {
        machine: {
          env: editors,
          files: {
            '/w/a/.env': '\ufeffFILE="two\\nlines"\nBOTH=file\nexport Q=\'$OWN ${env:X}\'\n',
          },
        },
      },
    );
    assert.equal(launch.command, 'npx');
    assert.deepEqual(launch.args, ['-y', '/w/a/x', 'answer-text', 'C:\\a "b"']);
    assert.equal(launch.cwd, '/w/a');
    assert.deepEqual(launch.env, {
      SECRETISH: 'from-env-1',
      FILE: 'two\nlines',
      BOTH: 'env',
      Q: '$OWN ${env:X}',
      OWN: 'from-env-1',
    });
  });

  const folderScope: ConfigScope = { kind: 'folder', uri: b.uri, name: 'b' };
  const directories: readonly (readonly [string | undefined, ResolveOptions, string])[] = [
    [undefined, { scope: folderScope, folders: [a, b] }, '/w/b'],
    [undefined, { folders: [a, b] }, '/w/a'],
    [undefined, { folders: [] }, '/home/u'],
    ['sub/../x', {}, '/w/a/x'],
    ['/abs', {}, '/abs'],
    ['~/x', {}, '/home/u/x'],
    ['~', {}, '/home/u'],
    ['~other', {}, '/w/a/~other'],
    ['${userHome}/y', {}, '/home/u/y'],
    ['${input:text}', { answers: { text: '~/z' } }, '/w/a/~/z'],
    ['${workspaceFolder}', { scope: folderScope, folders: [a, b] }, '/w/b'],
  ];
  for (const [cwd, options, expected] of directories) {
    it(`runs in ${expected} for cwd ${String(cwd)}`, async () => {
      const launch = await stdio({ command: 'x', ...(cwd === undefined ? {} : { cwd }) }, options);
      assert.equal(launch.cwd, expected);
    });
  }

  for (const [command, file] of [
    ['./run.sh', '/w/a/sub/run.sh'],
    ['bin/x', '/w/a/sub/bin/x'],
    ['~/bin/x', '/home/u/bin/x'],
    ['/usr/bin/x', '/usr/bin/x'],
    ['x\\y', 'x\\y'],
  ]) {
    it(`STDIO-10: starts ${file} for ${command} in a folder below`, async () => {
      assert.equal((await stdio({ command, cwd: 'sub' })).command, file);
    });
  }

  it('follows Windows: separators, case of variable names, home', async () => {
    const machine = {
      platform: 'win32',
      userHome: 'C:\\Users\\u',
      env: { Path: 'C:\\bin', SystemRoot: 'C:\\W' },
    } as const;
    const folders = [{ uri: 'file:///c%3A/w', name: 'w', path: 'C:\\w' }];
    const launch = await stdio(
      {
        command: '.\\run.cmd',
        args: ['${env:PATH}'],
        cwd: '~\\x',
        env: { PATH: 'D:\\y', systemroot: null },
      },
      { machine, folders },
    );
    assert.equal(launch.cwd, 'C:\\Users\\u\\x');
    assert.equal(launch.command, 'C:\\Users\\u\\x\\run.cmd');
    assert.deepEqual(launch.args, ['C:\\bin']);
    assert.deepEqual(launch.env, { PATH: 'D:\\y' });
  });

  it('reads a relative envFile beside the working directory', async () => {
    const machine = { files: { '/w/a/sub/conf/.env': 'A=1' } };
    const launch = await stdio({ command: 'x', cwd: 'sub', envFile: 'conf/.env' }, { machine });
    assert.equal(launch.env['A'], '1');
  });

  it('asks once for an input that several fields need', async () => {
    const asked: string[] = [];
    const answerOf = async ({ id }: { readonly id: string }): Promise<string> =>
      `answer ${asked.push(id)}`;
    const env = { A: '${input:pass}${input:pass}' };
    await resolve({ command: 'x', args: ['${input:pass}', '${input:text}'], env }, { answerOf });
    assert.deepEqual(asked, ['pass', 'text']);
  });

  const wrong: readonly (readonly [object, string])[] = [
    [
      { command: 'x', envFile: '${input:pass}/.env' },
      'srv: envFile: ${input:pass}/.env cannot be read',
    ],
    [{ command: 'x', args: ['a', '${nope}'] }, 'srv: args[1]: ${nope} is not a known variable'],
    [{ command: 'x', env: { A: '${env:MISSING}' } }, 'srv: env.A: ${env:MISSING} has no value'],
    [
      { command: 'x', cwd: '${workspaceFolder:zzz}' },
      'srv: cwd: ${workspaceFolder:zzz} has no value',
    ],
    [{ command: 'x', args: ['${input:zzz}'] }, 'srv: args[0]: ${input:zzz} is not defined'],
    [{ command: 'x', envFile: 'no.env' }, 'srv: envFile: /w/a/no.env cannot be read'],
    [
      { command: 'x', cwd: '${input:pass}/x', envFile: 'no.env' },
      'srv: envFile: no.env cannot be read',
    ],
    [{ command: '${input:text}' }, 'srv: command: is empty once its variables are replaced'],
    [{ command: 'x', args: ['a\0b'] }, 'srv: args[0]: must not hold the character U+0000'],
    [
      { command: 'x', env: { 'A\0B': 'x' } },
      'srv: env: the name of a variable holds the character U+0000',
    ],
    [
      { command: 'x', envFile: 'nul.env' },
      'srv: envFile: the variable A holds the character U+0000',
    ],
  ];
  for (const [machine, words] of [
    [broken('EFBIG', 'larger than 1 MiB'), 'is larger than 1 MiB: is it the right file?'],
    [broken('ETIMEDOUT', 'it does not end'), 'cannot be read: it does not end'],
    // What is read and parsed before anybody is asked has a bound of its own.
    [
      { files: { '/w/a/.env': `${'A=1\n'.repeat(16 * 1024)}B` } },
      'is larger than 64 KiB: is it the right file?',
    ],
  ] as const) {
    it(`says that an envFile ${words}`, async () => {
      await assert.rejects(resolve({ command: 'x', envFile: '.env' }, { machine }), {
        message: `srv: envFile: /w/a/.env ${words}`,
      });
    });
  }

  for (const [entry, message] of wrong) {
    it(`says: ${message.replaceAll('\0', '')}`, async () => {
      await assert.rejects(
        resolve(entry, {
          answers: { text: ' ' },
          machine: { files: { '/w/a/nul.env': 'A=b\0c' } },
        }),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'invalidConfig');
          assert.ok(error.message.startsWith(message), error.message);
          assert.doesNotMatch(inspect(error), /answer-pass/u);
          return true;
        },
      );
    });
  }
});

describe('resolveLaunch: http', () => {
  it('replaces variables in URL and headers', async () => {
    const launch = await http({
      url: 'https://h.example/${input:text}?x=1',
      headers: { Authorization: 'Bearer ${input:pass}', 'X-Plain': 'a b' },
    });
    assert.equal(launch.url, 'https://h.example/answer-text?x=1');
    assert.deepEqual(launch.headers, { Authorization: 'Bearer answer-pass', 'X-Plain': 'a b' });
  });

  it('refuses what is no absolute http(s) URL, and user information in one', async () => {
    for (const [text, answer, message] of [
      ['${input:text}', 'ftp://h/', /^srv: url: must be an absolute URL without spaces/u],
      ['${input:text}', '/relative', /^srv: url: must be an absolute URL without spaces/u],
      ['${input:text}', 'ht\ntp://h/', /^srv: url: must be an absolute URL without spaces/u],
      ['https://${input:text}', 'u:p@h/', /user name or password/u],
      ['https://${input:text}', 'good.example@evil.example/', /user name or password/u],
    ] as const) {
      const result = resolve({ url: text }, { answers: { text: answer } });
      await assert.rejects(result, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'invalidConfig');
        assert.match(error.message, message);
        assert.ok(!error.message.includes(answer), 'the value of a variable is in the message');
        return true;
      });
    }
  });

  it('tells WebSocket from HTTP once the variables are replaced', async () => {
    const auth = { grant: { kind: 'authorizationCode' }, dpop: false };
    const rest = { headers: {}, auth };
    for (const [entry, text, launch] of [
      [{ url: 'wss://h/mcp?a=1' }, '', { kind: 'webSocket', url: 'wss://h/mcp?a=1' }],
      [{ url: '${input:text}', type: 'ws' }, 'ws://h/', { kind: 'webSocket', url: 'ws://h/' }],
      [
        { url: '${input:text}', type: 'sse' },
        'https://h/sse',
        { kind: 'http', url: 'https://h/sse', transport: 'sse' },
      ],
    ] as const) {
      const resolution = await resolve(entry, { answers: { text } });
      assert.deepEqual(resolution.launch, { ...launch, ...rest });
    }
    for (const [type, url] of [
      ['ws', 'http://h/'],
      ['sse', 'ws://h/'],
    ] as const) {
      const entry = { url: '${input:text}', type };
      await assert.rejects(resolve(entry, { answers: { text: url } }), {
        code: 'invalidConfig',
        message: 'srv: type: does not fit the URL once its variables are replaced',
      });
    }
  });

  const long = `unix:///${'x'.repeat(120)}.sock`;
  for (const [platform, url, expected] of [
    [
      'posix',
      'unix://${userHome}/x.sock#/mcp',
      { url: 'http://localhost/mcp', socketPath: '/home/u/x.sock' },
    ],
    ['win32', 'pipe:///pipe/x', { url: 'http://localhost/', socketPath: '\\\\.\\pipe\\x' }],
    ['posix', 'pipe:///pipe/x', /names a pipe of Windows/u],
    ['win32', 'unix:///x.sock', /names a Unix socket, which cannot be used on Windows/u],
    ['posix', long, /names a socket whose path is longer than the \d+ bytes/u],
    ['posix', 'unix:///x%ZZ.sock', /has a "%"/u],
  ] as const) {
    it(`finds the socket of ${url} on ${platform}, or says why there is none`, async () => {
      const resolution = resolve({ url }, { machine: { platform, env: {} } });
      if (expected instanceof RegExp) {
        const message = new RegExp(`^srv: url: ${expected.source}`, 'u');
        await assert.rejects(resolution, { code: 'invalidConfig', message });
      } else {
        const { launch } = await resolution;
        assert.deepEqual(launch, { kind: 'http', headers: {}, ...expected });
      }
    });
  }

  it('refuses header values that would break the request', async () => {
    const entry = { url: 'http://h/', headers: { 'X-T': 'a${input:pass}' } };
    for (const [pass, message] of [
      ['abc\n', /^srv: headers\.X-T: must not hold a line break/u],
      ['abc\r\nX-Evil: 1', /line break/u],
      ['abc\u2028', /no header can carry/u],
      ['日本', /no header can carry/u],
      ['a\u007f', /no header can carry/u],
    ] as const) {
      await assert.rejects(resolve(entry, { answers: { pass } }), {
        code: 'invalidConfig',
        message,
      });
    }
    assert.equal((await http(entry, { pass: 'ü' })).headers['X-T'], 'aü');
  });
});

describe('resolveLaunch: secrets', () => {
  const keys = [
    'NDk3ZDUzMGQtNjYwZi00',
    '0b6d2f7c-2f0e-4c0a-9d3b-1f6a4b8c9d0e',
    'a7B%3D8c9d0e1f2g3h4i5',
  ];
  const [inPath = '', inQuery = '', escaped = ''] = keys;
  const address = `https://mcp-1.eu-west-2.example.com/team-of-weather-people/s/${inPath}/${escaped}/mcp?for=${inQuery}&page=two`;
  const inAddress = [...keys, 'a7B=8c9d0e1f2g3h4i5'];
  const noKeys = ['two', 'mcp', 'team-of-weather-people', 'mcp-1.eu-west-2.example.com'];
  const machine = {
    files: { '/w/a/.env': 'DB=postgres://u:p@h\nNODE_ENV=production\nTOKEN=true\n' },
    env: { SECRETISH: 'from-env-1', HOME: '/home/u' },
  };
  const ofArguments = [
    ['mcp-remote', 'https://example.com/mcp?api_key=in-a-query&page=two'],
    ['--header', 'Authorization: Bearer in-a-header', 'X-Api-Key:in-another'],
    ['postgresql://ann:in-an-address@db/notes', 'postgresql://ann:ann@db/notes'],
    ['ghp_0123456789abcdefghij'],
  ].flat();
  const cases: readonly (readonly [
    what: string,
    entry: object,
    secrets: readonly string[],
    others: readonly string[],
  ])[] = [
    [
      'passwords, envFile, ${env:}, and literals with telling names',
      {
        command: 'x',
        args: ['${input:pass}', '${input:text}', '${env:SECRETISH}', '${env:HOME}'],
        env: { API_KEY: 'literal-key', PLAIN: 'literal-plain', DEBUG: 'true', MAX_TOKENS: '4096' },
        envFile: '.env',
      },
      ['answer-pass', 'from-env-1', 'literal-key', 'postgres://u:p@h', 'true'],
      ['answer-text', 'literal-plain', '/home/u', 'production', '4096'],
    ],
    [
      'what arguments call a secret',
      {
        command: 'x',
        args: '--api-key arg-key --token=arg-token -e PASSWORD=arg-pass --dir arg-dir'.split(' '),
      },
      ['arg-key', 'arg-token', 'arg-pass'],
      ['arg-dir'],
    ],
    [
      'what looks like a secret in arguments and variables, whatever it is called',
      {
        command: 'npx',
        args: ofArguments,
        env: { DSN: 'mysql://ann:in-a-variable@db', NOTE: 'sk-0123456789abcdefghij' },
      },
      [
        ['in-a-query', 'in-a-header', 'in-another', 'in-an-address', ':ann@', 'in-a-variable'],
        ['ghp_0123456789abcdefghij', 'sk-0123456789abcdefghij'],
      ].flat(),
      ['two', 'ann', 'mcp-remote'],
    ],
    ['what looks like a key in a URL', { url: address }, inAddress, noKeys],
    ['one in an argument', { command: 'x', args: ['mcp-remote', address] }, inAddress, noKeys],
    ['one in a variable', { command: 'x', env: { UP: `wss://h/s/${inPath}` } }, [inPath], ['wss']],
    [
      'a credential with and without its scheme, and parameters',
      {
        url: 'https://h/?api_key=query-secret&x=plain',
        headers: { Authorization: 'Bearer lit-token', Cookie: 'c=1', 'X-A': '${input:pass}' },
      },
      ['Bearer lit-token', 'lit-token', 'c=1', 'query-secret', 'answer-pass'],
      ['plain'],
    ],
  ];
  for (const [what, entry, named, others] of cases) {
    it(`names ${what}`, async () => {
      const { secrets } = await resolve(entry, { machine });
      assert.deepEqual(
        [...named, ...others].filter((value) => secrets.includes(value)),
        named,
      );
    });
  }

  it('SEC-11: names each token of a known shape', async () => {
    const some = '0123456789abcdefghij0123456789';
    const shapes = [
      ['p', 'o', 'u', 's', 'r'].map((letter) => `gh${letter}_`),
      ['a', 'b', 'e', 'o', 'p', 'r', 's'].map((letter) => `xox${letter}-`),
      ['github_pat_', 'glpat-', 'sk-', 'AIza', 'hf_', 'npm_', 'ya29.'],
    ].flat();
    const tokens = shapes.map((start) => start + some);
    tokens.push(`AKIA${some.slice(0, 10)}ABCDEF`, `eyJ${some}.${some}.${some}`);
    tokens.push(['-----BEGIN PRIVATE', `KEY-----\n${some}`].join(' '));
    for (const token of tokens) {
      const { secrets } = await stdio({ command: 'x', env: { NOTE: `so ${token}` } });
      assert.ok(secrets.includes(token), token);
    }
    const { secrets } = await stdio({ command: 'x', args: [`id-eyJ${some}.${some}.`] });
    assert.deepEqual(secrets, [`eyJ${some}.${some}.`]);
  });

  it('SEC-11: names the value behind each telling name', async () => {
    const names =
      'token secret passwd passphrase DB_PWD credential authorization cookie auth key MY_PAT sig signature ' +
      'apikey api-key privatekey private-key accesskey access-key';
    for (const name of names.split(' ')) {
      const { secrets } = await stdio({ command: 'x', env: { [name]: 'value' } });
      assert.deepEqual(secrets, ['value'], name);
    }
  });

  it('names each line of a secret but those of a few characters, which are words as any other', async () => {
    const { secrets } = await stdio(
      { command: 'x', args: ['${input:pass}'] },
      { answers: { pass: 'BEGIN:\r\nMIIB0123456789abcdef\r\n  4jQ9Zz==\r\nend' } },
    );
    assert.deepEqual(secrets.slice(1), ['MIIB0123456789abcdef', '4jQ9Zz==']);
  });

  it('names a short secret without the blanks around it', async () => {
    const entry = { command: 'x', args: ['${input:pass}'] };
    const { secrets } = await stdio(entry, { answers: { pass: ' pin12\n' } });
    assert.deepEqual(secrets, ['pin12']);
  });

  it('names them so that a log hides them in JSON, in a URL and in Base64', async () => {
    const headers = { Authorization: 'Bearer lit-token', 'X-A': '${input:pass}' };
    const { secrets } = await http({ url: address, headers }, { pass: 'a"b c' });
    const redactor = new Redactor();
    secrets.forEach((secret) => redactor.add(secret));
    const echo = `Cannot POST ${new URL(address).pathname}`;
    assert.equal(redactor.redact(echo), 'Cannot POST /team-of-weather-people/s/***/***/mcp');
    const written = ['a\\"b c', 'a%22b%20c', 'a%22b+c', btoa('ann:lit-token')];
    assert.deepEqual(
      written.map((text) => redactor.redact(text)),
      ['***', '***', '***', 'YW5uOm***g=='],
    );
    await http({ url: 'https://h/%E0%A4%A/mcp' });
  });
});
