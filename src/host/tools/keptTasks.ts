/**
 * Which tool calls run as tasks of their servers, kept for the workspace: after a reload or a crash of the window, they are
 * asked for again (host/requests/resumedTasks.ts).
 */
import { createHash } from 'node:crypto';
import { isObject, isString, stableStringify } from '../../base/json.ts';
import type { Era } from '../../mcp/revisions.ts';
import type { KeptTask } from '../../mcp/session/session.ts';
import type { ServerConfig, ServerId } from '../config/serverConfig.ts';
import type { KeptInput } from '../history/callHistory.ts';
import { readOrigin, type RequestOrigin } from '../requestOrigin.ts';
import type { Memory } from '../storage.ts';

export const keptTaskLimits = {
  /** The oldest go first. */
  tasks: 100,
  /** Milliseconds; longer ago nobody waits for a result. */
  ageMs: 7 * 24 * 60 * 60 * 1_000,
} as const;

const memoryKey = 'mcpHost.runningTasks';

/** A task as it is kept. */
export interface TaskNote {
  /** The server's own id of it. */
  readonly id: string;
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

/** One call, from its beginning to its end. */
export interface TaskOfCall extends KeptTask {
  /** The call is over: unless its task is left, it is forgotten. */
  over(): void;
}

export class KeptTasks {
  readonly #memory: Memory;
  readonly #now: () => number;
  #isClosing = false;

  constructor(memory: Memory, now: () => number = Date.now) {
    this.#memory = memory;
    this.#now = now;
  }

  /** Oldest first. */
  get all(): readonly TaskNote[] {
    const stored = this.#memory.get(memoryKey);
    const notes: readonly unknown[] = Array.isArray(stored) ? stored : [];
    const earliest = this.#now() - keptTaskLimits.ageMs;
    return notes.filter(isTaskNote).filter(({ at }) => at >= earliest);
  }

  /** From now on no task is cancelled or forgotten: the window closes. */
  leaveAll(): void {
    this.#isClosing = true;
  }

  /** Keeps the task of a call, once it is one. @param inputOf for the call history */
  open(
    server: ServerConfig,
    call: Pick<TaskNote, 'era' | 'tool' | 'origin'>,
    inputOf: () => KeptInput | undefined,
  ): TaskOfCall {
    let note: TaskNote | undefined;
    return {
      began: (id) => {
        const input = inputOf();
        note = {
          id,
          serverId: server.id,
          server: server.name,
          definition: definitionOf(server),
          method: 'tools/call',
          at: this.#now(),
          ...call,
          ...(input && { input }),
        };
        this.#store([...this.all, note].slice(-keptTaskLimits.tasks));
      },
      isLeft: () => this.#isClosing && note !== undefined,
      over: () => note && this.forget(note),
    };
  }

  /** Follows a kept task to its end. */
  resume(note: TaskNote): TaskOfCall {
    return {
      id: note.id,
      began: () => undefined,
      isLeft: () => this.#isClosing,
      over: () => this.forget(note),
    };
  }

  /** Does nothing when the window closes. */
  forget({ id, serverId }: Pick<TaskNote, 'id' | 'serverId'>): void {
    if (!this.#isClosing) {
      this.#store(this.all.filter((one) => one.id !== id || one.serverId !== serverId));
    }
  }

  /** Not awaited: if it fails, a result is lost with the window, or a task is asked for in vain. */
  #store(notes: readonly TaskNote[]): void {
    this.#memory.set(memoryKey, notes).catch(() => undefined);
  }
}

/** Of the entry's texts with their variables: resolved values may be secrets, and some change at each start. */
export function definitionOf({ launch }: Pick<ServerConfig, 'launch'>): string {
  return createHash('sha256').update(stableStringify(launch)).digest('base64url');
}

function isTaskNote(value: unknown): value is TaskNote {
  return (
    isObject(value) &&
    ['id', 'serverId', 'server', 'definition', 'tool'].every((name) => isString(value[name])) &&
    (value['era'] === 'legacy' || value['era'] === 'modern') &&
    value['method'] === 'tools/call' &&
    readOrigin(value['origin']) !== undefined &&
    Number.isFinite(value['at'])
  );
}
