import type { WorkspaceFolder } from '../../../../src/host/config/workspace.ts';
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { noEvent } from '../../../../src/base/event.ts';
import { programsAt } from '../../../support/programs.ts';
import type { Environment } from '../../../../src/host/config/environment.ts';
import type { Programs } from '../../../../src/host/launch/launchContext.ts';
import { InputValues } from '../../../../src/host/launch/inputs.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { bubblewrapFiles } from '../../../../src/host/launch/sandbox.ts';
import type { ConfigScope, ManagedAccess } from '../../../../src/host/config/serverConfig.ts';
import type { LaunchDescription } from '../../../../src/host/launch/launchDescription.ts';
import { LaunchPreparation } from '../../../../src/host/launch/launchPreparation.ts';
import { StartConsent } from '../../../../src/host/launch/startConsent.ts';
import { WorkspaceRoots } from '../../../../src/host/roots/workspaceRoots.ts';

const signal = new AbortController().signal;

const anything: ManagedAccess = {
  access: 'all',
  allowedServers: null,
  deniedServers: null,
  allowManagedServersOnly: false,
};

interface Options {
  readonly entry: object;
  readonly scope?: ConfigScope;
  readonly allow?: boolean;
  readonly answer?: string;
  readonly files?: Record<string, string>;
  readonly programs?: Programs;
  readonly env?: Environment;
  readonly folders?: readonly WorkspaceFolder[];
  readonly access?: Partial<ManagedAccess>;
  readonly onAsk?: (description: LaunchDescription) => void;
}

function harness({ entry, scope = { kind: 'workspace' }, allow = true, ...options }: Options) {
  const config = parseConfig([
    {
      scope,
      servers: { srv: entry },
      inputs: [{ id: 'pass', type: 'promptString', password: true }],
    },
  ]);
  const [server] = config.servers;
  assert.ok(server);
  const events: string[] = [];
  const secrets = new Map<string, string>();
  const kept = new Map<string, unknown>();
  const workspace = {
    isTrusted: true,
    folders: options.folders ?? [{ uri: 'file:///w/a', name: 'a', path: '/w/a' }],
    onDidGrantTrust: noEvent,
    onDidChangeFolders: noEvent,
    ...(options.access && { access: { ...anything, ...options.access } }),
  };
  const consent = new StartConsent(
    workspace,
    {
      confirmStart: async (description) => {
        events.push('consent');
        options.onAsk?.(description);
        return allow;
      },
    },
    { get: (key) => kept.get(key), set: async (key, value) => void kept.set(key, value) },
  );
  const inputs = new InputValues(
    {
      get: async (key) => secrets.get(key),
      set: async (key, value) => void secrets.set(key, value),
      delete: async (key) => void secrets.delete(key),
      keys: async () => [...secrets.keys()],
    },
    {
      ask: async (_server, { id }) => {
        events.push(`input ${id}`);
        return options.answer;
      },
    },
    'w1',
  );
  const preparation = new LaunchPreparation({
    workspace,
    roots: new WorkspaceRoots(workspace),
    machine: {
      programs: options.programs ?? programsAt(bubblewrapFiles),
      platform: 'posix',
      userHome: '/home/u',
      env: options.env ?? {},
      readFile: async (path) => {
        events.push(`read ${path}`);
        const text = options.files?.[path];
        if (text === undefined) {
          throw new Error('ENOENT');
        }
        return text;
      },
    },
    inputs,
    consent,
    config: () => config,
    system: 'linux',
  });
  return { preparation, server, events, workspace, secrets };
}

