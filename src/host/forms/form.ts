/**
 * A form that a server asks the user to fill in: its fields in the order of the schema, their types, and their
 * values together. `readForm.ts` makes it from a schema, `parseField.ts` reads the user's input.
 */
import type { JsonSchema } from '../../mcp/types/lists.ts';

export interface Option {
  /** The value that is sent. */
  readonly value: string;
  /** The text that is shown. */
  readonly label: string;
}

export interface FieldBase {
  /** The name under which the answer is sent. */
  readonly key: string;
  /** The schema's title, else the key. */
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** The part of the server's schema for this field. */
  readonly schema: JsonSchema;
}

export interface TextField extends FieldBase {
  readonly kind: 'text';
  /** As in the schema, such as `email`, `uri`, `date`, `date-time`. */
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string;
  /** It seems to ask for a password, a key or a token, which a form must not do (ELIC-21). */
  readonly seemsSecret: boolean;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly seemsSecret: boolean;
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
  readonly default?: boolean;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  readonly default?: string;
}

export interface ChoicesField extends FieldBase {
  readonly kind: 'choices';
  readonly options: readonly Option[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** A property of a tool's input that is an object, a list, or of several types. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  /** The schema's type, such as `array`; absent where it has none or several. */
  readonly type?: string;
  /** Absent where there is none, or it does not match. */
  readonly default?: unknown;
}

export type AnyField = FormField | JsonField;

export interface Form<F extends AnyField = FormField> {
  readonly fields: readonly F[];
  /** The server's schema, as received. */
  readonly schema: JsonSchema;
}

export type FieldValue = string | number | boolean | readonly string[];

/**
 * The user's raw input for a field: the text of a text or number field, the choice in others. Undefined without input.
 */
export type FieldInput = string | boolean | readonly string[] | undefined;

/** A length, a number or a count of choices beyond a limit of the field. */
export interface LimitProblem {
  readonly kind: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'tooFew' | 'tooMany';
  readonly limit: number;
  readonly given: number;
}

/** A problem with an input. The editor has the words for it. */
export type FieldProblem =
  | LimitProblem
  | { readonly kind: 'required' }
  /** `rule` as in the schema. */
  | { readonly kind: 'format' | 'pattern'; readonly rule: string }
  | { readonly kind: 'notANumber' | 'notAnInteger' | 'notExact' }
  /** For a field that takes JSON. */
  | { readonly kind: 'notJson'; readonly reason: string }
  /** A rule of the schema that the protocol does not define, as a sentence. */
  | { readonly kind: 'other'; readonly sentence: string };

/** The meaning of an input. An absent field is not sent at all. */
export type Parsed<V = FieldValue> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: V }
  | { readonly kind: 'problem'; readonly problem: FieldProblem };
