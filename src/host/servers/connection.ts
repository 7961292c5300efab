/**
 * Runs one configured server: start, stop, restart after a crash. Owns its session and what depends on it (catalog,
 * resources). connectionState.ts decides when to start again; the gate decides whether a server may start.
 */
import { raceSignal } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, onUnexpectedError } from '../../base/event.ts';
import { stableStringify } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';
import type { ServerChange, Session } from '../../mcp/session/session.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';
import type { LoggingLevel } from '../../mcp/types/methods.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { ServerResources, type UseSession } from '../resources/resources.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { MessageTap } from '../../mcp/messageTap.ts';
import { AutomaticRestart } from './automaticRestart.ts';
import { type ConnectionServices, openSession, createCatalog } from './connectionServices.ts';
import {
  type ConnectionEvent,
  type ConnectionState,
  type WaitsFor,
  transition,
  outcomeOfStart,
} from './connectionState.ts';
import { type Block, blockOf, exceeded, logState, refusalFor, toLoss } from './connectionTexts.ts';
import type { DebugTarget } from '../launch/debugLaunch.ts';
import { missingFor, type StoppedBecause } from '../launch/launchGate.ts';
import { livenessRules, type Reach, reachOf, Liveness } from './liveness.ts';
import { LogLevels } from './logLevels.ts';
import { Run } from './run.ts';
import type { ServerNotice, ServerOutput } from './serverOutput.ts';

/** Milliseconds to a restart for which a call waits; one that crashes repeatedly would keep it for a minute. */
const maxUseDelayMs = 5_000;

export class ServerConnection implements Disposable {
  readonly config: ServerConfig;
  readonly id: ServerId;
  readonly tap: MessageTap = { observer: undefined };
  readonly catalog: Catalog;
  readonly resources: ServerResources;
  readonly output: ServerOutput;
  readonly #services: ConnectionServices;
  readonly #store = new DisposableStore();
  readonly #stateChanged = this.#store.add(new Emitter<ConnectionState>());
  readonly #noticed = this.#store.add(new Emitter<ServerNotice>());
  readonly #logLevels: LogLevels;
  readonly #automaticRestart: AutomaticRestart;
  /** Fires with the new state. */
  readonly onDidChangeState = this.#stateChanged.event;
  readonly onDidNotice = this.#noticed.event;
  /** Why it was started automatically, in words for people; empty for a restart by a person; cleared by each stop. */
  startedFor: string | undefined;
  /** The settings of the last connection; undefined where only the editor's settings count. Set by each start. */
  connectionSettings: ConnectionSettings | undefined;
  /** Where the debugger finds the server of the last start; undefined where none attaches. */
  debugTarget: DebugTarget | undefined;
  /** Requests that wait for the server; undefined while it does not run. */
  readonly inFlight = (): Session['inFlight'] | undefined => this.#run?.session?.inFlight;
  #state: ConnectionState = { kind: 'stopped' };
  /** From the start of an attempt until its end. */
  #run: Run | undefined;
  /** Resolves when nothing is left of earlier runs: the next one waits for that. Never rejects. */
  #ended: Promise<unknown>;
  #stopping: Promise<void> | undefined;
  /** Whether an automatic start needs the user; uses wait for it. Never rejects. */
  #readiness: Promise<StoppedBecause | undefined> | undefined;
  #startError: McpError | undefined;
  #isDisposed = false;

