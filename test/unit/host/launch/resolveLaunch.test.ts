import type { WorkspaceFolder } from '../../../../src/host/config/workspace.ts';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'mocha';
import { Redactor } from '../../../../src/base/log.ts';
import { noFile } from '../../../support/noFile.ts';
import { programsAt } from '../../../support/programs.ts';
import type { Machine } from '../../../../src/host/launch/launchContext.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { resolveLaunch } from '../../../../src/host/launch/resolveLaunch.ts';
import type { ConfigScope, InputDefinition } from '../../../../src/host/config/serverConfig.ts';
import { inputOf } from '../../../../src/host/launch/inputs.ts';

const a = { uri: 'file:///w/a', name: 'a', path: '/w/a' };
const b = { uri: 'file:///w/b', name: 'b', path: '/w/b' };
const inputs = [
  { id: 'pass', type: 'promptString', password: true },
  { id: 'text', type: 'promptString' },
];

interface Options {
  readonly scope?: ConfigScope;
  readonly folders?: readonly WorkspaceFolder[];
  readonly machine?: Partial<Machine>;
  readonly files?: Readonly<Record<string, string>>;
  readonly answers?: Readonly<Record<string, string>>;
}

function resolve(entry: object, options: Options = {}) {
  const scope = options.scope ?? { kind: 'workspace' };
  const config = parseConfig([{ scope, servers: { srv: entry }, inputs }]);
  assert.deepEqual(config.problems, []);
  const [server] = config.servers;
  assert.ok(server);
  const asked: string[] = [];
  const read: string[] = [];
  const result = resolveLaunch(server, {
    machine: {
      programs: programsAt([]),
      platform: 'posix',
      userHome: '/home/u',
      env: { PATH: '/bin', SECRETISH: 'from-env-1', VSCODE_PID: '1' },
      readFile: async (path) => {
        read.push(path);
        const text = options.files?.[path];
        if (text === undefined) {
          throw noFile(path);
        }
        return text;
      },
      ...options.machine,
    },
    folders: options.folders ?? [a],
    inputOf: (id) => inputOf(config, scope, id),
    valueOf: async (input: InputDefinition) => {
      asked.push(input.id);
      return options.answers?.[input.id] ?? `answer-${input.id}`;
    },
  });
  return { result, asked, read };
}

async function stdio(entry: object, options?: Options) {
  const { launch, secrets } = await resolve(entry, options).result;
  assert.ok(launch.kind === 'stdio');
  return { ...launch, secrets };
}

async function http(entry: object, options?: Options) {
  const { launch, secrets } = await resolve(entry, options).result;
  assert.ok(launch.kind === 'http');
  return { ...launch, secrets };
}

async function launchOf(entry: object, text = ''): Promise<unknown> {
  return (await resolve(entry, { answers: { text } }).result).launch;
}

async function launchOn(platform: 'posix' | 'win32', url: string): Promise<unknown> {
  const machine = { platform, userHome: '/home/u', env: {} };
  return (await resolve({ url }, { machine }).result).launch;
}

