/**
 * The host of one app: the life of a view from `ui/initialize` to its teardown, for one call of a tool. What the view may
 * ask for is a table of its parts.
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#lifecycle
 */
import { t } from '../../base/l10n.ts';
import { toError } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { invalidParams, RpcError, rpcCodes } from '../../mcp/errors.ts';
import {
  appsVersion,
  type ContainerDimensions,
  type DisplayMode,
  displayModes,
  type HostCapabilities,
  type HostContext,
  type UiInitializeResult,
} from '../../mcp/types/apps.ts';
import type { Tool } from '../../mcp/types/lists.ts';
import type { Params } from '../../mcp/types/message.ts';
import type { CallToolResult, Implementation, LoggingMessage } from '../../mcp/types/methods.ts';
import { loggingLevels } from '../servers/logLevels.ts';
import { AppConversation, viewLimits, type ViewRequest } from './appConversation.ts';
import type { AppUi, ViewSize } from './appUi.ts';

export const viewTimes = {
  /** From the start to `ui/notifications/initialized`, in milliseconds. */
  startMs: 15_000,
  /** For the answer to `ui/resource-teardown`, in milliseconds. */
  teardownMs: 3_000,
} as const;

/** The call of a tool that the view shows. */
export interface AppCall {
  /** Of the call, for the view. */
  readonly id: string;
  readonly tool: Tool;
  /** The arguments as the call carries them. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Rejects when the call ends without a result: cancelled, timed out, refused, server gone. */
  readonly outcome: Promise<CallToolResult>;
}

export type AppState =
  /** The view has not said that it is ready. */
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  /** It has not done so in time, and still may. `reason`: a sentence. */
  | { readonly kind: 'silent'; readonly reason: string }
  /** It was ended. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'closed' };

/** What a request of the view can do, by its method. */
export type RequestTable = ReadonlyMap<
  string,
  (request: ViewRequest, view: ViewFacts) => Promise<object>
>;

export interface ViewFacts {
  /** The display modes that the view says it has; undefined when it does not say. */
  readonly modes: readonly DisplayMode[] | undefined;
}

export interface AppParts {
  /** Sends a message to the view. */
  readonly post: (message: object) => void;
  readonly ui: AppUi;
  readonly call: AppCall;
  /** This host's name and version. */
  readonly host: Implementation;
  readonly capabilities: HostCapabilities;
  readonly requests: RequestTable;
  /** A log message of the view. */
  readonly onLog: (message: LoggingMessage) => void;
  readonly log: Log;
  readonly clock: Clock;
  /** Sees each message that comes or goes. */
  readonly observe: (direction: 'fromApp' | 'toApp', message: object) => void;
}

export class AppHost implements Disposable {
  readonly #parts: AppParts;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<AppState>();
  readonly #wanted = new Emitter<void>();
  readonly #conversation: AppConversation;
  readonly #limit = this.#store.add(new MutableDisposable());
  #state: AppState = { kind: 'loading' };
  #modes: readonly DisplayMode[] | undefined;
  /** The surroundings as the view knows them; undefined before its `ui/initialize`. */
  #told: HostContext | undefined;
  #outcome: { readonly method: string; readonly params: object } | undefined;
  /** Notifications for a view that is not ready yet, by method. */
  readonly #queue = new Map<string, object>();
  #dropped = 0;
  #closing: Promise<void> | undefined;
  /** Fires with the new state. */
  readonly onDidChange = this.#changed.event;
  /** The view wants to be closed; whoever follows calls {@link close}. */
  readonly onDidWantClose = this.#wanted.event;

