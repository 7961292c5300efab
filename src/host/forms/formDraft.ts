/**
 * The answers to a form while the user edits them: the input for each field, its value, and whether all of it can be
 * sent. Lives as long as the request, so that a postponed form reopens as it was left.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import type { ElicitContent } from '../../mcp/types/clientFeatures.ts';
import {
  type FieldInput,
  type FieldValue,
  type Form,
  type FormField,
  type Parsed,
  type Incomplete,
  reviewed,
} from './form.ts';
import { checkApart, type Checking } from './checking.ts';
import { initialInput, parseField, parsing } from './parseField.ts';

export type Review = { readonly kind: 'complete'; readonly content: ElicitContent } | Incomplete;

/** Milliseconds to check all answers of a form together. */
export const maxReviewMs = 10_000;

/** The inputs that a step for one field reads and writes. */
export interface FieldInputs {
  inputOf(field: FormField): FieldInput;
  /** Stores the input, valid or not. */
  set(field: FormField, input: FieldInput): void;
  answerTo(field: FormField): Parsed;
}

export class FormDraft implements FieldInputs {
  readonly form: Form;
  readonly #checker: SchemaChecker;
  readonly #inputs = new Map<string, FieldInput>();
  /** A cache for inputs that have not changed since. */
  readonly #parsed = new Map<string, Parsed>();
  /** The user's position: the index of a field, or the number of fields for the review. */
  position = 0;
  /** The user opened a single answer from the review, and returns there. */
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

  /** The value of `input` for the field; stores nothing. */
  parse(field: FormField, input: FieldInput): Parsed {
    return parseField(field, input, this.#checker);
  }

  set(field: FormField, input: FieldInput): void {
    this.#inputs.set(field.key, input);
    this.#parsed.delete(field.key);
  }

  answerTo(field: FormField): Parsed {
    const known = this.#parsed.get(field.key);
    if (known !== undefined) {
      return known;
    }
    const parsed = this.parse(field, this.inputOf(field));
    this.#parsed.set(field.key, parsed);
    return parsed;
  }

  /**
   * Validates all answers together against the server's schema (ELIC-18).
   * @throws McpError `unsupported` when the check takes too long
   */
  async review(): Promise<Review> {
    return checkApart(this.#reviewing(), this.#checker, maxReviewMs);
  }

  *#reviewing(): Checking<Review> {
    for (const field of this.form.fields) {
      if (!this.#parsed.has(field.key)) {
        const input = this.inputOf(field);
        const parsed = yield* parsing(field, input);
        // The next review reads inputs that change meanwhile.
        if (this.inputOf(field) === input) {
          this.#parsed.set(field.key, parsed);
        }
      }
    }
    const answers = reviewed<FormField, FieldValue>(this.form.fields, (field) =>
      this.answerTo(field),
    );
    if (answers.kind === 'incomplete') {
      return answers;
    }
    const sentences = yield { schema: this.form.schema, value: answers.values };
    return sentences.length === 0
      ? { kind: 'complete', content: answers.values }
      : { kind: 'incomplete', problems: new Map(), sentences };
  }
}
