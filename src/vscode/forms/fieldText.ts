/** Fields, answers and their problems in words. Decides nothing. */
import * as vscode from 'vscode';
import { isString } from '../../base/json.ts';
import type {
  AnyField,
  FieldInput,
  FieldProblem,
  FormField,
  LimitProblem,
  Option,
  Parsed,
} from '../../host/forms/form.ts';
import type { Wants } from './step.ts';
import { isCutOnOneLine, oneLine } from '../text/labelText.ts';

const maxLabel = 60;
const maxDescription = 300;
const maxOption = 200;
const maxJson = 200;

export function fieldLabel({ label }: FormField): string {
  return oneLine(label, maxLabel);
}

/** Whether the server's text about the field does not fit in its step. */
export function isFieldCut(field: FormField): boolean {
  const { label, description = '' } = field;
  return (
    label.length > maxLabel ||
    isCutOnOneLine(description, maxDescription) ||
    optionsOf(field).some((option) => option.label.length > maxOption)
  );
}

/** The server's whole text about the field. */
export function wholeField(field: FormField): readonly string[] {
  const { label, description } = field;
  return [
    `— ${label} —`,
    ...(description === undefined ? [] : [description]),
    ...optionsOf(field).map((option) => `• ${option.label}`),
  ];
}

function optionsOf(field: AnyField): readonly Option[] {
  return field.kind === 'choice' || field.kind === 'choices' ? field.options : [];
}

/** The server's text about the field, and the values that it takes, on one line. */
export function fieldHint(field: AnyField): string {
  const rules = ruleTexts(field);
  return [
    oneLine(field.description ?? '', maxDescription),
    ...(rules.length === 0 ? [] : [`(${rules.join(', ')})`]),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function ruleTexts(field: AnyField): readonly string[] {
  const presence = field.isRequired ? vscode.l10n.t('required') : vscode.l10n.t('optional');
  switch (field.kind) {
    case 'text':
      return [
        presence,
        ...(field.format === undefined ? [] : [formatText(field.format)]),
        ...rangeText(field.minLength, field.maxLength, charactersText),
      ];
    case 'number':
      return [
        presence,
        field.isInteger ? vscode.l10n.t('whole number') : vscode.l10n.t('number'),
        ...rangeText(field.minimum, field.maximum, String),
      ];
    case 'choices':
      return [presence, ...rangeText(field.minItems, field.maxItems, choicesText)];
    case 'json':
      return [presence, jsonText(field.type)];
    case 'boolean':
    case 'choice':
      return [presence];
  }
}

function jsonText(type: string | undefined): string {
  switch (type) {
    case undefined:
      return vscode.l10n.t('JSON');
    case 'array':
      return vscode.l10n.t('JSON: {0}', vscode.l10n.t('a list'));
    case 'object':
      return vscode.l10n.t('JSON: {0}', vscode.l10n.t('an object'));
    default:
      return vscode.l10n.t('JSON: {0}', oneLine(type, 40));
  }
}

function rangeText(
  lower: number | undefined,
  upper: number | undefined,
  counted: (count: number) => string,
): readonly string[] {
  if (lower === undefined) {
    return upper === undefined ? [] : [vscode.l10n.t('at most {0}', counted(upper))];
  }
  if (upper === undefined) {
    return [vscode.l10n.t('at least {0}', counted(lower))];
  }
  return lower === upper
    ? [vscode.l10n.t('exactly {0}', counted(lower))]
    : [vscode.l10n.t('{0} to {1}', lower, counted(upper))];
}

function charactersText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 character') : vscode.l10n.t('{0} characters', count);
}

function choicesText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 choice') : vscode.l10n.t('{0} choices', count);
}

/** The formats of the protocol: their names, and the problem of a text that does not have them. */
const formats = new Map([
  [
    'email',
    [
      vscode.l10n.t('email address'),
      vscode.l10n.t('This is not an email address. Write it like name@example.com.'),
    ],
  ],
  [
    'uri',
    [
      vscode.l10n.t('URI'),
      vscode.l10n.t('This is not a complete URI. Write it like https://example.com/page.'),
    ],
  ],
  [
    'date',
    [
      vscode.l10n.t('date as YYYY-MM-DD'),
      vscode.l10n.t('This is not a date. Write it like 2025-12-31.'),
    ],
  ],
  [
    'date-time',
    [
      vscode.l10n.t('date and time, local without a time zone'),
      vscode.l10n.t(
        'This is not a date and time. Write it like 2025-12-31 23:59, or with a time zone like 2025-12-31T23:59:00Z.',
      ),
    ],
  ],
]);

