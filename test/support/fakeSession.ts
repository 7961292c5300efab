/** A Session without a server, and a Connector that opens such sessions: a test plays the server. */
import type { Connector } from '../../src/host/servers/connector.ts';
import { listAll } from '../../src/mcp/client/listing.ts';
import { Emitter } from '../../src/base/event.ts';
import { McpError } from '../../src/mcp/errors.ts';
import type {
  CallOptions,
  CloseReason,
  Diagnostic,
  InFlight,
  RunningRequest,
  ServerChange,
  ServerDescription,
  Session,
} from '../../src/mcp/session/session.ts';
import type {
  LoggingLevel,
  LoggingMessage,
  Method,
  ParamsOf,
  ResultOf,
  ServerCapabilities,
} from '../../src/mcp/types/methods.ts';

type Answer<M extends Method> = (
  params: ParamsOf<M>,
  options: CallOptions,
) => ResultOf<M> | Promise<ResultOf<M>>;
export type Answers = { [M in Method]?: Answer<M> };

export class FakeSession implements Session {
  readonly change = new Emitter<ServerChange>();
  readonly log = new Emitter<LoggingMessage>();
  readonly ended = new Emitter<CloseReason>();
  readonly diagnose = new Emitter<Diagnostic>();
  readonly onDidChange = this.change.event;
  readonly onDidLog = this.log.event;
  readonly onDidClose = this.ended.event;
  readonly onDidDiagnose = this.diagnose.event;
  /** What seems to wait for the server. */
  running: readonly RunningRequest[] = [];
  /** Set while somebody watches: to be called when a request begins. */
  begins: (() => void) | undefined;
  readonly inFlight: InFlight = {
    running: () => this.running,
    watch: (listener) => {
      this.begins = listener;
      return { dispose: () => (this.begins = undefined) };
    },
  };
  server: ServerDescription;
  readonly answers: Answers;
  /** Methods in the order in which they were called. */
  readonly calls: Method[] = [];
  readonly watches: (readonly string[])[] = [];
  readonly levels: LoggingLevel[] = [];
  rootsChanges = 0;
  closes = 0;

  constructor(capabilities: ServerCapabilities = {}, answers: Answers = {}) {
    this.server = {
      revision: '2025-11-25',
      era: 'legacy',
      transport: 'fake',
      info: { name: 'fake', version: '1.0.0' },
      capabilities,
    };
    this.answers = answers;
  }

  async call<M extends Method>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions = {},
  ): Promise<ResultOf<M>> {
    this.calls.push(method);
    const answer: Answer<M> | undefined = this.answers[method];
    if (answer === undefined) {
      throw new McpError('unsupported', `No answer to "${method}"`);
    }
    return answer(params, options);
  }

  count(method: Method): number {
    return this.calls.filter((called) => called === method).length;
  }

  async watch(uris: readonly string[]): Promise<void> {
    this.watches.push(uris);
  }

  async setLogLevel(level: LoggingLevel): Promise<void> {
    this.levels.push(level);
  }

  rootsChanged(): void {
    this.rootsChanges += 1;
  }

  async close(): Promise<void> {
    this.closes += 1;
  }

  /** The server goes away by itself. */
  crash(detail = 'exited with code 1'): void {
    this.ended.fire({ kind: 'ended', detail });
  }

  get hasListeners(): boolean {
    return [this.change, this.log, this.ended, this.diagnose].some((one) => one.hasListeners);
  }
}

type Request = Parameters<Connector['connect']>[0];

/** Opens what `open` returns; without it a plain FakeSession. */
export class FakeConnector implements Connector {
  readonly requests: Request[] = [];
  readonly sessions: FakeSession[] = [];
  /** Servers of which nothing is to be remembered. */
  readonly forgotten: string[] = [];
  open: (request: Request) => FakeSession | Promise<FakeSession>;

  constructor(open: FakeConnector['open'] = () => new FakeSession()) {
    this.open = open;
  }

  async connect(request: Request): Promise<Session> {
    this.requests.push(request);
    const session = await this.open(request);
    this.sessions.push(session);
    return session;
  }

  readonly listAll = listAll;

  async forgetGuess(id: string): Promise<void> {
    this.forgotten.push(id);
  }

  get last(): FakeSession {
    const session = this.sessions.at(-1);
    if (session === undefined) {
      throw new Error('No session was opened');
    }
    return session;
  }
}

/** A request that began so long ago. */
export function running(
  method: string,
  ageMs: number,
  more: Partial<RunningRequest> = {},
): RunningRequest {
  return {
    key: {},
    method,
    params: {},
    origin: undefined,
    isTask: false,
    startedAt: performance.now() - ageMs,
    progress: undefined,
    dueAt: Infinity,
    times: { idleMs: Infinity, totalMs: Infinity },
    cancel: () => undefined,
    keepWaiting: () => undefined,
    ...more,
  };
}

/** Rejects as soon as the signal aborts, as every call does. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => {
      const reason: unknown = signal?.reason;
      reject(reason instanceof Error ? reason : new Error('aborted'));
    };
    if (signal?.aborted === true) {
      fail();
    }
    signal?.addEventListener('abort', fail, { once: true });
  });
}
