/**
 * Which tool calls run, kept for the workspace: after a reload or a crash of the window, those that are tasks of their servers
 * are asked for again, and the others are told as lost (host/requests/resumedTasks.ts).
 */
import { createHash, randomUUID } from 'node:crypto';
import { afterInBackground } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import type { Era } from '../../mcp/revisions.ts';
import type { KeptTask } from '../../mcp/session/session.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { KeptInput } from '../history/callHistory.ts';
import { readOrigin, type RequestOrigin } from '../requestOrigin.ts';
import type { Memory } from '../storage.ts';

export const runningCallLimits = {
  /** The oldest go first. */
  calls: 100,
  /** Milliseconds; longer ago nobody waits for a result. */
  ageMs: 7 * 24 * 60 * 60 * 1_000,
} as const;

const memoryKey = 'mcpHost.runningCalls';

/** In milliseconds; a call that ends sooner is written down only if it is a task. */
const shortCallMs = 1_000;

/** A call as it is kept. */
export interface RunningCall {
  /** Ours. */
  readonly key: string;
  /** The server's own id of the task; absent: the call is none. */
  readonly id?: string;
  readonly serverId: ServerId;
  /** The server's name in the settings. */
  readonly server: string;
  /** Of what the settings say about how the server is run or reached. */
  readonly definition: string;
  readonly era: Era;
  readonly method: 'tools/call';
  readonly tool: string;
  readonly origin: RequestOrigin;
  /** When the call was made, in milliseconds since 1970. */
  readonly at: number;
  /** For the call history, if it was on. */
  readonly input?: KeptInput;
}

/** A call that is a task. */
export type RunningTask = RunningCall & { readonly id: string };

export function isTask(call: RunningCall): call is RunningTask {
  return call.id !== undefined;
}

/** One call, from its beginning to its end. */
export interface OpenCall extends KeptTask {
  /** The call is over: unless its task is left, it is forgotten. */
  over(): void;
}

export class RunningCalls {
  readonly #memory: Memory;
  readonly #now: () => number;
  #isClosing = false;

  constructor(memory: Memory, now: () => number = Date.now) {
    this.#memory = memory;
    this.#now = now;
  }

  /** Oldest first. */
  get all(): readonly RunningCall[] {
    const stored = this.#memory.get(memoryKey);
    const notes: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const earliest = this.#now() - runningCallLimits.ageMs;
    return notes.filter(isRunningCall).filter(({ at }) => at >= earliest);
  }

  /** From now on no task is cancelled, and no call forgotten: the window closes. */
  leaveAll(): void {
    this.#isClosing = true;
  }

  /** Keeps the call once it is a task, or takes long. @param inputOf for the call history */
  open(
    server: ServerConfig,
    call: Pick<RunningCall, 'era' | 'tool' | 'origin'>,
    inputOf: () => KeptInput | undefined,
  ): OpenCall {
    const key = randomUUID();
    let kept: RunningCall | undefined;
    const keep = (task?: Pick<RunningTask, 'id'>): void => {
      const input = inputOf();
      kept = {
        key,
        serverId: server.id,
        server: server.name,
        definition: definitionOf(server),
        method: 'tools/call',
        at: this.#now(),
        ...call,
        ...task,
        ...(input && { input }),
      };
      this.#store([...this.#without(key), kept].slice(-runningCallLimits.calls));
    };
    const long: Disposable = afterInBackground(shortCallMs, () => kept ?? keep());
    return {
      began: (id) => keep({ id }),
      isLeft: () => this.#isClosing && kept?.id !== undefined,
      over: () => {
        long.dispose();
        if (kept !== undefined) {
          this.forget(kept);
        }
      },
    };
  }

  /** Follows a kept task to its end. */
  resume(task: RunningTask): OpenCall {
    return {
      id: task.id,
      began: () => undefined,
      isLeft: () => this.#isClosing,
      over: () => this.forget(task),
    };
  }

  /** Does nothing when the window closes. */
  forget({ key }: Pick<RunningCall, 'key'>): void {
    if (!this.#isClosing) {
      this.#store(this.#without(key));
    }
  }

  #without(key: string): readonly RunningCall[] {
    return this.all.filter((call) => call.key !== key);
  }

  /** Not awaited: if it fails, a call is lost with the window, or a task is asked for in vain. */
  #store(calls: readonly RunningCall[]): void {
    this.#memory.set(memoryKey, calls).catch(() => undefined);
  }
}

/** Of the entry's texts with their variables: resolved values may be secrets, and some change at each start. */
export function definitionOf({ launch }: Pick<ServerConfig, 'launch'>): string {
  return createHash('sha256').update(stableStringify(launch)).digest('base64url');
}

function isRunningCall(value: unknown): value is RunningCall {
  return (
    isObject(value) &&
    ['key', 'serverId', 'server', 'definition', 'tool'].every((name) => isString(value[name])) &&
    (value['id'] === undefined || isString(value['id'])) &&
    (value['era'] === 'legacy' || value['era'] === 'modern') &&
    value['method'] === 'tools/call' &&
    readOrigin(value['origin']) !== undefined &&
    Number.isFinite(value['at'])
  );
}