  constructor(parts: AppParts) {
    this.#parts = parts;
    const { post, ui, clock, log, call, observe } = parts;
    this.#conversation = this.#store.add(
      new AppConversation({
        post,
        clock,
        isReady: () => this.#state.kind === 'ready',
        onRequest: (request) => this.#onRequest(request),
        onNotification: (method, params) => this.#onNotification(method, params),
        onDropped: (because) => this.#onDropped(because),
        observe,
      }),
    );
    this.#store.add(ui.onDidChangeContext(() => this.#onContext()));
    this.#await();
    call.outcome.then(
      ({ resultType: _type, ...result }: CallToolResult & { readonly resultType?: unknown }) =>
        this.#onOutcome('ui/notifications/tool-result', result),
      (error: unknown) => {
        log.info(`The call that an app shows has no result: ${toError(error).message}`);
        const reason = toError(error).message;
        this.#onOutcome('ui/notifications/tool-cancelled', { reason });
      },
    );
  }

  get state(): AppState {
    return this.#state;
  }

  /** A message of the view as it came. The caller has checked that it comes from the view's own window (APP-40). */
  receive(message: unknown): void {
    this.#conversation.receive(message);
  }

  /**
   * The view was removed since it sent more than `viewLimits.messagesPerSecond`. The page around the view keeps this
   * limit: a flood lets nothing else through to it.
   */
  flood(): void {
    const most = viewLimits.messagesPerSecond;
    const reason = t('The app was ended: it sent more than {0} messages in a second.', most);
    this.#end({ kind: 'failed', reason });
  }

  /** A list of the server has changed, and the view was told that it would learn of it. */
  listChanged(list: 'tools' | 'resources' | 'prompts'): void {
    this.#tell(`notifications/${list}/list_changed`, {});
  }

  /**
   * Tells the view of its end, gives it time, and ends it. Resolves when the view can be removed.
   * @param reason a sentence for the view
   */
  close(reason: string): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  /** Ends it at once: the view is gone, or is to go without a word. */
  dispose(): void {
    this.#end({ kind: 'closed' });
  }

  async #close(reason: string): Promise<void> {
    if (this.#state.kind === 'ready') {
      await this.#conversation.ask('ui/resource-teardown', { reason }, viewTimes.teardownMs);
    }
    this.dispose();
  }

  #end(state: Extract<AppState, { kind: 'failed' | 'closed' }>): void {
    if (this.#state.kind === 'failed' || this.#state.kind === 'closed') {
      return;
    }
    const { modelContext } = this.#parts.ui;
    this.#store.dispose();
    modelContext?.set(undefined);
    if (this.#dropped > 0) {
      this.#parts.log.info(`Messages of the app that were dropped: ${this.#dropped}`);
    }
    this.#set(state);
    this.#changed.dispose();
    this.#wanted.dispose();
  }

  #set(state: AppState): void {
    this.#state = state;
    this.#changed.fire(state);
  }

  async #onRequest(request: ViewRequest): Promise<object> {
    const { method } = request;
    if (method === 'ui/initialize') {
      return this.#initialize(request);
    }
    const run = this.#parts.requests.get(method);
    if (run === undefined) {
      throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${method}`);
    }
    return run(request, { modes: this.#modes });
  }

  async #initialize({ params, signal }: ViewRequest): Promise<UiInitializeResult> {
    const { appInfo, appCapabilities, protocolVersion } = params;
    const { name, version } = isObject(appInfo) ? appInfo : {};
    const isWhole = [name, version, protocolVersion].every(isString);
    if (!isWhole || !isObject(appCapabilities)) {
      const needs = '"appInfo" with "name" and "version", "appCapabilities" and "protocolVersion"';
      throw invalidParams(`"ui/initialize" needs ${needs}`);
    }
    const { host, capabilities, ui } = this.#parts;
    const modes: unknown = appCapabilities['availableDisplayModes'];
    this.#modes = Array.isArray(modes)
      ? displayModes.filter((mode) => modes.includes(mode))
      : undefined;
    this.#told = undefined;
    if (this.#state.kind !== 'loading') {
      this.#set({ kind: 'loading' });
    }
    this.#await();
    if (ui.context().displayMode === 'fullscreen') {
      await ui.setDisplayMode('inline', signal); // of the page before, which may have had others
    }
    this.#told = this.#context();
    return {
      protocolVersion: appsVersion,
      hostInfo: host,
      hostCapabilities: capabilities,
      hostContext: this.#told,
    };
  }

  #await(): void {
    this.#limit.value = this.#parts.clock.after(viewTimes.startMs, () => {
      const seconds = viewTimes.startMs / 1_000;
      const reason = t('The app did not start within {0} seconds.', seconds);
      this.#set({ kind: 'silent', reason });
    });
  }

  #onNotification(method: string, params: Params): void {
    switch (method) {
      case 'ui/notifications/initialized':
        this.#onInitialized();
        break;
      case 'ui/notifications/size-changed':
        this.#onSize(params);
        break;
      case 'ui/notifications/request-teardown':
        this.#wanted.fire();
        break;
      case 'notifications/message':
        this.#onLog(params);
        break;
      default:
        this.#onDropped(`the notification "${method}" is unknown`);
    }
  }

  #onInitialized(): void {
    if (this.#told === undefined || this.#state.kind === 'ready') {
      this.#onDropped('"ui/notifications/initialized" has no "ui/initialize" before it');
      return;
    }
    this.#limit.value = undefined;
    this.#state = { kind: 'ready' };
    const { input } = this.#parts.call;
    this.#conversation.notify('ui/notifications/tool-input', { arguments: input });
    for (const [method, params] of this.#queue) {
      this.#conversation.notify(method, params);
    }
    this.#queue.clear();
    if (this.#outcome !== undefined) {
      this.#conversation.notify(this.#outcome.method, this.#outcome.params);
    }
    this.#set(this.#state);
  }

  #onOutcome(method: string, params: object): void {
    this.#outcome = { method, params };
    if (this.#state.kind === 'ready') {
      this.#conversation.notify(method, params);
    }
  }

  #onLog({ level, logger, data }: Params): void {
    const known = loggingLevels.find((one) => one === level);
    if (known === undefined) {
      this.#onDropped('the level of a log message is unknown');
      return;
    }
    const from = isString(logger) ? `app ${logger}` : 'app';
    this.#parts.onLog({ level: known, logger: from, data });
  }

  #onSize({ width, height }: Params): void {
    if (!isAxis(width) || !isAxis(height)) {
      this.#onDropped('an axis of its size is no length');
      return;
    }
    const size = sizeWithin({ width, height }, this.#parts.ui.context().containerDimensions);
    if (size.width !== undefined || size.height !== undefined) {
      this.#parts.ui.resize(size);
    }
  }

  #onContext(): void {
    if (this.#told === undefined) {
      return;
    }
    const [before, now] = [this.#told, this.#context()];
    const known = new Map(Object.entries(before));
    const changed = Object.entries(now).filter(
      ([name, value]) => stableStringify(value) !== stableStringify(known.get(name)),
    );
    this.#told = now;
    if (changed.length > 0) {
      this.#tell('ui/notifications/host-context-changed', Object.fromEntries(changed));
    }
  }

  #context(): HostContext {
    const { call, ui } = this.#parts;
    return { ...ui.context(), toolInfo: { id: call.id, tool: call.tool } };
  }

  /** Of several notifications before the view is ready, one with all members is sent. */
  #tell(method: string, params: object): void {
    if (this.#state.kind === 'ready') {
      this.#conversation.notify(method, params);
    } else if (this.#told !== undefined) {
      this.#queue.set(method, { ...this.#queue.get(method), ...params });
    }
  }

  #onDropped(because: string): void {
    this.#dropped += 1;
    if (this.#dropped === 1) {
      this.#parts.log.warn(`A message of the app was dropped: ${because}`);
    }
  }
}

function isAxis(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

/** The axes that the view decides, at most as long as they may be (APP-54). */
function sizeWithin(
  { width, height }: Readonly<Record<'width' | 'height', number | undefined>>,
  container: ContainerDimensions = {},
): ViewSize {
  const { maxWidth = Infinity, maxHeight = Infinity } = container;
  return {
    ...(width !== undefined &&
      container.width === undefined && { width: Math.min(width, maxWidth) }),
    ...(height !== undefined &&
      container.height === undefined && { height: Math.min(height, maxHeight) }),
  };
}