describe('resolveLaunch: stdio', () => {
  it('STDIO-10: a program that only the login shell finds has its PATH behind our own', async () => {
    const programs = programsAt(['/opt/node/bin/npx', '/bin/sh'], '/opt/node/bin:/bin');
    const { launch, notes } = await resolve({ command: 'npx' }, { machine: { programs } }).result;
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
      [{ command: '/opt/other' }, '/bin', 0],
      [own, '/usr/local/bin', 0],
      [{ command: 'uvx' }, '/bin', 1],
    ] as const) {
      assert.equal((await stdio(entry, options)).env['PATH'], path, entry.command);
      assert.equal(programs.asked.shell, asked, entry.command);
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
        files: { '/w/a/.env': '\ufeffFILE="two\\nlines"\nBOTH=file\nexport Q=\'$OWN ${env:X}\'\n' },
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
  const directories: readonly (readonly [string | undefined, Options, string])[] = [
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

  it('STDIO-10: takes a command with a separator for a path relative to the working directory', async () => {
    assert.equal((await stdio({ command: './run.sh', cwd: 'sub' })).command, '/w/a/sub/run.sh');
    assert.equal((await stdio({ command: 'bin/x', cwd: 'sub' })).command, '/w/a/sub/bin/x');
    assert.equal((await stdio({ command: '~/bin/x', cwd: 'sub' })).command, '/home/u/bin/x');
    assert.equal((await stdio({ command: '/usr/bin/x', cwd: 'sub' })).command, '/usr/bin/x');
    assert.equal((await stdio({ command: 'x\\y', cwd: 'sub' })).command, 'x\\y');
  });

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
    const { result, read } = resolve(
      { command: 'x', cwd: 'sub', envFile: 'conf/.env' },
      { files: { '/w/a/sub/conf/.env': '' } },
    );
    await result;
    assert.deepEqual(read, ['/w/a/sub/conf/.env']);
  });

  it('asks once for an input that several fields need', async () => {
    const { result, asked } = resolve({
      command: 'x',
      args: ['${input:pass}', '${input:text}'],
      env: { A: '${input:pass}${input:pass}' },
    });
    await result;
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
    [{ command: '${input:empty}' }, 'srv: command: ${input:empty} is not defined'],
    [{ command: 'x', args: ['a\0b'] }, 'srv: args[0]: must not hold the character U+0000'],
  ];
  it('says that a file is too large, and not that it is to be created', async () => {
    const machine = {
      readFile: () =>
        Promise.reject(Object.assign(new Error('larger than 1 MiB'), { code: 'EFBIG' })),
    };
    await assert.rejects(resolve({ command: 'x', envFile: 'big.env' }, { machine }).result, {
      message: 'srv: envFile: /w/a/big.env is larger than 1 MiB: is it the right file?',
    });
    // What is read and parsed before anybody is asked has a bound of its own.
    const files = { '/w/a/.env': `${'A=1\n'.repeat(16 * 1024)}B` };
    await assert.rejects(resolve({ command: 'x', envFile: '.env' }, { files }).result, {
      message: 'srv: envFile: /w/a/.env is larger than 64 KiB: is it the right file?',
    });
  });

  it('says what a file took too long for, and not that it is to be created', async () => {
    const machine = {
      readFile: () =>
        Promise.reject(Object.assign(new Error('it does not end'), { code: 'ETIMEDOUT' })),
    };
    await assert.rejects(resolve({ command: 'x', envFile: 'pipe.env' }, { machine }).result, {
      message: 'srv: envFile: /w/a/pipe.env cannot be read: it does not end',
    });
  });

  for (const [entry, message] of wrong) {
    it(`says: ${message.replaceAll('\0', '')}`, async () => {
      await assert.rejects(resolve(entry).result, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'invalidConfig');
        assert.ok(error.message.startsWith(message), error.message);
        assert.doesNotMatch(inspect(error), /answer-pass/u);
        return true;
      });
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
      const { result } = resolve({ url: text }, { answers: { text: answer } });
      await assert.rejects(result, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'invalidConfig');
        assert.match(error.message, message);
        assert.ok(!error.message.includes(answer), 'the value of a variable is in the message');
        return true;
      });
    }
  });

  it('tells WebSocket from HTTP once the variables are replaced', async () => {
    const headers = {};
    const auth = { grant: { kind: 'authorizationCode' }, dpop: false };
    assert.deepEqual(await launchOf({ url: 'wss://h/mcp?a=1' }), {
      kind: 'webSocket',
      url: 'wss://h/mcp?a=1',
      headers,
      auth,
    });
    assert.deepEqual(await launchOf({ url: '${input:text}', type: 'ws' }, 'ws://h/'), {
      kind: 'webSocket',
      url: 'ws://h/',
      headers,
      auth,
    });
    assert.deepEqual(await launchOf({ url: '${input:text}', type: 'sse' }, 'https://h/sse'), {
      kind: 'http',
      url: 'https://h/sse',
      headers,
      auth,
      transport: 'sse',
    });
    for (const [type, url] of [
      ['ws', 'http://h/'],
      ['sse', 'ws://h/'],
    ] as const) {
      await assert.rejects(launchOf({ url: '${input:text}', type }, url), {
        code: 'invalidConfig',
        message: 'srv: type: does not fit the URL once its variables are replaced',
      });
    }
  });

  it('finds the socket of a local server, and refuses one that the machine cannot have', async () => {
    assert.deepEqual(await launchOn('posix', 'unix://${userHome}/x.sock#/mcp'), {
      kind: 'http',
      url: 'http://localhost/mcp',
      headers: {},
      socketPath: '/home/u/x.sock',
    });
    assert.deepEqual(await launchOn('win32', 'pipe:///pipe/x'), {
      kind: 'http',
      url: 'http://localhost/',
      headers: {},
      socketPath: '\\\\.\\pipe\\x',
    });
    await assert.rejects(launchOn('posix', 'pipe:///pipe/x'), {
      code: 'invalidConfig',
      message: /^srv: url: names a pipe of Windows/u,
    });
    await assert.rejects(launchOn('win32', 'unix:///x.sock'), {
      code: 'invalidConfig',
      message: /^srv: url: names a Unix socket, which cannot be used on Windows/u,
    });
    await assert.rejects(launchOn('posix', `unix:///${'x'.repeat(120)}.sock`), {
      code: 'invalidConfig',
      message: /^srv: url: names a socket whose path is longer than the \d+ bytes/u,
    });
    await assert.rejects(launchOn('posix', 'unix:///x%ZZ.sock'), /^McpError: srv: url: has a "%"/u);
  });

  it('refuses header values that would break the request', async () => {
    const entry = { url: 'http://h/', headers: { 'X-T': 'a${input:pass}' } };
    for (const [pass, message] of [
      ['abc\n', /^srv: headers\.X-T: must not hold a line break/u],
      ['abc\r\nX-Evil: 1', /line break/u],
      ['abc\u2028', /no header can carry/u],
      ['日本', /no header can carry/u],
      ['a\u007f', /no header can carry/u],
    ] as const) {
      await assert.rejects(resolve(entry, { answers: { pass } }).result, {
        code: 'invalidConfig',
        message,
      });
    }
    assert.equal((await http(entry, { answers: { pass: 'ü' } })).headers['X-T'], 'aü');
  });
});

