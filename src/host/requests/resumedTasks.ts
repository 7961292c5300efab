/**
 * Asks for the tasks that an earlier window has left: each once, when its server runs, and only if that is still the server
 * that it was started with. No server is started for it. Calls that were no tasks are told as lost.
 */
import { t } from '../../base/l10n.ts';
import { toError } from '../../base/async.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isCancelled, McpError } from '../../mcp/errors.ts';
import type { CallToolResult } from '../../mcp/types/methods.ts';
import type { ServerConfig } from '../config/serverConfig.ts';
import type { ServerConnection } from '../servers/connection.ts';
import type { McpHost } from '../servers/host.ts';
import { resumeToolCall, type ToolCallServices } from '../tools/callTool.ts';
import {
  definitionOf,
  isTask,
  type RunningCall,
  type RunningCalls,
  type RunningTask,
} from '../tools/runningCalls.ts';

/** What the user learns of the tasks. */
export interface ResumedTasksUi {
  /** Their server does not run, and does not start by itself. */
  waiting(server: ServerConfig, tasks: readonly RunningTask[]): void;
  done(task: RunningTask, result: CallToolResult): void;
  /** There will be no result. */
  lost(call: RunningCall, error: Error): void;
}

export interface ResumptionParts {
  readonly host: Pick<McpHost, 'servers' | 'onDidChangeServer' | 'onDidChangeServers'>;
  readonly runningCalls: RunningCalls;
  readonly callServices: (server: ServerConfig) => ToolCallServices;
  readonly ui: ResumedTasksUi;
}

export class ResumedTasks implements Disposable {
  readonly #parts: ResumptionParts;
  readonly #store = new DisposableStore();
  readonly #lifetime = new AbortController();
  /** Those that nobody has asked for yet. */
  readonly #left: Set<RunningTask>;

  constructor(parts: ResumptionParts) {
    this.#parts = parts;
    const { host, runningCalls } = parts;
    this.#left = new Set(runningCalls.all.filter(isTask));
    this.#tellLost();
    this.#store.add(host.onDidChangeServer(() => this.#look()));
    this.#store.add(host.onDidChangeServers(() => this.#look()));
    this.#tellWaiting();
    this.#look();
  }

  dispose(): void {
    this.#store.dispose();
    this.#lifetime.abort();
  }

  #tellLost(): void {
    const { runningCalls, ui } = this.#parts;
    for (const call of runningCalls.all.filter((one) => !isTask(one))) {
      runningCalls.forget(call);
      ui.lost(call, new McpError('closed', t('Whether it took effect is unknown')));
    }
  }

  #tellWaiting(): void {
    const byServer = Map.groupBy(this.#left, ({ serverId }) => serverId);
    for (const [id, notes] of byServer) {
      const connection = this.#parts.host.servers.get(id);
      if (connection?.config.startup === 'manual' && isStopped(connection)) {
        this.#parts.ui.waiting(connection.config, notes);
      }
    }
  }

  #look(): void {
    for (const note of this.#left) {
      const connection = this.#parts.host.servers.get(note.serverId);
      if (connection?.state.kind === 'ready') {
        this.#left.delete(note);
        void this.#resume(note, connection);
      }
    }
    if (this.#left.size === 0) {
      this.#store.dispose();
    }
  }

  async #resume(note: RunningTask, connection: ServerConnection): Promise<void> {
    const { runningCalls, ui, callServices } = this.#parts;
    const { config } = connection;
    const task = runningCalls.resume(note);
    const { signal } = this.#lifetime;
    try {
      if (definitionOf(config) !== note.definition) {
        throw otherServer(note, t('its settings have changed'));
      }
      const result = await connection.withSession((session, both) => {
        if (session.server.era !== note.era) {
          throw otherServer(note, t('it speaks another revision now'));
        }
        return resumeToolCall(session, { note, task }, { ...callServices(config), signal: both });
      }, signal);
      ui.done(note, result);
    } catch (error) {
      task.over();
      if (!task.isLeft() && !isCancelled(error)) {
        ui.lost(note, toError(error));
      }
    }
  }
}

/** Nothing but the user's wish is missing for it to run. */
function isStopped({ state }: ServerConnection): boolean {
  return state.kind === 'stopped' && state.because === undefined;
}

function otherServer({ tool }: RunningTask, why: string): McpError {
  const text = t(
    'The server is not asked for the task of "{0}", since {1}: whether it took effect is unknown',
    tool,
    why,
  );
  return new McpError('closed', text);
}
