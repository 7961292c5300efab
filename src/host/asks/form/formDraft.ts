/**
 * The answers to a form while the user works on them: what was given for each field, what it means,
 * and whether all of it can be sent. Lives as long as the request, so that a form that is put off is
 * opened again as it was left.
 */
import type { ElicitContent } from '../../../mcp/types/asks.ts';
import type { SchemaChecker } from '../../ports.ts';
import type { FieldInput, FieldValue, Form, FormField, Parsed } from './form.ts';
import { initialInput, parseField } from './parseField.ts';
import { type Incomplete, reviewed } from './review.ts';

export type Review = { readonly kind: 'complete'; readonly content: ElicitContent } | Incomplete;

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
    const review = reviewed<FormField, FieldValue>(
      this.form.fields,
      (field) => this.answerTo(field),
      (content) => this.#checker.check(this.form.schema, content),
    );
    return review.kind === 'complete' ? { kind: 'complete', content: review.values } : review;
  }
}
