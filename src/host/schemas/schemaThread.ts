/**
 * A thread that checks values against schemas which take long, one after the other, each within a
 * limit of time; it is ended when a check exceeds that, and when it is not needed for a while.
 *
 * Both sides of it are here: {@link SchemaThread} asks, {@link serveSchemas} answers.
 */
import path from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import { after, afterInBackground, Sequencer, toError } from '../../base/async.ts';
import { type Disposable, MutableDisposable } from '../../base/disposable.ts';
import { McpError } from '../../mcp/errors.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import { AjvSchemaChecker, type Attempt, patientLimits } from './jsonSchema.ts';

/** The program: the bundle that this file is part of, or a source file. */
const program = import.meta.filename.endsWith('.cjs')
  ? import.meta.filename
  : path.join(import.meta.dirname, '../../schemas.ts');

/** What the thread is started with, so that the program knows that it is to serve. */
export const schemaThreadMark = 'mcp-host schemas';

/** Milliseconds, and megabytes of memory, that one check may take at all. The limits inside of the thread come first. */
export const threadLimits = { checkMs: 20_000, memoryMb: 256, idleMs: 30_000 } as const;

/** Schemas that the thread remembers; then it forgets all of them. */
const maxKnown = 100;

interface Question {
  /** The same for the same schema. */
  readonly schemaId: number;
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/** An error loses its class on the way. */
type Answer =
  | { readonly kind: 'checked'; readonly violations: readonly string[] }
  | { readonly kind: 'unusable' | 'tooMuch'; readonly message: string };

export class SchemaThread {
  readonly #turns = new Sequencer();
  readonly #ids = new WeakMap<JsonSchema, number>();
  readonly #idle = new MutableDisposable<Disposable>();
  readonly #checkMs: number;
  #lastId = 0;
  #worker: Worker | undefined;
  /** The check that is under way. */
  #pending:
    | { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }
    | undefined;

  /** @param checkMs instead of the usual limit of time */
  constructor(checkMs: number = threadLimits.checkMs) {
    this.#checkMs = checkMs;
  }

  /** Never rejects. */
  check(schema: JsonSchema, value: unknown): Promise<Attempt> {
    return this.#turns.run(async () => {
      this.#idle.value = undefined;
      try {
        return toAttempt(await this.#ask(schema, value));
      } catch (error) {
        this.#end();
        const message = error instanceof Error ? error.message : String(error);
        return unusable(`The value could not be checked against the schema: ${message}`, error);
      } finally {
        this.#idle.value = afterInBackground(threadLimits.idleMs, () => this.#end());
      }
    });
  }

  async #ask(schema: JsonSchema, value: unknown): Promise<Answer> {
    const worker = (this.#worker ??= this.#start());
    const limit = after(this.#checkMs, () =>
      this.#pending?.reject(new Error(`it took longer than ${this.#checkMs / 1_000} s`)),
    );
    worker.ref();
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#pending = { resolve, reject };
        const question: Question = { schemaId: this.#idOf(schema), schema, value };
        worker.postMessage(question, []); // copied, nothing handed over
      });
    } finally {
      limit.dispose();
      this.#pending = undefined;
      worker.unref();
    }
  }

  #idOf(schema: JsonSchema): number {
    const known = this.#ids.get(schema);
    if (known !== undefined) {
      return known;
    }
    this.#lastId += 1;
    this.#ids.set(schema, this.#lastId);
    return this.#lastId;
  }

  #start(): Worker {
    const worker = new Worker(program, {
      workerData: schemaThreadMark,
      name: 'MCP Host: schemas',
      // Nothing of the environment is needed, and none of the editor's switches.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadLimits.memoryMb },
    });
    const isCurrent = (): boolean => this.#worker === worker;
    worker.on('message', (answer: Answer) => isCurrent() && this.#pending?.resolve(answer));
    // One that is ended in the middle of something may say so as an error, which is for nobody.
    worker.on('error', (error) => isCurrent() && this.#pending?.reject(toError(error)));
    worker.on('exit', () => {
      if (isCurrent()) {
        this.#worker = undefined; // the next check starts another one
        this.#pending?.reject(new Error('its thread ended'));
      }
    });
    return worker;
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#idle.value = undefined;
    void worker?.terminate();
  }
}

/** Answers each question that comes over `port`. For the thread itself. */
export function serveSchemas(port: MessagePort): void {
  const checker = new AjvSchemaChecker(patientLimits);
  const known = new Map<number, JsonSchema>();
  port.on('message', ({ schemaId, schema, value }: Question) => {
    if (known.size >= maxKnown) {
      known.clear();
    }
    const one = known.get(schemaId) ?? schema;
    known.set(schemaId, one);
    port.postMessage(toAnswer(checker.check(one, value)));
  });
}

function toAnswer(attempt: Attempt): Answer {
  return attempt.kind === 'checked'
    ? attempt
    : { kind: attempt.kind, message: attempt.error.message };
}

function toAttempt(answer: Answer): Attempt {
  return answer.kind === 'checked' ? answer : unusable(answer.message);
}

function unusable(message: string, cause?: unknown): Attempt {
  return { kind: 'unusable', error: new McpError('unsupported', message, { cause }) };
}
