/** A view that a test plays, and what a host of apps needs around it. */
import { Emitter } from '../../src/base/event.ts';
import type { AppUi, ViewSize } from '../../src/host/apps/appUi.ts';
import { AppHost, type AppParts } from '../../src/host/apps/appHost.ts';
import type { HostContext } from '../../src/mcp/types/apps.ts';
import type { CallToolResult } from '../../src/mcp/types/methods.ts';
import { deferred, type Deferred } from './deferred.ts';
import { FakeClock } from './fakeClock.ts';

export type Sent = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};

/** Both ends of a channel: messages are copied, as between a page and the editor. */
export class FakePort {
  /** The host's end takes what the view sends. */
  receive: AppHost['receive'] = () => undefined;
  readonly sent: Sent[] = [];
  onPost: (message: Sent) => void = () => undefined;

  readonly post = (message: object): void => {
    const copy: Sent = JSON.parse(JSON.stringify(message));
    this.sent.push(copy);
    this.onPost(copy);
  };

  /** What was sent of one method. */
  of(method: string): readonly Sent[] {
    return this.sent.filter((message) => message.method === method);
  }

  get methods(): readonly (string | undefined)[] {
    return this.sent.flatMap(({ method }) => (method === undefined ? [] : [method]));
  }

  notify(method: string, params?: object): void {
    this.receive({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Sends a request, and waits for its answer. */
  ask(id: string | number, method: string, params?: object): Promise<Sent> {
    return new Promise((resolve) => {
      const before = this.onPost;
      this.onPost = (message) => {
        before(message);
        if (message.id === id && message.method === undefined) {
          this.onPost = before;
          resolve(message);
        }
      };
      this.receive({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    });
  }
}

/** An editor that refuses nothing; `done` has what it did. */
export class FakeAppUi implements AppUi {
  readonly changed = new Emitter<void>();
  readonly onDidChangeContext = this.changed.event;
  readonly sizes: ViewSize[] = [];
  readonly links: string[] = [];
  surroundings: HostContext = {
    theme: 'dark',
    displayMode: 'inline',
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: { width: 800, maxHeight: 600 },
  };
  answer = true;

  readonly context = (): HostContext => this.surroundings;

  resize(size: ViewSize): void {
    this.sizes.push(size);
  }

  async openLink(url: string): Promise<boolean> {
    this.links.push(url);
    return this.answer;
  }

  async setDisplayMode(
    mode: NonNullable<HostContext['displayMode']>,
  ): Promise<NonNullable<HostContext['displayMode']>> {
    this.change({ displayMode: mode });
    return mode;
  }

  change(more: Partial<HostContext>): void {
    this.surroundings = { ...this.surroundings, ...more };
    this.changed.fire();
  }
}

const hello = {
  appInfo: { name: 'clock', version: '1.0.0' },
  appCapabilities: {},
  protocolVersion: '2026-01-26',
};

export interface HostedView {
  readonly port: FakePort;
  readonly ui: FakeAppUi;
  readonly clock: FakeClock;
  readonly app: AppHost;
  readonly outcome: Deferred<CallToolResult>;
  readonly lines: string[];
  readonly logged: unknown[];
  /** `ui/initialize` and its answer. */
  readonly greet: (more?: object) => Promise<Sent>;
  /** Both halves of the greeting. */
  readonly start: (more?: object) => Promise<void>;
}

/** An app in its own frame, not yet started. */
export function hostView(more: Partial<AppParts> = {}): HostedView {
  const [port, ui, clock] = [new FakePort(), new FakeAppUi(), new FakeClock()];
  const outcome = deferred<CallToolResult>();
  const lines: string[] = [];
  const logged: unknown[] = [];
  const write = (line: string): void => void lines.push(line);
  const app = new AppHost({
    post: port.post,
    ui,
    clock,
    host: { name: 'host', version: '1.0.0' },
    capabilities: {},
    requests: new Map(),
    call: {
      id: 'call-1',
      tool: { name: 'get-time', inputSchema: { type: 'object' } },
      input: { zone: 'UTC' },
      outcome: outcome.promise,
    },
    onLog: (params) => logged.push(params),
    log: { trace: write, debug: write, info: write, warn: write, error: write },
    observe: () => undefined,
    ...more,
  });
  port.receive = (message) => app.receive(message);
  let greetings = 0;
  const greet = (changes: object = {}): Promise<Sent> =>
    port.ask(`greeting ${(greetings += 1)}`, 'ui/initialize', { ...hello, ...changes });
  const start = async (changes?: object): Promise<void> => {
    await greet(changes);
    port.notify('ui/notifications/initialized');
  };
  return { port, ui, clock, app, outcome, lines, logged, greet, start };
}
