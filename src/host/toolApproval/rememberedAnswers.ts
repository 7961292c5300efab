/** Answers of the user that count for longer: in this window, in this workspace, or in all. */
import { Sequencer } from '../../base/async.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { RememberedScope } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';

export interface AnswerMemories {
  /** Of the workspace. */
  readonly memory: Memory;
  /** Shared by all workspaces. */
  readonly globalMemory: Memory;
}

export class RememberedAnswers<T extends { readonly scope: RememberedScope }> {
  readonly #name: string;
  readonly #memories: AnswerMemories;
  readonly #keyOf: (answer: T) => string;
  readonly #read: (stored: JsonObject, scope: RememberedScope) => T | undefined;
  readonly #writes = new Sequencer();
  #session: readonly T[] = [];

  /**
   * @param name in the memories
   * @param keyOf of answers with the same key, each scope has the last
   * @param read returns undefined for what is no stored answer
   */
  constructor(
    name: string,
    memories: AnswerMemories,
    keyOf: (answer: T) => string,
    read: (stored: JsonObject, scope: RememberedScope) => T | undefined,
  ) {
    this.#name = name;
    this.#memories = memories;
    this.#keyOf = keyOf;
    this.#read = read;
  }

  /** Those of the window first, those of all workspaces last. */
  list(): readonly T[] {
    return [...this.#session, ...this.#stored('workspace'), ...this.#stored('always')];
  }

  add(answer: T): Promise<void> {
    return this.#replace(answer, [answer]);
  }

  remove(answer: T): Promise<void> {
    return this.#replace(answer, []);
  }

  async #replace(answer: T, by: readonly T[]): Promise<void> {
    const { scope } = answer;
    const key = this.#keyOf(answer);
    const changed = (before: readonly T[]): readonly T[] => [
      ...before.filter((other) => this.#keyOf(other) !== key),
      ...by,
    ];
    if (scope === 'session') {
      this.#session = changed(this.#session);
    } else {
      await this.#writes.run(async () =>
        this.#memory(scope).set(this.#name, changed(this.#stored(scope))),
      );
    }
  }

  #stored(scope: 'workspace' | 'always'): readonly T[] {
    const stored = this.#memory(scope).get(this.#name);
    return (Array.isArray(stored) ? stored : [])
      .map((value: unknown) => (isObject(value) ? this.#read(value, scope) : undefined))
      .filter((answer) => answer !== undefined);
  }

  #memory(scope: 'workspace' | 'always'): Memory {
    return scope === 'always' ? this.#memories.globalMemory : this.#memories.memory;
  }
}
