/**
 * A process for slow checks of values against schemas, one after the other, each within limits of time and memory. It
 * is ended when a check exceeds its time, and after some idle time.
 *
 * Not a thread: one that runs out of memory may end the whole process, which is the editor's. {@link serveSchemas}
 * runs in it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { after, afterInBackground, Sequencer, toError } from '../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import { McpError } from '../../mcp/errors.ts';
import { ownProcessOptions, type OrphanWatch } from '../../mcp/ownProcess.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { AjvSchemaChecker } from './jsonSchema.ts';

/** The file to run: the bundle that this file is part of, or a source file. */
const program = import.meta.filename.endsWith('.cjs')
  ? import.meta.filename
  : path.join(import.meta.dirname, '../../entries/schemas.ts');

/** A process that runs out of memory aborts, and must not leave a core file. `exec` keeps pid and channel. */
const withoutCoreFile = 'ulimit -c 0; exec "$0" "$@"';

/** Exit codes of a shell for a file that is not executable, and for one that does not exist. */
const notStarted: ReadonlySet<unknown> = new Set([126, 127]);

/** Milliseconds, and megabytes of memory, for one check at most. */
const processLimits = { checkMs: 10_000, memoryMb: 256, idleMs: 30_000 } as const;

/** A schema that has ended a process this often is not tried again. */
const maxLosses = 2;

/** The beginning of a sentence. */
const checking = 'Checking a value against the schema';

/** Absent options have defaults. */
export interface SchemaProcessOptions {
  /**
   * Ends the process when this one is gone, which it does not notice during a check. Absent: it ends after its current
   * check.
   */
  readonly orphans?: OrphanWatch;
  readonly checkMs?: number;
  readonly memoryMb?: number;
  /** The Node program. */
  readonly command?: string;
}

/** The check came to no answer. */
interface Loss {
  /** The rest of the sentence {@link checking}. */
  readonly why: string;
  /** The schema, or its value, was too much: that counts against the schema. */
  readonly counts: boolean;
}

export class SchemaProcess implements Disposable {
  readonly #turns = new Sequencer();
  readonly #losses = new WeakMap<JsonSchema, number>();
  readonly #idle = new MutableDisposable<Disposable>();
  readonly #orphans: OrphanWatch | undefined;
  readonly #checkMs: number;
  readonly #memoryMb: number;
  readonly #command: string;
  #isDisposed = false;
  #process: ChildProcess | undefined;
  /** Ends the running check. */
  #settle: ((outcome: Answer | Loss) => void) | undefined;

  constructor(options: SchemaProcessOptions = {}) {
    this.#orphans = options.orphans;
    this.#checkMs = options.checkMs ?? processLimits.checkMs;
    this.#memoryMb = options.memoryMb ?? processLimits.memoryMb;
    this.#command = options.command ?? process.execPath;
  }