  constructor(config: ServerConfig, services: ConnectionServices, output: ServerOutput) {
    this.config = config;
    this.id = config.id;
    this.catalog = this.#store.add(createCatalog(services, config, output.withoutSecrets));
    this.#services = services;
    this.#automaticRestart = new AutomaticRestart(services, this, (event) => {
      this.#apply(event);
      this.#begin(false);
    });
    this.output = output;
    this.#logLevels = new LogLevels(() => this.#run?.session, output);
    this.#ended = services.after ?? Promise.resolve();
    this.onDidNotice((notice) => notice.kind === 'log' && output.notification(notice.message));
    const useSession: UseSession = (...use) => this.withSession(...use);
    this.resources = this.#store.add(
      new ServerResources({ name: config.name, useSession, clock: services.clock, output }),
    );
  }

  get #block(): Block | 'gone' | undefined {
    return this.#isDisposed ? 'gone' : blockOf(this.config, this.#services.isTrusted());
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /**
   * Starts the server for a person who has just asked for it and can answer questions, or joins a running start,
   * automatic restarts included.
   * @throws McpError what the last attempt failed with; `denied` for a server that is off in the settings, or when the
   * user refuses; `forbidden`; `signInNeeded`; `cancelled` when it is stopped meanwhile
   */
  start(): Promise<Session> {
    return this.#start(true);
  }

  /**
   * Starts the server without a question to the user, or joins a running start. Where something is missing that only
   * the user can give, nothing starts and the state says so.
   * @throws McpError as {@link start}
   */
  async startUnasked(): Promise<void> {
    const { isTrusted, gate } = this.#services;
    // In Restricted Mode the start itself sets that state, and loads nothing.
    this.#readiness = isTrusted() ? missingFor(gate, this.config) : undefined;
    const before = this.#state;
    const because = await this.#readiness;
    // Otherwise somebody has stopped it meanwhile, or has started it.
    const isSame = this.#state === before || before.kind === 'stopping';
    if (this.#state.kind === 'starting' || (isSame && because === undefined)) {
      await this.#start(false);
    } else if (isSame && this.#state.kind === 'stopped' && !this.#isDisposed) {
      await this.stop(because);
    }
  }

  /** Resolves when it is known whether an automatic start needs the user: then the state says so. Never rejects. */
  async whenReadinessKnown(): Promise<void> {
    await this.#readiness;
  }

  async #start(isAsked: boolean): Promise<Session> {
    if (this.#stopping !== undefined) {
      await this.#stopping;
    }
    const block = this.#block;
    if (block !== undefined) {
      if (block !== 'gone') {
        this.#apply({ kind: 'stop', because: block });
      }
      throw refusalFor(this.config, block);
    }
    const before = this.#state;
    this.#apply({ kind: 'start' });
    if (this.#state.kind === 'starting' && before.kind !== 'starting') {
      this.#begin(isAsked);
    } else if (isAsked && this.#run !== undefined) {
      this.#run.isAsked = true;
    }
    return this.#settled();
  }

  /** Shows in the state what the start needs from the user. */
  noteWait(waitsFor: WaitsFor | undefined): void {
    this.#apply({ kind: 'asks', waitsFor });
  }

  /** Ends the server, or the attempt to start it, and waits until nothing of it is left. */
  async stop(because?: StoppedBecause): Promise<void> {
    this.#automaticRestart.cancel();
    this.startedFor = undefined;
    this.#apply({ kind: 'stop', ...(because === undefined ? {} : { because }) });
    if (this.#state.kind === 'stopping') {
      await (this.#stopping ??= this.#end());
    } else {
      this.#release(false);
    }
    await this.#ended;
  }

  /**
   * Restarts the server, unless somebody stops it while it ends.
   * @param startedFor why, in words for people; then it asks no question. Absent: a person has just asked for it
   * @throws McpError as {@link start}
   */
  async restart(startedFor = ''): Promise<void> {
    const stopped = this.stop();
    this.startedFor = startedFor;
    await stopped;
    const isAsked = startedFor === '';
    // In Restricted Mode nothing is loaded for a server that may not start.
    if (isAsked && this.#services.isTrusted()) {
      await this.#services.connector().forgetGuess(this.id);
    }
    // A stop clears it: who stopped the server meanwhile does not want it to start.
    if (this.startedFor !== undefined) {
      await (isAsked ? this.start() : this.startUnasked());
    }
  }

  /**
   * Runs `use` with the session and with a signal that also aborts when the server is stopped. Starts a server whose
   * `startup` is `onDemand`; waits for one that is starting, or restarting within seconds.
   * @param isAsked whether a person has just caused the use, and can answer questions
   * @throws McpError `closed` when the server does not run; the cause of the loss where the restart is further away;
   * what `use` throws, without secrets
   */
  async withSession<T>(
    use: (session: Session, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    isAsked = false,
  ): Promise<T> {
    signal.throwIfAborted();
    await raceSignal(this.#readyForUse(isAsked), signal);
    const run = this.#run;
    const session = run?.session;
    if (run === undefined || session === undefined) {
      throw refusalFor(this.config, this.#block);
    }
    return this.output.toldWithoutSecrets(
      run.during(signal, (both) => use(session, both), isAsked),
    );
  }

  /**
   * The lowest level of log notifications that a listener wants, undefined for none; the server gets the lowest of all.
   * Kept over restarts.
   */
  setLogLevel(level: LoggingLevel | undefined, listener: object = this): void {
    this.#logLevels.set(listener, level);
  }

  dispose(): void {
    if (this.#isDisposed) {
      return;
    }
    this.#isDisposed = true;
    this.stop()
      .catch(onUnexpectedError)
      .finally(() => this.#store.dispose());
  }

  #begin(isAsked: boolean): void {
    this.#automaticRestart.cancel();
    const run = new Run(isAsked, this.#services.memory.forRun());
    this.#run = run;
    this.#startError = undefined;
    run.begun = this.#open(run).catch((error: unknown) => this.#onStartFailed(run, error));
  }

  async #open(run: Run): Promise<void> {
    await this.#ended;
    run.signal.throwIfAborted();
    this.output.forget();
    const { launch, debug, ...told } = await this.#services.gate.prepare(this.config, run.signal);
    run.reach = reachOf(launch);
    this.output.prepared(told);
    this.debugTarget = debug;
    this.connectionSettings = launch.kind === 'stdio' ? undefined : launch.connection;
    run.signal.throwIfAborted();
    const mayAsk = (): boolean => run.mayAsk && this.#run === run;
    run.session = await openSession(this.#services, this, launch, run, mayAsk);
    run.signal.throwIfAborted(); // whoever stops the run closes the session
    this.#adopt(run, run.session, run.reach);
  }

  #adopt(run: Run, session: Session, reach: Reach): void {
    const { store } = run;
    run.readySince = this.#services.clock.now();
    this.#apply({ kind: 'opened', server: session.server });
    store.add(session.onDidDiagnose((diagnostic) => this.output.diagnostic(diagnostic)));
    store.add(session.onDidLog((message) => this.#noticed.fire({ kind: 'log', message })));
    this.catalog.attach(session, run.signal);
    this.resources.attach(session);
    store.add(session.onDidChange((change) => this.#onServerChange(run, session, change)));
    if (session.rootsChanged !== undefined) {
      store.add(this.#services.roots.watch(this.config, () => session.rootsChanged?.()));
    }
    this.#logLevels.send();
    store.add(
      new Liveness(session, {
        clock: this.#services.clock,
        disruptions: this.#services.disruptions,
        log: this.output.log,
        reach,
        pingEveryMs: this.config.timeouts.pingMs ?? livenessRules.pingEveryMs,
        isBusy: () => run.uses > 0,
        onLost: (error) => this.#onLost(run, toLoss(this.config, { kind: 'failed', error })),
      }),
    );
    const { memory } = this.#services;
    store.add(memory.onDidExceed(() => this.#onLost(run, exceeded(this.config, memory))));
    // Last: a session that has already ended fires at once.
    store.add(session.onDidClose((reason) => this.#onLost(run, toLoss(this.config, reason))));
  }

  #onServerChange(run: Run, session: Session, change: ServerChange): void {
    if (this.#state.kind === 'ready' && this.#state.server !== session.server) {
      // The session was reopened on the same channel; capabilities may differ.
      this.#apply({ kind: 'opened', server: session.server });
      this.catalog.attach(session, run.signal);
      this.resources.attach(session);
    } else {
      this.catalog.onServerChange(change);
      this.resources.onServerChange(change);
    }
    this.#noticed.fire(change);
  }

  #onStartFailed(run: Run, cause: unknown): void {
    if (this.#run !== run) {
      return; // stopped meanwhile
    }
    const error = this.output.toError(cause);
    this.#startError = error;
    this.#onGone(run, { kind: 'startFailed', error, lastStderr: this.output.lastStderr });
  }

  #onLost(run: Run, cause: McpError): void {
    if (this.#run !== run) {
      return;
    }
    const error = this.output.toError(cause);
    const readyMs = this.#services.clock.now() - run.readySince;
    this.#onGone(run, { kind: 'lost', error, lastStderr: this.output.lastStderr, readyMs });
  }

  #onGone(run: Run, event: Extract<ConnectionEvent, { kind: 'startFailed' | 'lost' }>): void {
    this.#run = undefined;
    this.#endRun(run, event.error);
    this.#apply(event);
    this.#release(this.#state.kind === 'waiting');
    this.#automaticRestart.plan(this.#state, run.reach);
  }

  async #end(): Promise<void> {
    const run = this.#run;
    this.#run = undefined;
    this.#release(false);
    if (run !== undefined) {
      this.#endRun(run, new McpError('cancelled', `The server "${this.config.name}" was stopped`));
    }
    await this.#ended;
    this.#stopping = undefined;
    this.#apply({ kind: 'stopped' });
  }

  #endRun(run: Run, reason: McpError): void {
    this.#ended = Promise.all([this.#ended, run.end(reason, this.output)]);
  }

  #release(willReturn: boolean): void {
    this.catalog.detach(willReturn);
    this.resources.detach();
  }

  #settled(maxDelayMs = Infinity): Promise<Session> {
    return outcomeOfStart(
      this,
      maxDelayMs,
      () => this.#run?.session,
      () => this.#startError ?? refusalFor(this.config, undefined),
    );
  }

  async #readyForUse(isAsked: boolean): Promise<void> {
    await this.#readiness;
    const { kind } = this.#state;
    if (kind !== 'stopped' && kind !== 'stopping') {
      await this.#settled(maxUseDelayMs);
    } else if (this.config.startup === 'onDemand') {
      await (isAsked ? this.start() : this.startUnasked());
    }
  }

  #apply(event: ConnectionEvent): void {
    const before = this.#state;
    this.#state = transition(before, event);
    if (stableStringify(this.#state) !== stableStringify(before)) {
      logState(this.output.log, this.#state);
      this.#stateChanged.fire(this.#state);
    }
  }
}
