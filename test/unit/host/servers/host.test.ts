import assert from 'node:assert/strict';
import type { ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import { featuresFor } from '../../../../src/host/servers/features.ts';
import { WorkspaceRoots } from '../../../../src/host/roots/workspaceRoots.ts';
import { McpHost } from '../../../../src/host/servers/host.ts';
import { fromModel, fromUser } from '../../../../src/host/requestOrigin.ts';
import { McpError } from '../../../../src/mcp/errors.ts';
import { gateAfter } from '../../../../src/host/launch/launchGate.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { type Question, QuestionQueue } from '../../../../src/host/questions/questionQueue.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeGate } from '../../../support/fakeGate.ts';
import { FakeLogs } from '../../../support/fakeLogs.ts';
import { FakeConnector, FakeSession, running, untilAborted } from '../../../support/fakeSession.ts';
import { FakeWorkspace } from '../../../support/fakeWorkspace.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const never = new AbortController().signal;

function auto(name: string, more: Partial<ServerConfig> = {}): ServerConfig {
  return stdioServer(name, { startup: 'auto', ...more });
}

function withCommand(server: ServerConfig, command: string): ServerConfig {
  return { ...server, launch: { kind: 'stdio', command, args: [], env: {} } };
}

class Setup {
  readonly gate = new FakeGate();
  readonly logs = new FakeLogs();
  readonly connector = new FakeConnector();
  readonly workspace: FakeWorkspace;
  readonly questions = new QuestionQueue();
  readonly #signedIn = new Emitter<string>();
  readonly needSignIn = new Emitter<string>();
  readonly #signingIn = new Set<string>();
  readonly host: McpHost;

  constructor(isTrusted = true, look?: () => Promise<void>) {
    this.workspace = new FakeWorkspace([], isTrusted);
    this.host = new McpHost({
      workspace: this.workspace,
      roots: new WorkspaceRoots(this.workspace),
      features: (server) => featuresFor(server, { roots: new WorkspaceRoots(this.workspace) }),
      gate: look === undefined ? this.gate : gateAfter(look, () => this.gate),
      connector: () => this.connector,
      questions: this.questions,
      signIns: {
        authorizerFor: () => undefined,
        isWaiting: (id) => this.#signingIn.has(id),
        onDidChange: this.#signedIn.event,
        onDidNeedSignIn: this.needSignIn.event,
      },
      logs: this.logs,
      log: this.logs.hostLog,
      clock: new FakeClock(),
    });
  }

  signIn(id: string): void {
    this.#signingIn.add(id);
    this.#signedIn.fire(id);
  }

  configure(...servers: readonly ServerConfig[]): void {
    this.host.reconcile({ servers, inputs: new Map(), problems: [] });
  }

  /** The commands that were run, in order. */
  get commands(): readonly string[] {
    return this.connector.requests.map(({ launch }) =>
      launch.kind === 'stdio' ? launch.command : launch.url,
    );
  }

  kinds(): readonly string[] {
    return [...this.host.servers.values()].map(({ config, state }) =>
      state.kind === 'stopped' && state.because !== undefined
        ? `${config.name}: ${state.because}`
        : `${config.name}: ${state.kind}`,
    );
  }

  async untilReady(...names: readonly string[]): Promise<void> {
    await waitUntil(`${names.join(', ')} to be ready`, () =>
      names.every((name) => this.kinds().includes(`${name}: ready`)),
    );
  }
}