describe('resolveLaunch: secrets', () => {
  it('names what must not be logged: passwords, envFile, ${env:}, and literals with telling names', async () => {
    const { secrets } = await stdio(
      {
        command: 'x',
        args: ['${input:pass}', '${input:text}', '${env:SECRETISH}', '${env:HOME}'],
        env: { API_KEY: 'literal-key', PLAIN: 'literal-plain', DEBUG: 'true', MAX_TOKENS: '4096' },
        envFile: '.env',
      },
      {
        files: { '/w/a/.env': 'DB=postgres://u:p@h\nNODE_ENV=production\nTOKEN=true\n' },
        machine: { env: { SECRETISH: 'from-env-1', HOME: '/home/u' } },
      },
    );
    const has = (value: string): boolean => secrets.includes(value);
    for (const value of ['answer-pass', 'from-env-1', 'literal-key', 'postgres://u:p@h', 'true']) {
      assert.ok(has(value), value);
    }
    for (const value of ['answer-text', 'literal-plain', '/home/u', 'production', '4096']) {
      assert.ok(!has(value), value);
    }
  });

  it('names each line of a secret but those of a few characters, which are words as any other', async () => {
    const { secrets } = await stdio(
      { command: 'x', args: ['${input:pass}'] },
      { answers: { pass: 'BEGIN:\r\nMIIB0123456789abcdef\r\n  4jQ9Zz==\r\nend' } },
    );
    assert.deepEqual(secrets.slice(1), ['MIIB0123456789abcdef', '4jQ9Zz==']);
  });

  it('names what arguments call a secret', async () => {
    const { secrets } = await stdio({
      command: 'x',
      args: [
        '--api-key',
        'arg-key',
        '--token=arg-token',
        '-e',
        'PASSWORD=arg-pass',
        '--dir',
        'arg-dir',
        '--secret',
        '-v',
      ],
    });
    assert.deepEqual(secrets, ['arg-key', 'arg-token', 'arg-pass']);
  });

  it('names what looks like a secret in arguments and variables, whatever it is called', async () => {
    const { secrets } = await stdio({
      command: 'npx',
      args: [
        'mcp-remote',
        'https://example.com/mcp?api_key=in-a-query&page=two',
        '--header',
        'Authorization: Bearer in-a-header',
        'X-Api-Key:in-another',
        'postgresql://ann:in-an-address@db/notes',
        'postgresql://ann:ann@db/notes',
        'ghp_0123456789abcdefghij',
      ],
      env: { DSN: 'mysql://ann:in-a-variable@db', NOTE: 'sk-0123456789abcdefghij' },
    });
    for (const value of [
      'in-a-query',
      'in-a-header',
      'in-another',
      'in-an-address',
      ':ann@',
      'ghp_0123456789abcdefghij',
      'in-a-variable',
      'sk-0123456789abcdefghij',
    ]) {
      assert.ok(secrets.includes(value), value);
    }
    for (const value of ['two', 'ann', 'mcp-remote']) {
      assert.ok(!secrets.includes(value), value);
    }
  });

  it('names what looks like a key in the path or query of an address, wherever the address stands', async () => {
    const keys = [
      'NDk3ZDUzMGQtNjYwZi00',
      '0b6d2f7c-2f0e-4c0a-9d3b-1f6a4b8c9d0e',
      'a7B%3D8c9d0e1f2g3h4i5',
    ];
    const [inPath = '', inQuery = '', escaped = ''] = keys;
    const url = `https://mcp-1.eu-west-2.example.com/team-of-weather-people/s/${inPath}/${escaped}/mcp?for=${inQuery}&page=two`;
    const reached = await http({ url });
    const started = await stdio({
      command: 'npx',
      args: ['mcp-remote', url],
      env: { UPSTREAM: `wss://h/s/${inPath}` },
    });
    for (const { secrets } of [reached, started]) {
      for (const value of [...keys, 'a7B=8c9d0e1f2g3h4i5']) {
        assert.ok(secrets.includes(value), value);
      }
      for (const value of ['two', 'mcp', 'team-of-weather-people', 'mcp-1.eu-west-2.example.com']) {
        assert.ok(!secrets.includes(value), value);
      }
    }
    const redactor = new Redactor();
    reached.secrets.forEach((secret) => redactor.add(secret));
    const echo = `Cannot POST ${new URL(url).pathname}`;
    assert.equal(redactor.redact(echo), 'Cannot POST /team-of-weather-people/s/***/***/mcp');
    const inVariable = await stdio({ command: 'x', env: { UPSTREAM: `wss://h/s/${inPath}` } });
    assert.ok(inVariable.secrets.includes(inPath));
    await http({ url: 'https://h/%E0%A4%A/mcp' });
  });

  it('names a credential with and without its scheme, and as it looks in JSON, in a URL and in Base64', async () => {
    const { secrets } = await http(
      {
        url: 'https://h/?api_key=query-secret&x=plain',
        headers: { Authorization: 'Bearer lit-token', Cookie: 'c=1', 'X-A': '${input:pass}' },
      },
      { answers: { pass: 'a"b c' } },
    );
    for (const value of ['Bearer lit-token', 'lit-token', 'c=1', 'query-secret', 'a"b c']) {
      assert.ok(secrets.includes(value), value);
    }
    assert.ok(!secrets.includes('plain'));
    const redactor = new Redactor();
    secrets.forEach((secret) => redactor.add(secret));
    const written = ['a\\"b c', 'a%22b%20c', 'a%22b+c', btoa('ann:lit-token')];
    assert.deepEqual(
      written.map((text) => redactor.redact(text)),
      ['***', '***', '***', 'YW5uOm***g=='],
    );
  });
});