  /** One sentence per violation. @throws McpError `unsupported` */
  check(schema: JsonSchema, value: unknown): Promise<readonly string[]> {
    return this.#turns.run(async () => {
      const losses = this.#losses.get(schema) ?? 0;
      if (losses >= maxLosses) {
        throw unusable(
          `${checking} took too much time or memory ${maxLosses} times, and is not tried again`,
        );
      }
      this.#idle.value = undefined;
      const outcome = await this.#ask(schema, value);
      this.#idle.value = afterInBackground(processLimits.idleMs, () => this.#end());
      if ('violations' in outcome) {
        return outcome.violations;
      }
      if ('problem' in outcome) {
        throw unusable(outcome.problem);
      }
      this.#losses.set(schema, losses + Number(outcome.counts));
      this.#end();
      throw unusable(`${checking} ${outcome.why}`);
    });
  }

  /** Ends the process and its running check. Later checks fail. */
  dispose(): void {
    this.#isDisposed = true;
    this.#end();
    this.#fail('MCP Host was stopped');
    this.#idle.dispose();
  }

  async #ask(schema: JsonSchema, value: unknown): Promise<Answer | Loss> {
    const limit = after(this.#checkMs, () =>
      this.#lose(`took longer than ${this.#checkMs / 1_000} s`),
    );
    const answer = new Promise<Answer | Loss>((resolve) => (this.#settle = resolve));
    try {
      if (this.#isDisposed) {
        throw new Error('MCP Host was stopped');
      }
      const child = (this.#process ??= this.#start());
      hold(child);
      // A process that could not be started reports that itself.
      if (child.pid !== undefined) {
        child.send({ schema, value } satisfies Question);
      }
    } catch (error) {
      this.#fail(toError(error).message);
    }
    const outcome = await answer;
    limit.dispose();
    this.#settle = undefined;
    if (this.#process !== undefined) {
      letGo(this.#process);
    }
    return outcome;
  }

  #lose(why: string): void {
    this.#settle?.({ why, counts: true });
  }

  #fail(why: string): void {
    this.#settle?.({ why: `failed: ${why}`, counts: false });
  }

  #start(): ChildProcess {
    const child = startProcess(this.#command, this.#memoryMb);
    const { pid } = child;
    const isCurrent = (): boolean => this.#process === child;
    child.on('message', (answer: Answer) => isCurrent() && this.#settle?.(answer));
    child.on('error', (error) => {
      // For a running process: a broken channel. The exit event follows and says more.
      if (isCurrent() && pid === undefined) {
        this.#fail(`no process could be started for it (${error.message})`);
      }
    });
    child.once('exit', (code, signal) => {
      if (pid !== undefined) {
        this.#orphans?.release(pid);
      }
      if (isCurrent()) {
        this.#process = undefined; // the next check starts another one
        this.#onLost(signal ?? code ?? 0);
      }
    });
    if (pid !== undefined) {
      this.#orphans?.watch(pid);
    }
    return child;
  }

  /** Which signal or exit code means "out of memory" depends on the system, and on whether Node is the editor's. */
  #onLost(how: string | number): void {
    if (notStarted.has(how)) {
      this.#fail(`no process could be started for it ("${this.#command}")`);
    } else if (typeof how === 'string' || how > 127) {
      this.#lose(
        `took more than ${this.#memoryMb} MB of memory, or something else ended its process (${how})`,
      );
    } else {
      this.#lose(`ended with its process (exit code ${how})`);
    }
  }

  #end(): void {
    const child = this.#process;
    this.#process = undefined;
    this.#idle.value = undefined;
    child?.kill('SIGKILL');
  }
}

function startProcess(node: string, memoryMb: number): ChildProcess {
  const command = [node, `--max-old-space-size=${memoryMb}`, program, schemaProcessMark] as const;
  const isWindows = process.platform === 'win32';
  const [file, ...args] = isWindows ? command : ['/bin/sh', '-c', withoutCoreFile, ...command];
  return spawn(file, args, {
    ...ownProcessOptions(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // JSON would turn infinite numbers into null.
    serialization: 'advanced',
  });
}

/** Keeps this process alive only while it waits for an answer. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function unusable(message: string): McpError {
  return new McpError('unsupported', message);
}

/** The argument that makes the program serve checks. */
export const schemaProcessMark = 'mcp-host-schemas';

/** Schemas that the process caches; beyond that it drops all of them. */
const maxKnown = 100;

interface Question {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/** An error loses its class on the channel. */
type Answer = { readonly violations: readonly string[] } | { readonly problem: string };

/** Runs in the process: answers each question on its channel until that is closed, which ends the process. */
export function serveSchemas(): void {
  const checker = new AjvSchemaChecker();
  /** By their JSON: each question brings a copy, and the checker knows schemas by identity. */
  const known = new Map<string, JsonSchema>();
  const answerTo = (schema: JsonSchema, value: unknown): Answer => {
    try {
      return { violations: checker.check(schema, value) };
    } catch (error) {
      return { problem: toError(error).message };
    }
  };
  process.on('message', ({ schema, value }: Question) => {
    const text = JSON.stringify(schema);
    if (known.size >= maxKnown) {
      known.clear();
    }
    const one = known.get(text) ?? schema;
    known.set(text, one);
    process.send?.(answerTo(one, value));
  });
  process.once('disconnect', () => process.exit());
}