describe('McpHost', () => {
  it('says what a start waits for: a question about it that is open, and its sign-in', async () => {
    const setup = new Setup();
    setup.gate.prepareWith = (_server, signal) => untilAborted(signal);
    setup.configure(auto('a'), auto('b'), auto('c'));
    await waitUntil('the starts', () => setup.gate.prepared.length === 3);
    const answer = deferred<boolean>();
    const ask = (id: string, more: Omit<Question, 'server' | 'serverId'>): Promise<unknown> =>
      setup.questions.run(
        { server: id, serverId: `user/${id}`, ...more },
        () => answer.promise,
        never,
      );
    const asked = [
      ask('a', { about: 'start', holdsUp: true }),
      ask('b', { about: 'input', holdsUp: true }),
      ask('c', { about: 'elicitation' }),
    ];
    const waits = (): unknown[] =>
      [...setup.host.servers.values()].map(
        ({ state }) => state.kind === 'starting' && state.waitsFor,
      );
    assert.deepEqual(waits(), ['consent', 'input', undefined]);
    setup.signIn('user/a');
    assert.deepEqual(waits(), ['signIn', 'input', undefined]);
    answer.resolve(true);
    await Promise.all(asked);
    assert.deepEqual(waits(), ['signIn', undefined, undefined]);
    setup.host.dispose();
  });

  it('tells of each request that begins, whichever session it is on', async () => {
    const setup = new Setup();
    setup.configure(auto('a'), auto('b'));
    await setup.untilReady('a', 'b');
    let begun = 0;
    setup.host.onDidRequest(() => begun++);
    const [a, b] = setup.connector.sessions;
    a?.begins?.();
    b?.begins?.();
    assert.equal(begun, 2);
    const [connection] = setup.host.servers.values();
    assert.equal(connection?.inFlight(), a?.inFlight);
    await connection?.restart();
    setup.connector.last.begins?.();
    assert.equal(begun, 3);
    await setup.host.stopAll();
    assert.equal(connection?.inFlight(), undefined);
    setup.host.dispose();
  });

  it('knows what the user has just asked of a server by hand', async () => {
    const setup = new Setup();
    setup.configure(auto('a'));
    await setup.untilReady('a');
    for (const [age, origin, isAsked] of [
      [100, fromUser, true],
      [100, fromModel, false],
      [5_000, fromUser, false],
    ] as const) {
      setup.connector.last.running = [running('tools/call', age, { origin })];
      assert.equal(setup.host.hasJustAsked('user/a', 3_000), isAsked);
    }
    setup.host.dispose();
  });

  it('stops a running server that needs a sign-in: without one all its requests fail', async () => {
    const setup = new Setup();
    setup.configure(auto('a'), auto('b'));
    await setup.untilReady('a', 'b');
    setup.needSignIn.fire('user/a');
    await turns();
    assert.deepEqual(setup.kinds(), ['a: signInNeeded', 'b: ready']);
    setup.host.dispose();
  });

  it('starts what is auto, all at the same time, and shows the rest', async () => {
    const setup = new Setup();
    let waiting = 0;
    setup.connector.open = () => {
      waiting += 1;
      return new Promise((resolve) => {
        void waitUntil('both', () => waiting === 2).then(() => resolve(new FakeSession()));
      });
    };
    setup.configure(
      auto('a'),
      auto('b'),
      stdioServer('m'),
      stdioServer('d', { startup: 'onDemand' }),
    );
    await setup.untilReady('a', 'b');
    assert.deepEqual(setup.kinds(), ['a: ready', 'b: ready', 'm: stopped', 'd: stopped']);
  });

  it('SEC-01: starts no entry that the first look at its file takes away or changes', async () => {
    const bare = auto('sandboxed');
    const kept = { ...bare, sandbox: { write: [], network: false } };
    const setup = new Setup(true, async () => {
      await turns();
      setup.configure(kept, auto('whole'));
    });
    const prepared: string[] = [];
    const prepareWith = setup.gate.prepareWith;
    setup.gate.prepareWith = (server, signal) => {
      prepared.push(`${server.name} ${server.sandbox === undefined ? 'bare' : 'kept in'}`);
      return prepareWith(server, signal);
    };
    setup.configure(bare, auto('half'), auto('whole'));
    const [, half] = setup.host.servers.values();
    assert.ok(half);
    await assert.rejects(half.start());
    await setup.untilReady('sandboxed', 'whole');
    assert.deepEqual(prepared.toSorted(), ['sandboxed kept in', 'whole bare']);
  });

  it('restarts only the server whose entry changed', async () => {
    const setup = new Setup();
    setup.configure(auto('a'), auto('b'));
    await setup.untilReady('a', 'b');
    const [, b] = [...setup.host.servers.values()];
    const changes: string[] = [];
    setup.host.onDidChangeServer((id) => changes.push(id));
    setup.configure(withCommand(auto('a'), 'a2'), auto('b'));
    await waitUntil('the restart', () => setup.commands.includes('a2'));
    await setup.untilReady('a', 'b');
    assert.deepEqual(setup.commands.toSorted(), ['a', 'a2', 'b']);
    assert.equal([...setup.host.servers.values()][1], b);
    assert.ok(!changes.includes('user/b'));
    assert.equal(setup.connector.sessions.filter(({ closes }) => closes > 0).length, 1);
  });

  it('changed inputs of its settings start a server again that lacked one, and leave others as they are', async () => {
    const setup = new Setup();
    const servers = [auto('lacking'), auto('waiting'), auto('running'), auto('broken')];
    const { prepareWith } = setup.gate;
    setup.gate.readinesses.set('user/waiting', 'needsInput');
    setup.gate.prepareWith = (server, signal) =>
      server.name === 'lacking' || server.name === 'broken'
        ? Promise.reject(
            new McpError(server.name === 'lacking' ? 'invalidConfig' : 'protocol', 'no'),
          )
        : prepareWith(server, signal);
    setup.configure(...servers);
    await setup.untilReady('running');
    const before = ['lacking: failed', 'waiting: inputNeeded', 'running: ready', 'broken: failed'];
    assert.deepEqual(setup.kinds(), before);
    setup.gate.readinesses.clear();
    setup.gate.prepareWith = prepareWith;
    setup.configure(...servers);
    await turns();
    assert.deepEqual(setup.kinds(), before);
    const input = { id: 'token', description: '', type: 'promptString', password: true } as const;
    for (const scope of ['workspace', 'user']) {
      assert.deepEqual(setup.kinds(), before);
      setup.host.reconcile({ servers, inputs: new Map([[scope, [input]]]), problems: [] });
      await turns();
    }
    await setup.untilReady('lacking', 'waiting');
    assert.equal(setup.kinds()[3], 'broken: failed');
    assert.deepEqual(setup.commands.toSorted(), ['lacking', 'running', 'waiting']);
  });

  it('an unchanged configuration changes nothing, whatever the order of its keys', async () => {
    const setup = new Setup();
    setup.configure(auto('a'));
    await setup.untilReady('a');
    let changes = 0;
    setup.host.onDidChangeServers(() => (changes += 1));
    const { startup, ...rest } = auto('a');
    setup.configure({ startup, ...rest });
    await turns();
    assert.equal(changes, 0);
    assert.equal(setup.commands.length, 1);
  });

  it('waits for the end of the old process before it starts the changed one', async () => {
    const setup = new Setup();
    setup.configure(auto('a'));
    await setup.untilReady('a');
    let close: (() => void) | undefined;
    setup.connector.last.close = () =>
      new Promise((resolve) => {
        close = resolve;
      });
    setup.configure(withCommand(auto('a'), 'a2'));
    setup.configure(withCommand(auto('a'), 'a3'));
    await turns();
    assert.deepEqual(setup.commands, ['a']);
    close?.();
    await setup.untilReady('a');
    assert.deepEqual(setup.commands, ['a', 'a3']);
  });

  it('restarts a manual server that was running when its entry changed, and no other', async () => {
    const setup = new Setup();
    setup.configure(stdioServer('m'), stdioServer('n'));
    await setup.host.servers.get('user/m')?.start();
    setup.configure(withCommand(stdioServer('m'), 'm2'), withCommand(stdioServer('n'), 'n2'));
    await setup.untilReady('m');
    assert.deepEqual(setup.commands, ['m', 'm2']);
    assert.deepEqual(setup.kinds(), ['m: ready', 'n: stopped']);
  });

  it('stops a server that was removed, disabled or hidden', async () => {
    const setup = new Setup();
    setup.configure(auto('a'), auto('b'), auto('c'));
    await setup.untilReady('a', 'b', 'c');
    setup.configure(
      auto('b', { isEnabled: false }),
      auto('c', { hiddenBy: { kind: 'workspace' } }),
    );
    assert.deepEqual(setup.kinds(), ['b: disabled', 'c: hidden']);
    await waitUntil('the ends', () => setup.connector.sessions.every(({ closes }) => closes === 1));
    assert.deepEqual(setup.logs.closed, ['user/a']);
    setup.configure(auto('b'), auto('c'));
    await setup.untilReady('b', 'c');
  });

  it('asks nobody at start: a server that needs consent or a value says so', async () => {
    const setup = new Setup();
    setup.gate.readinesses.set('user/a', 'needsConsent').set('user/b', 'needsInput');
    setup.configure(auto('a'), auto('b'), auto('c'));
    await setup.untilReady('c');
    await waitUntil('the reasons', () => setup.kinds()[1] === 'b: inputNeeded');
    assert.deepEqual(setup.kinds(), ['a: consentNeeded', 'b: inputNeeded', 'c: ready']);
    assert.deepEqual(setup.gate.prepared, ['user/c']);
  });

  it('a use waits for an automatic start that is being decided', async () => {
    const setup = new Setup();
    setup.gate.readinesses.set('user/b', 'needsConsent');
    setup.configure(auto('a'), auto('b'));
    const uses = [...setup.host.servers.values()].map((connection) =>
      connection.withSession(async () => 'used', never),
    );
    assert.equal(await uses[0], 'used');
    await assert.rejects(uses[1] ?? assert.fail(), /"b" is not running/);
  });

  it('starts a server for whoever must not ask the user, or says what is missing', async () => {
    const setup = new Setup();
    setup.configure(stdioServer('a'), stdioServer('b'), stdioServer('off', { isEnabled: false }));
    setup.gate.readinesses.set('user/b', 'needsConsent');
    assert.equal(await setup.host.startUnasked('user/a'), true);
    assert.equal(await setup.host.startUnasked('user/b'), false);
    assert.equal(await setup.host.startUnasked('user/off'), false);
    assert.equal(await setup.host.startUnasked('user/none'), false);
    assert.deepEqual(setup.kinds(), ['a: ready', 'b: consentNeeded', 'off: disabled']);
    assert.deepEqual(setup.gate.prepared, ['user/a']);
  });

  it('starts nothing in Restricted Mode, and what is auto once trust is granted', async () => {
    const setup = new Setup(false);
    setup.configure(auto('a'), stdioServer('m'), auto('off', { isEnabled: false }));
    await turns();
    assert.deepEqual(setup.kinds(), ['a: restricted', 'm: restricted', 'off: disabled']);
    await assert.rejects(setup.host.servers.get('user/m')?.start() ?? Promise.resolve());
    assert.deepEqual(setup.gate.prepared, []);
    setup.workspace.grantTrust();
    await setup.untilReady('a');
    assert.deepEqual(setup.kinds(), ['a: ready', 'm: stopped', 'off: disabled']);
  });

  it('one server that fails keeps no other from running', async () => {
    const setup = new Setup();
    setup.connector.open = ({ launch }) => {
      if (launch.kind === 'stdio' && launch.command === 'bad') {
        throw new TypeError('unforeseen');
      }
      return new FakeSession();
    };
    setup.configure(auto('bad'), auto('good'));
    await setup.untilReady('good');
    await waitUntil('the failure', () => setup.kinds().includes('bad: failed'));
  });

  it('tells of every change: of the set, of a state, of a list', async () => {
    const setup = new Setup();
    const events: string[] = [];
    setup.host.onDidChangeServers(() => events.push(`set of ${setup.host.servers.size}`));
    setup.host.onDidChangeServer((id) => {
      const connection = setup.host.servers.get(id);
      events.push(`${connection?.state.kind} ${connection?.catalog.items('tools').length}`);
    });
    setup.connector.open = () =>
      new FakeSession(
        { tools: {} },
        { 'tools/list': () => ({ tools: [{ name: 't', inputSchema: {} }] }) },
      );
    setup.configure(auto('a'));
    await waitUntil('the tool', () => events.at(-1) === 'ready 1');
    assert.deepEqual(events, ['set of 1', 'starting 0', 'ready 0', 'ready 0', 'ready 1']);
  });

  it('stops all, keeping the reasons of those that do not run anyway', async () => {
    const setup = new Setup();
    setup.configure(auto('a'), auto('b'), auto('off', { isEnabled: false }));
    await setup.untilReady('a', 'b');
    await setup.host.stopAll();
    assert.deepEqual(setup.kinds(), ['a: stopped', 'b: stopped', 'off: disabled']);
  });

  it('close waits for the end of every server, but not beyond its limit', async () => {
    const setup = new Setup();
    setup.configure(auto('a'));
    await setup.untilReady('a');
    const { last } = setup.connector;
    await setup.host.close(60_000);
    assert.equal(last.closes, 1);
    assert.equal(setup.host.servers.size, 0);
    assert.equal(setup.workspace.hasListeners, false);

    const stuck = new Setup();
    stuck.configure(auto('a'));
    await stuck.untilReady('a');
    stuck.connector.last.close = () => new Promise(() => undefined);
    await stuck.host.close(20);
  });
});
