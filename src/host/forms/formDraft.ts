/**
 * The answers to a form while the user works on them: what was given for each field, what it means,
 * and whether all of it can be sent. Lives as long as the request, so that a form that is put off is
 * opened again as it was left.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import type { ElicitContent } from '../../mcp/types/clientFeatures.ts';
import type { FieldInput, FieldValue, Form, FormField, Parsed } from './form.ts';
import { checkApart, type Checking } from './checking.ts';
import { initialInput, parseField, parsing } from './parseField.ts';
import { type Incomplete, reviewed } from './review.ts';

export type Review = { readonly kind: 'complete'; readonly content: ElicitContent } | Incomplete;

/** To check all answers of a form, again and together. */
export const maxReviewMs = 10_000;

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
  /** Of inputs that have not changed since. */
  readonly #parsed = new Map<string, Parsed>();
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
   * All answers together, as the server's schema sees them (ELIC-18).
   * @throws McpError `unsupported` when checking them takes too long
   */
  async review(): Promise<Review> {
    return checkApart(this.#reviewing(), this.#checker, maxReviewMs);
  }

  *#reviewing(): Checking<Review> {
    for (const field of this.form.fields) {
      if (!this.#parsed.has(field.key)) {
        const input = this.inputOf(field);
        const parsed = yield* parsing(field, input);
        // What is given meanwhile is read by the next review.
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
