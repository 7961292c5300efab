// What of a user's own server comes out of the workspace, with real files, as far as the question before its start.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Machine } from '../../../../src/host/launch/launchContext.ts';
import { localMachine } from '../../../../src/host/launch/localMachine.ts';
import { bubblewrapFiles } from '../../../../src/host/launch/sandbox.ts';
import { Authority } from '../../../servers/authority.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { itOnPosix } from '../../../support/platform.ts';
import { preparing } from '../../../support/preparation.ts';
import { programsAt } from '../../../support/programs.ts';

/** A server of the user, in a window with this folder. */
function starting(machine: Machine, path: string, entry: object, memory = new FakeMemory()) {
  const folders = [{ uri: `file://${path}`, name: 'ws', path }];
  return preparing(entry, { machine, folders, memory, scope: { kind: 'user' }, answer: 'hidden' });
}

/** What the user is told that a start takes out of the workspace, and whether anybody was asked. */
async function taken(machine: Machine, path: string, entry: object) {
  const { prepare, shown } = starting(machine, path, entry);
  await prepare();
  const texts = shown
    .flatMap(({ risks }) => risks)
    .flatMap((risk) => (risk.kind === 'workspace' && risk.what === 'taken' ? [risk.text] : []));
  assert.equal(shown.length, texts.length === 0 ? 0 : 1);
  return [...new Set(texts)];
}

