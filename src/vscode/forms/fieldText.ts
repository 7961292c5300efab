/** Fields, answers and their problems in words. Decides nothing. */
import * as vscode from 'vscode';
import type { FieldInput, FieldProblem, FormField, Parsed } from '../../host/forms/form.ts';
import { isCutOnOneLine, oneLine } from '../text/text.ts';

const maxLabel = 60;
const maxDescription = 300;
const maxOption = 200;

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

function optionsOf(field: FormField): readonly { readonly label: string }[] {
  return field.kind === 'choice' || field.kind === 'choices' ? field.options : [];
}

/** The server's text about the field, and the values that it takes, on one line. */
export function fieldHint(field: FormField): string {
  const rules = ruleTexts(field);
  return [
    oneLine(field.description ?? '', maxDescription),
    ...(rules.length === 0 ? [] : [`(${rules.join(', ')})`]),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function ruleTexts(field: FormField): readonly string[] {
  const presence = field.isRequired ? vscode.l10n.t('required') : vscode.l10n.t('optional');
  switch (field.kind) {
    case 'text':
      return [
        presence,
        ...(field.format === undefined ? [] : [formatText(field.format)]),
        ...rangeText(field.minLength, field.maxLength, vscode.l10n.t('characters')),
      ];
    case 'number':
      return [
        presence,
        field.isInteger ? vscode.l10n.t('whole number') : vscode.l10n.t('number'),
        ...rangeText(field.minimum, field.maximum, ''),
      ];
    case 'choices':
      return [presence, ...rangeText(field.minItems, field.maxItems, vscode.l10n.t('choices'))];
    case 'boolean':
    case 'choice':
      return [presence];
  }
}

function rangeText(
  lower: number | undefined,
  upper: number | undefined,
  unit: string,
): readonly string[] {
  const text =
    lower === undefined
      ? upper === undefined
        ? ''
        : vscode.l10n.t('at most {0} {1}', upper, unit)
      : upper === undefined
        ? vscode.l10n.t('at least {0} {1}', lower, unit)
        : lower === upper
          ? vscode.l10n.t('exactly {0} {1}', lower, unit)
          : vscode.l10n.t('{0} to {1} {2}', lower, upper, unit);
  return text === '' ? [] : [text.trim()];
}

function formatText(format: string): string {
  switch (format) {
    case 'email':
      return vscode.l10n.t('e-mail address');
    case 'uri':
      return vscode.l10n.t('URI');
    case 'date':
      return vscode.l10n.t('date as YYYY-MM-DD');
    case 'date-time':
      return vscode.l10n.t('date and time with zone');
    default:
      return oneLine(format, 40);
  }
}

/** @param input the text that the answer was read from; shown if it is no valid answer */
export function answerText(field: FormField, answer: Parsed, input: FieldInput): string {
  if (answer.kind === 'absent') {
    return vscode.l10n.t('(not answered)');
  }
  const value = answer.kind === 'value' ? answer.value : input;
  if ((field.kind === 'text' || field.kind === 'number') && field.seemsSecret) {
    return value === '' ? '' : '••••••';
  }
  if (typeof value === 'boolean') {
    return yesNo(value);
  }
  if (typeof value === 'object') {
    const chosen = value.map((one) => optionLabel(field, one));
    return chosen.length === 0 ? vscode.l10n.t('(none chosen)') : chosen.join(', ');
  }
  if (value === '') {
    return answer.kind === 'value' ? vscode.l10n.t('(empty text)') : '';
  }
  return optionLabel(field, value === undefined ? '' : String(value));
}

export function yesNo(value: boolean): string {
  return value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
}

function optionLabel(field: FormField, value: string): string {
  const option =
    field.kind === 'choice' || field.kind === 'choices'
      ? field.options.find((one) => one.value === value)
      : undefined;
  return oneLine(option?.label ?? value, maxOption);
}

/** @param wants what the value is for; changes the text for an empty value */
export function problemText(problem: FieldProblem, wants: 'answer' | 'argument'): string {
  switch (problem.kind) {
    case 'required':
      return requiredText(wants);
    case 'format':
      return formatProblem(problem.format);
    case 'pattern':
      return vscode.l10n.t(
        'The text does not match the pattern that the server demands: {0}',
        oneLine(problem.pattern, 100),
      );
    case 'notANumber':
    case 'notAnInteger':
    case 'notExact':
      return numberProblem(problem.kind);
    case 'tooShort':
    case 'tooLong':
    case 'tooSmall':
    case 'tooLarge':
    case 'tooFew':
    case 'tooMany':
      return limitProblem(problem);
    case 'notJson':
      return vscode.l10n.t('Not JSON yet: {0}', oneLine(problem.reason, 200));
    case 'other':
      return vscode.l10n.t('Not allowed: {0}', oneLine(problem.sentence, 200));
  }
}

function requiredText(wants: 'answer' | 'argument'): string {
  return wants === 'answer'
    ? vscode.l10n.t('An answer is required.')
    : vscode.l10n.t('The tool needs a value here.');
}

function numberProblem(kind: 'notANumber' | 'notAnInteger' | 'notExact'): string {
  switch (kind) {
    case 'notANumber':
      return vscode.l10n.t('This is no number. Write it like 12, -0.5 or 1e6.');
    case 'notAnInteger':
      return vscode.l10n.t('A whole number is needed.');
    case 'notExact':
      return vscode.l10n.t('The number has more digits than can be sent.');
  }
}

function limitProblem(problem: Extract<FieldProblem, { limit: number }>): string {
  switch (problem.kind) {
    case 'tooShort':
      return vscode.l10n.t(
        'At least {0} characters are needed; this has {1}.',
        problem.limit,
        problem.length,
      );
    case 'tooLong':
      return vscode.l10n.t(
        'At most {0} characters are allowed; this has {1}.',
        problem.limit,
        problem.length,
      );
    case 'tooSmall':
      return vscode.l10n.t('The number must be at least {0}.', problem.limit);
    case 'tooLarge':
      return vscode.l10n.t('The number must be at most {0}.', problem.limit);
    case 'tooFew':
      return vscode.l10n.t('Choose at least {0}; {1} chosen.', problem.limit, problem.count);
    case 'tooMany':
      return vscode.l10n.t('Choose at most {0}; {1} chosen.', problem.limit, problem.count);
  }
}

function formatProblem(format: string): string {
  switch (format) {
    case 'email':
      return vscode.l10n.t('This is no e-mail address. Write it like name@example.com.');
    case 'uri':
      return vscode.l10n.t('This is no complete URI. Write it like https://example.com/page.');
    case 'date':
      return vscode.l10n.t('This is no date. Write it like 2025-12-31.');
    case 'date-time':
      return vscode.l10n.t(
        'This is no date and time with a zone. Write it like 2025-12-31T23:59:00Z or …+01:00.',
      );
    default:
      return vscode.l10n.t('The text is not of the format "{0}".', oneLine(format, 40));
  }
}
