/**
 * The schema of an elicitation → a Form. Every kind of field of the revisions 2025-06-18 and 2025-11-25; any other kind
 * is refused with the field's name, never guessed (ELIC-08).
 * https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
import { t } from '../../base/l10n.ts';
import { setImmediate } from 'node:timers/promises';
import { settlesWithin } from '../../base/async.ts';
import type { SchemaChecker } from '../schemas/schemaChecker.ts';
import {
  isObject,
  isString,
  isStringArray,
  type JsonObject,
  someText,
  withoutUndefined,
} from '../../base/json.ts';
import { invalidParams, isMcpError, McpError } from '../../mcp/errors.ts';
import { type Revision, revisions } from '../../mcp/revisions.ts';
import type { JsonSchema } from '../../mcp/types/lists.ts';
import type { Form, FormField, Option } from './form.ts';
import { withoutNull } from '../schemas/schemaParts.ts';
import { seemsSecret } from '../schemas/seemsSecret.ts';

/** People do not fill in more than these. */
export const maxFields = 100;
export const maxOptions = 1000;

/** Milliseconds to compile all fields and check their defaults, long enough to start the process for schemas. */
export const maxReadMs = 5_000;

/** @throws RpcError -32602 that names the unsupported field, and why */
export async function readForm(
  schema: JsonSchema,
  revision: Revision,
  checker: SchemaChecker,
): Promise<Form> {
  const { type, properties, required } = schema;
  if (type !== undefined && type !== 'object') {
    throw invalidParams(`the schema must be of type "object", not ${JSON.stringify(type)}`);
  }
  if (properties !== undefined && !isObject(properties)) {
    throw invalidParams('"properties" of the schema must be an object');
  }
  const entries = Object.entries(properties ?? {});
  if (entries.length > maxFields) {
    throw invalidParams(
      `the schema has ${entries.length} fields; at most ${maxFields} can be asked for`,
    );
  }
  const needed = new Set(isStringArray(required) ? required : []);
  const unknown = [...needed].find((key) => !entries.some(([name]) => name === key));
  if (unknown !== undefined) {
    throw invalidParams(`"required" names ${JSON.stringify(unknown)}, which is not a field`);
  }
  const bounded = new TimeLimit(maxReadMs).around(checker);
  const fields: FormField[] = [];
  for (const [key, field] of entries) {
    fields.push(await readField(key, field, needed.has(key), { revision, checker: bounded }));
  }
  await violations(bounded, schema, {}, 'the schema');
  return { fields, schema };
}

/**
 * Reads one field of an object schema.
 * @throws RpcError -32602 when a form cannot ask for the field, and why
 */
export async function readField(
  key: string,
  received: unknown,
  isRequired: boolean,
  { revision, checker }: { readonly revision: Revision; readonly checker: SchemaChecker },
): Promise<FormField> {
  const name = `field ${JSON.stringify(key)}`;
  if (!isObject(received)) {
    throw invalidParams(`${name} must have an object as its schema`);
  }
  const schema = withoutNull(received);
  const title = someText(schema['title']);
  const description = someText(schema['description']);
  const format = someText(schema['format']);
  // A default that does not match its own schema is ignored.
  const { default: proposed } = received;
  const isFitting = (await violations(checker, received, proposed, name)).length === 0;
  const kind = kindOf(name, schema, revision, isFitting ? proposed : undefined);
  return {
    key,
    label: title ?? key,
    ...(description !== undefined && { description }),
    isRequired,
    schema: received,
    ...(kind.kind === 'text' || kind.kind === 'number'
      ? { ...kind, seemsSecret: seemsSecret({ key, title, description, format }) }
      : kind),
  };
}

function kindOf(name: string, schema: JsonObject, revision: Revision, byDefault: unknown): Kind {
  const { type } = schema;
  const options = optionsOf(name, schema);
  if (options !== undefined && (type === 'string' || type === undefined)) {
    return { kind: 'choice', options, ...(isString(byDefault) && { default: byDefault }) };
  }
  switch (type) {
    case 'string':
      return withoutUndefined({
        kind: 'text',
        format: someText(schema['format']),
        pattern: someText(schema['pattern']),
        minLength: someNumber(schema['minLength']),
        maxLength: someNumber(schema['maxLength']),
        default: isString(byDefault) ? byDefault : undefined,
      });
    case 'number':
    case 'integer':
      return withoutUndefined({
        kind: 'number',
        isInteger: type === 'integer',
        minimum: someNumber(schema['minimum']),
        maximum: someNumber(schema['maximum']),
        default: someNumber(byDefault),
      });
    case 'boolean':
      return { kind: 'boolean', ...(typeof byDefault === 'boolean' && { default: byDefault }) };
    case 'array':
      return choicesOf(name, schema, revision, byDefault);
    default:
      throw invalidParams(
        `${name} is of ${type === undefined ? 'no type' : `type ${JSON.stringify(type)}`}; ` +
          'a form takes strings, numbers, integers, booleans and choices, without nesting',
      );
  }
}

