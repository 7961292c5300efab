/**
 * The answers to a form while the user works on them: what was given for each field, what it means,
 * and whether all of it can be sent. Lives as long as the request, so that a form that is put off is
 * opened again as it was left.
 */
import type { ElicitContent } from '../../../mcp/types/asks.ts';
import type { SchemaChecker } from '../../ports.ts';
import type { FieldInput, FieldProblem, FieldValue, Form, FormField, Parsed } from './form.ts';
import { initialInput, parseField } from './parseField.ts';

export type Review =
  | { readonly kind: 'complete'; readonly content: ElicitContent }
  | {
      readonly kind: 'incomplete';
      /** By key. */
      readonly problems: ReadonlyMap<string, FieldProblem>;
      /** Rules of the schema that are about several fields, one sentence each. */
      readonly sentences: readonly string[];
    };

/** What a step for one field reads and writes. */
export interface FieldInputs {
  inputOf(field: FormField): FieldInput;
  /** Keeps what was given, whatever it means. */
  set(field: FormField, input: FieldInput): void;
  answerTo(field: FormField): Parsed;
}

export class FormDraft implements FieldInputs {
  readonly form: Form;
  readonly #checker: SchemaChecker;
  readonly #inputs = new Map<string, FieldInput>();
  /** Where the user was: the index of a field, or the number of fields for the review. */
  position = 0;
  /** A single answer was opened from the review, to which the user returns. */
  isChanging = false;

  constructor(form: Form, checker: SchemaChecker) {
    this.form = form;
    this.#checker = checker;
    for (const field of form.fields) {
      this.#inputs.set(field.key, initialInput(field));
    }
  }

  inputOf(field: FormField): FieldInput {
    return this.#inputs.get(field.key);
  }

  /** What `input` would mean for the field; nothing is kept. */
  parse(field: FormField, input: FieldInput): Parsed {
    return parseField(field, input, this.#checker);
  }

  set(field: FormField, input: FieldInput): void {
    this.#inputs.set(field.key, input);
  }

  answerTo(field: FormField): Parsed {
    return this.parse(field, this.inputOf(field));
  }

  /** All answers together, as the server's schema sees them (ELIC-18). */
  review(): Review {
    const entries: (readonly [string, FieldValue])[] = [];
    const problems = new Map<string, FieldProblem>();
    for (const field of this.form.fields) {
      const answer = this.answerTo(field);
      if (answer.kind === 'problem') {
        problems.set(field.key, answer.problem);
      } else if (answer.kind === 'value') {
        entries.push([field.key, answer.value]);
      }
    }
    const content = Object.fromEntries(entries);
    // What single fields are wrong about is told there.
    const sentences = problems.size > 0 ? [] : this.#checker.check(this.form.schema, content);
    return problems.size === 0 && sentences.length === 0
      ? { kind: 'complete', content }
      : { kind: 'incomplete', problems, sentences };
  }
}
