/**
 * The answers to a form while the user edits them: the input for each field, its value, and whether all of it can be
 * sent. Lives as long as the request, so that a postponed form reopens as it was left.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import type {
  AnyField,
  FieldInput,
  FieldProblem,
  FieldValue,
  Form,
  FormField,
  Parsed,
} from './form.ts';
import { initialInput, parseField } from './parseField.ts';
import { TimeLimit } from './readForm.ts';

export type Review<V> =
  | { readonly kind: 'complete'; readonly content: Readonly<Record<string, V>> }
  | {
      readonly kind: 'incomplete';
      /** By key. */
      readonly problems: ReadonlyMap<string, FieldProblem>;
      /** Violations of rules about several fields, one sentence each; only when no field has a problem. */
      readonly sentences: readonly string[];
    };

/** Milliseconds to check all answers of a form together. */
export const maxReviewMs = 10_000;

export abstract class Draft<F extends AnyField, V> {
  readonly form: Form<F>;
  readonly #checker: SchemaChecker;
  readonly #inputs = new Map<string, FieldInput>();
  /** A cache for inputs that have not changed since. */
  readonly #answers = new Map<string, Promise<Parsed<V>>>();
  /** The user's position: the index of a field, or the number of fields for the review. */
  position = 0;
  /** The user opened a single answer from the review, and returns there. */
  isChanging = false;

  constructor(form: Form<F>, checker: SchemaChecker, first: (field: F) => FieldInput) {
    this.form = form;
    this.#checker = checker;
    for (const field of form.fields) {
      this.#inputs.set(field.key, first(field));
    }
  }

  /** The value of `input` for the field; stores nothing. */
  abstract parse(field: F, input: FieldInput, checker: SchemaChecker): Promise<Parsed<V>>;

  /** One sentence for each rule of the schema that the values violate together. */
  violations(
    values: Readonly<Record<string, V>>,
    checker: SchemaChecker,
  ): Promise<readonly string[]> {
    return checker.check(this.form.schema, values);
  }

  goTo(position: number | 'review'): void {
    this.position = position === 'review' ? this.form.fields.length : position;
    this.isChanging = false;
  }

  /** An answer that was opened from the review leads back to it, by Next and by Back. */
  move(end: 'next' | 'back'): void {
    this.goTo(this.isChanging ? 'review' : this.position + (end === 'next' ? 1 : -1));
  }

  inputOf(field: F): FieldInput {
    return this.#inputs.get(field.key);
  }

  /** Stores the input, valid or not. */
  set(field: F, input: FieldInput): void {
    this.#inputs.set(field.key, input);
    this.#answers.delete(field.key);
  }

  answerTo(field: F): Promise<Parsed<V>> {
    const known = this.#answers.get(field.key);
    if (known !== undefined) {
      return known;
    }
    const answer = this.parse(field, this.inputOf(field), this.#checker);
    this.#answers.set(field.key, answer);
    // A check that failed is made again.
    answer.catch(() => this.#answers.delete(field.key));
    return answer;
  }

  /**
   * Validates all answers together against the server's schema (ELIC-18).
   * @throws McpError `unsupported` when the check takes too long
   */
  async review(): Promise<Review<V>> {
    const limit = new TimeLimit(maxReviewMs);
    const values: (readonly [string, V])[] = [];
    const problems = new Map<string, FieldProblem>();
    for (const field of this.form.fields) {
      const answer = await limit.run(() => this.answerTo(field));
      if (answer.kind === 'problem') {
        problems.set(field.key, answer.problem);
      } else if (answer.kind === 'value') {
        values.push([field.key, answer.value]);
      }
    }
    const content = Object.fromEntries(values);
    const sentences =
      problems.size > 0 ? [] : await limit.run(() => this.violations(content, this.#checker));
    return problems.size === 0 && sentences.length === 0
      ? { kind: 'complete', content }
      : { kind: 'incomplete', problems, sentences };
  }
}

/** The answers to an elicitation. */
export class FormDraft extends Draft<FormField, FieldValue> {
  constructor(form: Form, checker: SchemaChecker) {
    super(form, checker, initialInput);
  }

  override parse(field: FormField, input: FieldInput, checker: SchemaChecker): Promise<Parsed> {
    return parseField(field, input, checker);
  }
}