function formatText(format: string): string {
  return formats.get(format)?.[0] ?? oneLine(format, 40);
}

/** @param input the text that the answer was read from; shown if it is no valid answer */
export function answerText(
  field: AnyField,
  answer: Parsed<unknown>,
  input: FieldInput,
  wants: Wants | undefined,
): string {
  if (answer.kind === 'absent') {
    return wants === 'answer' ? vscode.l10n.t('(not answered)') : vscode.l10n.t('(left out)');
  }
  if (field.kind === 'json') {
    return isString(input) ? oneLine(input, maxJson) : '';
  }
  const value = answer.kind === 'value' ? answer.value : input;
  if ((field.kind === 'text' || field.kind === 'number') && field.seemsSecret) {
    return value === '' ? '' : '••••••';
  }
  if (value === '' && answer.kind === 'value') {
    return vscode.l10n.t('(empty text)');
  }
  const text = valueText(field, value);
  // A text is only changed to add the time zone that was left out.
  return isString(input) && isString(value) && value !== input
    ? vscode.l10n.t('{0} (local time zone)', text)
    : text;
}

function valueText(field: AnyField, value: unknown): string {
  if (typeof value === 'boolean') {
    return yesNo(value);
  }
  if (Array.isArray(value)) {
    const chosen = value.map((one) => optionLabel(field, String(one)));
    return chosen.length === 0 ? vscode.l10n.t('(none chosen)') : chosen.join(', ');
  }
  return isString(value) || typeof value === 'number' ? optionLabel(field, String(value)) : '';
}

export function yesNo(value: boolean): string {
  return value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
}

function optionLabel(field: AnyField, value: string): string {
  const option = optionsOf(field).find((one) => one.value === value);
  return oneLine(option?.label ?? value, maxOption);
}

/** @param wants what the value is for; changes the text for an empty value */
export function problemText(problem: FieldProblem, wants: Wants | undefined): string {
  if ('limit' in problem) {
    return limitText(problem);
  }
  switch (problem.kind) {
    case 'required':
      return wants === 'answer'
        ? vscode.l10n.t('An answer is required.')
        : vscode.l10n.t('A value is required.');
    case 'format':
      return (
        formats.get(problem.rule)?.[1] ??
        vscode.l10n.t('The text does not have the format "{0}".', oneLine(problem.rule, 40))
      );
    case 'pattern':
      return vscode.l10n.t(
        'The text does not match the required pattern: {0}',
        oneLine(problem.rule, 100),
      );
    case 'notANumber':
      return vscode.l10n.t('This is not a number. Write it like 12, -0.5 or 1e6.');
    case 'notAnInteger':
      return vscode.l10n.t('Enter a whole number.');
    case 'notExact':
      return vscode.l10n.t('The number has more digits than JSON can carry exactly.');
    case 'notJson':
      return vscode.l10n.t('Not valid JSON: {0}', oneLine(problem.reason, 200));
    case 'other':
      return vscode.l10n.t('Not allowed: {0}', oneLine(problem.sentence, 200));
  }
}

function limitText({ kind, limit, given }: LimitProblem): string {
  switch (kind) {
    case 'tooShort':
      return vscode.l10n.t('Enter at least {0}; this has {1}.', charactersText(limit), given);
    case 'tooLong':
      return vscode.l10n.t('Enter at most {0}; this has {1}.', charactersText(limit), given);
    case 'tooSmall':
      return vscode.l10n.t('The number must be at least {0}.', limit);
    case 'tooLarge':
      return vscode.l10n.t('The number must be at most {0}.', limit);
    case 'tooFew':
      return vscode.l10n.t('Choose at least {0}; {1} chosen.', limit, given);
    case 'tooMany':
      return vscode.l10n.t('Choose at most {0}; {1} chosen.', limit, given);
  }
}
