import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import { featuresFor } from '../../../../src/host/servers/features.ts';
import { WorkspaceRoots } from '../../../../src/host/roots/workspaceRoots.ts';
import { ServerConnection } from '../../../../src/host/servers/connection.ts';
import type { SignInRun } from '../../../../src/host/signIn/serverSignIn.ts';
import { Disruptions, disruptionRules } from '../../../../src/host/servers/disruptions.ts';
import { memoryBudgets, ServerMemory } from '../../../../src/host/servers/serverMemory.ts';
import { ServerOutput } from '../../../../src/host/servers/serverOutput.ts';
import { HttpError, isRpcError, McpError, RpcError } from '../../../../src/mcp/errors.ts';
import type { Readiness } from '../../../../src/host/launch/launchGate.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeGate } from '../../../support/fakeGate.ts';
import { FakeLogs } from '../../../support/fakeLogs.ts';
import { FakeConnector, FakeSession, untilAborted } from '../../../support/fakeSession.ts';
import { FakeWorkspace } from '../../../support/fakeWorkspace.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';

const folder = { uri: 'file:///w', name: 'w', path: tmpdir() };
const never = new AbortController().signal;
const web = { kind: 'http', url: 'https://x.example/mcp', headers: {} } as const;

class Setup {
  readonly clock = new FakeClock();
  readonly logs = new FakeLogs();
  readonly gate = new FakeGate();
  readonly connector = new FakeConnector();
  readonly workspace = new FakeWorkspace([folder]);
  readonly memory = new ServerMemory().open();
  readonly connection: ServerConnection;
  readonly kinds: string[] = [];
  /** What each start told whoever signs in. */
  readonly runs: SignInRun[] = [];
  connectorLoads = 0;
  network = 'home';

  constructor(more: Partial<ServerConfig> = {}) {
    const config = stdioServer('s', more);
    this.connection = new ServerConnection(
      config,
      {
        isTrusted: () => this.workspace.isTrusted,
        gate: this.gate,
        connector: () => {
          this.connectorLoads += 1;
          return this.connector;
        },
        roots: new WorkspaceRoots(this.workspace),
        signIns: {
          authorizerFor: (_server, _launch, run) => {
            this.runs.push(run);
            return undefined;
          },
        },
        features: (server) =>
          featuresFor(server, { roots: new WorkspaceRoots(this.workspace), skills: true }),
        clock: this.clock,
        memory: this.memory,
        disruptions: new Disruptions(this.clock, () => this.network),
      },
      new ServerOutput(this.logs.open(config), this.clock),
    );
    this.connection.onDidChangeState(({ kind }) => this.kinds.push(kind));
  }

  /** Crashes the server and lets the delay before the restart pass. */
  async crashAndRestart(): Promise<void> {
    const count = this.connector.sessions.length;
    this.connector.last.crash();
    const { state } = this.connection;
    assert.ok(state.kind === 'waiting');
    await turns();
    this.clock.advance(state.delayMs);
    await waitUntil('the restart', () => this.connector.sessions.length > count);
    await turns();
  }

  /** Lets all delays before restarts pass. */
  async untilGivenUp(): Promise<void> {
    while (this.connection.state.kind === 'waiting') {
      await turns();
      this.clock.advance(this.connection.state.delayMs);
      await turns();
    }
    assert.equal(this.connection.state.kind, 'failed');
  }

  /** Opens no further session. */
  failWith(error: McpError): void {
    this.connector.open = () => {
      throw error;
    };
  }

  /** Loses the server together with the network, until it is given up. */
  async giveUp(): Promise<void> {
    const { open } = this.connector;
    await this.connection.start();
    this.failWith(new McpError('unreachable', 'there is no network'));
    this.network = '';
    this.connector.last.crash();
    await this.untilGivenUp();
    this.connector.open = open;
  }

  async use(signal = never, isAsked = false): Promise<number> {
    return this.connection.withSession(async () => 1, signal, isAsked);
  }

  /** What was started, and what is still to be. */
  get facts(): readonly unknown[] {
    return [this.connection.state.kind, this.gate.prepared.length, this.clock.pending];
  }

  /** Brings the machine into another network, and lets it be noticed. */
  async move(network: string): Promise<void> {
    this.network = network;
    for (let step = 0; step < 3; step++) {
      this.clock.advance(disruptionRules.lookEveryMs);
      await turns();
    }
  }
}