describe('LaunchPreparation', () => {
  it('asks for consent first, then for inputs, then resolves', async () => {
    const { preparation, server, events } = harness({
      entry: { command: 'x', args: ['${input:pass}'] },
      answer: 'abc',
    });
    assert.equal(await preparation.readiness(server), 'needsConsent');
    const { launch, secrets } = await preparation.prepare(server, signal);
    assert.ok(launch.kind === 'stdio');
    assert.deepEqual(launch.args, ['abc']);
    assert.deepEqual(secrets, ['abc']);
    assert.deepEqual(events, ['consent', 'input pass']);
    assert.equal(await preparation.readiness(server), 'ready');
    await preparation.prepare(server, signal);
    assert.equal(events.length, 2);
  });

  for (const access of [
    { access: 'none' },
    { access: 'registry' },
    { allowManagedServersOnly: true },
    { allowedServers: [{ serverName: 'other' }] },
    { deniedServers: [{ serverName: 'srv' }] },
    { deniedServers: [{ serverCommand: ['x'] }] },
  ]) {
    it(`HOST-05: holds a start of what is not saved, too, to ${JSON.stringify(access)}`, async () => {
      const { preparation, server } = harness({ entry: { command: 'x' }, access });
      await assert.rejects(preparation.prepare(server, signal), { code: 'denied' });
    });
  }

  it('ROOT-05: names the folders that the server is told of, and none that cannot be reached', async () => {
    const shown: string[] = [];
    const { preparation, server } = harness({
      entry: { command: 'x' },
      folders: [
        { uri: 'file:///here', name: 'here', path: tmpdir() },
        { uri: 'file:///gone', name: 'gone', path: join(tmpdir(), 'gone', 'for ever') },
      ],
      onAsk: ({ facts }) => {
        shown.push(...facts.filter(({ label }) => label === 'roots').map(({ value }) => value));
      },
    });
    await preparation.prepare(server, signal);
    assert.deepEqual(shown, [`here (${tmpdir()})`]);
  });

  it('SEC-02: for a debugger, asks about the changed command line once, and takes a port of its own each time', async () => {
    const shown: string[] = [];
    const { preparation, server, events } = harness({
      entry: { command: 'node', args: ['server.js'], dev: { debug: { type: 'node' } } },
      onAsk: (description) => {
        shown.push(...description.facts.map(({ label, value }) => `${label} ${value}`));
      },
    });
    for (let start = 0; start < 2; start += 1) {
      const { launch, debug } = await preparation.prepare(server, signal);
      assert.ok(launch.kind === 'stdio' && debug?.type === 'node');
      assert.deepEqual(launch.args, [`--inspect=127.0.0.1:${debug.port}`, 'server.js']);
    }
    assert.deepEqual(events, ['consent']);
    assert.deepEqual(shown.slice(0, 3), [
      'command node',
      'argument --inspect=127.0.0.1:<any free port>',
      'argument server.js',
    ]);
  });

  it('SEC-02: shows the command line of a sandbox, and asks again when the sandbox goes', async () => {
    const shown: string[] = [];
    const entry = { command: 'x', args: ['a'], sandbox: { write: ['${workspaceFolder}/n'] } };
    const { preparation, server, events } = harness({
      entry,
      onAsk: (description) => {
        shown.push(...description.facts.map(({ label, value }) => `${label} ${value}`));
      },
    });
    const { launch } = await preparation.prepare(server, signal);
    assert.ok(launch.kind === 'stdio');
    assert.match(launch.command, /^\/.*\/bwrap$/u);
    assert.deepEqual(launch.args.slice(-3), ['--', 'x', 'a']);
    const bind = launch.args.indexOf('--bind');
    assert.deepEqual(launch.args.slice(bind, bind + 3), ['--bind', '/w/a/n', '/w/a/n']);
    assert.equal(shown[0], `command ${launch.command}`);
    assert.ok(shown.includes('argument /w/a/n') && shown.includes('argument --unshare-all'));
    const { sandbox: _sandbox, ...bare } = server;
    await preparation.prepare(bare, signal);
    assert.deepEqual(events, ['consent', 'consent']);
    const inspected = await preparation.inspect(server);
    assert.ok(inspected.launch.kind === 'stdio');
    assert.equal(inspected.launch.command, launch.command);
  });

  it('asks for no input and keeps none when the consent is refused', async () => {
    const { preparation, server, events, secrets } = harness({
      entry: { command: 'x', args: ['${input:pass}'] },
      allow: false,
    });
    await assert.rejects(preparation.prepare(server, signal), { code: 'denied' });
    assert.deepEqual(events, ['consent']);
    assert.equal(secrets.size, 0);
  });

  it('runs with the envFile that was consented to, even if it changes while the dialog is open', async () => {
    const files: Record<string, string> = { '/w/a/.env': 'A=asked' };
    const { preparation, server, events } = harness({
      entry: { command: 'x', envFile: '.env' },
      files,
      onAsk: () => {
        files['/w/a/.env'] = 'A=changed';
      },
    });
    const { launch } = await preparation.prepare(server, signal);
    assert.ok(launch.kind === 'stdio');
    assert.equal(launch.env['A'], 'asked');
    assert.deepEqual(events, ['read /w/a/.env', 'consent']);
    assert.equal(await preparation.readiness(server), 'needsConsent');
  });

  it('says that an input is missing, before anybody is asked', async () => {
    const entry = { command: 'x', args: ['${input:pass}'] };
    const { preparation, server, events } = harness({
      entry,
      scope: { kind: 'user' },
      answer: 'a',
    });
    assert.equal(await preparation.readiness(server), 'needsInput');
    assert.deepEqual(events, []);
    await preparation.prepare(server, signal);
    assert.equal(await preparation.readiness(server), 'ready');
  });

  it('asks about no server of the user, but finds its faults before it asks for inputs', async () => {
    const fine = harness({ entry: { command: 'x' }, scope: { kind: 'user' } });
    assert.equal(await fine.preparation.readiness(fine.server), 'ready');
    await fine.preparation.prepare(fine.server, signal);
    assert.deepEqual(fine.events, []);
    const faulty = harness({
      entry: { command: 'x', args: ['${input:pass}', '${nope}'] },
      scope: { kind: 'user' },
      answer: 'abc',
    });
    await assert.rejects(faulty.preparation.readiness(faulty.server), { code: 'invalidConfig' });
    await assert.rejects(faulty.preparation.prepare(faulty.server, signal), {
      code: 'invalidConfig',
    });
    assert.deepEqual(faulty.events, []);
  });

  it('SEC-01: a server of the user starts at home, and is asked about in a workspace that it runs something of', async () => {
    const shown: LaunchDescription[] = [];
    const start = (entry: object) =>
      harness({
        entry,
        scope: { kind: 'user' },
        answer: 'abc',
        onAsk: (description) => void shown.push(description),
        programs: programsAt(['/usr/bin/npx', '/w/a/node_modules/.bin/npx']),
        env: { PATH: '/usr/bin' },
      });
    const home = start({ command: 'npx', args: ['-y', 'mcp-files', '~/notes'] });
    const { launch } = await home.preparation.prepare(home.server, signal);
    assert.ok(launch.kind === 'stdio');
    assert.equal(launch.cwd, '/home/u');
    assert.deepEqual(home.events, []);
    const entry = {
      command: 'npx',
      args: ['-y', 'x'],
      cwd: '${workspaceFolder}',
      env: { PATH: '${workspaceFolder}/node_modules/.bin', KEY: '${input:pass}' },
    };
    const inside = start(entry);
    assert.equal(await inside.preparation.readiness(inside.server), 'needsConsent');
    await inside.preparation.prepare(inside.server, signal);
    assert.deepEqual(inside.events, ['input pass', 'consent']);
    const [description] = shown;
    const taken = ['/w/a', '/w/a/node_modules/.bin/npx', '/w/a/node_modules/.bin'];
    assert.deepEqual(
      description?.risks.slice(0, 3),
      taken.map((text) => ({ kind: 'workspace', what: 'taken', text })),
    );
    assert.equal(await inside.preparation.readiness(inside.server), 'ready');
    await inside.preparation.prepare(inside.server, signal);
    assert.equal(shown.length, 1);
  });

  it('SEC-01: asks once more when a link leads elsewhere while the question is open', async () => {
    const links: Record<string, string> = { '/w/a/run.sh': 'one.sh' };
    const shown: string[] = [];
    const { preparation, server } = harness({
      entry: { command: './run.sh' },
      programs: programsAt([], undefined, links),
      onAsk: ({ facts }) => {
        shown.push(...facts.filter(({ label }) => label === 'link').map(({ value }) => value));
        links['/w/a/run.sh'] = 'two.sh';
      },
    });
    await preparation.prepare(server, signal);
    assert.deepEqual(shown, ['/w/a/run.sh → /w/a/one.sh', '/w/a/run.sh → /w/a/two.sh']);
    links['/w/a/run.sh'] = '/tmp/three.sh';
    assert.equal(await preparation.readiness(server), 'needsConsent');
  });

  it('SEC-01: opens a file outside of the workspace after the yes, and asks again when it changes', async () => {
    const files: Record<string, string> = { '/etc/x.env': 'A=1' };
    const { preparation, server, events } = harness({
      entry: { command: 'x', envFile: '/etc/x.env' },
      files,
    });
    assert.equal(await preparation.readiness(server), 'needsConsent');
    assert.deepEqual(events, []);
    await preparation.prepare(server, signal);
    assert.deepEqual(events, ['consent', 'read /etc/x.env']);
    assert.equal(await preparation.readiness(server), 'ready');
    files['/etc/x.env'] = 'LD_PRELOAD=/tmp/x.so';
    assert.equal(await preparation.readiness(server), 'needsConsent');
    events.length = 0;
    await preparation.prepare(server, signal);
    assert.deepEqual(events, ['read /etc/x.env', 'consent']);
    assert.equal(await preparation.readiness(server), 'ready');
  });

  it('SEC-02: asks once more when a file that was opened after the yes has something risky in it', async () => {
    const shown: string[] = [];
    const { preparation, server } = harness({
      entry: { command: 'x', envFile: '/etc/x.env' },
      files: { '/etc/x.env': 'NODE_OPTIONS=--require=/tmp/x.js' },
      onAsk: ({ risks }) => void shown.push(risks.map(({ kind }) => kind).join()),
    });
    await preparation.prepare(server, signal);
    assert.deepEqual(shown, ['pathOutsideFolder', 'loaderVariable,pathOutsideFolder']);
  });

  it('asks about no entry that cannot be used: it fails with the reason', async () => {
    const { preparation, server, events } = harness({ entry: { command: 'x', envFile: 'no.env' } });
    await assert.rejects(preparation.readiness(server), { code: 'invalidConfig' });
    await assert.rejects(preparation.prepare(server, signal), {
      code: 'invalidConfig',
      message: /no\.env/u,
    });
    assert.ok(!events.includes('consent'));
  });

  it('does nothing in Restricted Mode', async () => {
    for (const scope of [{ kind: 'user' }, { kind: 'workspace' }] as const) {
      const { preparation, server, events, workspace } = harness({
        entry: { command: 'x', envFile: '.env', args: ['${input:pass}'] },
        scope,
        files: { '/w/a/.env': '' },
      });
      workspace.isTrusted = false;
      assert.equal(await preparation.readiness(server), 'restricted');
      await assert.rejects(preparation.prepare(server, signal), { code: 'denied' });
      assert.deepEqual(events, []);
    }
  });

  it('is cancelled when the question for an input is closed', async () => {
    const { preparation, server } = harness({ entry: { url: 'http://h/${input:pass}' } });
    await assert.rejects(preparation.prepare(server, signal), { code: 'cancelled' });
  });
});
