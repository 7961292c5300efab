/** A draft of an entry of `mcpHost.servers`, with messages about it. Knows no field of any program. */
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import type { ImportedInput, Surroundings } from './importedServer.ts';
import { translateVariables, type VariableDialect, type VariableNotes } from './importVariables.ts';

/** The special rules of a program. */
export interface ProgramRules {
  readonly variables?: VariableDialect;
  /** The unit of `timeout`, a limit on one request. */
  readonly timeoutUnit?: 'seconds' | 'milliseconds';
  /** `url` means HTTP+SSE; another field means Streamable HTTP. */
  readonly urlMeansSse?: boolean;
}

/** The inputs that a file defines, by their id there. */
export type FileInputs = ReadonlyMap<string, ImportedInput>;

export class ServerDraft implements VariableNotes {
  readonly rules: ProgramRules;
  readonly around: Surroundings;
  /** Each once, in order. */
  readonly problems = new Set<string>();
  readonly inputs = new Map<string, ImportedInput>();
  readonly #fields = new Map<string, unknown>();
  readonly #fileInputs: FileInputs;

  constructor(rules: ProgramRules, around: Surroundings, fileInputs: FileInputs) {
    this.rules = rules;
    this.around = around;
    this.#fileInputs = fileInputs;
  }

  get entry(): JsonObject {
    return Object.fromEntries(this.#fields);
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  set(field: string, value: unknown): void {
    this.#fields.set(field, value);
  }

  /** Adds members to a field that is an object. */
  merge(field: string, members: JsonObject): void {
    const present = this.#fields.get(field);
    this.#fields.set(field, { ...(isObject(present) ? present : {}), ...members });
  }

  problem(field: string, text: string): void {
    this.problems.add(`${field}: ${text}`);
  }

  input(input: ImportedInput): void {
    if (!this.inputs.has(input.id)) {
      this.inputs.set(input.id, input);
    }
  }

  inputId(id: string): string | undefined {
    const input = this.#fileInputs.get(id);
    if (input !== undefined) {
      this.inputs.set(input.id, input);
    }
    return input?.id;
  }

  /** Replaces the variables in all texts of a value. Other values stay, for the checks to judge. */
  translated(field: string, value: unknown): unknown {
    if (isString(value)) {
      return translateVariables(value, field, this.rules.variables, this.around, this);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => this.translated(`${field}[${index}]`, item));
    }
    return isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [
            key,
            this.translated(`${field}.${key}`, inner),
          ]),
        )
      : value;
  }
}