function choicesOf(name: string, schema: JsonObject, revision: Revision, byDefault: unknown): Kind {
  if (!revisions[revision].elicitsLists) {
    throw invalidParams(`${name} is a list, which revision ${revision} does not know`);
  }
  const { items } = schema;
  const options = isObject(items) ? optionsOf(name, items) : undefined;
  if (options === undefined) {
    throw invalidParams(`${name} is a list, but not of choices`);
  }
  return withoutUndefined({
    kind: 'choices',
    options,
    minItems: someNumber(schema['minItems']),
    maxItems: someNumber(schema['maxItems']),
    default: isStringArray(byDefault) ? byDefault : undefined,
  });
}

type Kind = FormField extends infer F
  ? F extends FormField
    ? Omit<F, 'key' | 'label' | 'description' | 'isRequired' | 'schema' | 'seemsSecret'>
    : never
  : never;

/**
 * Plain `enum`, `enum` with `enumNames`, `oneOf` or `anyOf` of `const` and `title`; undefined when
 * the schema offers no choice.
 */
function optionsOf(name: string, schema: JsonObject): readonly Option[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema;
  const titled = oneOf ?? anyOf;
  if (values === undefined && titled === undefined) {
    return undefined;
  }
  if (isStringArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return distinct(
      name,
      values.map((value, index) => ({ value, label: someText(names[index]) ?? value })),
    );
  }
  if (Array.isArray(titled) && titled.every(isTitled)) {
    return distinct(
      name,
      titled.map((option) => ({
        value: option.const,
        label: someText(option.title) ?? option.const,
      })),
    );
  }
  // An enum of numbers is a number field; the final check knows its values.
  if (values !== undefined && (schema['type'] === 'number' || schema['type'] === 'integer')) {
    return undefined;
  }
  throw invalidParams(`${name} offers choices that are not strings`);
}

function isTitled(option: unknown): option is { readonly const: string; readonly title?: unknown } {
  return isObject(option) && isString(option['const']);
}

function distinct(name: string, options: readonly Option[]): readonly Option[] {
  const byValue = new Map(options.toReversed().map((option) => [option.value, option]));
  const kept = options.filter((option) => byValue.get(option.value) === option);
  if (kept.length === 0 || kept.length > maxOptions) {
    throw invalidParams(`${name} offers ${kept.length} choices; it takes 1 to ${maxOptions}`);
  }
  return kept;
}

function someNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** An unusable schema is refused before the user is asked. */
async function violations(
  checker: SchemaChecker,
  schema: JsonSchema,
  value: unknown,
  what: string,
): Promise<readonly string[]> {
  try {
    return await checker.check(schema, value);
  } catch (error) {
    throw isMcpError(error) && error.code === 'unsupported'
      ? invalidParams(`${what} cannot be used: ${error.message}`)
      : error;
  }
}

/** Checks of one form, within a time that they share. */
export class TimeLimit {
  readonly #maxMs: number;
  readonly #end: number;
  #isOver = false;

  /** @param maxMs from now on, for all checks together */
  constructor(maxMs: number) {
    this.#maxMs = maxMs;
    this.#end = performance.now() + maxMs;
  }

  /** Whether a check took longer, or would have. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws McpError `unsupported` when that takes longer; later checks are not made */
  async run<T>(check: () => Promise<T>): Promise<T> {
    // A light check runs in this thread: other work gets its turn in between.
    await setImmediate();
    const leftMs = this.#end - performance.now();
    const made = leftMs > 0 && !this.#isOver ? check() : undefined;
    if (made === undefined || !(await settlesWithin(made, leftMs))) {
      this.#isOver = true;
      throw new McpError(
        'unsupported',
        t('Checking the form took longer than {0} ms', this.#maxMs),
      );
    }
    return made;
  }

  /** The checker within this limit. */
  around(checker: SchemaChecker): SchemaChecker {
    return { check: (schema, value) => this.run(() => checker.check(schema, value)) };
  }
}
