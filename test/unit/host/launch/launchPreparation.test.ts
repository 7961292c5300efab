import assert from 'node:assert/strict';
import { FakeMemory } from '../../../support/fakeApprovals.ts';
import { FakeWorkspace } from '../../../support/fakeWorkspace.ts';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { folder, machineWith } from '../../../support/launches.ts';
import { preparing, started } from '../../../support/preparation.ts';
import { programsAt } from '../../../support/programs.ts';
import { WorkspaceRoots } from '../../../../src/host/roots/workspaceRoots.ts';
import { bubblewrapFiles } from '../../../../src/host/launch/sandbox.ts';

const machine = machineWith({ programs: programsAt(bubblewrapFiles) });
const user = { kind: 'user' } as const;

describe('LaunchPreparation', () => {
  it('asks for consent first, then for inputs, then resolves', async () => {
    const entry = { command: 'x', args: ['${input:word}'] };
    const { prepare, readiness, events } = preparing(entry, { machine, answer: 'abc' });
    assert.equal(await readiness(), 'needsConsent');
    const resolution = await prepare();
    assert.deepEqual(started(resolution).args, ['abc']);
    assert.deepEqual(resolution.secrets, ['abc']);
    assert.deepEqual(events, ['consent', 'input word']);
    assert.equal(await readiness(), 'ready');
    await prepare();
    assert.equal(events.length, 2);
  });

  it('asks for all inputs together, also for those of the debugger', async () => {
    const debug = { type: 'debugpy', debugpyPath: '/opt/${input:version}' };
    const entry = { command: 'python', args: ['${input:word}'], dev: { debug } };
    const inputs = [{ id: 'version', type: 'promptString' }];
    const { prepare, readiness, events } = preparing(entry, {
      machine,
      scope: user,
      inputs,
      answer: 'a',
    });
    assert.equal(await readiness(), 'needsInput');
    await prepare();
    assert.deepEqual(events, ['input version', 'input word, or back']);
  });

  it('asks for an input of the command in whose place a debugger runs', async () => {
    const debug = { type: 'debugpy', debugpyPath: '/opt/debugpy' };
    const entry = { command: '${input:word}', dev: { debug } };
    const { prepare, readiness, events } = preparing(entry, { machine, scope: user, answer: 'a' });
    assert.equal(await readiness(), 'needsInput');
    await prepare();
    assert.deepEqual(events, ['input word']);
  });

  for (const access of [{ access: 'none' }, { deniedServers: [{ serverCommand: ['x'] }] }]) {
    it(`HOST-05: holds a start of what is not saved, too, to ${JSON.stringify(access)}`, async () => {
      for (const entry of [{ command: 'x' }, { command: 'x', sandbox: true }]) {
        const { prepare } = preparing(entry, { machine, access });
        await assert.rejects(prepare(), { code: 'forbidden' });
      }
    });
  }

  it('ROOT-05, ROOT-06, SEC-01: names all folders that the server may be told of, and looks at none of them', async () => {
    const looked: string[] = [];
    const look = async (path: string): Promise<void> => void looked.push(path);
    const paths = [resolve('/net/elsewhere.example/share'), join(homedir(), '.ssh')];
    const { prepare, readiness, facts } = preparing(
      { command: 'x', roots: ['/net/elsewhere.example/share', '~/.ssh'] },
      { machine, roots: new WorkspaceRoots(new FakeWorkspace([folder]), { look }) },
    );
    assert.equal(await readiness(), 'needsConsent');
    await prepare();
    const named = [`a (${folder.path})`, `share (${paths[0]})`, `.ssh (${paths[1]})`];
    assert.deepEqual(facts('roots'), named);
    assert.equal(await readiness(), 'ready');
    assert.deepEqual(looked, []);
  });

  it('SEC-02: for a debugger, asks about the changed command line once, and takes a port of its own each time', async () => {
    const entry = { command: 'node', args: ['server.js'], dev: { debug: { type: 'node' } } };
    const { prepare, events, facts } = preparing(entry, { machine });
    for (let start = 0; start < 2; start += 1) {
      const resolution = await prepare();
      const port = resolution.debug?.port;
      assert.deepEqual(started(resolution).args, [`--inspect=127.0.0.1:${port}`, 'server.js']);
    }
    assert.deepEqual(events, ['consent']);
    assert.deepEqual(facts('argument'), ['--inspect=127.0.0.1:<any free port>', 'server.js']);
  });

  it('SEC-02: shows the command line of a sandbox, warns of what is inside, and asks again when the sandbox goes', async () => {
    const write = ['${workspaceFolder}/n', '~/b'];
    const entry = { command: 'x', args: ['/a'], sandbox: { write } };
    const { preparation, prepare, server, events, facts, shown } = preparing(entry, { machine });
    const launch = started(await prepare());
    assert.match(launch.command, /^\/.*\/bwrap$/u);
    assert.deepEqual(launch.args.slice(-3), ['--', 'x', '/a']);
    assert.match(launch.args.join(' '), / --bind \/w\/a\/n \/w\/a\/n /u);
    assert.deepEqual([...facts('command'), ...facts('argument')], [launch.command, ...launch.args]);
    assert.deepEqual(shown[0]?.risks, [
      { kind: 'pathOutsideFolder', field: 'argument', path: '/a' },
      { kind: 'pathOutsideFolder', field: 'sandbox', path: '/home/u/b' },
    ]);
    const { sandbox: _sandbox, ...bare } = server;
    await preparation.prepare(bare, new AbortController().signal);
    assert.deepEqual(events, ['consent', 'consent']);
    assert.equal(started(await preparation.inspect(server)).command, launch.command);
  });

  for (const entry of [
    { url: 'https://${input:word}/mcp' },
    { url: '${input:word}' },
    { url: 'https://a.example/mcp', proxy: 'http://${input:word}:8080' },
    { command: 'x', envFile: '${input:word}' },
  ]) {
    it(`HOST-14: lacks the input of ${JSON.stringify(entry)}, and asks for nothing by itself`, async () => {
      const scope = { kind: 'user' } as const;
      const { readiness, events } = preparing(entry, { machine, scope });
      assert.equal(await readiness(), 'needsInput');
      assert.deepEqual(
        events.filter((event) => !event.startsWith('read')),
        [],
      );
    });
  }

  it('asks for no input and keeps none when the consent is refused', async () => {
    const entry = { command: 'x', args: ['${input:word}'] };
    const { prepare, events, secrets } = preparing(entry, { machine, allow: false });
    await assert.rejects(prepare(), { code: 'denied' });
    assert.deepEqual(events, ['consent']);
    assert.equal(secrets.size, 0);
  });

  it('runs with the envFile that was consented to, even if it changes while the dialog is open', async () => {
    const files = { '/w/a/.env': 'A=asked' };
    const { prepare, readiness, events } = preparing(
      { command: 'x', envFile: '.env' },
      { machine: machineWith({ files }), onAsk: () => void (files['/w/a/.env'] = 'A=changed') },
    );
    assert.equal(started(await prepare()).env['A'], 'asked');
    assert.deepEqual(events, ['read /w/a/.env', 'consent']);
    assert.equal(await readiness(), 'needsConsent');
  });

  it('SEC-01: connects to the host that was consented to, even if its variable changes while the dialog is open', async () => {
    const env = { HOST: 'asked.example' };
    const { prepare, facts } = preparing(
      { url: 'https://${env:HOST}/mcp' },
      { machine: machineWith({ env }), onAsk: () => void (env.HOST = 'changed.example') },
    );
    const { launch } = await prepare();
    assert.equal(launch.kind === 'http' && launch.url, 'https://asked.example/mcp');
    assert.deepEqual(facts('url'), ['https://asked.example/mcp']);
  });

  it('says that an input is missing, before anybody is asked', async () => {
    const entry = { command: 'x', args: ['${input:word}'] };
    const { prepare, readiness, events } = preparing(entry, { machine, scope: user, answer: 'a' });
    assert.equal(await readiness(), 'needsInput');
    assert.deepEqual(events, []);
    await prepare();
    assert.equal(await readiness(), 'ready');
  });

  it('asks about no server of the user, but finds its faults before it asks for inputs', async () => {
    const fine = preparing({ command: 'x' }, { machine, scope: user });
    assert.equal(await fine.readiness(), 'ready');
    await fine.prepare();
    const entry = { command: 'x', args: ['${input:word}', '${nope}'] };
    const faulty = preparing(entry, { machine, scope: user, answer: 'abc' });
    await assert.rejects(faulty.readiness(), { code: 'invalidConfig' });
    await assert.rejects(faulty.prepare(), { code: 'invalidConfig' });
    assert.deepEqual([...fine.events, ...faulty.events], []);
  });

  it('SEC-01: a server of the user starts at home, and is asked about in a workspace that it runs something of', async () => {
    const programs = programsAt(['/usr/bin/npx', '/w/a/node_modules/.bin/npx']);
    const options = {
      machine: machineWith({ programs, env: { PATH: '/usr/bin' } }),
      scope: user,
      answer: 'abc',
    };
    const home = preparing({ command: 'npx', args: ['-y', 'mcp-files', '~/notes'] }, options);
    assert.equal(started(await home.prepare()).cwd, '/home/u');
    assert.deepEqual(home.events, []);
    const entry = {
      command: 'npx',
      args: ['-y', 'x'],
      cwd: '${workspaceFolder}',
      env: { PATH: '${workspaceFolder}/node_modules/.bin', KEY: '${input:word}' },
    };
    const inside = preparing(entry, options);
    assert.equal(await inside.readiness(), 'needsConsent');
    const debug = { type: 'debugpy', debugpyPath: '${workspaceFolder}/debugpy' };
    const debugged = preparing({ command: 'python', dev: { debug } }, options);
    assert.equal(await debugged.readiness(), 'needsConsent');
    await inside.prepare();
    assert.deepEqual(inside.events, ['input word', 'consent']);
    const taken = ['/w/a', '/w/a/node_modules/.bin/npx', '/w/a/node_modules/.bin'];
    assert.deepEqual(
      inside.shown[0]?.risks.slice(0, 3),
      taken.map((text) => ({ kind: 'workspace', what: 'taken', text })),
    );
    assert.equal(await inside.readiness(), 'ready');
    await inside.prepare();
    assert.equal(inside.shown.length, 1);
  });

  it('SEC-01: asks once more when a link leads elsewhere while the question is open', async () => {
    const links = { '/w/a/run.sh': 'one.sh' };
    const { prepare, readiness, facts } = preparing(
      { command: './run.sh' },
      {
        machine: machineWith({ programs: programsAt([], undefined, links) }),
        onAsk: () => void (links['/w/a/run.sh'] = 'two.sh'),
      },
    );
    await prepare();
    const shown = ['/w/a/run.sh → /w/a/one.sh', '/w/a/run.sh → /w/a/two.sh'];
    assert.deepEqual(facts('link'), shown);
    links['/w/a/run.sh'] = '/tmp/three.sh';
    assert.equal(await readiness(), 'needsConsent');
  });

  for (const [question, meanwhile, asked] of [
    ['the question', 'onAsk', ['consent', 'consent', 'input word']],
    ['a question for an input', 'onAskInput', ['consent', 'input word', 'consent']],
  ] as const) {
    it(`SEC-01: asks once more when a pinned file changes while ${question} is open`, async () => {
      const files = { '/w/a/server.js': 'good' };
      const { prepare, readiness, events } = preparing(
        { command: 'node', args: ['server.js', '${input:word}'], pinFiles: true },
        {
          machine: machineWith({ files, programs: programsAt(['/w/a/server.js']) }),
          answer: 'x',
          [meanwhile]: () => void (files['/w/a/server.js'] = 'evil'),
        },
      );
      await prepare();
      assert.deepEqual(events, asked);
      assert.equal(await readiness(), 'ready');
    });
  }

  it('asks once, although the answer is kept nowhere', async () => {
    const memory = Object.assign(new FakeMemory(), { set: async () => undefined });
    const entry = { command: 'x', args: ['${input:word}'] };
    const { prepare, events } = preparing(entry, { machine, memory, answer: 'a' });
    await prepare();
    assert.deepEqual(events, ['consent', 'input word']);
  });

  it('SEC-01: opens a file outside of the workspace after the yes, and asks again when it changes', async () => {
    const files = { '/etc/x.env': 'A=1' };
    const entry = { command: 'x', envFile: '/etc/x.env' };
    const { prepare, readiness, events } = preparing(entry, { machine: machineWith({ files }) });
    assert.equal(await readiness(), 'needsConsent');
    assert.deepEqual(events, []);
    await prepare();
    assert.deepEqual(events, ['consent', 'read /etc/x.env']);
    assert.equal(await readiness(), 'ready');
    files['/etc/x.env'] = 'A=2';
    assert.equal(await readiness(), 'needsConsent');
    events.length = 0;
    await prepare();
    assert.deepEqual(events, ['read /etc/x.env', 'consent']);
    assert.equal(await readiness(), 'ready');
  });

  it('SEC-02: asks once more when a file that was opened after the yes has something risky in it', async () => {
    const files = { '/etc/x.env': 'NODE_OPTIONS=--require=/tmp/x.js' };
    const entry = { command: 'x', envFile: '/etc/x.env' };
    const { prepare, shown } = preparing(entry, { machine: machineWith({ files }) });
    await prepare();
    assert.deepEqual(
      shown.map(({ risks }) => risks.map(({ kind }) => kind).join()),
      ['pathOutsideFolder', 'loaderVariable,pathOutsideFolder'],
    );
  });

  it('asks about no entry that cannot be used: it fails with the reason', async () => {
    const { prepare, readiness, shown } = preparing(
      { command: 'x', envFile: 'no.env' },
      { machine },
    );
    await assert.rejects(readiness(), { code: 'invalidConfig' });
    await assert.rejects(prepare(), { code: 'invalidConfig', message: /no\.env/u });
    assert.deepEqual(shown, []);
  });

  it('does nothing in Restricted Mode', async () => {
    for (const scope of [user, { kind: 'workspace' }] as const) {
      const entry = { command: 'x', envFile: '.env', args: ['${input:word}'] };
      const restricted = preparing(entry, { machine, scope });
      restricted.workspace.isTrusted = false;
      assert.equal(await restricted.readiness(), 'restricted');
      await assert.rejects(restricted.prepare(), { code: 'denied' });
      assert.deepEqual(restricted.events, []);
    }
  });

  it('VSC-01: starts no server of the user when trust is gone by the time of an answer', async () => {
    const entry = { command: 'x', args: ['${input:word}'] };
    const { prepare, workspace } = preparing(entry, {
      machine,
      scope: user,
      answer: 'abc',
      onAskInput: () => void (workspace.isTrusted = false),
    });
    await assert.rejects(prepare(), { code: 'denied' });
  });

  it('is cancelled when the question for an input is closed', async () => {
    const { prepare } = preparing({ url: 'http://h/${input:word}' }, { machine });
    await assert.rejects(prepare(), { code: 'cancelled' });
  });
});