describe('What a server of the user takes out of a workspace', () => {
  let home: string;
  let machine: Machine;
  const inHome = (...parts: string[]): string => join(home, ...parts);

  before(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'from-workspace-')));
    for (const folder of ['ws/bin', 'my ws', 'ws-2', 'bin', 'chain', 'loop']) {
      mkdirSync(inHome(folder), { recursive: true });
    }
    const authority = new Authority('mine');
    const files: readonly (readonly [string, string])[] = [
      ['ws/x.js', ''],
      ['ws/bin/tool', ''],
      ['ws/.env', 'A=1'],
      ['ws/ca.pem', authority.pem],
      ['my ws/x.js', ''],
      ['ws-2/x.js', ''],
      ['own.js', ''],
      ['own.env', 'A=1'],
      ['names.env', `INIT=${inHome('ws/x.js')}`],
      ['ca.pem', authority.pem],
      ['chain/tool', ''],
    ];
    for (const [name, text] of files) {
      writeFileSync(inHome(name), text, { mode: 0o755 });
    }
    const links: readonly (readonly [string, string])[] = [
      ['bin/linked', '../ws/bin/tool'],
      ['linked.env', 'ws/.env'],
      ['linked.pem', 'ws/ca.pem'],
      ['mnt', 'ws'],
      // Through the workspace and out again: where it leads is for the workspace to say.
      ['ws/out', '../chain/tool'],
      ['bin/chained', '../ws/out'],
      ['loop/a', 'b'],
      ['loop/b', 'a'],
    ];
    for (const [name, target] of links) {
      symlinkSync(target, inHome(name));
    }
    const real = localMachine(async () => undefined);
    const sandboxes: readonly string[] = bubblewrapFiles;
    machine = {
      ...real,
      userHome: home,
      env: { PATH: `${inHome('bin')}:/usr/bin:/bin`, PWD: inHome('ws') },
      programs: {
        ...real.programs,
        isProgram: async (file) => sandboxes.includes(file) || real.programs.isProgram(file),
      },
    };
  });

  after(() => rmSync(home, { recursive: true }));

  const script = '${workspaceFolder}/x.js';
  const lines: readonly (readonly [readonly string[], ...string[]])[] = [
    [['env', 'linked'], 'bin/linked'],
    [['node', script], 'ws/x.js'],
    [['env', 'A=1', 'node', script], 'ws/x.js'],
    [['find', '.', '-exec', 'node', script, ';'], 'ws/x.js'],
    [['sh', '-c', `node ${script}`], 'ws/x.js'],
    [['node', '-e', `require('${script}')`], 'ws/x.js'],
    [['node', `--import=file://${script}`], 'ws/x.js'],
    [['cc', '-I${workspaceFolder}/bin'], 'ws/bin'],
    [['node', 'bin/../ws/x.js'], 'ws/x.js'],
    [['sh', '-c', 'node ~/ws/x.js'], 'ws/x.js'],
    [['sh', '-c', 'node "$HOME/ws/x.js"'], 'ws/x.js'],
    [['sh', '-c', 'cd ws; npm start'], 'ws'],
    [['node', 'mnt/x.js'], 'mnt/x.js'],
    [['node', 'mnt/not-there/x.js'], 'mnt/not-there/x.js'],
    [['cc', '-I$HOME/mnt/bin'], 'mnt/bin'],
    [['node', '${env:PWD}/x.js'], 'ws'],
    [['node', '${workspaceFolder}/${input:word}'], 'ws'],
    [['node', '~/ws-2/x.js', 'ws.js']],
    [['node', 'loop/a']],
  ];
  const filesystem = ['-y', '@modelcontextprotocol/server-filesystem', '${workspaceFolder}'];
  const ws = '${workspaceFolder}';
  const place = { url: 'https://h.example/mcp' };
  const token = { grant: 'workloadIdentity', assertionFile: `${ws}/t`, clientId: 'a' };
  const debug = { type: 'debugpy', debugpyPath: `${ws}/d` };
  const cases: readonly (readonly [string, object, ...string[]])[] = [
    ['the working directory', { command: 'node', args: ['x'], cwd: ws }, 'ws'],
    [
      'a working directory of a value',
      { command: 'node', args: ['x'], cwd: '${env:PWD}/bin' },
      'ws',
    ],
    ['a folder behind a link', { command: 'node', cwd: '~/mnt' }, 'mnt'],
    ['a program', { command: `${ws}/bin/tool` }, 'ws/bin/tool'],
    ['a program that PATH finds, by a link', { command: 'linked' }, 'bin/linked'],
    ['a link that leads through it', { command: 'chained' }, 'bin/chained'],
    ['PATH', { command: 'node', env: { PATH: `/usr/bin:${ws}/bin` } }, 'ws/bin'],
    ['a variable', { command: 'node', env: { DATA: script } }, 'ws/x.js'],
    ['a file of variables', { command: 'node', envFile: `${ws}/.env` }, 'ws/.env'],
    ['a file of variables by a link', { command: 'node', envFile: '~/linked.env' }, 'linked.env'],
    ['what a file of variables names', { command: 'node', envFile: 'names.env' }, 'ws'],
    ['a program in a sandbox', { command: 'linked', sandbox: true }, 'bin/linked'],
    ['what a sandbox may write', { command: 'node', sandbox: { write: [`${ws}/n`] } }, 'ws/n'],
    ['a debugger', { command: 'python', dev: { debug } }, 'ws/d'],
    ['an authority', { ...place, tls: { ca: `${ws}/ca.pem` } }, 'ws/ca.pem'],
    ['one by a link', { ...place, tls: { ca: ['~/ca.pem', 'linked.pem'] } }, 'linked.pem'],
    ['a socket', { url: `unix://${ws}/s.sock#/mcp` }, 'ws/s.sock'],
    ['a socket of a value', { url: 'unix://${env:PWD}/s.sock#/mcp' }, 'ws'],
    ['a file of a token', { ...place, oauth: token }, 'ws/t'],
    ['nothing of the user', { command: 'node', args: ['own.js'], envFile: 'own.env' }],
    ['nothing of what is sent', { url: `${place.url}?at=${ws}`, headers: { 'X-Folder': ws } }],
    ['nothing of a socket elsewhere', { url: 'unix:///run/s.sock' }],
    ...lines.map(
      ([line, ...found]) =>
        [line.join(' '), { command: line[0], args: line.slice(1) }, ...found] as const,
    ),
  ];
  for (const [what, entry, ...expected] of cases) {
    itOnPosix(`SEC-01: ${what}`, async () => {
      const paths = expected.map((path) => inHome(path));
      assert.deepEqual(await taken(machine, inHome('ws'), entry), paths);
    });
  }

  itOnPosix('SEC-01: a path with blanks in a script', async () => {
    const entry = { command: 'sh', args: ['-c', `node "${script}"`] };
    assert.deepEqual(await taken(machine, inHome('my ws'), entry), [inHome('my ws')]);
    const escaped = { command: 'sh', args: ['-c', 'node ~/own.js $HOME/my\\ ws/x.js'] };
    assert.deepEqual(await taken(machine, inHome('my ws'), escaped), [inHome('my ws')]);
  });

  itOnPosix('SEC-01: a folder of it on the PATH of the editor', async () => {
    const env = { ...machine.env, PATH: `${inHome('ws/bin')}:/usr/bin:/bin` };
    const paths = await taken({ ...machine, env }, inHome('ws'), { command: 'node' });
    assert.deepEqual(paths, [inHome('ws/bin')]);
  });

  itOnPosix(
    'SEC-01: a link into it is not followed: where it leads on may be another machine',
    async () => {
      const looked: string[] = [];
      const realPath = (path: string): Promise<string | undefined> => {
        looked.push(path);
        return machine.programs.realPath(path);
      };
      const programs = { ...machine.programs, realPath };
      const entry = { command: 'node', args: ['~/mnt/out/x.js'] };
      await taken({ ...machine, programs }, inHome('ws'), entry);
      assert.deepEqual(
        looked.filter((path) => path.startsWith(inHome('mnt'))),
        [],
      );
    },
  );

  itOnPosix('SEC-01: its own link out of it, where the disk takes names in any case', async () => {
    const real = (path: string): string => path.replace(inHome('WS'), inHome('ws'));
    const programs = {
      ...machine.programs,
      linkAt: (path: string) => machine.programs.linkAt(real(path)),
      realPath: (path: string) => machine.programs.realPath(real(path)),
    };
    const entry = { command: 'node', args: ['~/WS/out'] };
    const paths = await taken({ ...machine, programs }, inHome('ws'), entry);
    assert.deepEqual(paths, [inHome('WS/out')]);
  });

  itOnPosix('SEC-01: a folder that is opened by a link', async () => {
    const entry = { command: 'node', args: ['~/ws/x.js'] };
    assert.deepEqual(await taken(machine, inHome('mnt'), entry), [inHome('ws/x.js')]);
  });

  itOnPosix('SEC-01: what is too long for a path names folders all the same', async () => {
    const long = 'a/'.repeat(12_000);
    const entry = { command: 'node', args: [long, `${long} ${script}`] };
    assert.deepEqual(await taken(machine, inHome('ws'), entry), [inHome('ws/x.js')]);
    assert.deepEqual(await taken(machine, inHome('ws'), { command: 'node', args: [long] }), []);
  });

  itOnPosix('SEC-01: a yes counts for the workspace that was shown', async () => {
    const memory = new FakeMemory();
    const entry = { command: 'npx', args: filesystem };
    const first = starting(machine, inHome('ws'), entry, memory);
    await first.prepare();
    assert.equal(await first.readiness(), 'ready');
    const other = starting(machine, inHome('ws-2'), entry, memory);
    assert.equal(await other.readiness(), 'needsConsent');
  });
});

