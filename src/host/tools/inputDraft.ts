/**
 * The input of a tool while the user edits it: the text for each property, its value, and whether all of it matches the
 * tool's schema. A missing value is left out, never null.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { toError } from '../../base/async.ts';
import type { JsonObject } from '../../base/json.ts';
import type { FieldInputs } from '../forms/formDraft.ts';
import {
  type FieldInput,
  type FormField,
  type Parsed,
  type Incomplete,
  reviewed,
} from '../forms/form.ts';
import { initialInput, parseField } from '../forms/parseField.ts';
import {
  type JsonField,
  problemsOf,
  type ToolField,
  type ToolForm,
  emptyValue,
} from './inputForm.ts';

/** The given text, with any JSON as the value. */
export type Argument = Parsed<unknown>;

export type InputReview = { readonly kind: 'complete'; readonly input: JsonObject } | Incomplete;

export class InputDraft implements FieldInputs {
  readonly form: ToolForm;
  readonly #checker: SchemaChecker;
  readonly #inputs = new Map<string, FieldInput>();
  /** The user's position: the index of a field, or the number of fields for the review. */
  position = 0;
  /** The user opened a single value from the review, and returns there. */
  isChanging = false;

  /** @param given an earlier input to start from; otherwise the defaults */
  constructor(form: ToolForm, checker: SchemaChecker, given?: JsonObject) {
    this.form = form;
    this.#checker = checker;
    for (const field of form.fields) {
      const input =
        given === undefined
          ? firstInput(field)
          : Object.hasOwn(given, field.key)
            ? asInput(field, given[field.key])
            : undefined;
      this.#inputs.set(field.key, input);
    }
  }

  goTo(position: number | 'review'): void {
    this.position = position === 'review' ? this.form.fields.length : position;
    this.isChanging = false;
  }

  inputOf(field: ToolField): FieldInput {
    return this.#inputs.get(field.key);
  }

  set(field: ToolField, input: FieldInput): void {
    this.#inputs.set(field.key, input);
  }

  answerTo(field: FormField): Parsed;
  answerTo(field: ToolField): Argument;
  answerTo(field: ToolField): Argument {
    const input = this.inputOf(field);
    return field.kind === 'json'
      ? parseJson(field, typeof input === 'string' ? input : '', this.#checker)
      : parseField(field, input, this.#checker);
  }

  /** Validates all values together against the tool's schema. */
  review(): InputReview {
    const review = reviewed<ToolField, unknown>(
      this.form.fields,
      (field) => this.answerTo(field),
      (input) => problemsOf(this.#checker, this.form.schema, input),
    );
    return review.kind === 'complete' ? { kind: 'complete', input: review.values } : review;
  }

  /** The input so far, to continue as JSON: missing required values are present, but empty. */
  soFar(): JsonObject {
    return Object.fromEntries(
      this.form.fields.flatMap((field) => {
        const answer = this.answerTo(field);
        if (answer.kind === 'value') {
          return [[field.key, answer.value] as const];
        }
        return field.isRequired ? [[field.key, emptyValue(field.schema)] as const] : [];
      }),
    );
  }
}

/** Whether the form can show all of an earlier input: it has a field for each member. */
export function isShowable({ fields }: ToolForm, input: JsonObject): boolean {
  return Object.keys(input).every((key) => fields.some((field) => field.key === key));
}

function firstInput(field: ToolField): FieldInput {
  if (field.kind !== 'json') {
    return initialInput(field);
  }
  return field.default === undefined ? '' : JSON.stringify(field.default);
}

function asInput(field: ToolField, value: unknown): FieldInput {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : '';
    case 'number':
      return typeof value === 'number' ? String(value) : '';
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'choice':
      return field.options.find((option) => option.value === value)?.value;
    case 'choices':
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    case 'json':
      return JSON.stringify(value);
  }
}

function parseJson(field: JsonField, text: string, checker: SchemaChecker): Argument {
  if (text.trim() === '') {
    return field.isRequired
      ? { kind: 'problem', problem: { kind: 'required' } }
      : { kind: 'absent' };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = toError(error).message;
    return { kind: 'problem', problem: { kind: 'notJson', reason } };
  }
  const [sentence] = problemsOf(checker, field.schema, value);
  return sentence === undefined
    ? { kind: 'value', value }
    : { kind: 'problem', problem: { kind: 'other', sentence } };
}