describe('ServerConnection', () => {
  it('starts once, however many ask for it', async () => {
    const { connection, connector, kinds } = new Setup();
    const [one, two] = await Promise.all([connection.start(), connection.start()]);
    assert.equal(one, two);
    assert.equal(await connection.start(), one);
    assert.equal(connector.requests.length, 1);
    assert.deepEqual(kinds, ['starting', 'ready']);
  });

  it('PING-03: opens a connection anew that no longer answers after the network of the machine changed, and keeps one that does', async () => {
    let answers = true;
    const ping = (): object => {
      if (!answers) {
        throw new McpError('timeout', 'no answer');
      }
      return {};
    };
    const setup = new Setup({ launch: web });
    setup.connector.open = () => new FakeSession({}, { ping });
    await setup.connection.start();
    await setup.move('train');
    assert.deepEqual(
      [setup.connection.state.kind, setup.connector.last.count('ping')],
      ['ready', 1],
    );
    answers = false;
    await setup.move('office');
    await waitUntil('the new connection', () => setup.connector.sessions.length === 2);
    assert.deepEqual(
      setup.connector.sessions.map(({ closes }) => closes),
      [1, 0],
    );
    assert.ok(setup.kinds.includes('waiting'));
  });

  it('another network brings back no server of this machine that was given up', async () => {
    const setup = new Setup({ launch: { ...web, url: 'http://localhost/mcp' } });
    await setup.giveUp();
    await setup.move('office');
    assert.equal(setup.connection.state.kind, 'failed');
    await setup.connection.stop();
    assert.equal(setup.clock.pending, 0);
  });

  it('a server that was given up is started again in each further network, until it is reached', async () => {
    const setup = new Setup({ launch: web });
    await setup.giveUp();
    setup.failWith(new McpError('unreachable', 'only the office knows that name'));
    for (const network of ['home', 'train']) {
      const tried = setup.connector.requests.length;
      await setup.move(network);
      await setup.untilGivenUp();
      assert.ok(setup.connector.requests.length > tried, network);
    }
    setup.connector.open = () => new FakeSession();
    await setup.move('office');
    assert.equal(setup.connection.state.kind, 'ready');
  });

  it('a server that was out of reach at its first start is started again in another network', async () => {
    const setup = new Setup({ launch: web });
    const { open } = setup.connector;
    setup.failWith(new McpError('unreachable', 'only the office knows that name'));
    await assert.rejects(setup.connection.start(), /office/);
    setup.connector.open = open;
    await setup.move('office');
    assert.equal(setup.connection.state.kind, 'ready');
    await setup.connection.stop();
  });

  it('a server that was given up is not started again in another network while its start would ask a question', async () => {
    const setup = new Setup({ launch: web });
    const { connection, gate } = setup;
    await setup.giveUp();
    const prepared = gate.prepared.length;
    for (const missing of ['needsConsent', 'needsInput', 'restricted'] as const) {
      gate.readinesses.set(connection.id, missing);
      await setup.move(missing);
      assert.deepEqual([connection.state.kind, gate.prepared.length], ['failed', prepared]);
    }
    gate.readinesses.clear();
    await setup.move('office');
    assert.deepEqual([connection.state.kind, gate.prepared.length], ['ready', prepared + 1]);
  });

  for (const [end, lose] of [
    ['stop', 'giveUp'],
    ['dispose', 'giveUp'],
    ['stop', 'crash'],
  ] as const) {
    it(`a ${end} after a ${lose} is final, even while it is looked at whether a restart would ask a question`, async () => {
      const setup = new Setup({ launch: web });
      const { connection, gate } = setup;
      await connection.start();
      if (lose === 'giveUp') {
        await setup.giveUp();
      } else {
        setup.connector.last.crash();
      }
      const prepared = gate.prepared.length;
      const answer = deferred<Readiness>();
      let looks = 0;
      gate.readiness = () => {
        looks += 1;
        return answer.promise;
      };
      await setup.move('office');
      assert.ok(looks > 0);
      await connection[end]();
      answer.resolve('ready');
      await turns();
      assert.deepEqual(setup.facts, ['stopped', prepared, 0]);
    });
  }

  for (const [missing, because] of [
    ['needsConsent', 'consentNeeded'],
    ['needsInput', 'inputNeeded'],
    ['restricted', 'restricted'],
  ] as const) {
    it(`a restart opens no dialog: with ${missing} the state says what is missing instead`, async () => {
      const setup = new Setup();
      const { connection, connector, gate, clock } = setup;
      await connection.start();
      connector.last.crash();
      gate.readinesses.set(connection.id, missing);
      clock.advance(1_000);
      await turns();
      assert.deepEqual(connection.state, { kind: 'stopped', because });
      assert.deepEqual([gate.prepared.length, clock.pending], [1, 0]);
      gate.readinesses.clear();
      await connection.start();
      await connection.stop();
    });
  }

  it('nobody is asked to sign in by a restart, until somebody asks for the server', async () => {
    const setup = new Setup({ launch: web });
    const { connection, connector, clock, runs } = setup;
    const mayAsk = (): boolean | undefined => runs.at(-1)?.mayAsk();
    const asked: (boolean | undefined)[] = [];
    connector.open = () => {
      asked.push(mayAsk());
      if (asked.length < 3) {
        throw new HttpError('http', 503, 'the server is busy', '', 120_000);
      }
      return new FakeSession();
    };
    const starting = connection.start();
    for (const attempts of [1, 2]) {
      await waitUntil('the delay', () => connection.state.kind === 'waiting');
      assert.equal(asked.length, attempts);
      clock.advance(120_000);
      await turns();
    }
    await starting;
    assert.deepEqual(asked, [true, false, false]);
    connector.last.crash();
    await connection.start();
    assert.equal(asked.at(-1), true);
    const during = (isAsked: boolean) =>
      connection.withSession(async () => mayAsk(), never, isAsked);
    const uses = [mayAsk(), await during(false), await during(true), mayAsk()];
    assert.deepEqual(uses, [false, false, true, false]);
    await connection.stop();
  });

  it('waits no longer for a server in the network once the machine has come into another one', async () => {
    const setup = new Setup({ launch: web });
    await setup.connection.start();
    const { connector } = setup;
    const { open } = connector;
    setup.failWith(new McpError('unreachable', 'there is no network'));
    connector.last.crash();
    for (const delayMs of [1_000, 2_000, 4_000, 8_000]) {
      await turns();
      setup.clock.advance(delayMs);
      await turns();
    }
    connector.open = open;
    assert.ok(setup.connection.state.kind === 'waiting');
    assert.equal(setup.connection.state.delayMs, 16_000);
    setup.network = 'office';
    setup.clock.advance(disruptionRules.lookEveryMs);
    setup.clock.advance(disruptionRules.settleMs);
    await turns();
    assert.equal(setup.connection.state.kind, 'ready');
    await setup.connection.stop();
  });

  it('loads nothing of the protocol before the first start', async () => {
    const setup = new Setup();
    assert.equal(setup.connectorLoads, 0);
    await setup.connection.start();
    assert.equal(setup.connectorLoads, 1);
  });

  it('LIFE-14: a stop closes the session; a start after it opens a new one', async () => {
    const { connection, connector, kinds } = new Setup();
    await connection.start();
    const first = connector.last;
    await connection.stop();
    assert.equal(first.closes, 1);
    assert.equal(first.hasListeners, false);
    assert.deepEqual(connection.state, { kind: 'stopped' });
    await connection.start();
    assert.notEqual(connector.last, first);
    assert.deepEqual(kinds, ['starting', 'ready', 'stopping', 'stopped', 'starting', 'ready']);
  });

  it('a stop is over when the session has closed, for all who wait', async () => {
    const { connection, connector, logs } = new Setup();
    await connection.start();
    const closed = deferred<void>();
    connector.last.close = () => closed.promise;
    let done = 0;
    const stops = [1, 2].map(async () => {
      await connection.stop();
      done += 1;
    });
    const restarted = connection.start();
    await turns();
    assert.equal(done, 0);
    assert.equal(connector.requests.length, 1);
    closed.resolve();
    await Promise.all(stops);
    await restarted;
    assert.equal(done, 2);
    assert.equal(connector.requests.length, 2);
    connector.last.close = () => Promise.reject(new Error('process 7 lives on'));
    await connection.stop();
    assert.ok(logs.lines.includes('warn The server did not end cleanly: process 7 lives on'));
  });

  for (const startedFor of [undefined, 'changed']) {
    it(`a stop while a restart (${startedFor ?? 'asked for'}) ends the old session is final`, async () => {
      const { connection, connector } = new Setup();
      await connection.start();
      const closed = deferred<void>();
      connector.last.close = () => closed.promise;
      const restarted = connection.restart(startedFor);
      await turns();
      const stopped = connection.stop();
      closed.resolve();
      await Promise.all([restarted, stopped]);
      await turns();
      assert.deepEqual(connection.state, { kind: 'stopped' });
      assert.equal(connector.requests.length, 1);
    });
  }

  for (const start of ['startUnasked', 'restart'] as const) {
    it(`a stop is final while it is looked at whether a start (${start}) would ask a question`, async () => {
      const { connection, connector, gate } = new Setup();
      await connection.start();
      if (start === 'startUnasked') {
        await connection.stop();
      }
      const answer = deferred<Readiness>();
      gate.readiness = () => answer.promise;
      const started = connection[start]('changed');
      await turns();
      await connection.stop();
      answer.resolve('ready');
      await started;
      assert.deepEqual(connection.state, { kind: 'stopped' });
      assert.equal(connector.requests.length, 1);
    });
  }

  it('a use while the server ends starts it again, without a question', async () => {
    const setup = new Setup({ startup: 'onDemand' });
    const { connection, connector } = setup;
    await connection.start();
    const closed = deferred<void>();
    connector.last.close = () => closed.promise;
    const stopped = connection.stop();
    const used = setup.use();
    await turns();
    closed.resolve();
    await stopped;
    assert.equal(await used, 1);
    assert.equal(connector.requests.length, 2);
  });

  it('a stop while starting aborts everything that the start is doing', async () => {
    for (const step of ['prepare', 'connect']) {
      const { connection, connector, gate } = new Setup();
      let seen: AbortSignal | undefined;
      const hang = (signal: AbortSignal): Promise<never> => {
        seen = signal;
        return untilAborted(signal);
      };
      if (step === 'prepare') {
        gate.prepareWith = (_server, signal) => hang(signal);
      } else {
        connector.open = ({ signal }) => hang(signal);
      }
      const starting = connection.start();
      const outcome = assert.rejects(starting, { code: 'closed' });
      await waitUntil(step, () => seen !== undefined);
      await connection.stop();
      await outcome;
      assert.equal(seen?.aborted, true);
      assert.deepEqual(connection.state, { kind: 'stopped' });
    }
  });

  it('opens no session for a start that was given up while it was prepared', async () => {
    const { connection, connector, gate } = new Setup();
    const prepared = deferred<void>();
    const { prepareWith } = gate;
    gate.prepareWith = async (...start) => {
      await prepared.promise;
      return prepareWith(...start);
    };
    const outcome = assert.rejects(connection.start());
    await waitUntil('the start', () => gate.prepared.length === 1);
    const stopped = connection.stop();
    prepared.resolve();
    await stopped;
    await outcome;
    assert.deepEqual(connector.requests, []);
  });

  it('closes a session that was opened although the start was given up', async () => {
    const { connection, connector } = new Setup();
    const session = new FakeSession();
    const opened = deferred<FakeSession>();
    connector.open = () => opened.promise;
    const outcome = assert.rejects(connection.start());
    await waitUntil('the attempt', () => connector.requests.length === 1);
    const stopped = connection.stop();
    opened.resolve(session);
    await stopped;
    await outcome;
    assert.equal(session.closes, 1);
  });

  it('a stop cancels the calls that are pending', async () => {
    const { connection, connector } = new Setup();
    connector.open = () =>
      new FakeSession({}, { ping: (_params, { signal }) => untilAborted(signal) });
    await connection.start();
    const call = connection.withSession(
      (session, signal) => session.call('ping', {}, { signal }),
      never,
    );
    const outcome = assert.rejects(call, { code: 'cancelled' });
    await turns();
    await connection.stop();
    await outcome;
  });

  it('STDIO-06 (2026): restarts after an unexpected exit, later each time', async () => {
    const setup = new Setup();
    await setup.connection.start();
    await setup.crashAndRestart();
    assert.deepEqual(setup.kinds, ['starting', 'ready', 'waiting', 'starting', 'ready']);
    setup.connector.last.crash();
    const { state } = setup.connection;
    assert.ok(state.kind === 'waiting');
    assert.equal(state.delayMs, 2_000);
    assert.match(state.cause.message, /"s" ended: exited with code 1/u);
  });

  it('a server that goes on sending what there is no memory for is stopped with one sentence, and not started again', async () => {
    const setup = new Setup();
    const { connection, memory } = setup;
    await connection.start();
    memory.hold().set(memoryBudgets.serverBytes);
    for (let n = 0; n < memoryBudgets.refusals; n += 1) {
      assert.equal(connection.state.kind, 'ready');
      assert.equal(memory.hasRoom(1), false);
    }
    const { state } = connection;
    assert.ok(state.kind === 'failed');
    assert.equal(
      state.error.message,
      'The server "s" was stopped: it kept sending data that would take more memory than the 128 MiB that the server may use, which `limits.memoryMegabytes` of its entry can raise.',
    );
    await turns();
    assert.equal(setup.connector.last.closes, 1);
  });

  it('a call waits for restarts of the next seconds, and ends with the cause of one that is further away', async () => {
    const setup = new Setup();
    const { connection, connector, clock } = setup;
    await connection.start();
    setup.failWith(new McpError('closed', 'exited in the handshake'));
    connector.last.crash();
    const call = assert.rejects(setup.use(), /exited in the handshake/u);
    for (const delayMs of [1_000, 2_000, 4_000, 8_000]) {
      await waitUntil(
        `a delay of ${delayMs} ms`,
        () => connection.state.kind === 'waiting' && connection.state.delayMs === delayMs,
      );
      if (delayMs < 8_000) clock.advance(delayMs);
    }
    await call;
    await assert.rejects(setup.use(), /exited in the handshake/u);
    await connection.stop();
  });

  it('keeps secrets out of errors, of kept stderr lines and of the log', async () => {
    const { connection, connector, gate, logs } = new Setup();
    gate.secrets = ['hunter22'];
    connector.open = ({ onDiagnostic }) => {
      onDiagnostic({ level: 'info', source: 'stderr', text: 'key is hunter22' });
      throw new McpError('unreachable', 'bad key hunter22', {
        cause: new Error('hunter22 was refused'),
      });
    };
    await assert.rejects(connection.start());
    const { state } = connection;
    assert.ok(state.kind === 'failed');
    assert.deepEqual(state.lastStderr, ['key is ***']);
    assert.equal(state.error.message, 'bad key ***');
    assert.ok(state.error.cause instanceof Error);
    assert.equal(state.error.cause.message, '*** was refused');
    assert.ok(!logs.lines.join('\n').includes('hunter22'));
  });

  it('keeps secrets out of what calls, lists and watches fail with, and the kind of the error', async () => {
    const { connection, connector, gate, logs } = new Setup();
    gate.secrets = ['hunter22'];
    const data = { elicitations: [] };
    connector.open = async () => {
      const session = new FakeSession(
        { tools: {}, resources: { subscribe: true } },
        {
          'tools/list': () => Promise.reject(new McpError('closed', 'lost with hunter22')),
          'resources/list': () => ({ resources: [] }),
        },
      );
      session.watch = () => Promise.reject(new McpError('unreachable', 'no watch for hunter22'));
      return session;
    };
    await connection.start();
    const failing = connection.withSession(
      () => Promise.reject(new RpcError(-32042, 'the key hunter22 is not known', data)),
      never,
    );
    await assert.rejects(failing, (error) => {
      assert.ok(isRpcError(error));
      assert.deepEqual([error.rpcCode, error.data], [-32042, data]);
      assert.equal(error.message, 'the key *** is not known');
      return true;
    });
    await waitUntil('the list', () => connection.catalog.list('tools').kind === 'failed');
    const list = connection.catalog.list('tools');
    assert.ok(list.kind === 'failed');
    assert.equal(list.error.message, 'lost with ***');
    connection.resources.watch('memo://a');
    await assert.rejects(connection.resources.whenWatched(), /^McpError: no watch for \*\*\*$/u);
    const harmless = new Error('a mistake of ours');
    const rejected = connection.withSession(() => Promise.reject(harmless), never);
    await assert.rejects(rejected, (error) => error === harmless);
    assert.ok(!logs.lines.join('\n').includes('hunter22'));
  });

  it('STDIO-06: tells stderr and log notifications apart in the log, each at its level', async () => {
    const { connection, connector, logs } = new Setup();
    await connection.start();
    const { last } = connector;
    last.diagnose.fire({ level: 'info', source: 'stderr', text: 'ERROR: all is well' });
    last.diagnose.fire({ level: 'warn', source: 'transport', text: 'garbage on stdout' });
    last.log.fire({ level: 'notice', data: 'hello' });
    last.log.fire({ level: 'warning', logger: 'db', data: { rows: 3 } });
    last.log.fire({ level: 'alert', data: null });
    last.log.fire({ level: 'debug', data: undefined });
    assert.deepEqual(logs.lines.slice(-6), [
      'info [stderr] ERROR: all is well',
      'warn garbage on stdout',
      'info [server] hello',
      'warn [server db] {"rows":3}',
      'error [server] null',
      'debug [server] ',
    ]);
  });

  it('passes on what the server says unasked, in every run', async () => {
    const setup = new Setup();
    const heard: unknown[] = [];
    setup.connection.onDidNotice((notice) => heard.push(notice));
    await setup.connection.start();
    setup.connector.last.change.fire({ kind: 'tools' });
    setup.connector.last.log.fire({ level: 'info', data: 1 });
    await setup.crashAndRestart();
    setup.connector.last.change.fire({ kind: 'resource', uri: 'a' });
    assert.deepEqual(heard, [
      { kind: 'tools' },
      { kind: 'log', message: { level: 'info', data: 1 } },
      { kind: 'resource', uri: 'a' },
    ]);
  });

  it('LOG-01: sends the chosen level, also to the next session, and only where it is known', async () => {
    const setup = new Setup();
    setup.connector.open = () => new FakeSession({ logging: {} });
    setup.connection.setLogLevel('warning');
    await setup.connection.start();
    setup.connection.setLogLevel('debug');
    assert.deepEqual(setup.connector.last.levels, ['warning', 'debug']);
    await setup.crashAndRestart();
    assert.deepEqual(setup.connector.last.levels, ['debug']);
    setup.connector.open = () => new FakeSession();
    await setup.connection.restart();
    assert.deepEqual(setup.connector.last.levels, []);
  });

  it('VER-07: a restart that the user asks for drops a guess of the era, no other does', async () => {
    const setup = new Setup();
    await setup.connection.start();
    await setup.crashAndRestart();
    assert.deepEqual(setup.connector.forgotten, []);
    await setup.connection.restart();
    assert.deepEqual(setup.connector.forgotten, [setup.connection.id]);
    assert.equal(setup.connector.requests.at(-1)?.entry?.id, setup.connection.id);
  });

  it('ROOT-01: declares roots exactly when the entry gives any', async () => {
    const withRoots = new Setup();
    await withRoots.connection.start();
    const { features } = withRoots.connector.requests[0] ?? {};
    assert.deepEqual(await features?.listRoots?.(never), [{ uri: 'file:///w', name: 'w' }]);
    const without = new Setup({ roots: 'none' });
    await without.connection.start();
    assert.equal(without.connector.requests[0]?.features.listRoots, undefined);
  });

  it('ROOT-04: announces that its roots changed, and nothing else', async () => {
    const { connection, connector, workspace } = new Setup({ roots: ['w'] });
    await connection.start();
    workspace.setFolders([folder, { ...folder, uri: 'file:///x', name: 'x' }]);
    workspace.setFolders([]);
    await waitUntil('the change', () => connector.last.rootsChanges > 0);
    assert.equal(connector.last.rootsChanges, 1);
    await connection.stop();
    workspace.setFolders([folder]);
    await turns();
    assert.equal(connector.last.rootsChanges, 1);
  });

  it('EXT-03: the log says which extensions a server offers, and where they are turned on', async () => {
    const { connection, connector, logs } = new Setup();
    const offered = { 'io.modelcontextprotocol/tasks': {}, 'com.example/unknown': {} };
    connector.open = () => new FakeSession({ tools: {}, extensions: offered });
    await connection.start();
    assert.deepEqual(
      logs.lines.filter((line) => line.includes('extension')),
      [
        'info It offers extensions of the protocol: io.modelcontextprotocol/tasks. "mcpHost.extensions" in your settings says which ones are used.',
      ],
    );
  });

  it('SKL-03: asks for skills exactly when they are on', async () => {
    const extensions = { 'io.modelcontextprotocol/skills': {} };
    for (const skills of [true, false]) {
      const { connection, connector } = new Setup({ skills });
      connector.open = () => new FakeSession({ extensions });
      await connection.start();
      await connection.catalog.whenLoaded();
      assert.equal(connector.last.count('skills/list'), skills ? 1 : 0);
      assert.equal(connection.catalog.list('skills').kind === 'none', !skills);
    }
  });

  it('takes over the description of a conversation that was opened anew', async () => {
    const { connection, connector } = new Setup();
    connector.open = () =>
      new FakeSession(
        { tools: {} },
        {
          'tools/list': () => ({ tools: [] }),
          'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
        },
      );
    await connection.start();
    const { last } = connector;
    const heard: string[] = [];
    connection.onDidNotice(({ kind }) => heard.push(kind));
    last.server = { ...last.server, capabilities: { prompts: {} } };
    const kinds = ['tools', 'prompts', 'resources'] as const;
    kinds.forEach((kind) => last.change.fire({ kind }));
    assert.deepEqual(heard, kinds);
    assert.ok(connection.state.kind === 'ready');
    assert.equal(connection.state.server, last.server);
    await waitUntil('the prompts', () => connection.catalog.items('prompts').length === 1);
    assert.deepEqual(connection.catalog.list('tools'), { kind: 'none' });
  });

  it('says what a stopped server needs: nothing is started by use unless it is on demand', async () => {
    await assert.rejects(new Setup({ startup: 'manual' }).use(), { code: 'closed' });
    const onDemand = new Setup({ startup: 'onDemand' });
    assert.equal(await onDemand.use(), 1);
    assert.equal(onDemand.connection.state.kind, 'ready');
  });

  it('use waits for a start that is under way, no longer than its caller', async () => {
    const setup = new Setup();
    const { connection, connector } = setup;
    const opened = deferred<FakeSession>();
    connector.open = () => opened.promise;
    const starting = connection.start();
    const caller = new AbortController();
    const impatient = setup.use(caller.signal);
    const patient = setup.use();
    caller.abort(new McpError('cancelled', 'enough'));
    await assert.rejects(impatient, /enough/u);
    await waitUntil('the attempt', () => connector.requests.length === 1);
    opened.resolve(new FakeSession());
    assert.equal(await patient, 1);
    await starting;
  });

  it('a use that nobody has just asked for opens no dialog: the state says what is missing', async () => {
    const setup = new Setup({ startup: 'onDemand' });
    const { connection, gate, connector } = setup;
    gate.readinesses.set('user/s', 'needsConsent');
    await assert.rejects(setup.use(), { code: 'closed' });
    assert.deepEqual(connection.state, { kind: 'stopped', because: 'consentNeeded' });
    assert.deepEqual(gate.prepared, []);
    assert.equal(await setup.use(never, true), 1);
    assert.equal(connector.requests.length, 1);
  });

  it('HOST-05: starts nothing that is disabled, hidden, forbidden, restricted or refused, and says which', async () => {
    for (const [more, code] of [
      [{ isEnabled: false }, 'denied'],
      [{ hiddenBy: { kind: 'workspace' } }, 'denied'],
      [{ forbiddenBy: 'chat.mcp.access' }, 'forbidden'],
    ] as const) {
      const setup = new Setup({ ...more, startup: 'onDemand' });
      await assert.rejects(setup.connection.start(), { code });
      await assert.rejects(setup.use(), { code });
      assert.equal(setup.connector.requests.length, 0);
    }
    const restricted = new Setup({ startup: 'onDemand' });
    const untrusted = new FakeWorkspace([], false);
    Object.defineProperty(restricted, 'workspace', { value: untrusted });
    await assert.rejects(restricted.connection.start(), { code: 'denied' });
    assert.deepEqual(restricted.connection.state, { kind: 'stopped', because: 'restricted' });
    restricted.gate.readinesses.set('user/s', 'restricted');
    await assert.rejects(restricted.use(), /Restricted Mode/u);
    const refused = new Setup();
    refused.gate.prepareWith = () => Promise.reject(new McpError('denied', 'the user said no'));
    await assert.rejects(refused.connection.start(), /the user said no/u);
    assert.deepEqual(refused.connection.state, { kind: 'stopped', because: 'consentNeeded' });
  });

  it('dispose ends everything and leaves no listener and no timer', async () => {
    const { connection, connector, clock, workspace } = new Setup();
    await connection.start();
    connection.dispose();
    connection.dispose();
    await waitUntil('the end', () => connector.last.closes === 1);
    assert.equal(connector.last.hasListeners, false);
    assert.equal(workspace.hasListeners, false);
    assert.equal(clock.pending, 0);
    await assert.rejects(connection.start(), { code: 'closed' });
  });
});