describe('What a server of the user takes out of a workspace on Windows', () => {
  const folder = 'C:\\Users\\u\\ws';
  const machine: Machine = {
    platform: 'win32',
    userHome: 'C:\\Users\\u',
    env: { Path: 'C:\\bin', PATHEXT: '.exe;.cmd' },
    readFile: assert.fail,
    digest: assert.fail,
    programs: {
      ...programsAt(['C:\\bin\\node.exe', 'C:\\bin\\tool.cmd'], undefined, {
        'C:\\bin\\tool.cmd': 'C:\\Users\\u\\ws\\tool.cmd',
        'C:\\link': folder,
      }),
      // Whoever looks there tells the other machine.
      linkAt: async (path) => (path.startsWith('\\\\') ? assert.fail(path) : undefined),
    },
  };
  const cases: readonly (readonly [readonly string[], ...string[]])[] = [
    [['node.exe', '${workspaceFolder}\\x.js'], '\\x.js'],
    [['node', 'c:/users/U/WS/x.js'], '\\x.js'],
    [['cmd', '/c', 'node "%USERPROFILE%\\ws\\x.js"'], '\\x.js'],
    [['pwsh', '-c', "& '${workspaceFolder}\\x.ps1'"], '\\x.ps1'],
    [['node', '--import', 'file:///C:/Users/u/ws/x.js'], '\\x.js'],
    [['node', '--import', 'file:///C:/Users/u/w%73/x.js'], '\\x.js'],
    [['wsl', 'node', '/mnt/c/Users/u/ws/x.js'], ''],
    [['node', '-e', "r('C:\\\\Users\\\\u\\\\ws\\\\x')"], '\\x'],
    [['node', 'ws\\x.js'], '\\x.js'],
    [['node', '\\\\h\\s\\x', '//h/s/x', 'C:\\Users\\u\\ws-2\\x.js']],
  ];
  for (const [[command, ...args], ...expected] of cases) {
    it(`SEC-01: ${[command, ...args].join(' ')}`, async () => {
      const paths = await taken(machine, folder, { command, args });
      assert.deepEqual(
        paths.map((path) => path.toLowerCase()),
        expected.map((end) => (folder + end).toLowerCase()),
      );
    });
  }

  it('SEC-01: a program by a link, and a path by one', async () => {
    assert.deepEqual(await taken(machine, folder, { command: 'tool' }), ['C:\\bin\\tool.cmd']);
    const entry = { command: 'node', args: ['C:\\link\\x.js'] };
    assert.deepEqual(await taken(machine, folder, entry), ['C:\\link\\x.js']);
  });
});
