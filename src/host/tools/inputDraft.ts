/**
 * The input of a tool while the user edits it: the text for each property, its value, and whether all of it matches the
 * tool's schema. A missing value is left out, never null.
 */
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import { toError } from '../../base/async.ts';
import type { JsonObject } from '../../base/json.ts';
import { Draft } from '../forms/formDraft.ts';
import type { AnyField, FieldInput, JsonField, Parsed } from '../forms/form.ts';
import { initialInput, parseField } from '../forms/parseField.ts';
import { emptyValue, problemsOf, type ToolForm } from './inputForm.ts';

export class InputDraft extends Draft<AnyField, unknown> {
  /** @param given an earlier input to start from; otherwise the defaults */
  constructor(form: ToolForm, checker: SchemaChecker, given?: JsonObject) {
    super(form, checker, (field) => {
      if (given === undefined) {
        return firstInput(field);
      }
      return Object.hasOwn(given, field.key) ? asInput(field, given[field.key]) : undefined;
    });
  }

  /** The given text, with any JSON as the value. */
  override parse(
    field: AnyField,
    input: FieldInput,
    checker: SchemaChecker,
  ): Promise<Parsed<unknown>> {
    return field.kind === 'json'
      ? parseJson(field, typeof input === 'string' ? input : '', checker)
      : parseField(field, input, checker);
  }

  /** None when the tool's schema is unusable: the server checks its input itself. */
  override violations(input: JsonObject, checker: SchemaChecker): Promise<readonly string[]> {
    return problemsOf(checker, this.form.schema, input);
  }

  /** The input so far, to continue as JSON: missing required values are present, but empty. */
  async soFar(): Promise<JsonObject> {
    const entries: (readonly [string, unknown])[] = [];
    for (const field of this.form.fields) {
      const answer = await this.answerTo(field);
      if (answer.kind === 'value' || field.isRequired) {
        entries.push([
          field.key,
          answer.kind === 'value' ? answer.value : emptyValue(field.schema),
        ]);
      }
    }
    return Object.fromEntries(entries);
  }
}

/** Whether the form can show all of an earlier input: it has a field for each member. */
export function isShowable({ fields }: ToolForm, input: JsonObject): boolean {
  return Object.keys(input).every((key) => fields.some((field) => field.key === key));
}

function firstInput(field: AnyField): FieldInput {
  if (field.kind !== 'json') {
    return initialInput(field);
  }
  return field.default === undefined ? '' : JSON.stringify(field.default);
}

function asInput(field: AnyField, value: unknown): FieldInput {
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

async function parseJson(
  field: JsonField,
  text: string,
  checker: SchemaChecker,
): Promise<Parsed<unknown>> {
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
  const [sentence] = await problemsOf(checker, field.schema, value);
  return sentence === undefined
    ? { kind: 'value', value }
    : { kind: 'problem', problem: { kind: 'other', sentence } };
}
